//! Mocks of the SDK's responses: they have what its getters return, `text` and `functionCalls`, as fields, in place of a content.

use crate::model::{Assistant, Block, Content};
use crate::run::{At, Reading, Run, WarningCode};
use crate::value::{Kind, Value, Word};

/// The content that such fields stand for, if the first candidate has none. Within the format, they stay as they are.
pub fn content(run: &mut Run, body: &mut Reading) -> Option<(Value, At)> {
    if run.route.stays() {
        return None;
    }
    let text = body.peek(Word::text).filter(|text| run.store.kind(*text) == Kind::String && !run.store.is_empty(*text));
    let calls = body.peek(Word::functionCalls).filter(|calls| run.store.kind(*calls) == Kind::Array);
    let candidates = body.peek(Word::candidates).filter(|list| run.store.kind(*list) == Kind::Array);
    let first = candidates.and_then(|candidates| run.list(candidates).first().copied());
    let has_content = first.is_some_and(|first| run.member(first, Word::content).is_some());
    if has_content || text.is_none() && calls.is_none() {
        return None;
    }
    let at = run.down(body.at(), text.map_or(Word::functionCalls, |_| Word::text));
    let calls = calls.map(|calls| run.list(calls)).unwrap_or_default();
    for word in [Word::text, Word::functionCalls] {
        if body.take_any(word).is_some() {
            let at = run.down(body.at(), word);
            run.warn(
                WarningCode::FieldSupplied,
                at,
                "the response has no content: this field of a mock is read in its place",
            );
        }
    }
    let parts =
        text.into_iter().map(|text| (Word::text, text)).chain(calls.into_iter().map(|call| (Word::functionCall, call)));
    let parts: Vec<(Word, Value)> = parts.collect();
    let content = run.build_object(|run, content| {
        content.word(run, Word::role, Word::model);
        content.each(run, Word::parts, parts, |run, (word, value)| {
            let mut part = run.begin();
            part.put(run, word, value);
            part.close(run);
        });
    });
    Some((content, at))
}

/// Sets the positions of a message that was read from such a content: they are those of the field, as the input has no parts.
pub fn placed(mut message: Assistant, field: At) -> Assistant {
    message.calls.iter_mut().for_each(|call| call.at = field);
    match &mut message.content {
        Content::Text(_, at) => *at = field,
        Content::Blocks(blocks) => {
            for block in blocks {
                match block {
                    Block::Text { at, .. } => *at = field,
                    Block::Call(call) => call.at = field,
                    _ => {}
                }
            }
        }
    }
    message
}
