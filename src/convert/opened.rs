//! Opens the envelopes in which clients return the state of reasoning (`shown.rs`), so that its issuer gets the original item, and no one else gets
//! anything of it.

use super::envelope::{Envelope, Issuer, decoded};
use super::lists::{self, Returned};
use crate::format::{Layout, Opaque};
use crate::model::{Block, Content, Member, Message, Reasoning, Request};
use crate::run::{At, Dialect, Key, Provider, Run, WarningCode};
use crate::value::{Value, Word};

/// Leaves out the reasoning of canonical input that another server of the target's provider issued.
pub fn keep_scope(run: &mut Run, request: &mut Request) {
    let target = Issuer::of_side(run);
    let Some(provider) = target.provider.filter(|_| run.route.from == Dialect::Canonical) else { return };
    for message in &mut request.messages {
        let Message::Assistant(assistant) = message else { continue };
        let Content::Blocks(blocks) = &mut assistant.content else { continue };
        let message = &mut assistant.metadata;
        blocks.retain(|block| {
            let Block::Reasoning(part @ Reasoning { at, scope: Some(scope), issuer, .. }) = block else { return true };
            let is_others = *issuer == provider && target.server.as_deref() != Some(&*run.store.text(*scope));
            if is_others {
                run.warn(WarningCode::StateDropped, *at, OTHER);
                lists::forget(run, part, message);
            }
            !is_others
        });
    }
}

/// Opens the envelopes of reasoning. Those of calls are opened before ([`super::signatures::recover`]).
pub fn open(run: &mut Run, request: &mut Request) {
    let keeps_reasoning = run.route.is_to_provider() || run.route.to == Dialect::Canonical;
    if run.route.from.format().opaque == Opaque::Never || !keeps_reasoning {
        return;
    }
    request.messages.retain_mut(|message| {
        let Message::Assistant(assistant) = message else { return true };
        let Content::Blocks(blocks) = &mut assistant.content else { return true };
        if !blocks.iter().any(|block| may_be_sealed(run, block)) {
            return true;
        }
        let mut lists = Returned::default();
        open_blocks(run, blocks, &mut lists);
        lists.put(run, &mut assistant.metadata);
        !blocks.is_empty() || !assistant.calls.is_empty()
    });
}

fn may_be_sealed(run: &Run, block: &Block) -> bool {
    matches!(block, Block::Reasoning(part) if state_of(part).is_some_and(|state| has_mark(run, state)))
}

/// Whether a text may be an envelope, or base64 of one.
pub fn has_mark(run: &Run, state: Value) -> bool {
    matches!(&*run.store.head(state, 3), "tw1" | "dHc")
}

fn state_of(part: &Reasoning) -> Option<Value> {
    part.signature.or(part.redacted)
}

/// The envelope that a client returns as the state of reasoning.
pub fn envelope_of(run: &mut Run, part: &Reasoning) -> Option<Envelope> {
    let state = state_of(part).filter(|state| has_mark(run, *state))?;
    let mut text = run.store.owned_text(state);
    if run.route.from.format().opaque == Opaque::Base64 {
        text = decoded(&text)?;
    }
    Envelope::open(run, &text)
}

fn open_blocks(run: &mut Run, blocks: &mut Vec<Block>, lists: &mut Returned) {
    let mut parts: Vec<Reasoning> = Vec::new();
    for block in std::mem::take(blocks) {
        let Block::Reasoning(part) = block else {
            blocks.extend(parts.drain(..).map(Block::Reasoning));
            blocks.push(block);
            continue;
        };
        if let Some(envelope) = envelope_of(run, &part) {
            parts.push(part);
            let parts = std::mem::take(&mut parts);
            if lists::is_list(envelope.part.as_deref()) {
                blocks.extend(open_list(run, parts, &envelope, lists).into_iter().map(Block::Reasoning));
            } else {
                blocks.extend(open_item(run, parts, envelope).map(Block::Reasoning));
            }
        } else if state_of(&part).is_none_or(|state| run.store.is_empty(state)) {
            // the last part of an item has its envelope
            parts.push(part);
        } else {
            blocks.extend(parts.drain(..).map(Block::Reasoning));
            blocks.push(Block::Reasoning(part));
        }
    }
    blocks.extend(parts.into_iter().map(Block::Reasoning));
}

/// The parts of an item as its issuer made them; none if it is not sent to the target.
fn open_item(run: &mut Run, parts: Vec<Reasoning>, envelope: Envelope) -> impl Iterator<Item = Reasoning> + use<> {
    let Envelope { issuer, state, id, redacted, call: _, part: place } = envelope;
    let refused = refusal(run, &issuer, state.is_empty());
    let rest = rest_of(run, &parts);
    let at = parts.last().map(|part| part.at);
    let (Some(provider), None) = (issuer.provider, refused) else {
        if let Some(at) = at {
            let message = refused.unwrap_or(OTHER);
            run.warn(WarningCode::StateDropped, at, message);
        }
        return Vec::new().into_iter();
    };
    let scope = issuer.server.map(|server| run.store.string(&server));
    let is_item = is_of_item(run, provider);
    let places: Vec<Place> = place.iter().flat_map(|places| places.split(',')).map(Place::of).collect();
    let mut parts: Vec<Reasoning> = texts(run, &parts, &places)
        .into_iter()
        .map(|(text, at)| Reasoning { text, scope, ..Reasoning::empty(at, provider) })
        .collect();
    for (index, part) in parts.iter_mut().enumerate() {
        let is_content = is_item && places.get(index).is_some_and(|place| place.is_content);
        describe(run, part, index > 0, is_content);
    }
    if let Some(first) = parts.first_mut() {
        rest.into_iter().for_each(|member| first.metadata.add_member(member));
        if let Some(id) = id.filter(|_| is_item) {
            identify(run, first, &id);
        }
    }
    if let Some(last) = parts.last_mut() {
        let state = Some(state).filter(|state| !state.is_empty()).map(|state| run.store.string(&state));
        if redacted {
            last.redacted = state;
        } else {
            last.signature = state;
        }
    }
    parts.into_iter()
}

/// The texts of a list that its server gets back whole, in the message's own field.
fn open_list(run: &mut Run, parts: Vec<Reasoning>, envelope: &Envelope, lists: &mut Returned) -> Vec<Reasoning> {
    let Envelope { issuer, state, part: name, .. } = envelope;
    let Some(at) = parts.last().map(|part| part.at) else { return Vec::new() };
    let rest = rest_of(run, &parts);
    let is_elsewhere = run.route.is_to_provider()
        && !(run.route.to.format().opaque == Opaque::Details && issuer.provider == run.route.to.provider());
    let refused = refusal(run, issuer, false).or(is_elsewhere.then_some(OTHER));
    let Some(provider) = issuer.provider.filter(|_| refused.is_none()) else {
        run.warn(WarningCode::StateDropped, at, refused.unwrap_or(OTHER));
        return Vec::new();
    };
    let name = name.as_deref().unwrap_or_default();
    let form = run.store.string(name);
    lists.add(run, provider, (name, state));
    let texts = texts(run, &parts, &[]).into_iter();
    let scope = issuer.server.as_ref().map(|server| run.store.string(server));
    let parts = texts.filter_map(|(text, at)| Some(Reasoning { scope, ..Reasoning::of_text(at, provider, text?) }));
    let mut parts: Vec<Reasoning> = parts.collect();
    if parts.is_empty() && !rest.is_empty() {
        parts.push(Reasoning { scope, ..Reasoning::empty(at, provider) });
    }
    parts.iter_mut().for_each(|part| lists::mark(run, part, form));
    if let Some(first) = parts.first_mut() {
        rest.into_iter().for_each(|member| first.metadata.add_member(member));
    }
    parts
}

/// The fields of the client's blocks that are not known. Only metadata can keep them.
fn rest_of(run: &mut Run, blocks: &[Reasoning]) -> Vec<Member> {
    let mut rest = Vec::new();
    for Reasoning { at, metadata, .. } in blocks {
        if run.route.is_to_provider() {
            run.warn_metadata(metadata, *at);
            continue;
        }
        let mut metadata = metadata.clone();
        run.place(&mut metadata, *at);
        rest.extend_from_slice(metadata.family_fields());
    }
    rest
}

const OTHER: &str = "the state of reasoning is sent only to its issuer";

/// Why the item is not sent, if the target's writer would not find out.
fn refusal(run: &Run, issuer: &Issuer, is_without_state: bool) -> Option<&'static str> {
    let target = Issuer::of_side(run);
    if !run.route.is_to_provider() {
        return None;
    }
    if run.route.stays() {
        // here, nothing is fitted
        return if *issuer != target || run.route.to.format().opaque == Opaque::Details {
            Some(OTHER)
        } else {
            is_without_state.then_some("the reasoning has no state that the provider would understand")
        };
    }
    (issuer.provider == target.provider && *issuer != target).then_some(OTHER)
}

/// Whether the state was in an item of OpenAI's, and the target takes or keeps those.
fn is_of_item(run: &Run, issuer: Provider) -> bool {
    let format = run.route.to.format();
    issuer.has_openai_format() && (format.layout == Some(Layout::Flat) || !run.route.is_to_provider())
}

/// The list that a text of an item was in, and its length in characters, if that is needed.
struct Place {
    is_content: bool,
    length: Option<usize>,
}

impl Place {
    fn of(place: &str) -> Place {
        let (list, length) = place.split_once(':').unwrap_or((place, ""));
        Place { is_content: list == Word::content.text(), length: length.parse().ok() }
    }
}

/// The texts of an item, from the blocks that the client returned. Clients of Google's format return a text in pieces, or several as one.
fn texts(run: &mut Run, blocks: &[Reasoning], places: &[Place]) -> Vec<(Option<Value>, At)> {
    let mut texts: Vec<(Option<Value>, At)> = Vec::new();
    for Reasoning { at, text, .. } in blocks {
        // some formats require a text
        texts.extend(text.filter(|text| !run.store.is_empty(*text)).map(|text| (Some(text), *at)));
    }
    let last = blocks.last().map_or(At::ROOT, |last| last.at);
    if texts.is_empty() {
        return vec![(None, last)];
    }
    if run.route.from.format().opaque != Opaque::Base64 {
        return texts;
    }
    let first = texts.first().map_or(last, |(_, at)| *at);
    let pieces: Vec<Value> = texts.iter().filter_map(|(text, _)| *text).collect();
    let whole = run.store.join(&pieces);
    let mut rest = run.store.owned_text(whole);
    let lengths: Vec<usize> = places.iter().filter_map(|place| place.length).collect();
    if lengths.iter().sum::<usize>() != rest.chars().count() {
        return vec![(Some(whole), first)];
    }
    let mut parts = Vec::new();
    for length in lengths {
        let end = rest.char_indices().nth(length).map_or(rest.len(), |(end, _)| end);
        let after = rest.split_off(end);
        parts.push((Some(run.store.string(&rest)), first));
        rest = after;
    }
    parts
}

/// Marks a part that continues an item, and one of the reasoning text.
fn describe(run: &mut Run, part: &mut Reasoning, continues: bool, is_content: bool) {
    let text = run.store.word_value(Word::reasoning_text);
    if run.route.is_to_provider() {
        if continues {
            part.metadata.set_continues();
        }
        if is_content {
            part.metadata.add_form(Word::content, text);
        }
    } else if continues || is_content {
        let mark = run.store.boolean_value(true);
        let entry = run.build_object(|run, entry| {
            entry.option(run, Word::continues, continues.then_some(mark));
            if is_content {
                entry.object(run, Word::responsesForm, |run, forms| forms.put(run, Word::content, text));
            }
        });
        part.metadata.add_other(Key::Word(part.issuer.word()), entry);
    }
}

/// Sets the id of the item that starts with this part.
fn identify(run: &mut Run, first: &mut Reasoning, id: &str) {
    let id = run.store.string(id);
    let item = run.build_object(|run, item| item.put(run, Word::id, id));
    if run.route.is_to_provider() {
        return first.metadata.add(Key::Word(Word::item), item);
    }
    let entry = run.build_object(|run, entry| entry.put(run, Word::item, item));
    first.metadata.add_other(Key::Word(Word::openai), entry);
}
