//! Functions beside Google's own tools: models before Gemini 3 reject the combination, and later ones require a setting (Q37). Models before Gemini 3
//! also reject JSON responses beside any tool.

use super::fields::is_for_vertex;
use super::generation::{GEMINI_3, generation, is_before_third};
use crate::model::{Native, Request, Tool, ToolChoice};
use crate::run::{Key, Provider, Run, WarningCode};
use crate::value::Word;

/// Makes the tools what the model accepts.
pub fn fit(run: &mut Run, request: &mut Request) {
    let Some(generation) = generation(run, &request.settings) else { return };
    let tools = request.tools.as_deref().unwrap_or_default();
    let has_functions = tools.iter().any(|tool| matches!(tool, Tool::Definition(_)));
    if !has_functions {
        return;
    }
    let own: Vec<Native> = tools.iter().filter_map(|tool| as_alone(run, tool)).collect();
    match own.first() {
        None => {}
        Some(_) if generation < GEMINI_3 => drop_own(run, request, &own),
        Some(_) if is_for_vertex(run) => {}
        Some(first) => include_invocations(run, request, first),
    }
}

/// Whether the model rejects JSON responses beside these tools.
pub fn refuses_json(run: &Run, request: &Request) -> bool {
    let is_sent = |tool: &Tool| match tool {
        Tool::Native(native) => native.provider == Provider::Google,
        Tool::Definition(_) => true,
    };
    is_before_third(run, &request.settings) && request.tools.as_deref().unwrap_or_default().iter().any(is_sent)
}

/// The tool, if it is one of Google's own that can't simply be combined with functions.
fn as_alone(run: &mut Run, tool: &Tool) -> Option<Native> {
    match tool {
        Tool::Native(native) if native.provider == Provider::Google => {
            run.member(native.value, Word::computerUse).is_none().then(|| native.clone())
        }
        Tool::Native(_) | Tool::Definition(_) => None,
    }
}

fn drop_own(run: &mut Run, request: &mut Request, own: &[Native]) {
    for native in own {
        run.warn(
            WarningCode::NativeDropped,
            native.at,
            "models before Gemini 3 accept this tool or functions, not both",
        );
    }
    let is_gone = |tool: &Tool| matches!(tool, Tool::Native(native) if own.iter().any(|gone| gone.at == native.at));
    request.tools.iter_mut().for_each(|tools| tools.retain(|tool| !is_gone(tool)));
}

/// Sets the flag that makes the model state which of Google's tools it ran.
fn include_invocations(run: &mut Run, request: &mut Request, first: &Native) {
    let config = request.metadata.family_field(Word::toolConfig);
    if config.is_some_and(|config| run.member(config, Word::includeServerSideToolInvocations).is_some()) {
        return;
    }
    run.warn(
        WarningCode::DefaultUsed,
        first.at,
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
        request.choice.get_or_insert((ToolChoice::Auto, first.at));
        if request.metadata.form(Word::mode).is_none() {
            request.metadata.add_form(Word::mode, validated);
        }
    }
}
