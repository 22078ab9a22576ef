//! Gemini's `Schema`: a subset of OpenAPI with types in upper case (WIRE §10.6, Q2–Q19). Converts it to and from JSON Schema.

use super::node::{InputSchema, object_of, of_type, open_respelt};
use super::policy;
use super::walk::{DEEPEST, Out, Walker};
use crate::run::{At, Key, Result, Run};
use crate::value::text::lowercase;
use crate::value::{Fault, Kind, Value, Word};

/// JSON Schema for the value of `parameters`.
pub fn read(run: &mut Run, schema: Value, at: At) -> Result<Value> {
    read_schema(run, InputSchema::new(schema, at), DEEPEST)
}

fn read_schema(run: &mut Run, part: InputSchema, depth: usize) -> Result<Value> {
    if run.store.kind(part.value) != Kind::Object {
        return Ok(part.value);
    }
    if depth == 0 {
        return Err(run.fault(Fault::Depth { limit: DEEPEST }, part.at));
    }
    let mut out = Out::default();
    for member in open_respelt(run, part)? {
        let word = member.key.word();
        if let (Word::properties | Word::anyOf | Word::items, None) = (word, member.value()) {
            let mut values = Vec::with_capacity(member.schemas.len());
            for below in &member.schemas {
                for part in &below.parts {
                    values.push((below.key, read_schema(run, *part, depth - 1)?));
                }
            }
            out.set(word, member.shape.holding(run, &values));
            continue;
        }
        let Some(value) = member.whole else { continue };
        let text = if run.store.kind(value) == Kind::String { run.store.owned_text(value) } else { String::new() };
        match word {
            Word::r#type if !text.is_empty() => {
                if run.store.word(value) != Word::TYPE_UNSPECIFIED {
                    out.set(word, run.store.string(&lowercase(&text)));
                }
            }
            // only states that there is an enum
            Word::format if text == Word::r#enum.text() => {}
            Word::example => {
                let key = run.store.word_value(word);
                run.respell(part.at, Word::examples, key);
                let value = run.store.array_of(&[value]);
                add_examples(run, &mut out, value);
            }
            Word::examples => add_examples(run, &mut out, value),
            // sizes are integers in JSON Schema, and decimal strings in Google's format (Q44)
            Word::minItems
            | Word::maxItems
            | Word::minLength
            | Word::maxLength
            | Word::minProperties
            | Word::maxProperties => {
                let size = text.parse::<u64>();
                out.set(word, size.map_or(value, |size| run.build(|run| run.store.put_number(size as f64))));
            }
            _ => out.set_key(member.key, value),
        }
    }
    read_enum(run, &mut out);
    make_nullable(run, &mut out);
    Ok(object_of(run, &out.members))
}

/// Joins examples under one keyword with those under the other.
fn add_examples(run: &mut Run, out: &mut Out, mut more: Value) {
    if let Some(known) =
        out.get(Word::examples).filter(|known| known.kind() == Kind::Array && more.kind() == Kind::Array)
    {
        let mut all = run.list(known);
        all.extend(run.list(more));
        more = run.store.array_of(&all);
    }
    out.set(Word::examples, more);
}

/// Enums are strings in Google's format, regardless of their type (Q13).
fn read_enum(run: &mut Run, out: &mut Out) {
    let Some(values) = out.get(Word::r#enum).filter(|values| run.store.kind(*values) == Kind::Array) else { return };
    let mut values = run.list(values);
    let kind = out.get(Word::r#type).map_or(Word::string, |kind| run.store.word(kind));
    if matches!(kind, Word::integer | Word::number | Word::boolean) {
        for value in values.iter_mut().filter(|value| value.kind() == Kind::String) {
            if let Ok(parsed) = run.store.parse(*value)
                && matches!(run.store.kind(parsed), Kind::Number | Kind::Boolean)
            {
                *value = parsed;
            }
        }
    }
    if is_nullable(run, out) {
        values.push(run.build(|run| run.store.put_null()));
    }
    out.set(Word::r#enum, run.store.array_of(&values));
}

fn is_nullable(run: &Run, out: &Out) -> bool {
    out.get(Word::nullable).is_some_and(|value| run.store.boolean(value))
}

/// `nullable` becomes a second type in JSON Schema.
fn make_nullable(run: &mut Run, out: &mut Out) {
    if !is_nullable(run, out) {
        return;
    }
    let null = run.store.word_value(Word::null);
    if let Some(kind) = out.get(Word::r#type).filter(|kind| kind.kind() == Kind::String) {
        out.take(Word::nullable);
        out.set(Word::r#type, run.store.array_of(&[kind, null]));
    } else if let Some(any_of) = out.get(Word::anyOf).filter(|any_of| any_of.kind() == Kind::Array) {
        out.take(Word::nullable);
        let mut branches = run.list(any_of);
        branches.push(of_type(run, Key::Word(Word::null)));
        out.set(Word::anyOf, run.store.array_of(&branches));
    }
}

/// How a schema was written: true if writing `read` gives the original value, otherwise that value. Other targets do not need to know.
pub fn form(run: &mut Run, read: Value, wire: Value) -> Value {
    if run.route.keeps_family() && restores(run, read, wire) { run.store.boolean_value(true) } else { wire }
}

/// Whether writing `read` gives the original value.
fn restores(run: &mut Run, read: Value, wire: Value) -> bool {
    let mark = run.report.mark();
    let written = run.attempt(|run| write(run, read, At::ROOT));
    let lossless = !run.report.has_more_than(mark);
    run.report.forget_after(mark);
    lossless && matches!(written, Ok(written) if has_parameters(run, written) && run.store.same(written, wire))
}

/// The value of `parameters` for a JSON Schema, if it has [parameters](has_parameters).
pub fn write(run: &mut Run, schema: Value, at: At) -> Result<Value> {
    Walker::new(&policy::GOOGLE, schema, at).walk(run)
}

/// Whether a written schema can be the value of `parameters`: Google rejects an object without properties (Q2).
pub fn has_parameters(run: &mut Run, written: Value) -> bool {
    run.member(written, Word::properties).is_some() || run.member(written, Word::anyOf).is_some()
}

/// The value of `responseSchema` for a JSON Schema.
pub fn write_format(run: &mut Run, schema: Value, at: At) -> Result<Value> {
    Walker::new(&policy::GOOGLE_FORMAT, schema, at).walk(run)
}
