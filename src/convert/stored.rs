//! What a request refers to that is stored elsewhere. Its meaning depends on that, so that a target that can't resolve it does not get the request
//! (option `storedContext`).

use crate::format::{Format, formats_of};
use crate::model::{Block, Message, Metadata, Native, Outcome, Request};
use crate::run::{At, ErrorCode, Key, Provider, Result, Run, StoredContext};
use crate::value::{Kind, Value, Word};

/// Fails if the request refers to something that the target can't resolve.
pub fn check(run: &mut Run, request: &Request) -> Result<()> {
    if run.options.stored_context == StoredContext::Drop {
        return Ok(());
    }
    check_fields(run, request)?;
    for message in &request.messages {
        let blocks = match message {
            Message::Tool(result) => match &result.outcome {
                Outcome::Multimodal { blocks, .. } => blocks,
                Outcome::Text(_) | Outcome::Error(_) | Outcome::Data { .. } => continue,
            },
            message => message.blocks(),
        };
        for block in blocks {
            if let Block::Native(native) = block {
                check_item(run, native)?;
            }
        }
    }
    Ok(())
}

/// The fields of the request itself: of the source's format, and in canonical input, of those of each provider.
fn check_fields(run: &mut Run, request: &Request) -> Result<()> {
    if let Some(provider) = run.route.provider {
        for member in request.metadata.fields().copied().collect::<Vec<_>>() {
            let parent = run.family_at(request.at);
            let at = member.at.unwrap_or_else(|| run.down_key(parent, member.key));
            check_field(run, provider, (member.key, member.value), at)?;
        }
    }
    for other in request.metadata.others().to_vec() {
        let Some(provider) = Provider::of(other.key.word()).filter(|_| other.value.kind() == Kind::Object) else {
            continue;
        };
        let parent = run.down(request.at, Word::metadata);
        let parent = run.down_key(parent, other.key);
        for field in run.members(other.value) {
            let at = run.down_key(parent, field.into());
            check_field(run, provider, (field.into(), field.value), at)?;
        }
    }
    Ok(())
}

fn check_field(run: &mut Run, provider: Provider, (key, value): (Key, Value), at: At) -> Result<()> {
    let word = key.word();
    let Some(format) = formats(run, provider).find(|format| format.stored.contains(&word)) else { return Ok(()) };
    // Anthropic's `thread` may also begin a conversation
    let is_begun = run.type_of(value) == Word::create;
    let is_nothing =
        is_begun || run.is_void(value) || run.store.kind(value) == Kind::Boolean && !run.store.boolean(value);
    let is_resolved = run.route.leads_home(provider) && !run.route.lacks(word);
    if is_nothing || is_resolved { Ok(()) } else { refuse(run, format, word, at) }
}

fn check_item(run: &mut Run, native: &Native) -> Result<()> {
    let kind = run.type_of(native.value);
    let mut formats = formats(run, native.provider);
    let Some(format) = formats.find(|format| format.stored_items.contains(&kind)) else { return Ok(()) };
    let is_resolved = run.route.leads_home(native.provider) && !run.route.lacks(kind);
    if is_resolved { Ok(()) } else { refuse(run, format, kind, native.at) }
}

/// The formats in which a provider's fields may be: that of the source, or any in canonical input.
fn formats(run: &Run, provider: Provider) -> impl Iterator<Item = &'static Format> + use<> {
    let from = run.route.from;
    formats_of(provider)
        .filter(move |dialect| from.provider().is_none() || *dialect == from)
        .map(|dialect| dialect.format())
}

fn refuse(run: &Run, format: &Format, word: Word, at: At) -> Result<()> {
    let how = format.stores_nothing;
    let message = format!(
        "the request refers to `{}`, which the target can't resolve: send the whole conversation{how}, or set the option \
         `storedContext` to \"drop\"",
        word.text()
    );
    run.fail(ErrorCode::Unsupported, at, &message)
}

/// Whether earlier messages are stored with the target, so that results may belong to calls in those.
pub fn continues_stored(run: &Run, metadata: &Metadata) -> bool {
    let stores = run.route.to.format().stored_messages;
    let is_given = |word: &&Word| metadata.own_field(**word).is_some_and(|value| run.store.kind(value) != Kind::Null);
    stores.iter().any(|word| is_given(&word))
}
