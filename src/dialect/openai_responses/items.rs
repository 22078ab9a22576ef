//! Which items and fields belong to which of OpenAI's formats, as data.

use crate::dialect::shared::openai_items::takes_id;
use crate::fit::native;
use crate::format::HOSTED_ITEMS;
use crate::model::{Block, Member, Metadata, Native};
use crate::run::{At, Run};
use crate::value::{Value, Word};

/// Items that are entries of the list, apart from those whose content only OpenAI understands.
const STANDING: &[Word] = &[
    Word::message,
    Word::reasoning,
    Word::function_call,
    Word::function_call_output,
    Word::custom_tool_call,
    Word::custom_tool_call_output,
];

/// The kind of list that a native block is in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Item,
    Part,
}

/// An item or part that only its provider understands. A mark has it written back to the same kind of list.
pub fn native(run: &mut Run, level: Level, value: Value, at: At) -> Block {
    let mut native = Native::of_source(run, value, at);
    let mark = if level == Level::Item { Word::input } else { Word::content };
    native.metadata.add_form(mark, run.store.boolean_value(true));
    Block::Native(native)
}

/// Where a native block is written; None if this format does not have it.
pub fn place(run: &mut Run, native: &Native) -> Option<Level> {
    if !native::is_accepted(run, native) {
        return None;
    }
    if native.metadata.form(Word::content).is_some() {
        return Some(Level::Part);
    }
    let is_item = native.metadata.form(Word::input).is_some() || is_item_type(run.type_of(native.value));
    is_item.then_some(Level::Item)
}

fn is_item_type(kind: Word) -> bool {
    STANDING.contains(&kind) || HOSTED_ITEMS.contains(&kind)
}

/// The namespace of a call that was restored from the context.
pub fn restored_namespace(metadata: &Metadata) -> Option<Value> {
    metadata.family_fields().iter().find(|member| is_restored(member)).map(|member| member.value)
}

/// Whether the member was restored; members that were read have a position.
pub fn is_restored(member: &Member) -> bool {
    member.key.word() == Word::namespace && member.at.is_none()
}

/// The namespace of a call, read or restored.
pub fn namespace(run: &mut Run, metadata: &Metadata) -> Option<Value> {
    let item = metadata.own_field(Word::item);
    metadata.family_field(Word::namespace).or_else(|| run.member(item?, Word::namespace))
}

/// The id of the item that contained something, if OpenAI issued it or if the target is where it was generated.
pub fn own_id(run: &mut Run, metadata: &Metadata) -> Option<Value> {
    let item = metadata.own_field(Word::item)?;
    let id = run.member(item, Word::id)?;
    takes_id(run, id).then_some(id)
}

/// The metadata without fields that are written, or reported, elsewhere.
pub fn without(metadata: &Metadata, words: &[Word]) -> Metadata {
    let mut rest = metadata.clone();
    for word in words.iter().filter(|word| metadata.own_field(**word).is_some()) {
        rest.set_family_field(*word, None);
    }
    rest
}
