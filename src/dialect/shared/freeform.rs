//! OpenAI's freeform tools: their input is a text instead of arguments (Q38). Both of OpenAI's formats have them.

use super::arguments;
use super::shapes::{Absent, DefinitionShape, ToolField};
use crate::model::{Arguments, Call, Metadata, Tool};
use crate::run::{At, Key, Reading, Result, Run, WarningCode};
use crate::value::{Keys, Kind, Value, Word};

/// The fields that a definition has beside the format of its text.
pub const DEFINITION: &DefinitionShape =
    &[(ToolField::Name, Word::name, Absent::Never), (ToolField::Description, Word::description, Absent::Omitted)];

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

/// The text of a call whose tool is freeform, but which the model called like a function: `input`; the only text among the arguments; or the arguments
/// themselves, if they are a text. None if it is not clear which text is meant.
pub fn meant(run: &mut Run, call: &Call) -> Option<Value> {
    match &call.arguments {
        Arguments::Object { value, .. } => only_text(run, *value, call.at),
        Arguments::Invalid { raw, .. } => bare_text(run, *raw),
    }
}

/// The member `input`, or else the only text, of an object. The other members are left out.
fn only_text(run: &mut Run, object: Value, at: At) -> Option<Value> {
    let members = run.members(object);
    let texts: Vec<_> = members.iter().filter(|member| run.store.kind(member.value) == Kind::String).collect();
    let input = texts.iter().find(|member| member.word == Word::input);
    let text = match (input, texts.as_slice()) {
        (Some(input), _) => input.value,
        (None, [only]) => only.value,
        (None, _) => return None,
    };
    if members.len() > 1 {
        run.warn(WarningCode::FieldDropped, at, "the tool takes one text: the arguments beside it were left out");
    }
    Some(text)
}

/// Text that is not JSON, or a JSON string. What begins like an object is a broken one.
fn bare_text(run: &mut Run, raw: Value) -> Option<Value> {
    let first = run.store.text(raw).trim_start().chars().next()?;
    if first == '"' {
        let inner = run.store.parse(raw).ok();
        run.store.take_notices().clear();
        return inner.filter(|inner| run.store.kind(*inner) == Kind::String).or(Some(raw));
    }
    (first != '{').then_some(raw)
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

/// The syntax and the definition of the grammar in the mark of a tool, which has it as in Chat Completions.
pub fn grammar(run: &mut Run, mark: Value) -> Option<(Option<Value>, Value)> {
    let format = run.field(mark, Word::format)?;
    let grammar = run.field(format, Word::grammar)?;
    let is_text = |run: &Run, value: &Value| run.store.kind(*value) == Kind::String;
    let definition = run.field(grammar, Word::definition).filter(|value| is_text(run, value))?;
    let syntax = run.field(grammar, Word::syntax).filter(|value| is_text(run, value));
    Some((syntax, definition))
}

/// Whether the definition that formats without freeform tools get has everything in the mark: the format of the text is in the description.
pub fn is_described(run: &mut Run, mark: Value) -> bool {
    let has_only = |run: &mut Run, object: Value, words: &[Word]| {
        run.members(object).iter().all(|member| words.contains(&member.word))
    };
    let Some(format) = run.field(mark, Word::format) else { return run.members(mark).is_empty() };
    if !has_only(run, mark, &[Word::format]) || run.store.kind(format) != Kind::Object {
        return false;
    }
    match run.field(format, Word::grammar).filter(|_| grammar(run, mark).is_some()) {
        Some(grammar) => {
            has_only(run, format, &[Word::r#type, Word::grammar])
                && has_only(run, grammar, &[Word::syntax, Word::definition])
        }
        None => run.type_of(format) == Word::text && has_only(run, format, &[Word::r#type]),
    }
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
