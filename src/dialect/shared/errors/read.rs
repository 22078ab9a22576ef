//! Reads error bodies of any shape.

use super::context_length;
use super::words::{EXACT, FINER, VAGUE, find};
use crate::model::{ChatError, ChatErrorCode, ContextLength, Metadata};
use crate::number::javascript;
use crate::run::{At, Key, Reading, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word};

/// The fields that identify an error, the most specific first.
const IDENTIFYING: [Word; 5] = [Word::code, Word::__type, Word::r#type, Word::status, Word::statusCode];
/// The fields with the message in bodies that have no `message`.
const MESSAGES: &[Word] = &[Word::Message, Word::detail, Word::error_description, Word::title];

/// How a dialect marks its own error bodies, apart from `error`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    None,
    /// `type: "error"`.
    Type,
    /// `error` is the message itself, as a string.
    Text,
    /// The body is the error itself.
    Flat,
    /// `object: "error"`: the body is the error itself.
    Object,
    /// The body has a message, and nothing that identifies the error.
    Message,
}

pub fn read(run: &mut Run, body: Value, tag: Tag) -> Result<ChatError> {
    let mut metadata = Metadata::default();
    let (body, at) = unlisted(run, body, &mut metadata)?;
    if run.store.kind(body) != Kind::Object {
        let message = plain_text(run, body, at)?;
        let meaning = run.options.status.map(Meaning::by_status);
        return Ok(finish(run, at, Stated { meaning, message, length: ContextLength::default() }, metadata));
    }
    let outer = run.object(body, at)?;
    match outer.peek(Word::error) {
        Some(error) if run.store.kind(error) == Kind::Object => read_nested(run, outer, tag, metadata),
        _ => read_flat(run, outer, body, tag, metadata),
    }
}

/// Google's servers may wrap the error in a list with one element.
fn unlisted(run: &mut Run, body: Value, metadata: &mut Metadata) -> Result<(Value, At)> {
    if run.store.kind(body) != Kind::Array {
        return Ok((body, At::ROOT));
    }
    let mut elements = run.elements(body, At::ROOT)?;
    let Some((first, at)) = elements.next().filter(|(first, _)| run.store.kind(*first) == Kind::Object) else {
        return Ok((body, At::ROOT));
    };
    let others: Vec<Value> = elements.map(|(other, _)| other).collect();
    if !others.is_empty() {
        let value = run.store.array_of(&others);
        let at = run.nth(At::ROOT, 1);
        metadata.add_at(Key::Word(Word::errors), value, at);
    }
    metadata.add_form(Word::list, run.store.boolean_value(true));
    Ok((first, at))
}

/// `{error: {…}}`, as Anthropic, OpenAI and Google send it.
fn read_nested(run: &mut Run, mut outer: Reading, tag: Tag, mut metadata: Metadata) -> Result<ChatError> {
    let at = outer.at();
    let is_tagged = outer.peek(Word::r#type).is_some_and(|kind| run.store.word(kind) == Word::error);
    match tag {
        Tag::Type if is_tagged => outer.skip(&[Word::r#type]),
        Tag::Type => outer.note_omitted(run, Word::r#type),
        Tag::None | Tag::Text | Tag::Flat | Tag::Object | Tag::Message => {}
    }
    let (value, inner_at) = outer.require(run, Word::error)?;
    let mut inner = run.object(value, inner_at)?;
    let meaning = meaning_of(run, &inner, run.options.status);
    if !IDENTIFYING.iter().any(|word| inner.has(*word)) {
        inner.note(Word::error, run.store.word_value(Word::message));
    } else if matches!(tag, Tag::Text | Tag::Flat | Tag::Object | Tag::Message) {
        inner.note(Word::error, run.store.word_value(Word::object));
    }
    let message = take_message(run, &mut inner, value)?;
    let length = context_length::of_fields(run, &inner);
    take_modelled(run, &mut inner, is_tagged.then_some(&mut outer));
    inner.rest_into(run, Word::error, &mut metadata);
    metadata.append(outer.rest());
    Ok(finish(run, at, Stated { meaning, message, length }, metadata))
}

/// A body that is the error itself, or `{error: "…"}`.
fn read_flat(run: &mut Run, mut outer: Reading, body: Value, tag: Tag, mut metadata: Metadata) -> Result<ChatError> {
    let at = outer.at();
    let meaning = meaning_of(run, &outer, run.options.status);
    let is_text = outer.peek(Word::error).is_some_and(|error| run.store.kind(error) == Kind::String);
    let message = if is_text && !outer.has(Word::message) {
        if tag != Tag::Text {
            outer.note(Word::error, run.store.word_value(Word::text));
        }
        outer.require_string(run, Word::error)?
    } else {
        match tag {
            Tag::Flat if IDENTIFYING.iter().any(|word| outer.has(*word)) => {}
            Tag::Flat => outer.note_omitted(run, Word::__type),
            Tag::Message => {}
            Tag::Object if outer.take_usual(run, Word::object, Word::error) => {}
            Tag::Object => outer.note_omitted(run, Word::object),
            Tag::None | Tag::Type | Tag::Text => outer.note_omitted(run, Word::error),
        }
        take_message(run, &mut outer, body)?
    };
    let length = context_length::of_fields(run, &outer);
    take_modelled(run, &mut outer, None);
    metadata.append(outer.rest());
    Ok(finish(run, at, Stated { meaning, message, length }, metadata))
}

/// The message; if there is none, a text from another field, or the whole body as JSON.
fn take_message(run: &mut Run, reading: &mut Reading, whole: Value) -> Result<Value> {
    if reading.peek(Word::message).is_some_and(|message| run.store.kind(message) == Kind::String) {
        return reading.require_string(run, Word::message);
    }
    let is_text = |run: &Run, value: &Value| run.store.kind(*value) == Kind::String && !run.store.is_empty(*value);
    let found = MESSAGES.iter().find_map(|word| reading.peek(*word).filter(|value| is_text(run, value)));
    let message = match found.or_else(|| faults(run, reading)).or_else(|| inner_text(run, reading)) {
        Some(found) => found,
        None => plain_text(run, whole, reading.at())?,
    };
    reading.note(Word::message, message);
    let is_message = |value: Value| matches!(run.store.kind(value), Kind::Object | Kind::Array);
    if !run.route.keeps_family() && reading.peek(Word::message).is_some_and(is_message) {
        reading.take_any(Word::message);
        let at = run.down(reading.at(), Word::message);
        run.warn(WarningCode::StateDropped, at, "only the text in it is sent");
    }
    Ok(message)
}

/// The fields with a text in a message or detail that is an object.
const TEXTS: [Word; 4] = [Word::message, Word::detail, Word::msg, Word::error];

/// The text in a message or detail that is an object, or a list of texts.
fn inner_text(run: &mut Run, reading: &Reading) -> Option<Value> {
    [Word::message, Word::detail].into_iter().find_map(|word| {
        let value = reading.peek(word)?;
        match run.store.kind(value) {
            Kind::Object => TEXTS.iter().find_map(|word| {
                run.field(value, *word)
                    .filter(|text| run.store.kind(*text) == Kind::String && !run.store.is_empty(*text))
            }),
            Kind::Array => {
                let list = run.list(value);
                let texts: Vec<String> = list
                    .iter()
                    .filter(|text| run.store.kind(**text) == Kind::String)
                    .map(|text| run.store.owned_text(*text))
                    .collect();
                let is_text = texts.len() == list.len() && texts.iter().any(|text| !text.is_empty());
                is_text.then(|| run.store.string(&texts.join("; ")))
            }
            _ => None,
        }
    })
}

/// The faults that FastAPI lists in `detail`, as a text: `body.messages: Field required`. Some servers have the list inside `message`.
fn faults(run: &mut Run, reading: &Reading) -> Option<Value> {
    let inside = reading.peek(Word::message).and_then(|message| run.field(message, Word::detail));
    let list = inside.or(reading.peek(Word::detail)).filter(|list| run.store.kind(*list) == Kind::Array)?;
    let mut texts = Vec::new();
    for fault in run.list(list) {
        let text = run.field(fault, Word::msg).filter(|text| run.store.kind(*text) == Kind::String)?;
        if run.store.is_empty(text) {
            return None;
        }
        let place = run.field(fault, Word::loc).filter(|place| run.store.kind(*place) == Kind::Array);
        let steps = place.map(|place| run.list(place)).into_iter().flatten();
        let steps: Vec<String> = steps
            .filter_map(|step| match run.store.kind(step) {
                Kind::String => Some(run.store.owned_text(step)),
                Kind::Number => Some(javascript(run.store.number(step))),
                _ => None,
            })
            .collect();
        let text = run.store.owned_text(text);
        texts.push(if steps.is_empty() { text } else { [&steps.join("."), ": ", &text].concat() });
    }
    (!texts.is_empty()).then(|| run.store.string(&texts.join("; ")))
}

/// A value that has no message, as text.
fn plain_text(run: &mut Run, value: Value, at: At) -> Result<Value> {
    match run.store.kind(value) {
        Kind::String if run.store.text(value).trim().is_empty() => Ok(no_message(run)),
        Kind::String => Ok(value),
        _ if run.is_void(value) => Ok(no_message(run)),
        _ => run.json_text(value, at),
    }
}

fn no_message(run: &mut Run) -> Value {
    let text = match run.options.status {
        Some(status) => format!("HTTP status {status} without a message"),
        None => "an error without a message".to_owned(),
    };
    run.store.string(&text)
}

/// The meaning of an error, and the HTTP status that came with it or that usually does.
#[derive(Clone, Copy)]
struct Meaning {
    code: ChatErrorCode,
    status: u16,
}

impl Meaning {
    fn by_status(status: u16) -> Meaning {
        Meaning { code: ChatErrorCode::of_status(status), status }
    }
}

/// The meaning of the identifying fields. A vague word yields to the status.
fn meaning_of(run: &mut Run, reading: &Reading, status: Option<u16>) -> Option<Meaning> {
    let mut stated = reading.peek(Word::details).map(|details| reasons(run, details)).unwrap_or_default();
    stated.extend(IDENTIFYING.iter().filter_map(|word| reading.peek(*word)));
    // a successful HTTP status does not describe the error (Q180)
    let status = stated.iter().find_map(|value| http_status(run, *value)).or(status.filter(|status| *status >= 400));
    let find = |tables| stated.iter().find_map(|value| find(tables, run.store.word(*value)));
    let by_word = |(code, usual)| Meaning { code, status: status.unwrap_or(usual) };
    let exact = find(&[EXACT, FINER]).map(by_word);
    exact.or_else(|| status.map(Meaning::by_status)).or_else(|| find(&[VAGUE]).map(by_word))
}

/// The reasons in Google's details, which are more specific than its status: an invalid key has the status of an invalid argument.
fn reasons(run: &mut Run, details: Value) -> Vec<Value> {
    let all = run.list(details).into_iter().filter_map(|detail| run.member(detail, Word::reason));
    all.filter(|reason| reason.kind() == Kind::String).collect()
}

/// An HTTP status as a number, or as digits in a string.
fn http_status(run: &Run, value: Value) -> Option<u16> {
    let status = match run.store.kind(value) {
        Kind::Number => run.store.number(value),
        Kind::String => f64::from(run.store.text(value).parse::<u16>().ok()?),
        _ => return None,
    };
    ((400.0..600.0).contains(&status) && status.fract() == 0.0).then_some(status as u16)
}

/// For another provider: takes the identifying fields that the code and the status express, and the type of a `tagged` body, so that they are not
/// reported as lost.
fn take_modelled(run: &Run, reading: &mut Reading, tagged: Option<&mut Reading>) {
    if run.route.keeps_family() {
        return;
    }
    if let Some(body) = tagged {
        body.skip(&[Word::r#type]);
    }
    for word in IDENTIFYING {
        let Some(value) = reading.peek(word) else { continue };
        if http_status(run, value).is_some() || find(&[EXACT, VAGUE], run.store.word(value)).is_some() {
            reading.take_any(word);
        }
    }
}

/// What a body states about its error.
struct Stated {
    meaning: Option<Meaning>,
    message: Value,
    length: ContextLength,
}

fn finish(run: &Run, at: At, stated: Stated, metadata: Metadata) -> ChatError {
    let Stated { meaning, message, length } = stated;
    let status = meaning.map(|meaning| meaning.status);
    let (code, stated) = refined(run, meaning, message);
    let context_length = match code {
        ChatErrorCode::ContextLength => {
            ContextLength { limit: length.limit.or(stated.limit), requested: length.requested.or(stated.requested) }
        }
        _ => ContextLength::default(),
    };
    ChatError { at, status, code, message, retryable: code.retryable(status), context_length, metadata }
}

/// The code. Most providers state only in the message that a request is too long for the model.
fn refined(run: &Run, meaning: Option<Meaning>, message: Value) -> (ChatErrorCode, ContextLength) {
    use ChatErrorCode::{ApiError, ContextLength as TooLong, InvalidRequest, TooLarge, Unknown};
    let code = meaning.map_or(Unknown, |meaning| meaning.code);
    match (code, context_length::of_message(&run.store.text(message))) {
        (TooLong | InvalidRequest | TooLarge | ApiError | Unknown, Some(length)) => (TooLong, length),
        (code, _) => (code, ContextLength::default()),
    }
}

/// Whether the identifying fields that were kept still match the error.
pub fn still_states(run: &mut Run, fields: Value, error: &ChatError) -> bool {
    let Ok(reading) = run.attempt(|run| run.object(fields, error.at)) else { return false };
    let meaning = meaning_of(run, &reading, error.status);
    refined(run, meaning, error.message).0 == error.code
}
