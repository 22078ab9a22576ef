//! Writes error bodies: the provider's original fields if they still match, otherwise those that it would send.

use super::context_length::{Words, message_for};
use super::read::{Tag, still_states};
use crate::model::{ChatError, ChatErrorCode};
use crate::run::{Result, Run, WarningCode, Writing};
use crate::value::{Kind, Value, Word};

/// The shape of a dialect's errors.
pub struct Shape {
    pub tag: Tag,
    /// Writes the fields that identify the error.
    pub fields: fn(&mut Run, &mut Writing, &ChatError),
    /// How an error is stated about a request that is too long for the model.
    /// None: clients of the format act on no words.
    pub too_long: Option<&'static Words>,
    /// Fields beside `error` that the client's types require.
    pub demanded: &'static [Word],
}

pub fn write(run: &mut Run, error: &ChatError, shape: &Shape) -> Result<()> {
    let metadata = &error.metadata;
    warn_retryable(run, error);
    if metadata.form(Word::list).is_none() {
        write_object(run, error, shape);
        return Ok(());
    }
    run.store.begin_array();
    write_object(run, error, shape);
    if let Some(others) = metadata.family_field(Word::errors) {
        for other in run.store.items(others).map_err(|fault| run.fault(fault, error.at))? {
            run.store.put(other);
        }
    }
    run.store.end_array();
    Ok(())
}

fn write_object(run: &mut Run, error: &ChatError, shape: &Shape) {
    let metadata = &error.metadata;
    let form = metadata.form(Word::error);
    let mut object = run.begin();
    object.skip(run, Word::errors);
    match form.map(|form| run.store.word(form)) {
        Some(Word::text) => object.put(run, Word::error, error.message),
        None if shape.tag == Tag::Text => object.put(run, Word::error, error.message),
        None if matches!(shape.tag, Tag::Flat | Tag::Message) => {
            let fields = metadata.has_family().then(|| run.family_object(metadata));
            write_fields(run, &mut object, error, shape, fields);
        }
        None if shape.tag == Tag::Object => {
            object.usual(run, metadata, Word::object, Word::error);
            let is_own = !metadata.own_fields().is_empty() || metadata.form(Word::object).is_some();
            let fields = is_own.then(|| run.family_object(metadata));
            write_fields(run, &mut object, error, shape, fields);
        }
        Some(Word::omitted) => {
            let fields = run.family_object(metadata);
            write_fields(run, &mut object, error, shape, Some(fields));
        }
        form => write_nested(run, &mut object, error, shape, form == Some(Word::message)),
    }
    object.end(run, metadata, error.at);
}

fn write_nested(run: &mut Run, object: &mut Writing, error: &ChatError, shape: &Shape, is_alone: bool) {
    let metadata = &error.metadata;
    let kept = metadata.own_field(Word::error);
    let kept = kept.filter(|kept| run.store.kind(*kept) == Kind::Object);
    let kept = kept.or_else(|| is_alone.then(|| run.store.empty_object()));
    if shape.tag == Tag::Type && !(kept.is_some() && metadata.form(Word::r#type).is_some()) {
        object.word(run, Word::r#type, Word::error);
    }
    object.object_with_rest(run, metadata, Word::error, |run, inner| write_fields(run, inner, error, shape, kept));
    if kept.is_none() {
        for word in shape.demanded {
            object.null(run, *word);
        }
    }
}

/// The message and the identifying fields: those of `kept` if they still match.
fn write_fields(run: &mut Run, object: &mut Writing, error: &ChatError, shape: &Shape, kept: Option<Value>) {
    let is_kept = kept.is_some_and(|kept| still_states(run, kept, error));
    let elsewhere = error.metadata.form(Word::message);
    if !elsewhere.is_some_and(|text| run.store.same(text, error.message)) {
        let words = shape.too_long.filter(|_| !is_kept && error.code == ChatErrorCode::ContextLength);
        let message = words.map_or(error.message, |words| message_for(run, error, words));
        object.put(run, Word::message, message);
    }
    if !is_kept {
        (shape.fields)(run, object, error);
        // the ones that were kept mean another code
        for word in KIND.iter().filter(|word| object.has(run, **word)).collect::<Vec<_>>() {
            object.skip(run, *word);
        }
    }
}

/// Fields that identify the kind of error.
const KIND: &[Word] = &[Word::__type, Word::r#type, Word::code, Word::status];

/// In wire formats, the kind of error determines whether to try again, so a deviating `retryable` is lost.
fn warn_retryable(run: &mut Run, error: &ChatError) {
    if error.retryable != error.code.retryable(error.status) {
        let at = run.down(error.at, Word::retryable);
        run.warn(WarningCode::StateDropped, at, "on the target, the kind of error determines whether to retry");
    }
}
