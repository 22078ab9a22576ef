//! What Responses accepts (WIRE §2.10).

pub use super::fit_messages::{block, messages, response};
use super::request::{MISSING, SETTINGS};
use crate::fit::tools::{self, Part};
use crate::fit::{openai_models, reasoning, settings};
use crate::model::Request;
use crate::run::{Result, Run, WarningCode};

pub const HOST: Option<fn(&mut Run, &mut Request)> = None;

pub fn request(run: &mut Run, request: &mut Request) -> Result<()> {
    messages(run, request)?;
    tools(run, request, Part::Both);
    let settings = &mut request.settings;
    settings::fit(run, settings, SETTINGS);
    settings::drop(run, MISSING, settings);
    if let Some((_, at)) = settings.stop.take().filter(|(stop, _)| !stop.is_empty()) {
        run.warn(WarningCode::SettingDropped, at, "the target does not have this setting");
    }
    let takes = openai_models::takes(run, settings);
    reasoning::fit(run, settings, &takes);
    settings::name_schema(run, settings);
    Ok(())
}

pub fn tools(run: &mut Run, request: &mut Request, part: Part) {
    tools::fit(run, request, part);
}
