//! Fields in OpenAI's format that have a meaning for Anthropic: routers and OpenAI-compatible servers accept them for its models
//! (<https://openrouter.ai/docs/features/prompt-caching>).

use crate::model::Metadata;
use crate::run::{At, Key, Run, WarningCode, Writing};
use crate::value::{Kind, Value, Word};

/// Ends an object that may have `cache_control`, with the one that a request in OpenAI's format has.
pub fn end(run: &mut Run, mut object: Writing, metadata: &Metadata, at: At) {
    if metadata.is_empty() {
        return object.end(run, metadata, at);
    }
    let is_own = metadata.own_field(Word::cache_control).is_some();
    match mark(run, metadata, at).filter(|_| !is_own) {
        Some((value, rest)) => {
            object.put(run, Word::cache_control, value);
            object.end(run, &rest, at);
        }
        None => object.end(run, metadata, at),
    }
}

/// What a client marks for the cache, in Anthropic's words or in OpenAI's (WIRE §1.3), and the remaining metadata.
fn mark(run: &mut Run, metadata: &Metadata, at: At) -> Option<(Value, Metadata)> {
    if let Some(found) = take(run, metadata, Word::cache_control, Kind::Object) {
        return Some(found);
    }
    let (breakpoint, rest) = take(run, metadata, Word::prompt_cache_breakpoint, Kind::Object)?;
    let at = run.down(at, Word::prompt_cache_breakpoint);
    let mut lasts = false;
    for field in run.members(breakpoint).into_iter().filter(|field| field.word != Word::mode) {
        let at = run.down_key(at, Key::from(field));
        match (field.word, run.store.word(field.value)) {
            // OpenAI's lifetimes are longer than the usual five minutes
            (Word::ttl, Word::half_hour) => lasts = true,
            (Word::ttl, Word::twelve_hours) => {
                lasts = true;
                run.warn(WarningCode::StateDropped, at, "its mark for the cache lasts for an hour at most");
            }
            _ => run.warn(WarningCode::FieldDropped, at, "its mark for the cache has no such field"),
        }
    }
    let value = run.build_object(|run, object| {
        object.word(run, Word::r#type, Word::ephemeral);
        if lasts {
            object.word(run, Word::ttl, Word::one_hour);
        }
    });
    Some((value, rest))
}

/// OpenAI's `safety_identifier`, which identifies the user as `user_id` does, and the remaining metadata.
pub fn safety_identifier(run: &mut Run, metadata: &Metadata) -> Option<(Value, Metadata)> {
    take(run, metadata, Word::safety_identifier, Kind::String)
}

/// Whether the arguments of a tool are streamed as the model writes them, and the remaining metadata.
pub fn eager_streaming(run: &mut Run, metadata: &Metadata) -> Option<(Value, Metadata)> {
    let is_own = metadata.own_field(Word::eager_input_streaming).is_some();
    take(run, metadata, Word::eager_input_streaming, Kind::Boolean).filter(|_| !is_own)
}

/// Takes a field of a request in OpenAI's format, also if it was converted to the canonical format before. Returns the metadata without it.
fn take(run: &mut Run, metadata: &Metadata, word: Word, kind: Kind) -> Option<(Value, Metadata)> {
    if metadata.is_empty() || run.route.is_response {
        return None;
    }
    let mut rest = metadata.clone();
    if run.route.has_openai_fields() {
        let value = run.openai_field(metadata, word).filter(|value| run.store.kind(*value) == kind)?;
        rest.set_family_field(word, None);
        return Some((value, rest));
    }
    let entry = rest.others_mut().iter_mut().find(|member| member.has_openai_fields())?;
    let value = run.member(entry.value, word).filter(|value| run.store.kind(*value) == kind)?;
    entry.value = run.without(entry.value, word);
    Some((value, rest))
}
