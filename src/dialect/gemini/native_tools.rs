//! Functions beside Google's own tools: models before Gemini 3 reject the combination, and later ones require a setting (Q37). Models before Gemini 3
//! also reject JSON responses beside any tool.

use super::fields::is_for_vertex;
use super::generation::{GEMINI_3, generation, is_before_third};
use crate::model::{Native, Request, Tool, ToolChoice};
use crate::run::{At, Key, Run, WarningCode};
use crate::value::Word;

/// Makes the tools what the model accepts.
pub fn fit(run: &mut Run, request: &mut Request) {
    let Some(generation) = generation(run, &request.settings) else { return };
    let Some(tools) = &mut request.tools else { return };
    if !tools.iter().any(|tool| matches!(tool, Tool::Definition(_))) {
        return;
    }
    if generation < GEMINI_3 {
        tools.retain(|tool| {
            let at = alone(run, tool);
            if let Some(at) = at {
                let message = "models before Gemini 3 accept this tool or functions, not both";
                run.warn(WarningCode::NativeDropped, at, message);
            }
            at.is_none()
        });
    } else if let Some(first) = tools.iter().find_map(|tool| alone(run, tool))
        && !is_for_vertex(run)
    {
        include_invocations(run, request, first);
    }
}

/// Whether the model rejects JSON responses beside these tools.
pub fn refuses_json(run: &Run, request: &Request) -> bool {
    let is_sent = |tool: &Tool| match tool {
        Tool::Native(native) => run.route.leads_to(native.provider),
        Tool::Definition(_) => true,
    };
    is_before_third(run, &request.settings) && request.tools.as_deref().unwrap_or_default().iter().any(is_sent)
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
        WarningCode::DefaultUsed,
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
