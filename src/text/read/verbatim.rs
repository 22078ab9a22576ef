//! Pieces of text that need not be read: it is known what they continue, and that nothing else begins in them.

use super::block::Part;
use super::event::Verbatim;
use super::out::BlockKind;
use super::{Reader, ReaderState};

impl Reader {
    /// Which pieces can be emitted before they are pushed. They must be pushed with the next piece.
    pub fn verbatim(&self) -> Verbatim {
        let is_read = self.text.is_empty();
        match &self.state {
            ReaderState::Text if is_read && self.out.continues(BlockKind::Text) => Verbatim::Text,
            ReaderState::Reasoning(_) if is_read && !self.fresh && self.out.continues(BlockKind::Reasoning) => {
                Verbatim::Text
            }
            ReaderState::Block(block) => match &block.part {
                Part::Call(call) => call.verbatim(self.text.len()),
                Part::Between | Part::Noise | Part::Lost(..) => Verbatim::None,
            },
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
