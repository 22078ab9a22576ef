//! The order of the blocks in a stream, and blocks in pieces.

use super::stream_blocks::DELTAS;
use crate::dialect::shared::stream::{Added, BlockEvents, Output};
use crate::run::{At, Result, Run};
use crate::value::{Kind, Value, Word};

/// The events of a block.
pub const EVENTS: &BlockEvents = &BlockEvents {
    start: |output, index, block| write(output, index, Word::content_block_start, &[b",\"content_block\":", block]),
    delta: |output, index, delta| write(output, index, Word::content_block_delta, &[b",\"delta\":", delta]),
    stop: |output, index| write(output, index, Word::content_block_stop, &[]),
    unsigned: Some(b"{\"type\":\"signature_delta\",\"signature\":\"\"}"),
    arguments_are_text: false,
};

/// Writes an event of a block: its type, its index, and a member in pieces.
fn write(output: &mut Output, index: &str, event: Word, member: &[&[u8]]) {
    let place: [&[u8]; 2] = [b",\"index\":", index.as_bytes()];
    output.typed(event, place.iter().chain(member).copied());
}

/// What a delta adds to its block.
pub fn added((kind, _, value): Delta) -> Added {
    match kind {
        Word::input_json_delta => Added::Arguments(value),
        Word::signature_delta => Added::Signature,
        _ => Added::Other,
    }
}

/// The type of a delta, the key of its value, and the value.
pub type Delta = (Word, Word, Value);

/// A whole block as a stream would send it: the start of the block, and its deltas, content before annotations.
pub fn pieces(run: &mut Run, block: Value, at: At) -> Result<(Value, Vec<Delta>)> {
    let mut start = run.object(block, at)?.rest();
    let kind = run.type_of(block);
    let mut deltas = Vec::new();
    for piece in DELTAS.iter().filter(|piece| piece.is_of(kind)) {
        let whole = start.family_field(piece.member).filter(|whole| run.store.kind(*whole) == piece.kind);
        let Some(whole) = whole.filter(|whole| !run.is_void(*whole)) else { continue };
        let (parts, empty) = match piece.kind {
            Kind::String => (vec![whole], run.store.string("")),
            Kind::Array => (run.list(whole).into_iter().collect(), run.store.array_of(&[])),
            _ => (vec![run.json_text(whole, at)?], run.store.empty_object()),
        };
        deltas.extend(parts.into_iter().map(|part| (piece.delta, piece.key, part)));
        start.set_family_field(piece.member, Some(empty));
    }
    Ok((run.family_object(&start), deltas))
}
