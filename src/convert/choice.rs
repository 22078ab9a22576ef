//! Makes a tool choice name only tools that are sent: targets reject other names (Q30, Q53).

use crate::fit::tools::{is_sent, native_names};
use crate::format::Layout;
use crate::model::{Request, Tool, ToolChoice};
use crate::run::{At, Result, Run, WarningCode};
use crate::value::{Keys, Value};

/// Reduces an allow-list that also names tools other than functions to its functions, unless the target understands it as it is.
pub fn reduce(run: &mut Run, request: &mut Request) -> Result<()> {
    let Some((ToolChoice::Native { provider, value }, at)) = request.choice else { return Ok(()) };
    if provider.has_openai_format()
        && let Some(choice) = Layout::reduced(run, value, at)?
    {
        request.choice = Some((choice, at));
    }
    Ok(())
}

/// Removes names of unknown tools from the choice. If the request has no tools at all, the fit stage drops the choice.
pub fn keep_known_names(run: &mut Run, request: &mut Request) {
    let tools = request.tools.as_deref().unwrap_or_default();
    if !tools.iter().any(|tool| is_sent(run, tool)) {
        return;
    }
    match &mut request.choice {
        Some((ToolChoice::Named(name), at)) => {
            let (name, at) = (*name, *at);
            if !sent_names(run, tools).has(run.store.text(name).as_bytes()) {
                run.warn(WarningCode::ChoiceDropped, at, "the choice names a tool that the request does not have");
                request.choice = None;
            }
        }
        Some((choice @ ToolChoice::Allowed { .. }, at)) => {
            let at = *at;
            let given = std::mem::replace(choice, ToolChoice::None);
            if let ToolChoice::Allowed { names, required } = given {
                let known = sent_names(run, tools);
                request.choice = Some((keep_known(run, names, required, &known, at), at));
            }
        }
        Some((ToolChoice::Auto | ToolChoice::None | ToolChoice::Required | ToolChoice::Native { .. }, _)) | None => {}
    }
}

/// If no tool is allowed, the choice becomes `none`.
fn keep_known(run: &mut Run, names: Vec<Value>, required: bool, known: &Keys, at: At) -> ToolChoice {
    let count = names.len();
    let names: Vec<Value> = names.into_iter().filter(|name| known.has(run.store.text(*name).as_bytes())).collect();
    if names.len() < count {
        run.warn(WarningCode::ChoiceDropped, at, "the choice names a tool that the request does not have");
    } else if names.is_empty() && required {
        run.warn(WarningCode::ChoiceDropped, at, "a call is required, but no tool is allowed");
    }
    if names.is_empty() { ToolChoice::None } else { ToolChoice::Allowed { names, required } }
}

fn sent_names(run: &mut Run, tools: &[Tool]) -> Keys {
    let mut names = Keys::default();
    for tool in tools {
        let found = match tool {
            Tool::Definition(definition) => vec![definition.name],
            Tool::Native(native) if is_sent(run, tool) => native_names(run, native),
            Tool::Native(_) => Vec::new(),
        };
        for name in found {
            names.add(run.store.text(name).as_bytes());
        }
    }
    names
}
