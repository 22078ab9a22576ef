//! What responses repeat of their requests, in formats whose responses do. The context of the conversion carries it.

use super::responses::Required;
use crate::run::{Key, Run, Writing};
use crate::value::{Kind, Value, Word};

/// What the response to this request, in the same format, will repeat of it: JSON text. None if that is nothing. A response that comes from a format
/// whose responses do not name their model (`lacks_model`) has the name that was asked for.
pub fn of_request(run: &mut Run, request: Value, required: &Required, lacks_model: bool) -> Option<String> {
    let names_model = lacks_model && !required.lacks_model && required.reasons.is_some();
    let echoed = if required.echoed.is_empty() && names_model { &[Word::model] } else { required.echoed };
    if echoed.is_empty() || run.store.kind(request) != Kind::Object {
        return None;
    }
    let echo = run.build_object(|run, echo| {
        for word in echoed {
            let stated = run.member(request, *word).filter(|value| run.store.kind(*value) != Kind::Null);
            if let Some(value) = stated {
                put(run, echo, *word, value);
            }
        }
    });
    let text = run.store.stringify(echo).ok()?;
    Some(run.store.owned_text(text))
}

/// What the context has of the request.
pub fn read(run: &mut Run) -> Option<Value> {
    let echo = run.options.context.as_ref()?.echo.as_ref()?;
    let text = run.store.string(echo);
    run.store.parse(text).ok().filter(|echo| run.store.kind(*echo) == Kind::Object)
}

/// The model that was asked for, if the response does not name one.
pub fn name_model(run: &mut Run, model: &mut Option<Value>, echo: Option<Value>) {
    if let (None, Some(echo)) = (&model, echo) {
        *model = run.member(echo, Word::model).filter(|model| run.store.kind(*model) == Kind::String);
    }
}

/// Puts a field, with what responses always have.
fn put(run: &mut Run, echo: &mut Writing, word: Word, value: Value) {
    match (word, run.store.kind(value)) {
        (Word::tools, Kind::Array) => {
            let tools = run.list(value);
            echo.each(run, word, tools, put_tool);
        }
        (Word::reasoning, Kind::Object) => echo.object(run, word, |run, reasoning| {
            complete(run, reasoning, value, &[Word::effort, Word::summary]);
        }),
        (Word::text, Kind::Object) if run.member(value, Word::format).is_none() => {
            echo.object(run, word, |run, text| {
                text.object(run, Word::format, |run, format| format.word(run, Word::r#type, Word::text));
                copy(run, value);
            });
        }
        _ => echo.put(run, word, value),
    }
}

fn put_tool(run: &mut Run, tool: Value) {
    if run.store.kind(tool) != Kind::Object || run.type_of(tool) != Word::function {
        return run.store.put(tool);
    }
    let mut object = run.begin();
    complete(run, &mut object, tool, &[Word::description, Word::parameters, Word::strict]);
    object.close(run);
}

/// Puts the members of an object into the one that is being written.
fn copy(run: &mut Run, whole: Value) {
    for field in run.members(whole) {
        run.put_key(Key::from(field));
        run.store.put(field.value);
    }
}

/// Puts the members of an object, and null for those of these that it lacks.
fn complete(run: &mut Run, object: &mut Writing, whole: Value, required: &[Word]) {
    copy(run, whole);
    for word in required {
        if run.member(whole, *word).is_none() {
            object.null(run, *word);
        }
    }
}
