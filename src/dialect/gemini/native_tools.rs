//! Functions beside Google's own tools: models before Gemini 3 reject the combination, and later ones require a setting (Q37).

use super::fields::is_for_vertex;
use crate::fit::models;
use crate::model::{Native, Request, Tool, ToolChoice};
use crate::run::{At, Key, Run, WarningCode};
use crate::value::Word;

/// Makes the tools what the model accepts.
pub fn fit(run: &mut Run, request: &mut Request) {
    let Some(mixed) = request.settings.facts.mixed_tools else { return };
    let Some(tools) = &mut request.tools else { return };
    if !tools.iter().any(|tool| matches!(tool, Tool::Definition(_))) {
        return;
    }
    if !mixed {
        tools.retain(|tool| {
            let at = alone(run, tool);
            if let Some(at) = at {
                let message = "the model accepts this tool or functions, not both";
                models::warn(run, &request.settings, WarningCode::NativeDropped, at, "mixedTools", message);
            }
            at.is_none()
        });
    } else if let Some(first) = tools.iter().find_map(|tool| alone(run, tool))
        && !is_for_vertex(run)
    {
        include_invocations(run, request, first);
    }
}

/// The position of a tool that is one of Google's own and can't simply be combined with functions.
fn alone(run: &mut Run, tool: &Tool) -> Option<At> {
    match tool {
        Tool::Native(Native { at, provider, value, .. }) if run.route.leads_to(*provider) => {
            run.member(*value, Word::computerUse).is_none().then_some(*at)
        }
        Tool::Native(_) | Tool::Definition(_) => None,
    }
}

/// Sets the flag that makes the model state which of Google's tools it ran.
fn include_invocations(run: &mut Run, request: &mut Request, first: At) {
    let config = request.metadata.family_field(Word::toolConfig);
    if config.is_some_and(|config| run.member(config, Word::includeServerSideToolInvocations).is_some()) {
        return;
    }
    run.warn(
        WarningCode::FieldSupplied,
        first,
        "functions are combined with this tool: the model is asked to report the tools that it runs itself",
    );
    let config = run.build_object(|run, object| {
        object.boolean(run, Word::includeServerSideToolInvocations, true);
        object.add_rest(run, config);
    });
    request.metadata.set_family_field(Word::toolConfig, None);
    request.metadata.add(Key::Word(Word::toolConfig), config);
    if matches!(request.choice, None | Some((ToolChoice::Auto, _))) {
        let validated = run.store.string(Word::VALIDATED.text());
        request.choice.get_or_insert((ToolChoice::Auto, first));
        if request.metadata.form(Word::mode).is_none() {
            request.metadata.add_form(Word::mode, validated);
        }
    }
}
