//! Cache points: blocks behind the block, the message or the tool up to which the API may cache (WIRE §5.1, §5.10). They are read as a field of that.

use crate::dialect::shared::turns::TurnPart;
use crate::model::{Block, Message, Metadata, Native, Tool};
use crate::run::{At, Key, Made, Run, Writing};
use crate::value::{Kind, Value, Word};

/// What may have a cache point behind it.
pub trait Marked {
    /// What only its provider knows.
    fn as_native(&self) -> Option<&Native>;
    /// The metadata that get the cache point.
    fn marked(&mut self) -> Option<&mut Metadata>;
}

impl Marked for Block {
    fn as_native(&self) -> Option<&Native> {
        match self {
            Block::Native(native) => Some(native),
            _ => None,
        }
    }

    fn marked(&mut self) -> Option<&mut Metadata> {
        match self {
            Block::Native(_) => None,
            block => Some(block.metadata_mut()),
        }
    }
}

impl Marked for TurnPart {
    fn as_native(&self) -> Option<&Native> {
        match self {
            TurnPart::Block(block) => block.as_native(),
            TurnPart::Result(_) => None,
        }
    }

    fn marked(&mut self) -> Option<&mut Metadata> {
        match self {
            TurnPart::Block(block) => block.marked(),
            TurnPart::Result(result) => Some(&mut result.metadata),
        }
    }
}

impl Marked for Tool {
    fn as_native(&self) -> Option<&Native> {
        match self {
            Tool::Native(native) => Some(native),
            Tool::Definition(_) => None,
        }
    }

    fn marked(&mut self) -> Option<&mut Metadata> {
        match self {
            Tool::Native(_) => None,
            Tool::Definition(definition) => Some(&mut definition.metadata),
        }
    }
}

impl Marked for Message {
    fn as_native(&self) -> Option<&Native> {
        match self.blocks() {
            [Block::Native(native)] => Some(native),
            _ => None,
        }
    }

    fn marked(&mut self) -> Option<&mut Metadata> {
        match self.blocks() {
            [] => Some(self.metadata_mut()),
            _ => None,
        }
    }
}

/// Moves cache points into the metadata of what precedes them. One that follows nothing, or another one, stays.
pub fn attach<T: Marked>(run: &mut Run, all: Vec<T>) -> Vec<T> {
    let mut attached: Vec<T> = Vec::with_capacity(all.len());
    for next in all {
        let point = next.as_native().and_then(|native| Some((point_of(run, native.value)?, native.at)));
        let before = attached.last_mut().and_then(Marked::marked);
        match (point, before) {
            (Some((point, at)), Some(metadata)) if metadata.family_field(Word::cachePoint).is_none() => {
                let at = run.down(at, Word::cachePoint);
                metadata.add_at(Key::Word(Word::cachePoint), point, at);
            }
            _ => attached.push(next),
        }
    }
    attached
}

/// The object of a cache point.
fn point_of(run: &mut Run, value: Value) -> Option<Value> {
    match run.members(value).as_slice() {
        [only] if only.word == Word::cachePoint && run.store.kind(only.value) == Kind::Object => Some(only.value),
        _ => None,
    }
}

/// Ends an element of a list, and writes the cache point behind it, if there is one.
pub fn end(run: &mut Run, mut object: Writing, metadata: &Metadata, at: At) {
    // read in this format, or made of the mark of another one
    let made = metadata.made().iter().find_map(|(word, made)| match made {
        Made::Given(point) if *word == Word::cachePoint => Some(*point),
        _ => None,
    });
    let point = metadata.own_field(Word::cachePoint).or(made);
    if point.is_some() {
        object.skip(run, Word::cachePoint);
    }
    object.end(run, metadata, at);
    if let Some(point) = point {
        let mut object = run.begin();
        object.put(run, Word::cachePoint, point);
        object.close(run);
    }
}
