//! What Google's two APIs accept (WIRE §4.10, §4.11).

pub use super::fit_messages::{block, response};
use super::{fields, fit_messages, generation, native_tools, thinking};
use crate::fit::tools::{self as fit, ToolFields};
use crate::fit::{models, settings};
use crate::model::{Definition, Request, Setting, Tool};
use crate::run::{Result, Run, WarningCode};

/// The fields that the other API does not have.
pub const HOST: Option<fn(&mut Run, &mut Request)> = Some(fields::fit_host);

/// What the model accepts of other providers' requests.
pub const MODEL: Option<fn(&mut Run, &mut Request, ToolFields)> = Some(fit_to_model);

fn fit_to_model(run: &mut Run, request: &mut Request, part: ToolFields) {
    fields::fit(run, request);
    if part != ToolFields::Tools || request.settings.facts.mixed_tools == Some(false) {
        native_tools::fit(run, request);
    }
    generation::drop_ids(run, request);
    thinking::fit(run, request);
    models::fit_reasoning(run, &mut request.settings, f64::INFINITY);
}

pub fn request(run: &mut Run, request: &mut Request) -> Result<()> {
    generation::fit_signatures(run, request);
    tools(run, request, ToolFields::Both);
    fit_messages::messages(run, request)?;
    let settings = &mut request.settings;
    settings::fit(run, settings);
    settings::drop_schema_labels(run, settings);
    Ok(())
}

pub fn messages(run: &mut Run, request: &mut Request) -> Result<()> {
    generation::fit_signatures(run, request);
    fields::fit(run, request);
    fit_messages::messages(run, request)
}

/// Fields that only one of the APIs has are dropped together with those of the request.
pub fn tools(run: &mut Run, request: &mut Request, part: ToolFields) {
    if part == ToolFields::Tools || !run.route.to.format().has(Setting::ToolChoice) {
        warn_strict(run, request);
    }
    fields::fit(run, request);
    fit::fit(run, request, part);
}

/// In Google's APIs, strict mode is part of the choice.
fn warn_strict(run: &mut Run, request: &Request) {
    for tool in request.tools.iter().flatten() {
        if let Tool::Definition(Definition { strict: Some((true, at)), .. }) = tool {
            run.warn(
                WarningCode::StrictDropped,
                *at,
                "in the target, strict mode applies to the whole request, not to one tool",
            );
        }
    }
}
