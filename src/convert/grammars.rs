//! Grammars of freeform tools, which only OpenAI's formats have. Models of other providers are sent them in the description.

use crate::dialect::shared::freeform;
use crate::model::{Definition, Request, Tool};
use crate::run::{At, Key, Run, WarningCode};
use crate::value::{Value, Word};

/// Moves the grammars of freeform tools into the descriptions, if the target does not take the tools as they are.
pub fn fit(run: &mut Run, request: &mut Request) {
    if !run.route.is_to_provider() {
        return;
    }
    let has_freeform = run.route.to.format().layout.is_some();
    for tool in request.tools.iter_mut().flatten() {
        let Tool::Definition(definition) = tool else { continue };
        if has_freeform && freeform::mark(&definition.metadata).is_some() {
            continue;
        }
        let Some(mark) = run.openai_field(&definition.metadata, Word::custom) else { continue };
        let at = place(run, definition);
        describe(run, definition, mark, at);
        if freeform::is_described(run, mark) {
            forget(run, definition);
        }
    }
}

/// Removes the mark of a freeform tool.
pub fn forget(run: &mut Run, definition: &mut Definition) {
    if run.route.has_openai_fields() {
        definition.metadata.retain_family(&mut |member| member.key.word() != Word::custom);
    }
    for other in definition.metadata.others_mut().iter_mut().filter(|other| other.has_openai_fields()) {
        let whole = other.value;
        if run.field(whole, Word::custom).is_some() {
            other.value = run.build_object(|run, object| {
                object.skip(run, Word::custom);
                object.add_rest(run, Some(whole));
            });
        }
    }
}

/// The position of the mark's format.
fn place(run: &mut Run, definition: &Definition) -> At {
    if run.route.is_from_provider() {
        return run.down(definition.at, Word::format);
    }
    let metadata = run.down(definition.at, Word::metadata);
    let others = definition.metadata.others().iter().find(|other| other.has_openai_fields());
    let provider = run.down_key(metadata, others.map_or(Key::Word(Word::openai), |other| other.key));
    run.down(provider, Word::custom)
}

/// Adds the grammar in the mark of a freeform tool, which is at `at`, to its description.
pub fn describe(run: &mut Run, definition: &mut Definition, mark: Value, at: At) {
    let Some((syntax, grammar)) = freeform::grammar(run, mark) else { return };
    let mut pieces = Vec::new();
    if let Some(description) = definition.description.filter(|description| !run.is_blank(*description)) {
        pieces.extend([description, run.store.string("\n\n")]);
    }
    let syntax = syntax.map(|syntax| format!(" {}", run.store.text(syntax))).unwrap_or_default();
    let opening = format!("`input` must be text that matches this{syntax} grammar:\n\n```\n");
    pieces.extend([run.store.string(&opening), grammar, run.store.string("\n```")]);
    definition.description = Some(run.store.join(&pieces));
    run.warn(WarningCode::GrammarDescribed, at, "the target has no grammars: it was added to the description");
}
