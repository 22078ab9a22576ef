//! What Chat Completions accepts (WIRE §1.10).

use super::request::{MISSING, SETTINGS, STOP};
use super::router;
use crate::fit::tools::{self, Part};
use crate::fit::{openai_models, reasoning, settings};
use crate::model::Request;
use crate::run::{Result, Run, WarningCode};

pub fn request(run: &mut Run, request: &mut Request) -> Result<()> {
    tools(run, request, Part::Both);
    if run.from == run.to {
        return Ok(());
    }
    let Request { settings, metadata, .. } = request;
    settings::fit(run, settings, SETTINGS);
    settings::drop(run, MISSING, settings);
    settings::fit_stop(run, settings, &STOP);
    if router::form(run, settings, metadata).is_none() {
        let takes = openai_models::takes(run, settings);
        reasoning::fit(run, settings, &takes);
        let include = settings.reasoning.as_mut().and_then(|reasoning| reasoning.include.take());
        if let Some((_, at)) = include {
            run.warn(WarningCode::SettingDropped, at, "Chat Completions does not return the reasoning");
        }
    }
    settings::name_schema(run, settings);
    Ok(())
}

pub fn messages(_run: &mut Run, _request: &mut Request) -> Result<()> {
    Ok(())
}

pub fn tools(run: &mut Run, request: &mut Request, part: Part) {
    tools::fit(run, request, part);
}
