//! The package's own format, as its types describe it: validated when read, and written as the types promise.

pub mod calls;
pub mod error;
pub mod fit;
pub mod messages;
pub mod read_stream;
pub mod request;
pub mod response;
mod stream_whole;
pub mod tools;
pub mod write_stream;

use super::SchemaFit;
use crate::format::{is_form, is_reserved};
use crate::model::{Member, Metadata, Setting};
use crate::nearest::nearest;
use crate::run::{At, Forms, Provider, Reading, Result, Run, WarningCode, Writing};
use crate::value::{Kind, Value, Word, listed};

pub const SCHEMAS: SchemaFit = SchemaFit::None;

/// Takes the metadata under `key`: the fields of the target's provider become accessible, everything else is kept whole.
pub fn take_metadata(run: &mut Run, reading: &mut Reading, key: Word) -> Result<Metadata> {
    let mut metadata = Metadata::default();
    let Some((value, at)) = reading.take_at(run, key) else { return Ok(metadata) };
    let entries = run.object(value, at)?.rest();
    for entry in entries.family_fields() {
        match entry.key.word() {
            Word::thoughtSignature => {
                let at = run.down(at, Word::thoughtSignature);
                metadata.set_thought_signature(run.string(entry.value, at)?);
            }
            Word::rawArguments => {}
            word if run.route.provider.is_some() && run.route.provider == Provider::of(word) => {
                let at = run.down(at, word);
                read_family(run, entry.value, at, &mut metadata)?;
            }
            _ => metadata.add_other(entry.key, entry.value),
        }
    }
    Ok(metadata)
}

fn read_family(run: &mut Run, value: Value, at: At, metadata: &mut Metadata) -> Result<()> {
    let mut family = run.object(value, at)?;
    if family.boolean(run, Word::continues)? == Some(true) {
        metadata.set_continues();
    }
    let own_form = run.route.to.format().form;
    for member in family.rest().family_fields() {
        let word = member.key.word();
        if !is_form(word) {
            metadata.add(member.key, member.value);
            continue;
        }
        if member.value.kind() == Kind::Null {
            continue;
        }
        // another format of the provider has its own forms
        if word != own_form {
            metadata.set_of_other_format();
        }
        let at = run.down(at, word);
        for entry in run.object(member.value, at)?.rest().family_fields() {
            let word_inside = entry.key.word();
            if is_reserved(word_inside) {
                let at = run.down(at, word_inside);
                metadata.add_at(entry.key, entry.value, at);
            } else if word == own_form {
                metadata.add_form(word_inside, entry.value);
            }
        }
    }
    Ok(())
}

/// The original argument text, which only calls have, in the metadata under `key`.
fn peek_raw_arguments(run: &mut Run, reading: &Reading, key: Word) -> Option<Value> {
    run.member(reading.peek(key)?, Word::rawArguments)
}

/// Ends reading an object. Returns its metadata.
fn end_reading(run: &mut Run, mut reading: Reading) -> Result<Metadata> {
    let metadata = take_metadata(run, &mut reading, Word::metadata)?;
    finish(run, reading);
    Ok(metadata)
}

/// Ends reading: unknown fields are reported, as they are lost.
pub fn finish(run: &mut Run, reading: Reading) {
    let at = reading.at();
    for member in reading.rest().family_fields() {
        let fields = Setting::ALL.iter().map(|setting| setting.key()).chain(listed::FIELDS.iter().copied());
        let fields: Vec<&str> = fields.map(|word| word.text()).collect();
        let message = match nearest(&run.key_text(member.key), &fields) {
            Some(name) => format!("unknown field; did you mean {name}?"),
            None => "unknown field".to_owned(),
        };
        let at = run.down_key(at, member.key);
        run.warn(WarningCode::UnknownField, at, &message);
    }
}

/// Ends an object that is being written with its metadata.
fn end(run: &mut Run, object: Writing, metadata: &Metadata) {
    put_metadata(run, metadata, None, Word::metadata);
    object.close(run);
}

/// Writes the metadata under `key`, if there are any.
pub fn put_metadata(run: &mut Run, metadata: &Metadata, raw_arguments: Option<Value>, key: Word) {
    if is_omitted(run, metadata) && raw_arguments.is_none() {
        return;
    }
    run.store.key(key);
    run.store.begin_object();
    if let Some(signature) = metadata.thought_signature() {
        run.store.key(Word::thoughtSignature);
        run.store.put(signature);
    }
    if let Some(raw) = raw_arguments {
        run.store.key(Word::rawArguments);
        run.store.put(raw);
    }
    write_family(run, metadata);
    metadata.others().iter().for_each(|member| put_member(run, member));
    run.store.end_object();
}

/// The forms to write.
fn forms<'a>(run: &Run, metadata: &'a Metadata) -> &'a [(Word, Value)] {
    match run.options.forms {
        Forms::Keep => metadata.forms(),
        Forms::Omit => &[],
    }
}

/// Whether nothing of the provider is written.
fn has_no_family(run: &Run, metadata: &Metadata) -> bool {
    metadata.family_fields().is_empty() && forms(run, metadata).is_empty() && !metadata.continues()
}

fn is_omitted(run: &Run, metadata: &Metadata) -> bool {
    let has_rest = metadata.thought_signature().is_some() || !metadata.others().is_empty();
    metadata.is_empty() || run.options.forms == Forms::Omit && !has_rest && has_no_family(run, metadata)
}

fn write_family(run: &mut Run, metadata: &Metadata) {
    let Some(provider) = run.route.provider else { return };
    if has_no_family(run, metadata) {
        return;
    }
    let (ours, fields): (Vec<&Member>, Vec<&Member>) =
        metadata.family_fields().iter().partition(|member| is_reserved(member.key.word()));
    run.store.key(provider.word());
    run.store.begin_object();
    if metadata.continues() {
        run.store.key(Word::continues);
        run.store.put_boolean(true);
    }
    fields.into_iter().for_each(|member| put_member(run, member));
    let forms = forms(run, metadata);
    if !forms.is_empty() || !ours.is_empty() {
        run.store.key(run.route.from.format().form);
        run.store.begin_object();
        for (word, value) in forms {
            run.store.key(*word);
            run.store.put(*value);
        }
        ours.into_iter().for_each(|member| put_member(run, member));
        run.store.end_object();
    }
    run.store.end_object();
}

fn put_member(run: &mut Run, member: &Member) {
    run.put_key(member.key);
    run.store.put(member.value);
}
