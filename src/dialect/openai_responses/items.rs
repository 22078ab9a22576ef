//! What items and fields belong to which of OpenAI's formats, as data.

use crate::dialect::shared::openai_items::is_own_id;
use crate::format::HOSTED_ITEMS;
use crate::model::{Member, Metadata, Native};
use crate::run::Run;
use crate::value::{Value, Word};

/// Items that stand in the list by themselves, beside those whose content is OpenAI's own business.
const STANDING: &[Word] = &[
    Word::message,
    Word::reasoning,
    Word::function_call,
    Word::function_call_output,
    Word::custom_tool_call,
    Word::custom_tool_call_output,
];

/// How a kept item or part is marked that came in this format: others may stand beside it in the same list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Item,
    Part,
}

pub fn mark(run: &mut Run, place: Place, metadata: &mut Metadata) {
    let word = match place {
        Place::Item => Word::input,
        Place::Part => Word::content,
    };
    let mark = run.boolean_value(true);
    metadata.add_form(word, mark);
}

/// Where a native block stands; None if this format does not know it.
pub fn place(run: &mut Run, native: &Native) -> Option<Place> {
    if !run.takes_native(native) {
        return None;
    }
    if native.metadata.form(Word::content).is_some() {
        return Some(Place::Part);
    }
    let is_item = native.metadata.form(Word::input).is_some() || is_item_type(run.type_of(native.value));
    is_item.then_some(Place::Item)
}

fn is_item_type(kind: Word) -> bool {
    STANDING.contains(&kind) || HOSTED_ITEMS.contains(&kind)
}

/// The namespace that the context gave a call back.
pub fn restored_namespace(metadata: &Metadata) -> Option<Value> {
    metadata.family().iter().find(|member| is_restored(member)).map(|member| member.value)
}

/// What was read stands inside the item.
pub fn is_restored(member: &Member) -> bool {
    member.key.word() == Word::namespace && member.at.is_none()
}

/// The namespace that a call says, be it its own or given back.
pub fn namespace(run: &mut Run, metadata: &Metadata) -> Option<Value> {
    let item = metadata.own_field(Word::item);
    metadata.family_field(Word::namespace).or_else(|| run.member(item?, Word::namespace))
}

/// The id of the item that something came in, if it is OpenAI's own or goes back to where it was made.
pub fn own_id(run: &mut Run, metadata: &Metadata) -> Option<Value> {
    let item = metadata.own_field(Word::item)?;
    let id = run.member(item, Word::id)?;
    (run.from == run.to || run.is_response || is_own_id(run, id)).then_some(id)
}
