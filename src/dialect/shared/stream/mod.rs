//! Streams: what every dialect's reader and writer of streams is, and what several of them need.

mod fragments;
mod members;
mod output;
mod told;
mod under_way;
mod waiting;
mod whole_calls;

pub use fragments::Fragments;
pub use members::Members;
pub use output::Output;
pub use told::Told;
pub use under_way::UnderWay;
pub use waiting::Waiting;
pub use whole_calls::WholeCalls;

use crate::dialect::shared::arguments;
use crate::model::{Add, Call, ChatError, Event, Metadata};
use crate::run::{At, Result, Run, WarningCode};
use crate::value::Value;

/// Reads the events of one stream.
pub trait Decode {
    /// Reads one wire event. What it says before something is wrong is in `events` all the same.
    fn read(&mut self, run: &mut Run, event: Value, events: &mut Vec<Event>) -> Result<()>;
    /// The wire event that should have come before this one but did not, for a lenient reader: this one can be read after it. None if
    /// nothing is missing, or what is missing cannot be known.
    fn missing(&mut self, _run: &mut Run, _event: Value) -> Result<Option<Value>> {
        Ok(None)
    }
    /// The event that was read last comes again, but for its text: does what reading it would do, beside telling it. The text is
    /// what stands between its quotes. Only what the decoder allowed with [`Run::may_repeat`] is given to it.
    fn repeat(&mut self, _text: &[u8]) {}
    /// No more events come: closes what is open.
    fn end(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()>;
    /// Whether the provider said that no more comes.
    fn is_done(&self) -> bool {
        false
    }
    /// The response so far as the provider gives it whole, for a decoder that was asked to keep it. The reader of whole responses reads
    /// it. The events would not do: they say less (`docs/streams.md`).
    fn body(&mut self, run: &mut Run) -> Result<Value>;
}

/// Writes the events of one stream.
pub trait Encode {
    /// Writes what an event makes possible; what must wait is kept.
    fn write(&mut self, run: &mut Run, event: &Event, output: &mut Output) -> Result<()>;
    /// The events of one wire event were written.
    fn flush(&mut self, _run: &mut Run, _output: &mut Output) -> Result<()> {
        Ok(())
    }
    /// Whether the same event with another text would be written as what was written last, but for the text, and would change
    /// nothing but what [`Encode::repeat`] does.
    fn may_repeat(&self, _event: &Event) -> bool {
        false
    }
    /// The event that was written last comes again, but for its text: what stands between its quotes.
    fn repeat(&mut self, text: &[u8], output: &mut Output) {
        output.repeat(text);
    }
    /// No more events come: writes what waits, and the stream's own end.
    fn end(&mut self, run: &mut Run, output: &mut Output) -> Result<()>;
}

impl Run<'_> {
    /// Says that the next event need not be read if it is like this one: if it differs in nothing but these values, of which one is
    /// the text of the one delta that this event gave. It would give the same with another text, and change nothing in the decoder but
    /// what [`Decode::repeat`] does. Only strings that are not empty and whole numbers count.
    pub fn may_repeat(&mut self, varying: &[Option<Value>]) {
        self.varying.extend(varying.iter().flatten().copied());
    }

    /// Tells of an event that has no place in the target's stream.
    pub fn warn_event(&mut self, event: &Event) {
        match event {
            Event::ReasoningDelta { at, text, metadata, .. } => self.warn_reasoning_delta(*text, metadata, *at),
            Event::ReasoningEnd { at, signature, redacted, metadata, .. } => {
                self.warn_reasoning_end(*at, (*signature, *redacted), metadata);
            }
            Event::Native(native) => self.warn_native_event(native.at),
            Event::State { at, metadata } | Event::Finish { at, metadata, .. } => self.warn_metadata(metadata, *at),
            Event::Start { .. }
            | Event::TextDelta { .. }
            | Event::RefusalDelta { .. }
            | Event::CallStart { .. }
            | Event::CallDelta { .. }
            | Event::CallEnd { .. }
            | Event::Block { .. }
            | Event::Usage(_)
            | Event::Error(_) => {}
        }
    }

    pub fn warn_native_event(&mut self, at: At) {
        self.warn(WarningCode::NativeDropped, at, "only its own provider knows this event");
    }
}

/// The start of a call that is whole.
pub fn begin_call(block: u32, call: &Call) -> Event {
    let mut metadata = Metadata::default();
    if let Some(signature) = call.metadata.thought_signature() {
        metadata.set_thought_signature(signature);
    }
    for member in call.metadata.family() {
        metadata.add_member(*member);
    }
    Event::CallStart { at: call.at, block, id: call.id, name: call.name, metadata }
}

/// Tells a call that comes whole.
pub fn emit_call(run: &mut Run, block: u32, call: Call, events: &mut Vec<Event>) -> Result<()> {
    events.add(begin_call(block, &call));
    let text = arguments::text(run, &call)?;
    events.add(Event::CallDelta { block, text });
    events.add(Event::CallEnd { block, call });
    Ok(())
}

/// What fields of a wire event say of the answer as a whole, if anything.
pub fn state(run: &mut Run, at: At, metadata: Metadata) -> Option<Event> {
    let says_something = metadata.family().iter().any(|member| !run.is_all_void(member.value));
    says_something.then_some(Event::State { at, metadata })
}

/// Writes an error inside a stream, in the target's words.
pub fn write_error(
    run: &mut Run,
    error: &ChatError,
    output: &mut Output,
    write: fn(&mut Run, &ChatError) -> Result<()>,
) -> Result<()> {
    let body = run.try_build(|run| write(run, error))?;
    output.event(run, "error", body)
}
