//! Settings that change within a conversation. Elsewhere a request has one value for all of it, which is that of the last update:
//!
//! - Anthropic's system messages have `output_config.effort` (<https://platform.claude.com/docs/en/build-with-claude/effort-per-message>), and
//!   `clear_at`, by which the model no longer sees them after the next message of the user
//!   (<https://platform.claude.com/docs/en/api/beta/messages/create>);
//! - the Responses API has `configuration_update` items (<https://platform.openai.com/docs/api-reference/responses/create>).

use crate::dialect::shared::settings::is_effort_or_invalid;
use crate::fit::native;
use crate::model::{Assistant, Block, Content, Message, Prose, ReasoningSettings, Request};
use crate::run::{At, Run};
use crate::value::{Kind, Value, Word};

/// Applies the updates that the target does not have, and takes them out of the messages.
pub fn apply(run: &mut Run, request: &mut Request) {
    let mut messages = std::mem::take(&mut request.messages);
    let last_of_user = messages.iter().rposition(|message| matches!(message, Message::User(_) | Message::Tool(_)));
    let mut index = 0;
    messages.retain_mut(|message| {
        let is_before_user = last_of_user.is_some_and(|last| index < last);
        index += 1;
        let Message::System(prose) = message else { return true };
        apply_in_system(run, request, prose, is_before_user)
    });
    messages.retain_mut(|message| {
        let Message::Assistant(Assistant { content: Content::Blocks(blocks), calls, .. }) = message else {
            return true;
        };
        let count = blocks.len();
        blocks.retain(|block| !apply_item(run, request, block));
        blocks.len() == count || !blocks.is_empty() || !calls.is_empty()
    });
    request.messages = messages;
}

/// Returns whether the model still sees the message.
fn apply_in_system(run: &mut Run, request: &mut Request, prose: &mut Prose, is_before_user: bool) -> bool {
    let ends = run.take_foreign((&mut prose.metadata, prose.at), (Word::clear_at, false), is_time);
    let config = run.take_foreign((&mut prose.metadata, prose.at), (Word::output_config, false), is_effort_only);
    let effort = config.and_then(|(config, at)| Some((run.member(config, Word::effort)?, run.down(at, Word::effort))));
    if let Some((effort, at)) = effort {
        let before = set_effort(run, request, effort, at);
        if let (Some((Word::none, off_at)), Some(reasoning)) = (before, &mut request.settings.reasoning) {
            // thinking is off, whatever the effort
            reasoning.budget = Some((run.build(|run| run.store.put_number(0.0)), off_at));
        }
    }
    let is_cleared = is_before_user && ends.is_some_and(|(ends, _)| run.store.word(ends) == Word::next_user_message);
    let is_update = effort.is_some() && matches!(&prose.content, Content::Blocks(blocks) if blocks.is_empty());
    let is_seen = !is_cleared && !is_update;
    if !is_seen {
        run.warn_metadata(&prose.metadata, prose.at);
    }
    is_seen
}

fn is_time(run: &mut Run, ends: Value) -> bool {
    matches!(run.store.word(ends), Word::next_user_message | Word::never)
}

/// Whether an object has a known effort, and nothing else.
fn is_effort_only(run: &mut Run, config: Value) -> bool {
    if run.store.kind(config) != Kind::Object {
        return false;
    }
    match run.members(config).as_slice() {
        [field] if field.word == Word::effort && run.store.kind(field.value) == Kind::String => {
            is_effort_or_invalid(run, field.value)
        }
        _ => false,
    }
}

/// Applies a `configuration_update` item that sets nothing but the effort. Returns whether the block was one.
fn apply_item(run: &mut Run, request: &mut Request, block: &Block) -> bool {
    let Block::Native(native) = block else { return false };
    if run.type_of(native.value) != Word::configuration_update || native::is_accepted(run, native) {
        return false;
    }
    let fields = run.members(native.value);
    if !fields.iter().all(|field| matches!(field.word, Word::r#type | Word::id | Word::reasoning)) {
        return false;
    }
    let Some(reasoning) = run.member(native.value, Word::reasoning).filter(|reasoning| is_effort_only(run, *reasoning))
    else {
        return false;
    };
    let Some(effort) = run.member(reasoning, Word::effort) else { return false };
    let at = run.down(native.at, Word::reasoning);
    let at = run.down(at, Word::effort);
    set_effort(run, request, effort, at);
    true
}

/// Returns the effort that this one replaces.
fn set_effort(run: &mut Run, request: &mut Request, effort: Value, at: At) -> Option<(Word, At)> {
    let effort = run.store.word(effort);
    request.settings.reasoning.get_or_insert_with(ReasoningSettings::new).effort.replace((effort, at))
}
