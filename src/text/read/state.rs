//! What is being read at a position of a message.

use super::block::BlockReader;
use super::closed::Closed;
use super::messages::Messages;
use super::reasoning::Reasoning;
use crate::text::formats::Pair;

pub(super) enum ReaderState {
    /// At the beginning of the text, which may be the rest of a marker whose token the prompt has.
    Start,
    Text,
    Reasoning(Reasoning),
    /// In a header, which is not part of the text, up to the next marker: whether its own marker was read. Else only a call follows it.
    Header(bool),
    /// At markup that is not part of the text.
    Hidden(&'static Pair),
    /// In JSON that may be a call.
    Closed(Closed),
    Block(Box<BlockReader>),
    Messages(Box<Messages>),
}
