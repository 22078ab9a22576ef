//! Citations of web pages (`url_citation`), which both of OpenAI's formats have: Chat Completions beside the text of a message, Responses in the part of the text.

use crate::model::{Member, Metadata};
use crate::run::{At, Key, Run, Writing};
use crate::value::{Kind, Value, Word};

/// The annotations of something, in both of the ways in which readers keep them.
struct Found {
    list: Value,
    /// The object in `metadata` that contains the list, if any.
    holder: Option<Value>,
    at: Option<At>,
}

/// Takes the citations from the metadata of a part of Responses, in the form of Chat Completions. `offset`: the number of characters before the part.
pub fn take_nested(run: &mut Run, metadata: &mut Metadata, at: At, offset: f64) -> Vec<Value> {
    take(run, metadata, at, |run, citation| nest(run, citation, offset))
}

/// Takes the citations from the metadata of a message of Chat Completions, in the form of Responses.
pub fn take_flat(run: &mut Run, metadata: &mut Metadata, at: At) -> Vec<Value> {
    take(run, metadata, at, flatten)
}

/// Takes the citations that `convert` accepts; other annotations are reported.
fn take(
    run: &mut Run,
    metadata: &mut Metadata,
    at: At,
    convert: impl Fn(&mut Run, Value) -> Option<Value>,
) -> Vec<Value> {
    let Some(found) = find(run, metadata) else { return Vec::new() };
    let (mut taken, mut others) = (Vec::new(), Vec::new());
    for annotation in run.list(found.list) {
        match convert(run, annotation) {
            Some(citation) => taken.push(citation),
            None => others.push(annotation),
        }
    }
    if taken.is_empty() {
        return taken;
    }
    if !others.is_empty() {
        let value = run.store.array_of(&others);
        let parent = run.family_at(at);
        run.warn_member(Member { key: Key::Word(Word::annotations), value, at: found.at }, parent);
    }
    match found.holder {
        Some(holder) => {
            let rest = run.build_object(|run, object| {
                object.skip(run, Word::annotations);
                object.add_rest(run, Some(holder));
            });
            let rest = Some(rest).filter(|rest| !run.members(*rest).is_empty());
            metadata.set_family_field(Word::output_text, rest);
        }
        None => metadata.retain_family(&mut |member| member.key.word() != Word::annotations),
    }
    taken
}

fn find(run: &mut Run, metadata: &Metadata) -> Option<Found> {
    let is_list = |run: &Run, value: &Value| run.store.kind(*value) == Kind::Array;
    let direct = metadata.fields().find(|member| member.key.word() == Word::annotations).copied();
    if let Some(member) = direct.filter(|member| is_list(run, &member.value)) {
        return Some(Found { list: member.value, holder: None, at: member.at });
    }
    let holder = metadata.family_field(Word::output_text)?;
    let list = run.field(holder, Word::annotations).filter(|list| is_list(run, list))?;
    Some(Found { list, holder: Some(holder), at: None })
}

/// `{type, url, …}` → `{type, url_citation: {url, …}}`
fn nest(run: &mut Run, citation: Value, offset: f64) -> Option<Value> {
    let is_flat = run.type_of(citation) == Word::url_citation && run.member(citation, Word::url_citation).is_none();
    is_flat.then(|| {
        run.build_object(|run, object| {
            object.word(run, Word::r#type, Word::url_citation);
            object.object(run, Word::url_citation, |run, inner| {
                put_range(run, inner, citation, offset);
                inner.skip(run, Word::r#type);
                inner.add_rest(run, Some(citation));
            });
        })
    })
}

/// `{type, url_citation: {url, …}}` → `{type, url, …}`
fn flatten(run: &mut Run, citation: Value) -> Option<Value> {
    let is_citation = run.type_of(citation) == Word::url_citation;
    let inner = run.field(citation, Word::url_citation).filter(|_| is_citation)?;
    Some(run.build_object(|run, object| {
        object.word(run, Word::r#type, Word::url_citation);
        object.skip(run, Word::url_citation);
        object.add_rest(run, Some(inner));
        object.add_rest(run, Some(citation));
    }))
}

/// A flat citation whose range begins `offset` characters later.
pub fn moved(run: &mut Run, citation: Value, offset: f64) -> Value {
    run.build_object(|run, object| {
        put_range(run, object, citation, offset);
        object.add_rest(run, Some(citation));
    })
}

fn put_range(run: &mut Run, object: &mut Writing, citation: Value, offset: f64) {
    for word in [Word::start_index, Word::end_index] {
        let index = run.member(citation, word).filter(|index| run.store.kind(*index) == Kind::Number);
        if let Some(index) = index.filter(|_| offset != 0.0) {
            object.number(run, word, run.store.number(index) + offset);
        }
    }
}

/// Where the cited text begins.
pub fn start(run: &mut Run, citation: Value) -> f64 {
    let index = run.member(citation, Word::start_index).filter(|index| run.store.kind(*index) == Kind::Number);
    index.map_or(0.0, |index| run.store.number(index))
}
