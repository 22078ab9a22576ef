//! Arguments of calls: as text and as objects (Q61–Q66, Q113).

use crate::model::{Arguments, Call};
use crate::run::{At, Reading, Result, Run, WarningCode, Writing};
use crate::value::{Kind, Value, Word};

const NOT_JSON: &str = "the arguments are not JSON";
const NO_OBJECT: &str = "the arguments are JSON, but not an object";
const NO_NAME: &str = "the call has no name";

/// The name of a call; empty if the model gave none (see [`named`]).
pub fn take_name(run: &mut Run, reading: &mut Reading) -> Result<Value> {
    match reading.take_any(Word::name).filter(|name| run.store.kind(*name) != Kind::Null) {
        Some(name) => {
            let at = run.down(reading.at(), Word::name);
            run.string(name, at)
        }
        None => Ok(run.store.string("")),
    }
}

/// The arguments of a call with this name. A call without a name can't be run: it is invalid, and its arguments are kept as text (Q183).
pub fn named(run: &mut Run, name: Value, arguments: Arguments, at: At) -> Result<Arguments> {
    if !run.store.is_empty(name) {
        return Ok(arguments);
    }
    let raw = match arguments {
        Arguments::Object { raw: Some(raw), .. } | Arguments::Invalid { raw, .. } => raw,
        Arguments::Object { value, raw: None } => run.json_text(value, at)?,
    };
    Ok(invalid(run, raw, NO_NAME))
}

/// Reads arguments of any kind: text, an object, null or absent.
pub fn read(run: &mut Run, value: Option<Value>, at: At) -> Result<Arguments> {
    let Some(value) = value else { return Ok(empty(run)) };
    match run.store.kind(value) {
        Kind::Null => Ok(empty(run)),
        Kind::Object => Ok(Arguments::Object { value, raw: None }),
        Kind::String => Ok(read_text(run, value, at)),
        Kind::Array | Kind::Number | Kind::Boolean | Kind::Other => {
            let raw = run.store.stringify(value).map_err(|fault| run.fault(fault, at))?;
            Ok(invalid(run, raw, NO_OBJECT))
        }
    }
}

fn read_text(run: &mut Run, raw: Value, at: At) -> Arguments {
    if run.store.is_empty(raw) {
        return empty(run);
    }
    let Ok(value) = run.store.parse(raw) else { return invalid(run, raw, NOT_JSON) };
    run.warn_notices(at);
    if run.store.loses_digits(raw) {
        run.warn(WarningCode::InexactNumber, at, "a number has more digits than a JavaScript number can represent");
    }
    match run.store.kind(value) {
        Kind::Object => Arguments::Object { value, raw: Some(raw) },
        Kind::Null => Arguments::Object { value: run.store.empty_object(), raw: Some(raw) },
        _ => invalid(run, raw, NO_OBJECT),
    }
}

/// Absent arguments are an empty object (Q62).
fn empty(run: &mut Run) -> Arguments {
    Arguments::Object { value: run.store.empty_object(), raw: None }
}

fn is_empty(run: &mut Run, call: &Call) -> bool {
    match call.arguments {
        Arguments::Object { value, raw: None } => run.is_void(value),
        Arguments::Object { .. } => false,
        // the call has no name
        Arguments::Invalid { raw, .. } => run.store.text(raw) == "{}",
    }
}

fn invalid(run: &mut Run, raw: Value, error: &str) -> Arguments {
    Arguments::Invalid { raw, error: run.store.string(error) }
}

/// How a format has the arguments of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Usual {
    /// As JSON in a string; servers accept an object.
    Text,
    /// As an object; servers accept JSON in a string.
    Object,
    OnlyObject,
}

/// Takes the name and the arguments of a call. A form records arguments that are not written in the usual way.
pub fn take(run: &mut Run, reading: &mut Reading, (key, usual): (Word, Usual)) -> Result<(Value, Arguments)> {
    let name = take_name(run, reading)?;
    let value = reading.take_any(key);
    let at = run.down(reading.at(), key);
    let form = match value.map(|value| (value, run.store.kind(value))) {
        None => Some(run.store.word_value(Word::omitted)),
        Some((null, Kind::Null)) => Some(null),
        Some((text, Kind::String)) if run.store.is_empty(text) => Some(text),
        Some((_, Kind::String)) if usual == Usual::Object => Some(run.store.word_value(Word::text)),
        Some((_, kind)) if usual == Usual::Text && kind != Kind::String => Some(run.store.word_value(Word::object)),
        Some(_) => None,
    };
    if let Some(form) = form {
        reading.note(key, form);
    }
    let arguments = read(run, value, at)?;
    Ok((name, named(run, name, arguments, at)?))
}

/// Writes arguments as they came, if that was unusual and they are still the same.
fn put_as_they_came(run: &mut Run, object: &mut Writing, key: Word, call: &Call) -> bool {
    let Some(form) = object.form(run, &call.metadata, key) else { return false };
    match (run.store.word(form), &call.arguments) {
        (Word::omitted, _) if is_empty(run, call) => object.skip(run, key),
        (Word::object, Arguments::Object { value, .. }) => object.put(run, key, *value),
        (Word::object, Arguments::Invalid { raw, .. }) => {
            let value = run.store.parse(*raw).ok();
            run.store.take_notices().clear();
            object.option(run, key, value);
            return value.is_some();
        }
        (Word::text, arguments) => {
            let text = match arguments {
                Arguments::Object { raw: Some(raw), .. } | Arguments::Invalid { raw, .. } => Some(*raw),
                Arguments::Object { value, raw: None } => run.store.stringify(*value).ok(),
            };
            object.option(run, key, text);
            return text.is_some();
        }
        _ if run.is_void(form) && is_empty(run, call) => object.put(run, key, form),
        _ => return false,
    }
    true
}

/// Writes the arguments of a call in a format that has JSON in a string.
pub fn put_as_text(run: &mut Run, object: &mut Writing, key: Word, call: &Call) -> Result<()> {
    if put_as_they_came(run, object, key, call) {
        return Ok(());
    }
    object.key(run, key);
    put_text(run, call)
}

/// Writes the arguments of a call in a format that has an object.
pub fn put_as_object(run: &mut Run, object: &mut Writing, key: Word, call: &Call) {
    if !put_as_they_came(run, object, key, call) {
        object.key(run, key);
        put_object(run, call);
    }
}

/// The arguments as JSON in a string: the original text, if there is one.
pub fn text(run: &mut Run, call: &Call) -> Result<Value> {
    match &call.arguments {
        Arguments::Object { raw: Some(raw), .. } | Arguments::Invalid { raw, .. } => Ok(*raw),
        Arguments::Object { value, raw: None } => {
            let at = place(run, call.at);
            run.json_text(*value, at)
        }
    }
}

/// The position of a call's arguments.
fn place(run: &mut Run, call: At) -> At {
    run.route.from.format().arguments.iter().fold(call, |at, word| run.down(at, *word))
}

/// Like [`text`], but None for an empty object.
pub fn text_if_any(run: &mut Run, call: &Call) -> Result<Option<Value>> {
    if is_empty(run, call) { Ok(None) } else { text(run, call).map(Some) }
}

/// Writes arguments as JSON in a string.
pub fn put_text(run: &mut Run, call: &Call) -> Result<()> {
    match &call.arguments {
        Arguments::Object { raw: Some(raw), .. } | Arguments::Invalid { raw, .. } => run.store.put(*raw),
        Arguments::Object { value, raw: None } => {
            let at = place(run, call.at);
            run.put_json_text(*value, at)?;
        }
    }
    Ok(())
}

/// Writes arguments as an object. Text that is not an object is wrapped, with a warning.
pub fn put_object(run: &mut Run, call: &Call) {
    if let Some(value) = object_of(run, &call.arguments) {
        run.store.put(value);
    } else if let Arguments::Invalid { raw, .. } = &call.arguments {
        run.warn(
            WarningCode::ArgumentsWrapped,
            call.at,
            "the arguments are not a JSON object: they are sent inside one",
        );
        let mut object = run.begin();
        object.put(run, Word::rawArguments, *raw);
        object.close(run);
    }
}

/// The arguments as an object, if they are one. A call may be invalid for other reasons.
pub fn object_of(run: &mut Run, arguments: &Arguments) -> Option<Value> {
    match arguments {
        Arguments::Object { value, .. } => Some(*value),
        Arguments::Invalid { raw, .. } => {
            let parsed = run.store.parse(*raw).ok();
            run.store.take_notices().clear();
            parsed.filter(|value| run.store.kind(*value) == Kind::Object)
        }
    }
}
