//! Collects events: joins text and reasoning, and gives calls their block indices and ids.

use super::event::Event;
use super::ranges::Ranges;
use crate::call_ids::made;
use crate::table::Table;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    Nothing,
    Text,
    Reasoning,
}

#[derive(Debug)]
pub(super) struct Out {
    pub events: Vec<Event>,
    /// Whether arguments are emitted before their call is complete.
    pub has_deltas: bool,
    /// Text, and arguments that are strings, as ranges of the text, instead of events with them.
    pub ranges: Option<Ranges>,
    seed: String,
    blocks: u32,
    calls: usize,
    /// The ids of the calls, with the counter from which on one is free if the id is repeated.
    ids: Table<String, u32>,
    /// How many values and calls were searched for another end, up to that of the text.
    pub searches: usize,
    open: BlockKind,
    /// Whitespace that is emitted only if text follows.
    held: String,
    /// Whether text after calls is dropped.
    drop_text: bool,
    /// What was dropped: the reason, and the beginning of the text.
    lost: Vec<(&'static str, String)>,
}

/// The length of the part of dropped text that is reported.
const SHOWN: usize = 200;

impl Out {
    pub fn new(seed: &str, drop_text: bool) -> Self {
        Self {
            events: Vec::new(),
            has_deltas: true,
            ranges: None,
            seed: seed.to_owned(),
            blocks: 0,
            calls: 0,
            ids: Table::new(),
            searches: 0,
            open: BlockKind::Nothing,
            held: String::new(),
            drop_text,
            lost: Vec::new(),
        }
    }

    /// Whether more of this kind would be emitted at once, in the same block.
    pub fn continues(&self, kind: BlockKind) -> bool {
        self.open == kind && self.held.is_empty()
    }

    pub fn text(&mut self, text: &str) {
        if self.drop_text && self.calls > 0 {
            return self.lose("text after the calls was dropped", text);
        }
        if self.open != BlockKind::Text && text.trim().is_empty() {
            self.held.push_str(text);
            self.ranges.iter_mut().for_each(|ranges| ranges.hold(text));
            return;
        }
        if !text.is_empty() || !self.held.is_empty() {
            let held = std::mem::take(&mut self.held);
            self.ranges.iter_mut().for_each(|ranges| ranges.push_text(text));
            let block = self.block(BlockKind::Text);
            if self.ranges.is_none() {
                self.push_text(block, held);
                self.push_text(block, text);
            }
        }
    }

    fn push_text<'a>(&mut self, block: u32, text: impl Into<String> + AsRef<str> + 'a) {
        if text.as_ref().is_empty() {
            return;
        }
        if let Some(Event::Text { block: last, text: before }) = self.events.last_mut()
            && *last == block
        {
            before.push_str(text.as_ref());
        } else {
            self.events.push(Event::Text { block, text: text.into() });
        }
    }

    /// A part of the arguments of a call.
    pub fn delta(&mut self, block: u32, id: &str, text: &str) {
        if self.has_deltas && !text.is_empty() {
            self.events.push(Event::CallDelta { block, id: id.to_owned(), text: text.to_owned() });
        }
    }

    /// Text of the model is dropped, which is reported at the end.
    pub fn lose(&mut self, reason: &'static str, text: &str) {
        let position = self.lost.iter().position(|(known, _)| *known == reason);
        let text = if position.is_none() { text.trim_start() } else { text };
        if text.is_empty() {
            return;
        }
        let index = position.unwrap_or(self.lost.len());
        if position.is_none() {
            self.lost.push((reason, String::new()));
        }
        if let Some((_, shown)) = self.lost.get_mut(index) {
            let free = SHOWN.saturating_sub(shown.chars().count());
            shown.extend(text.chars().take(free));
        }
    }

    /// Reports what was dropped.
    pub fn report(&mut self) {
        let lost = std::mem::take(&mut self.lost);
        self.events
            .extend(lost.into_iter().map(|(reason, text)| Event::Dropped { reason, text: text.trim_end().to_owned() }));
    }

    pub fn reasoning(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let block = self.block(BlockKind::Reasoning);
        if let Some(Event::Reasoning { block: last, text: before }) = self.events.last_mut()
            && *last == block
        {
            before.push_str(text);
        } else {
            self.events.push(Event::Reasoning { block, text: text.to_owned() });
        }
    }

    fn block(&mut self, kind: BlockKind) -> u32 {
        if self.open != kind {
            self.close();
            self.open = kind;
            self.blocks += 1;
        }
        self.blocks - 1
    }

    /// Ends the current text or reasoning block.
    pub fn close(&mut self) {
        self.held.clear();
        self.ranges.iter_mut().for_each(Ranges::drop_held);
        if self.open == BlockKind::Reasoning {
            self.events.push(Event::ReasoningEnd { block: self.blocks - 1 });
        }
        self.open = BlockKind::Nothing;
    }

    /// Another call has this id.
    pub fn reserve(&mut self, id: &str) {
        self.ids.insert(id.to_owned(), 0);
    }

    /// An id that no other call has. A counter at the end of a repeated id is raised.
    fn unique(&mut self, id: Option<&str>, name: &str) -> String {
        let id = match id {
            None => self.made(name),
            Some(id) if !self.ids.contains_key(id) => id.to_owned(),
            Some(id) => self.raised(id).unwrap_or_else(|| self.made(name)),
        };
        self.reserve(&id);
        id
    }

    fn made(&self, name: &str) -> String {
        let mut id = made(&self.seed, self.calls, name);
        // a text may state the id that is made for a later call
        while self.ids.contains_key(&id) {
            id = made(&id, self.calls, name);
        }
        id
    }

    /// The id with the next counter that no other call has.
    fn raised(&mut self, id: &str) -> Option<String> {
        let start = id.trim_end_matches(|one: char| one.is_ascii_digit());
        let count = id.get(start.len()..).and_then(|count| count.parse::<u32>().ok())?;
        let from = self.ids.get(id).copied().unwrap_or_default().max(count.saturating_add(1));
        let raised = |count: &u32| format!("{start}{count}");
        let next = (from..u32::MAX).find(|count| !self.ids.contains_key(&raised(count)))?;
        if let Some(from) = self.ids.get_mut(id) {
            *from = next + 1;
        }
        Some(raised(&next))
    }

    pub fn start(&mut self, name: &str, id: Option<&str>) -> (u32, String) {
        self.close();
        let id = self.unique(id.filter(|id| !id.is_empty()), name);
        self.calls += 1;
        self.blocks += 1;
        self.events.push(Event::CallStart { block: self.blocks - 1, id: id.clone(), name: name.to_owned() });
        (self.blocks - 1, id)
    }
}
