//! OpenAI's freeform tools: their input is a text instead of arguments (Q38). Both of OpenAI's formats have them.

use super::arguments;
use super::shapes::{Absent, DefinitionShape, Part};
use crate::model::{Arguments, Call, Metadata, Tool};
use crate::run::{Key, Reading, Result, Run};
use crate::value::{Keys, Kind, Value, Word};

/// The fields that a definition has beside the format of its text.
pub const DEFINITION: &DefinitionShape =
    &[(Part::Name, Word::name, Absent::Never), (Part::Description, Word::description, Absent::Omitted)];

/// The arguments of a call that has only a text.
pub fn arguments(run: &mut Run, input: Value) -> Arguments {
    let value = run.build_object(|run, object| {
        object.put(run, Word::input, input);
    });
    Arguments::Object { value, raw: None }
}

/// Takes the name and the input of a call.
pub fn take(run: &mut Run, reading: &mut Reading) -> Result<(Value, Arguments)> {
    let name = arguments::take_name(run, reading)?;
    let input = reading.require_string(run, Word::input)?;
    let arguments = arguments(run, input);
    Ok((name, arguments::named(run, name, arguments, reading.at())?))
}

/// The text of a freeform call: its `input`, if the arguments contain nothing else.
pub fn input(run: &mut Run, call: &Call) -> Option<Value> {
    let Arguments::Object { value, .. } = &call.arguments else { return None };
    mark(&call.metadata)?;
    text_of(run, *value)
}

/// The text in arguments, if they contain nothing else.
pub fn text_of(run: &mut Run, arguments: Value) -> Option<Value> {
    match run.members(arguments).as_slice() {
        [only] if only.word == Word::input && run.store.kind(only.value) == Kind::String => Some(only.value),
        _ => None,
    }
}

/// The JSON before the text of a freeform call, for streams of argument fragments.
pub const OPENING: &str = "{\"input\":\"";
pub const CLOSING: &str = "\"}";

/// A piece of text, escaped for use inside a JSON string.
pub fn inside_json(run: &mut Run, text: Value) -> Value {
    let quoted = match run.store.stringify(text) {
        Ok(quoted) => run.store.owned_text(quoted),
        Err(_) => return text,
    };
    let inside = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(&quoted);
    run.store.string(inside)
}

/// The provider's mark on a freeform tool or call, if there is one.
pub fn mark(metadata: &Metadata) -> Option<Value> {
    metadata.family_field(Word::custom)
}

/// Marks a call as freeform.
pub fn mark_call(run: &mut Run, metadata: &mut Metadata) {
    metadata.add(Key::Word(Word::custom), run.store.boolean_value(true));
}

/// A schema with a single text parameter.
pub fn parameters(run: &mut Run) -> Value {
    run.build_object(|run, schema| {
        schema.word(run, Word::r#type, Word::object);
        schema.object(run, Word::properties, |run, properties| {
            properties.object(run, Word::input, |run, input| input.text(run, Word::r#type, "string"));
        });
        schema.each(run, Word::required, [Word::input], |run, word| run.store.put_word(word));
    })
}

/// The names of freeform tools, which a choice refers to as such.
pub fn names(run: &Run, tools: &[Tool]) -> Keys {
    let mut names = Keys::default();
    for definition in tools.iter().filter_map(Tool::as_definition) {
        if mark(&definition.metadata).is_some() {
            names.add(run.store.text(definition.name).as_bytes());
        }
    }
    names
}
