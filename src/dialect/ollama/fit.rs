//! What Ollama's server accepts (WIRE §8.10). It has no tool choice: tools that the choice excludes are left out, and anything more is reported (WIRE
//! §8.2, Q46, Q53).

use super::request::{MISSING, OPTIONS, SETTINGS, STOP};
use super::think;
use crate::fit::settings;
use crate::fit::tools::{self as fit, Part};
use crate::model::{Request, Tool, ToolChoice};
use crate::run::{At, Result, Run, WarningCode};

pub fn request(run: &mut Run, request: &mut Request) -> Result<()> {
    tools(run, request, Part::Both);
    if run.from == run.to {
        return Ok(());
    }
    let settings = &mut request.settings;
    settings::drop_schema_labels(run, settings);
    think::fit(run, settings);
    settings::fit(run, settings, SETTINGS);
    settings::fit(run, settings, OPTIONS);
    settings::fit_stop(run, settings, &STOP);
    settings::drop(run, MISSING, settings);
    Ok(())
}

pub fn messages(_run: &mut Run, _request: &mut Request) -> Result<()> {
    Ok(())
}

/// Keeps the tools that the choice allows.
pub fn tools(run: &mut Run, request: &mut Request, part: Part) {
    match request.choice.clone() {
        Some((ToolChoice::None, at)) => fit::keep_named(run, request, &[], at),
        Some((ToolChoice::Named(name), at)) => fit::keep_named(run, request, &[name], at),
        Some((ToolChoice::Allowed { names, .. }, at)) => fit::keep_named(run, request, &names, at),
        Some((ToolChoice::Auto | ToolChoice::Required | ToolChoice::Native { .. }, _)) | None => {}
    }
    fit::fit(run, request, part);
    if run.from != run.to {
        drop_strict(run, request);
    }
    if let Some((choice, at)) = request.choice.take() {
        warn_choice(run, (&choice, at), part);
    }
    fit::drop_parallel(run, request);
}

/// Reports what the choice requires apart from leaving tools out.
fn warn_choice(run: &mut Run, (choice, at): (&ToolChoice, At), part: Part) {
    let message = match choice {
        ToolChoice::Auto | ToolChoice::Native { .. } => return,
        _ if part == Part::Choice => "the target has no tool choice",
        ToolChoice::None | ToolChoice::Allowed { required: false, .. } => return,
        ToolChoice::Required | ToolChoice::Named(_) | ToolChoice::Allowed { required: true, .. } => {
            "the target has no way to require a call"
        }
    };
    run.warn(WarningCode::SettingDropped, at, message);
}

fn drop_strict(run: &mut Run, request: &mut Request) {
    for tool in request.tools.iter_mut().flatten() {
        if let Tool::Definition(definition) = tool
            && let Some((true, at)) = definition.strict.take()
        {
            run.warn(WarningCode::StrictDropped, at, "the target has no strict mode");
        }
    }
}
