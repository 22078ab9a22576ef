//! The events that a lenient reader supplies if a stream lacks its opening events.

use super::stream_blocks::DELTAS;
use crate::run::{Result, Run};
use crate::value::{Value, Word};

const MESSAGE_START: &[u8] =
    br#"{"type":"message_start","message":{"type":"message","role":"assistant","content":[]}}"#;
/// The same for a copied stream: clients read the fields of the message without checking them.
pub const MESSAGE_START_FOR_CLIENTS: &[u8] = br#"{"type":"message_start","message":{"id":"msg_toolwire","type":"message","role":"assistant","model":"","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":0}}}"#;

/// The events of a message after its start.
pub const AFTER_START: [Word; 5] = [
    Word::content_block_start,
    Word::content_block_delta,
    Word::content_block_stop,
    Word::message_delta,
    Word::message_stop,
];

/// A `message_start`, if `event` must follow one.
pub fn message_start(run: &mut Run, event: Value) -> Result<Option<Value>> {
    AFTER_START.contains(&run.type_of(event)).then(|| run.import(MESSAGE_START)).transpose()
}

/// The start of the block that `event` is a delta of. None for a call, as the delta does not contain its name.
pub fn block_start(run: &mut Run, event: Value, index: u32) -> Option<Value> {
    let delta = run.member(event, Word::delta)?;
    let kind = run.type_of(delta);
    let kind = DELTAS.iter().find(|piece| piece.delta == kind)?.block?;
    let content = DELTAS.iter().find(|piece| piece.block == Some(kind))?.member;
    Some(run.build_object(|run, start| {
        start.word(run, Word::r#type, Word::content_block_start);
        start.number(run, Word::index, f64::from(index));
        start.object(run, Word::content_block, |run, block| {
            block.word(run, Word::r#type, kind);
            block.text(run, content, "");
        });
    }))
}
