//! A string that arrives in pieces.

use crate::run::{At, Result, Run};
use crate::value::Value;

/// The pieces so far, as the content of a JSON string, without quotes. A long string consists of blocks: one that grows would take up to three
/// times its size, and a server decides how long a stream gets.
#[derive(Debug, Default)]
pub struct Fragments {
    full: Vec<Vec<u8>>,
    last: Vec<u8>,
}

/// The size from which on a block gets no more pieces.
const FULL: usize = 1 << 16;

impl Fragments {
    pub fn push(&mut self, run: &mut Run, text: Value, at: At) -> Result<()> {
        run.store.append_content(text, self.block()).map_err(|fault| run.fault(fault, at))
    }

    /// Adds a piece that is the content of a JSON string, without quotes.
    pub fn extend(&mut self, text: &[u8]) {
        self.block().extend_from_slice(text);
    }

    /// The block for the next piece.
    fn block(&mut self) -> &mut Vec<u8> {
        if self.last.len() >= FULL {
            self.last.shrink_to_fit();
            self.full.push(std::mem::take(&mut self.last));
        }
        &mut self.last
    }

    fn blocks(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.full.iter().chain([&self.last]).map(Vec::as_slice)
    }

    pub fn is_empty(&self) -> bool {
        self.full.is_empty() && self.last.is_empty()
    }

    /// Whether the pieces so far end with this ASCII character, apart from white space.
    pub fn ends_with(&self, last: u8) -> bool {
        self.blocks().rev().find_map(|block| block.trim_ascii_end().last()) == Some(&last)
    }

    /// The JSON text of the string.
    pub fn json(&self) -> Vec<u8> {
        let quote: &[u8] = b"\"";
        std::iter::once(quote).chain(self.blocks()).chain([quote]).collect::<Vec<_>>().concat()
    }

    /// The whole string.
    pub fn value(&self, run: &mut Run) -> Result<Value> {
        run.import(&self.json())
    }

    /// Puts the whole string.
    pub fn put(&self, run: &mut Run) -> Result<()> {
        run.put_import(&self.json())
    }
}
