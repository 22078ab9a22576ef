//! Pieces of text that need not be read: it is known what they continue, and that nothing else begins in them.

use super::call::{CallReader, CallState};
use super::out::BlockKind;
use super::tagged_call::Tags;
use super::{Reader, ReaderState};

/// Which pieces, if they came next, would be emitted as one more delta like the last event, and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verbatim {
    None,
    /// Those without a character that a marker can begin with.
    Text,
    /// Those that belong to a string of JSON: no quote ends it, no escape is incomplete, and there is no `<`.
    Json,
    /// Those without `<` that do not end with a line break. They are emitted as in a JSON string.
    Value,
}

impl Reader {
    /// Which pieces can be emitted before they are pushed. They must be pushed with the next piece.
    pub fn verbatim(&self) -> Verbatim {
        let is_read = self.text.is_empty();
        match &self.state {
            ReaderState::Text if is_read && self.out.continues(BlockKind::Text) => Verbatim::Text,
            ReaderState::Reasoning(_) if is_read && !self.fresh && self.out.continues(BlockKind::Reasoning) => {
                Verbatim::Text
            }
            ReaderState::Block(block) if block.lost.is_none() && !block.noisy => {
                block.call.as_ref().map_or(Verbatim::None, |call| call.verbatim(self.text.len()))
            }
            _ => Verbatim::None,
        }
    }

    /// The characters that a marker can begin with, for a class of a regular expression.
    pub fn marker_starts(&self) -> String {
        let starts = (0..0x80).filter(|byte| self.first.has(*byte)).map(|byte| format!("\\x{byte:02x}"));
        let others = if self.first.has(0x80) { "\\x80-\\uffff" } else { "" };
        starts.chain([others.to_owned()]).collect()
    }
}

impl CallReader {
    /// `length` is that of the input so far.
    fn verbatim(&self, length: usize) -> Verbatim {
        let is_sent = self.sent == self.arguments.len();
        match &self.state {
            _ if self.begun.is_none() => Verbatim::None,
            CallState::Json(fields) if is_sent && fields.is_in_string(length) => Verbatim::Json,
            CallState::Arguments(scan, from) if from + self.sent == length && scan.is_in_string() => Verbatim::Json,
            CallState::Tagged(Tags::Value(argument)) if is_sent && argument.is_sent(length) => Verbatim::Value,
            _ => Verbatim::None,
        }
    }
}
