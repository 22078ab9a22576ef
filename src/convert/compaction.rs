//! Summaries of earlier turns in Anthropic's `compaction` blocks: for another provider, the summary is all that is left of those turns, so it
//! becomes text (<https://platform.claude.com/docs/en/build-with-claude/compaction>).

use crate::fit::native;
use crate::model::{Block, Content, Message, Metadata, Native};
use crate::run::{At, Key, Run, WarningCode};
use crate::value::{Kind, Value, Word};

/// Replaces the blocks that the target does not have.
pub fn write_as_text(run: &mut Run, messages: &mut [Message]) {
    for message in messages {
        let Message::Assistant(assistant) = message else { continue };
        let Content::Blocks(blocks) = &mut assistant.content else { continue };
        for block in blocks {
            let Block::Native(native) = block else { continue };
            let Some((text, at)) = summary_for_others(run, native) else { continue };
            *block = Block::Text { at, text, metadata: Metadata::default() };
        }
    }
}

fn summary_for_others(run: &mut Run, native: &Native) -> Option<(Value, At)> {
    if run.type_of(native.value) != Word::compaction || native::is_accepted(run, native) {
        return None;
    }
    let summary = run.member(native.value, Word::content)?;
    if run.store.kind(summary) != Kind::String || run.is_blank(summary) {
        return None;
    }
    for field in run.members(native.value).into_iter().filter(|field| !is_known(field.word)) {
        let at = run.down_key(native.at, Key::from(field));
        run.warn(WarningCode::FieldDropped, at, "the text of a summary has no such field");
    }
    run.warn(WarningCode::StateDropped, native.at, "the summary of earlier turns is sent as text");
    Some((summary, native.at))
}

/// What is sent, or has no meaning for another provider.
fn is_known(word: Word) -> bool {
    matches!(word, Word::r#type | Word::content | Word::cache_control | Word::encrypted_content)
}
