//! What a block reads at a time.

use super::call::{Call, CallBody, Progress};
use super::event::Verbatim;
use super::kinds;
use super::lost::Lost;
use super::next_call;
use super::out::Out;
use super::scan::Text;
use crate::text::Tool;

/// What the reader of a block has found.
pub(super) enum Step {
    More,
    /// A call ends at this position, but not the block.
    Called(usize),
    /// The block ends at this position.
    Done(usize),
    /// Not a block: at least up to this position, the input is plain text.
    Broken(usize),
    /// A call does not follow its format, and nothing was emitted of it. [`super::block::BlockReader::settle`] continues.
    Unread(Unread),
}

/// How the reader of a block continues between calls.
pub(super) enum Next {
    More,
    Go,
    Stop,
}

/// A call that does not follow its format.
pub(super) struct Unread {
    /// Where the text without the opening marker starts.
    pub from: usize,
    pub end: usize,
    /// The position where reading continues.
    pub next: usize,
}

impl Unread {
    /// The text between the markers of the call.
    pub fn body<'a>(&self, text: Text<'a>) -> &'a str {
        text.text.get(self.from..self.end).unwrap_or_default().trim()
    }
}

/// A call that is being read.
pub(super) struct CallReader {
    pub call: Call,
    pub body: Box<dyn CallBody>,
}

impl CallReader {
    pub fn step(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
        let progress = self.body.step(&mut self.call, text, tools, out);
        self.call.flush(out);
        progress
    }

    /// Completes the call, unless another call begins in what is no JSON. Returns its end.
    pub fn complete(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> Option<usize> {
        let call = &mut self.call;
        let raw = text.text.get(call.from..call.at).unwrap_or_default();
        let takes_next = || next_call::marked(kinds::of(call.format), call.format, raw, tools).is_some();
        if !crate::json::is_object(&call.arguments) && takes_next() {
            return None;
        }
        call.finish(text, out);
        Some(call.at)
    }
}

/// What a block reads.
pub(super) enum Part {
    /// Markers, separators and whitespace between calls.
    Between,
    Call(CallReader),
    /// Text between the calls of a section.
    Noise,
    Lost(Lost),
}

impl Part {
    /// The call that is being read, or was given up.
    pub fn call(&self) -> Option<&Call> {
        match self {
            Self::Call(reader) => Some(&reader.call),
            Self::Lost(lost) => lost.call.as_ref(),
            Self::Between | Self::Noise => None,
        }
    }

    pub fn call_mut(&mut self) -> Option<&mut Call> {
        match self {
            Self::Call(reader) => Some(&mut reader.call),
            Self::Lost(lost) => lost.call.as_mut(),
            Self::Between | Self::Noise => None,
        }
    }

    /// The call that is given up. Nothing is being read then.
    pub fn take_call(&mut self) -> Option<Call> {
        match std::mem::replace(self, Self::Between) {
            Self::Call(reader) => Some(reader.call),
            Self::Lost(lost) => lost.call,
            Self::Between | Self::Noise => None,
        }
    }

    /// Which pieces would only continue the arguments. `length` is that of the input so far.
    pub fn verbatim(&self, length: usize) -> Verbatim {
        match self {
            Self::Call(reader) if reader.call.begun.is_some() => reader.body.verbatim(&reader.call, length),
            _ => Verbatim::None,
        }
    }
}
