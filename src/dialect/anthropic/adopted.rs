//! Fields in OpenAI's format that have a meaning for Anthropic: routers and OpenAI-compatible servers accept them for its models
//! (<https://openrouter.ai/docs/features/prompt-caching>).

use crate::model::Metadata;
use crate::run::{Provider, Run, Writing};
use crate::value::{Kind, Value, Word};
use std::borrow::Cow;

/// Writes `cache_control` from a request in OpenAI's format. Returns the remaining metadata.
pub fn cache_control<'a>(run: &mut Run, object: &mut Writing, metadata: &'a Metadata) -> Cow<'a, Metadata> {
    if metadata.is_empty() || metadata.own_field(Word::cache_control).is_some() {
        return Cow::Borrowed(metadata);
    }
    let found = take(run, metadata, Word::cache_control, Kind::Object);
    let Some((value, rest)) = found else { return Cow::Borrowed(metadata) };
    object.put(run, Word::cache_control, value);
    Cow::Owned(rest)
}

/// OpenAI's `safety_identifier`, which identifies the user as `user_id` does, and the remaining metadata.
pub fn safety_identifier(run: &mut Run, metadata: &Metadata) -> Option<(Value, Metadata)> {
    take(run, metadata, Word::safety_identifier, Kind::String)
}

/// Takes a field of a request in OpenAI's format, also if it was converted to the canonical format before. Returns the metadata without it.
fn take(run: &mut Run, metadata: &Metadata, word: Word, kind: Kind) -> Option<(Value, Metadata)> {
    if metadata.is_empty() || run.route.is_response {
        return None;
    }
    if run.route.family == Some(Provider::OpenAI) {
        let value = metadata.family_field(word).filter(|value| run.store.kind(*value) == kind)?;
        let mut rest = metadata.clone();
        rest.set_family_field(word, None);
        return Some((value, rest));
    }
    let entry = metadata.others().iter().find(|member| member.key.word() == Word::openai)?.value;
    let value = run.member(entry, word).filter(|value| run.store.kind(*value) == kind)?;
    let left = run.build_object(|run, object| {
        object.skip(run, word);
        object.add_rest(run, Some(entry));
    });
    let mut rest = metadata.clone();
    let members = rest.others_mut().iter_mut().filter(|member| member.key.word() == Word::openai);
    members.for_each(|member| member.value = left);
    Some((value, rest))
}
