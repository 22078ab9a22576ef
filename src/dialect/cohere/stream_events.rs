//! The events of a stream (WIRE §7.8).

use crate::model::Metadata;
use crate::run::{At, Reading, Result, Run};
use crate::value::{Value, Word};

/// The event that begins a response.
pub const OPENING: Word = Word::message_start_event;

/// The events that make up a response.
pub const EVENTS: [Word; 11] = [
    OPENING,
    Word::content_start_event,
    Word::content_delta_event,
    Word::content_end_event,
    Word::tool_plan_delta_event,
    Word::tool_call_start_event,
    Word::tool_call_delta_event,
    Word::tool_call_end_event,
    Word::citation_start_event,
    Word::citation_end_event,
    Word::message_end_event,
];

/// Whether an event is written from the content of the response.
pub fn is_of_response(kind: Word) -> bool {
    EVENTS.contains(&kind) && !matches!(kind, Word::citation_start_event | Word::citation_end_event)
}

/// What a stream without its beginning lacks.
pub const MESSAGE_START: &[u8] = br#"{"type":"message-start","delta":{"message":{"role":"assistant"}}}"#;

/// Takes a member of `delta.message`. What is left of the event is returned, too.
pub fn take_piece(run: &mut Run, mut reading: Reading, word: Word) -> Result<(Option<(Value, At)>, Metadata)> {
    let mut rest = Metadata::default();
    let mut piece = None;
    if let Some(mut delta) = reading.object(run, Word::delta)? {
        if let Some(mut message) = delta.object(run, Word::message)? {
            piece = message.take_at(run, word);
            message.rest_into(run, Word::message, &mut rest);
        }
        delta.rest_into(run, Word::delta, &mut rest);
    }
    rest.append(reading.rest());
    Ok((piece, rest))
}
