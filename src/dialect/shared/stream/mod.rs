//! The interfaces of all stream readers and writers, and what several of them need.

mod called;
mod fragments;
pub mod lists;
mod members;
mod order;
mod output;
mod under_way;
mod waiting;
mod whole_calls;

use crate::fit::{lost_reasoning, native};
pub use called::WriteCalls;
pub use fragments::Fragments;
pub use members::{Members, Parts};
pub use order::{Added, BlockEvents, Braces, Closing, Order, are_complete};
pub use output::Output;
pub use under_way::UnderWay;
pub use waiting::Waiting;
pub use whole_calls::WholeCalls;

use crate::dialect;
use crate::dialect::shared::arguments;
use crate::model::{Add, Block, Call, CallStart, ChatError, End, Event, Metadata, Reasoning};
use crate::run::{At, ErrorCode, Provider, Reading, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word};

/// Reads the events of one stream.
pub trait Decode {
    /// Reads one wire event. If it fails, `events` contains what was read before the error.
    fn read(&mut self, run: &mut Run, event: Value, events: &mut Vec<Event>) -> Result<()>;
    /// For a lenient reader: the wire event that is missing before this one. This one can be read after it. None if nothing is missing, or if the
    /// missing event can't be determined.
    fn missing(&mut self, _run: &mut Run, _event: Value) -> Result<Option<Value>> {
        Ok(None)
    }
    /// Handles a repetition of the last event with another text: does what reading it would do, apart from emitting events. `text` is the content of
    /// a JSON string, without quotes. Only called if the decoder allowed it with [`Run::may_repeat`].
    fn repeat(&mut self, _text: &[u8]) {}
    /// Ends the stream: closes what is open.
    fn end(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()>;
    /// Whether the provider sent its end marker.
    fn is_done(&self) -> bool {
        false
    }
    /// The response so far in the provider's format for whole responses, for a decoder that keeps it. The reader of whole responses reads it. The
    /// events would not be enough: they contain less (`docs/streams.md`).
    fn body(&mut self, run: &mut Run) -> Result<Value>;
}

/// Opens an event that states its type. An object that has an error instead of a type is read as an event of type `error`.
pub fn open_event(run: &mut Run, event: Value) -> Result<(Reading, Option<Word>)> {
    let mut reading = run.object(event, At::ROOT)?;
    let kind = reading.take_any(Word::r#type).filter(|kind| run.store.kind(*kind) == Kind::String);
    let kind = kind.map(|kind| run.store.word(kind));
    let error = Some(Word::error).filter(|error| reading.holds(run, *error));
    Ok((reading, kind.or(error)))
}

/// The types with which the events of streams and whole responses begin, apart from `response.…`. One of them where it does not belong shows that
/// the stream is in another format.
const TYPES: &[Word] = &[
    Word::message,
    Word::message_start,
    Word::content_block_start,
    Word::content_block_delta,
    Word::content_block_stop,
    Word::message_delta,
    Word::message_stop,
    Word::start,
];

/// Skips an event that belongs to no format: proxies and backends add their own (`codex.rate_limits`). Fails with `otherwise` if it is another thing.
pub fn skip_foreign(run: &mut Run, (event, at): (Value, At), otherwise: &str) -> Result<()> {
    if !is_foreign(run, event) {
        return run.fail(ErrorCode::InvalidStream, at, otherwise);
    }
    native::warn_event(run, at);
    Ok(())
}

/// Whether an event has a type that no format has.
fn is_foreign(run: &mut Run, event: Value) -> bool {
    let Some(kind) = run.member(event, Word::r#type).filter(|kind| run.store.kind(*kind) == Kind::String) else {
        return false;
    };
    let has_content = [Word::choices, Word::candidates, Word::usageMetadata, Word::output];
    !TYPES.contains(&run.store.word(kind))
        && !run.store.text(kind).starts_with("response.")
        && has_content.iter().all(|word| run.member(event, *word).is_none())
}

/// Skips an event before the opening one if it belongs to no format; fails because of any other. `format` is the name of the format with an article,
/// `first` its first event.
pub fn refuse(
    run: &mut Run,
    event: (Value, &Reading),
    kind: Option<Word>,
    (format, first): (&str, Word),
) -> Result<()> {
    let (value, event) = event;
    let is_whole = kind == Some(Word::message) || kind.is_none() && event.has(Word::output);
    let message = if event.has(Word::choices) {
        format!("this is a Chat Completions chunk, not {format} event")
    } else if event.has(Word::candidates) || event.has(Word::usageMetadata) {
        format!("this is a Gemini chunk, not {format} event")
    } else if is_whole {
        "this is a whole response, not an event of a stream".to_owned()
    } else if kind.is_some() {
        format!("{format} stream begins with {}", first.text())
    } else {
        format!("this is not {format} event: it has no type")
    };
    skip_foreign(run, (value, At::ROOT), &message)
}

/// Writes the events of one stream.
pub trait Encode {
    /// Writes what can be written after an event, and keeps what must wait.
    fn write(&mut self, run: &mut Run, event: &Event, output: &mut Output) -> Result<()>;
    /// Called after all events of one wire event.
    fn flush(&mut self, _run: &mut Run, _output: &mut Output) -> Result<()> {
        Ok(())
    }
    /// Whether the same event with another text would give the same output apart from the text, and change nothing else than [`Encode::repeat`] does.
    fn may_repeat(&self, _event: &Event) -> bool {
        false
    }
    /// Writes the last event again with another text, the content of a JSON string without quotes.
    fn repeat(&mut self, text: &[u8], output: &mut Output) {
        output.repeat(text);
    }
    /// Whether an error was written after which nothing may follow.
    fn has_failed(&self) -> bool {
        false
    }
    /// Ends the stream: writes what was kept, and the end of the stream.
    fn end(&mut self, run: &mut Run, output: &mut Output) -> Result<()>;
}

/// How much of a response its writer has written.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Stage {
    #[default]
    Unbegun,
    Begun,
    /// An error, after which nothing may follow.
    Failed,
}

impl Stage {
    /// Whether the response has not begun; warns about another start if it has.
    pub fn is_unbegun(self, run: &mut Run, at: At) -> bool {
        if self != Stage::Unbegun {
            run.warn(WarningCode::FieldDropped, at, "the response has already begun");
        }
        self == Stage::Unbegun
    }
}

/// Warns about content after an error, which can't be written.
pub fn warn_too_late(run: &mut Run, event: &Event) {
    let at = match event {
        Event::TextDelta { at, text, metadata, .. } if run.store.is_empty(*text) => {
            return run.warn_metadata(metadata, *at);
        }
        Event::TextDelta { at, .. }
        | Event::RefusalDelta { at, .. }
        | Event::ReasoningDelta { at, .. }
        | Event::CallStart(CallStart { at, .. }) => *at,
        Event::Block { value, .. } => value.at(),
        other => return warn_event(run, other),
    };
    run.warn(WarningCode::ContentDropped, at, "an error was already sent");
}

/// Warns about an event that has no place in the target's stream.
pub fn warn_event(run: &mut Run, event: &Event) {
    match event {
        Event::ReasoningEnd { reasoning, .. } => lost_reasoning::warn_end(run, reasoning),
        Event::Native(native) => native::warn_event(run, native.at),
        Event::State { at, metadata }
        | Event::RefusalDelta { at, metadata, .. }
        | Event::Finish(End { at, metadata, .. }) => run.warn_metadata(metadata, *at),
        Event::Start(_)
        | Event::TextDelta { .. }
        | Event::ReasoningDelta { .. }
        | Event::CallStart(_)
        | Event::CallDelta { .. }
        | Event::CallEnd { .. }
        | Event::Block { .. }
        | Event::Usage(_)
        | Event::Error(_) => {}
    }
}

/// The number of a block that begins; `blocks` is the number of blocks so far.
pub fn next_block(blocks: &mut u32) -> u32 {
    *blocks += 1;
    *blocks - 1
}

/// A piece of reasoning without metadata.
pub fn reasoning_delta(issuer: Provider, at: At, block: u32, text: Value) -> Event {
    Event::ReasoningDelta { at, block, text, issuer, metadata: Metadata::default() }
}

/// The start of a call that arrived whole.
pub fn begin_call(block: u32, call: &Call) -> Event {
    let mut metadata = Metadata::default();
    if let Some(signature) = call.metadata.thought_signature() {
        metadata.set_thought_signature(signature);
    }
    for member in call.metadata.family_fields() {
        metadata.add_member(*member);
    }
    Event::CallStart(CallStart { at: call.at, block, id: call.id, name: call.name, metadata })
}

/// Emits a call that arrived whole.
pub fn emit_call(run: &mut Run, block: u32, call: Call, events: &mut Vec<Event>) -> Result<()> {
    events.add(begin_call(block, &call));
    let text = arguments::text(run, &call)?;
    events.add(Event::CallDelta { block, text });
    events.add(Event::CallEnd { block, call });
    Ok(())
}

/// Emits the end of a block, which was read whole at one position and ends at another. `has_input` is whether arguments of a call were emitted.
pub fn end_block(
    run: &mut Run,
    (block, value): (u32, Block),
    (place, at): (At, At),
    has_input: bool,
    events: &mut Vec<Event>,
) -> Result<()> {
    match value {
        Block::Reasoning(mut reasoning) => {
            run.place(&mut reasoning.metadata, place);
            events.add(Event::ReasoningEnd { block, reasoning: Reasoning { at, text: None, ..reasoning } });
        }
        Block::Call(call) => {
            let text = if has_input { None } else { arguments::text_if_any(run, &call)? };
            events.extend(text.map(|text| Event::CallDelta { block, text }));
            events.add(Event::CallEnd { block, call });
        }
        value => events.add(Event::Block { block, value }),
    }
    Ok(())
}

/// An event with fields of the response, if there are any.
pub fn state(run: &mut Run, at: At, metadata: Metadata) -> Option<Event> {
    let has_content = metadata.family_fields().iter().any(|member| !run.is_all_void(member.value));
    has_content.then_some(Event::State { at, metadata })
}

/// Writes an error inside a stream, in the target's format.
pub fn write_error(run: &mut Run, error: &ChatError, output: &mut Output) -> Result<()> {
    let write = dialect::target(run).write_error;
    let body = run.try_build(|run| write(run, error))?;
    output.event(run, "error", body)
}
