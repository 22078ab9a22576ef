//! Shows reasoning to clients. A response is read by a client, which gets the reasoning text of any issuer in the way of its own format, and the state of
//! another issuer in an [`Envelope`], to return it. Requests are read by providers, which get their own reasoning only (`opened.rs`,
//! `src/fit/content.rs`).

use super::envelope::{Envelope, Issuer, MOST_LEVELS};
use super::lists;
use crate::dialect::shared::openai_items::is_issued;
use crate::fit::content::continues;
use crate::format::Opaque;
use crate::model::{Add, Assistant, Block, Content, Event, Metadata, Reasoning};
use crate::run::{At, Dialect, Result, Run, WarningCode};
use crate::value::text::{base64, unescaped};
use crate::value::{Value, Word};

/// Gives a whole response's reasoning of other issuers the form of the target's own.
pub fn show(run: &mut Run, message: &mut Assistant) -> Result<()> {
    lists::carry(run, message)?;
    let Content::Blocks(blocks) = &mut message.content else { return Ok(()) };
    if !blocks.iter().any(|block| matches!(block, Block::Reasoning(_))) {
        return Ok(());
    }
    if !run.route.is_to_provider() {
        blocks.iter_mut().for_each(|block| name_server(run, block));
        return Ok(());
    }
    blocks.retain(|block| !is_void(run, block));
    let mut rest = std::mem::take(blocks).into_iter().peekable();
    let mut item = Item::default();
    while let Some(block) = rest.next() {
        let Block::Reasoning(part) = block else {
            blocks.add(block);
            continue;
        };
        let is_last = !matches!(rest.peek(), Some(Block::Reasoning(next)) if continues(run, next));
        if !continues(run, &part) {
            item = Item::default();
        }
        item.parts.add(ItemPart::default());
        blocks.extend(item.show(run, part, is_last).map(Block::Reasoning));
    }
    Ok(())
}

/// Whether it is canonical reasoning without text and state, which formats with state have no way to write. Requests leave it out, too.
fn is_void(run: &Run, block: &Block) -> bool {
    let Block::Reasoning(Reasoning { text, signature: None, redacted: None, metadata, .. }) = block else {
        return false;
    };
    let has_text = text.is_some_and(|text| !run.store.is_empty(text));
    let needs_state = run.route.to.format().opaque == Opaque::Text;
    needs_state && run.route.from == Dialect::Canonical && !has_text && !metadata.has_family()
}

/// Names the server whose state it is, if that is not the provider itself.
fn name_server(run: &mut Run, block: &mut Block) {
    let side = Issuer::of_side(run);
    if let (Block::Reasoning(part), Some(server)) = (block, side.server)
        && side.provider == Some(part.issuer)
    {
        part.scope = Some(run.store.string(&server));
    }
}

/// The reasoning of a stream that has not ended.
#[derive(Default)]
pub struct Streamed {
    /// By block.
    open: Vec<(u32, Item)>,
    /// The block of the last event, if that was a piece of its text whose length will be needed.
    latest: Option<u32>,
    lists: lists::Streamed,
}

impl Streamed {
    /// Does the same with the events of one wire event, which contains the ends of all parts of an item.
    pub fn show(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        self.latest = None;
        self.lists.carry(run, events)?;
        if !events.iter().any(is_reasoning) {
            return Ok(());
        }
        let mut rest = std::mem::take(events).into_iter().peekable();
        let mut item = Item::default();
        while let Some(mut event) = rest.next() {
            let is_kept = match &mut event {
                Event::ReasoningDelta { block, .. } => {
                    let block = *block;
                    let mut open = self.end(block);
                    let is_kept = open.show_delta(run, &mut event);
                    self.open.add((block, open));
                    self.latest = needs_lengths(run).then_some(block);
                    is_kept
                }
                Event::ReasoningEnd { block, reasoning } => {
                    let mut own = self.end(*block);
                    own.part();
                    item = if continues(run, reasoning) { item.join(own) } else { own };
                    let is_last = !matches!(rest.peek(), Some(Event::ReasoningEnd { reasoning, .. }) if continues(run, reasoning));
                    let shown = item.show(run, reasoning.clone(), is_last);
                    shown.map(|shown| *reasoning = shown).is_some()
                }
                Event::Block { value: Block::Reasoning(part), .. } => {
                    let shown = Item::default().show(run, part.clone(), true);
                    shown.map(|shown| *part = shown).is_some()
                }
                _ => true,
            };
            if is_kept {
                events.add(event);
            }
        }
        Ok(())
    }

    /// Records another piece of the last text: the content of a JSON string.
    pub fn repeat(&mut self, text: &[u8]) {
        let Some(latest) = self.latest else { return };
        if let Some((_, item)) = self.open.iter_mut().find(|(block, _)| *block == latest) {
            // every other byte of a character continues it
            let starts = unescaped(text).iter().filter(|byte| !matches!(**byte, 0x80..=0xBF)).count();
            item.add_length(starts);
        }
    }

    /// Takes what is known of a block.
    fn end(&mut self, block: u32) -> Item {
        let place = self.open.iter().position(|(open, _)| *open == block);
        place.map(|place| self.open.swap_remove(place).1).unwrap_or_default()
    }
}

fn is_reasoning(event: &Event) -> bool {
    matches!(
        event,
        Event::ReasoningDelta { .. } | Event::ReasoningEnd { .. } | Event::Block { value: Block::Reasoning(_), .. }
    )
}

/// What is known of an item of reasoning, which consists of one or more blocks.
#[derive(Default)]
struct Item {
    id: Option<String>,
    state: Option<State>,
    /// The name of the list that the state is.
    list: Option<Word>,
    has_text: bool,
    /// Whether its text was left out, which is reported.
    is_hidden: bool,
    /// The texts that the client gets.
    parts: Vec<ItemPart>,
}

/// A text of an item.
#[derive(Default)]
struct ItemPart {
    /// Whether it belongs to the reasoning text, not to the summary.
    is_content: bool,
    /// Its length in characters; of a stream, only if that is needed.
    length: usize,
}

struct State {
    text: String,
    redacted: bool,
}

impl Item {
    /// The last part.
    fn part(&mut self) -> Option<&mut ItemPart> {
        if self.parts.is_empty() {
            self.parts.add(ItemPart::default());
        }
        self.parts.last_mut()
    }

    fn add_length(&mut self, length: usize) {
        if let Some(part) = self.part() {
            part.length += length;
        }
    }

    /// This item with another block.
    fn join(mut self, other: Item) -> Item {
        self.has_text |= other.has_text;
        self.is_hidden |= other.is_hidden;
        self.parts.extend(other.parts);
        self
    }

    /// Which texts belong to what, where that does not follow from the client's format: for each, the list that it was in.
    fn places(&self, needs_lengths: bool) -> Option<String> {
        let texts: Vec<&ItemPart> = self.parts.iter().filter(|part| part.length > 0).collect();
        let needs_lengths = needs_lengths && texts.len() > 1;
        let is_needed = needs_lengths || texts.iter().any(|part| part.is_content);
        let place = |part: &&ItemPart| {
            let list = if part.is_content { Word::content } else { Word::summary }.text();
            if needs_lengths { format!("{list}:{}", part.length) } else { list.to_owned() }
        };
        is_needed.then(|| texts.iter().map(place).collect::<Vec<_>>().join(","))
    }

    /// A part of the item as the client gets it. The last one has the envelope with the state.
    fn show(&mut self, run: &mut Run, part: Reasoning, is_last: bool) -> Option<Reasoning> {
        let Some(own) = run.route.to.provider().filter(|_| is_other(run, &part)) else { return Some(part) };
        self.list = lists::name_of(run, &part).or(self.list);
        let Reasoning { at, text, signature, redacted, issuer, scope, mut metadata } = part;
        let scope = scope.map(|scope| run.store.owned_text(scope));
        let side = Issuer::of_side(run);
        let scope = scope.or(side.server.filter(|_| side.provider == Some(issuer)));
        let is_content = is_content(run, &metadata);
        self.take_id(run, &mut metadata);
        let state = signature.or(redacted).filter(|state| !run.store.is_empty(*state));
        if let Some(state) = state {
            self.state = Some(State { text: run.store.owned_text(state), redacted: redacted.is_some() });
        }
        let text = self.show_text(run, (text, at), issuer == own);
        if let Some(part) = self.part() {
            part.is_content = is_content;
        }
        let envelope = if is_last { self.seal(run, Issuer::of(Some(issuer), scope.as_deref()), at) } else { None };
        warn_rest(run, &metadata, at, state.is_some());
        if text.is_none() && envelope.is_none() {
            return None;
        }
        let is_redacted = !self.has_text && run.route.to.format().opaque != Opaque::Base64;
        let (signature, redacted) = if is_redacted { (None, envelope) } else { (envelope, None) };
        Some(Reasoning { text, signature, redacted, ..Reasoning::empty(at, own) })
    }

    /// Shows a piece of the text. Returns false if nothing is left of it.
    fn show_delta(&mut self, run: &mut Run, event: &mut Event) -> bool {
        let Event::ReasoningDelta { at, block: _, text, issuer, metadata } = event else { return true };
        let part = Reasoning::of_text(*at, *issuer, *text);
        let Some(own) = run.route.to.provider().filter(|_| is_other(run, &part)) else { return true };
        let is_own = std::mem::replace(issuer, own) == own;
        let mut metadata = std::mem::take(metadata);
        self.take_id(run, &mut metadata);
        let text = self.show_text(run, (Some(*text), *at), is_own);
        warn_rest(run, &metadata, *at, false);
        text.is_some()
    }

    /// The text that the client gets: of its own provider, any, and of others, if it asked for it. Reports what it does not get.
    fn show_text(&mut self, run: &mut Run, (text, at): (Option<Value>, At), is_own: bool) -> Option<Value> {
        let text = text.filter(|text| !run.store.is_empty(*text))?;
        if !is_own && !run.options.shows_reasoning(run.route.to.format().asks) {
            self.is_hidden = true;
            run.warn(WarningCode::StateDropped, at, "the client did not ask for the reasoning");
            return None;
        }
        self.has_text = true;
        self.add_length(run.store.text(text).chars().count());
        Some(text)
    }

    /// Takes the id of OpenAI's item, which returns with the state.
    fn take_id(&mut self, run: &mut Run, metadata: &mut Metadata) {
        let own = run.openai_field(metadata, Word::id);
        let nested = run.openai_field(metadata, Word::item).and_then(|item| run.field(item, Word::id));
        let Some(id) = own.or(nested).filter(|id| is_issued(run, *id)) else { return };
        self.id = Some(run.store.owned_text(id));
        if own.is_some() && run.route.to.format().opaque != Opaque::Never {
            metadata.retain_family(&mut |member| member.key.word() != Word::id);
        }
    }

    /// The envelope with the state. Text without state has one, too, so that its issuer is known when it returns.
    fn seal(&mut self, run: &mut Run, issuer: Issuer, at: At) -> Option<Value> {
        let state = self.state.take();
        let opaque = run.route.to.format().opaque;
        if opaque == Opaque::Never {
            if state.is_some() && !self.is_hidden {
                run.warn(WarningCode::StateDropped, at, "the state of reasoning is sent only to its issuer");
            }
            return None;
        }
        let state = state.filter(|state| {
            let is_accepted = Envelope::levels(run, &state.text) < MOST_LEVELS;
            if !is_accepted {
                run.warn(WarningCode::StateDropped, at, "the state of reasoning came through too many gateways");
            }
            is_accepted
        });
        if state.is_none() && !self.has_text {
            return None;
        }
        let mut envelope = Envelope::new(issuer, String::new());
        if let Some(State { text, redacted }) = state {
            envelope = Envelope { state: text, redacted, id: self.id.take(), ..envelope };
        }
        envelope.part = match self.list {
            Some(list) => Some(list.text().to_owned()),
            None => self.places(needs_lengths(run)),
        };
        let sealed = envelope.seal();
        let sealed = if opaque == Opaque::Base64 { base64::encode(sealed.as_bytes()) } else { sealed };
        Some(run.store.string(&sealed))
    }
}

/// Whether the client's format joins texts or splits them, so that their lengths are needed.
fn needs_lengths(run: &Run) -> bool {
    run.route.to.format().opaque == Opaque::Base64
}

/// Whether a text belongs to the reasoning text of an item, not to its summary.
fn is_content(run: &mut Run, metadata: &Metadata) -> bool {
    let form = metadata.form(Word::content).or_else(|| {
        let forms = run.openai_field(metadata, Word::responsesForm)?;
        run.field(forms, Word::content)
    });
    form.is_some_and(|form| run.store.word(form) == Word::reasoning_text)
}

/// Whether another provider issued the reasoning, or another format of the client's provider that has its state elsewhere.
fn is_other(run: &Run, part: &Reasoning) -> bool {
    !run.route.leads_to(part.issuer) || !run.route.keeps_family() && !run.route.keeps_signatures()
}

/// Reports what else the reasoning had. If it had state, the rest of that is lost with it, or returns with it.
fn warn_rest(run: &mut Run, metadata: &Metadata, at: At, had_state: bool) {
    let mark = run.report.mark();
    run.warn_metadata(metadata, at);
    if had_state {
        run.report.keep_lossy_after(mark);
    }
}
