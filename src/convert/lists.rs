//! Lists of reasoning that servers of Chat require back (`reasoning_details`, `thinking_blocks`). Clients of other formats have no such field: a list travels
//! as the state of the message's reasoning, in its envelope (`docs/envelope.md`).

use crate::dialect::shared::stream::lists::{LISTS, Lists, list_in};
use crate::format::Opaque;
use crate::model::{Add, Assistant, Block, Content, Event, Message, Metadata, Reasoning};
use crate::run::{At, Key, Made, Provider, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word};

/// Whether messages may have such lists that the target does not have.
fn has_lists(run: &Run) -> bool {
    let route = &run.route;
    let to = route.to.format().opaque;
    match route.is_from_provider() {
        true => route.from.format().opaque == Opaque::Details && !route.keeps_family(),
        false => route.is_to_provider() && (to != Opaque::Details || route.is_response),
    }
}

/// The list of a message: among its fields, or those of Chat's provider in canonical input.
fn list_of(run: &mut Run, metadata: &Metadata, name: Word) -> Option<Value> {
    if run.route.is_from_provider() {
        return list_in(run, metadata, name);
    }
    // the target's own list stays a field
    let mut others = metadata.others().iter().filter(|other| other.has_openai_fields());
    let other = others.find_map(|other| run.field(other.value, name));
    let is_own = run.route.to.format().opaque == Opaque::Details;
    let list = if is_own { other } else { other.or_else(|| run.openai_field(metadata, name)) };
    list.filter(|list| run.store.kind(*list) == Kind::Array)
}

/// Reports a list that the target's clients can't return. False if they can.
fn is_lost(run: &mut Run, at: At) -> bool {
    let is_lost = run.route.to.format().opaque == Opaque::Never;
    if is_lost {
        run.warn(WarningCode::StateDropped, at, ISSUER);
    }
    is_lost
}

const ISSUER: &str = "the state of reasoning is sent only to its issuer";

/// The name of the list that is the state of this reasoning.
pub fn name_of(run: &Run, part: &Reasoning) -> Option<Word> {
    let name = part.metadata.form(Word::reasoning).map(|form| run.store.word(form));
    name.filter(|name| LISTS.contains(name) && part.signature.is_some())
}

/// Removes the list that has the text of this reasoning from its message.
pub fn forget(run: &Run, part: &Reasoning, message: &mut Metadata) {
    let name = part.metadata.form(Word::reasoning).map(|form| run.store.word(form));
    if let Some(name) = name.filter(|name| LISTS.contains(name)) {
        message.set_family_field(name, None);
    }
}

/// Makes the lists of a whole response state: of its last reasoning, or of reasoning without a text.
pub fn carry(run: &mut Run, message: &mut Assistant) -> Result<()> {
    if !has_lists(run) {
        return Ok(());
    }
    let Content::Blocks(blocks) = &mut message.content else { return Ok(()) };
    for name in LISTS {
        let Some(list) = list_of(run, &message.metadata, name) else { continue };
        if run.route.is_from_provider() || run.route.to.format().opaque != Opaque::Details {
            message.metadata.set_family_field(name, None);
        }
        let at = run.down(message.at, name);
        if is_lost(run, at) {
            continue;
        }
        let list = run.json_text(list, at)?;
        let last = blocks.iter_mut().rev().find_map(|block| match block {
            Block::Reasoning(part) if part.signature.or(part.redacted).is_none() => Some(part),
            _ => None,
        });
        match last {
            Some(part) => seal(run, part, (name, list)),
            None => {
                let mut part = Reasoning::empty(at, run.route.source_provider());
                seal(run, &mut part, (name, list));
                let place = blocks.iter().take_while(|block| matches!(block, Block::Reasoning(_))).count();
                blocks.insert(place, Block::Reasoning(part));
            }
        }
    }
    Ok(())
}

/// Leaves the lists out of a request to another provider or format: they are state of their issuer.
pub fn leave(run: &mut Run, messages: &mut [Message]) {
    if !has_lists(run) {
        return;
    }
    for message in messages {
        let Message::Assistant(assistant) = message else { continue };
        for name in LISTS {
            if list_in(run, &assistant.metadata, name).is_none() {
                continue;
            }
            assistant.metadata.set_family_field(name, None);
            let at = run.down(assistant.at, name);
            run.warn(WarningCode::StateDropped, at, ISSUER);
        }
    }
}

fn seal(run: &mut Run, part: &mut Reasoning, (name, list): (Word, Value)) {
    part.signature = Some(list);
    part.metadata.forget_form(Word::reasoning);
    part.metadata.add_form(Word::reasoning, run.store.word_value(name));
}

/// The lists of a stream whose pieces were not carried yet.
#[derive(Default)]
pub struct Streamed {
    lists: Lists,
    /// A number for blocks of their own, above those of the decoder.
    blocks: u32,
}

/// The first number of blocks that the decoder does not have.
const FIRST: u32 = 1 << 30;

impl Streamed {
    /// Takes the lists out of the events. What has arrived when reasoning ends is its state; the rest becomes a block before the end of the response.
    pub fn carry(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        if !has_lists(run) || !run.route.is_from_provider() {
            return Ok(());
        }
        for mut event in std::mem::take(events) {
            match &mut event {
                Event::State { at, metadata } => {
                    for name in LISTS {
                        if list_in(run, metadata, name).is_some() {
                            let at = run.down(*at, name);
                            if is_lost(run, at) {
                                metadata.set_family_field(name, None);
                            }
                        }
                    }
                    self.lists.take(run, metadata, *at)?;
                    if metadata.family_fields().is_empty() {
                        continue;
                    }
                }
                Event::ReasoningEnd { reasoning, .. } if reasoning.signature.or(reasoning.redacted).is_none() => {
                    let mut lists = self.lists.drain(run)?.into_iter();
                    if let Some(list) = lists.next() {
                        seal(run, reasoning, list);
                    }
                    let at = reasoning.at;
                    events.add(event);
                    lists.for_each(|list| events.add(self.block(run, list, at)));
                    continue;
                }
                Event::Finish(end) => {
                    let at = end.at;
                    for list in self.lists.drain(run)? {
                        events.add(self.block(run, list, at));
                    }
                }
                _ => {}
            }
            events.add(event);
        }
        Ok(())
    }

    fn block(&mut self, run: &mut Run, list: (Word, Value), at: At) -> Event {
        let mut part = Reasoning::empty(at, run.route.source_provider());
        seal(run, &mut part, list);
        self.blocks += 1;
        Event::Block { block: FIRST + self.blocks, value: Block::Reasoning(part) }
    }
}

/// The lists of one message that return. Lists of one name are one.
#[derive(Default)]
pub struct Returned {
    lists: Vec<(Word, Vec<Value>)>,
    issuer: Option<Provider>,
}

impl Returned {
    /// Adds a list: its name and its JSON text, by the envelope.
    pub fn add(&mut self, run: &mut Run, issuer: Provider, (name, list): (&str, &str)) {
        let Some(name) = LISTS.into_iter().find(|known| known.text() == name) else { return };
        let list = run.store.string(list);
        let Some(list) = run.store.parse(list).ok().filter(|list| run.store.kind(*list) == Kind::Array) else { return };
        let entries = run.list(list);
        self.issuer = Some(issuer);
        match self.lists.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => known.extend(entries),
            None => self.lists.push((name, entries.into_iter().collect())),
        }
    }

    /// Puts them into the message: its fields, or in canonical output those of Chat's provider.
    pub fn put(self, run: &mut Run, message: &mut Metadata) {
        let Returned { lists, issuer: Some(issuer) } = self else { return };
        if run.route.is_to_provider() {
            for (name, entries) in lists {
                message.make(name, Made::Given(run.store.array_of(&entries)));
            }
            return;
        }
        let entry = run.build_object(|run, entry| {
            for (name, entries) in lists {
                entry.list(run, name, &entries);
            }
        });
        message.add_other(Key::Word(issuer.word()), entry);
    }
}

/// Marks reasoning whose text is in such a list.
pub fn mark(run: &mut Run, part: &mut Reasoning, name: Value) {
    if run.route.is_to_provider() {
        return part.metadata.add_form(Word::reasoning, name);
    }
    let entry = run.build_object(|run, entry| {
        entry.object(run, Word::form, |run, forms| forms.put(run, Word::reasoning, name));
    });
    part.metadata.add_other(Key::Word(part.issuer.word()), entry);
}

/// Whether a part of an envelope is the name of a list.
pub fn is_list(part: Option<&str>) -> bool {
    part.is_some_and(|part| LISTS.iter().any(|name| name.text() == part))
}
