//! A message or a reasoning item that is written piece by piece.

use crate::dialect::shared::openai_items::made_id;
use crate::dialect::shared::stream::Fragments;
use crate::run::{At, Result, Run};
use crate::value::text::quoted;
use crate::value::{Value, Word};

/// What a part holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    Refusal,
    Reasoning,
}

pub struct Item {
    index: u32,
    id: String,
    is_reasoning: bool,
    /// The parts that are complete: JSON texts.
    parts: Vec<Vec<u8>>,
    /// The block and the kind of the part under way.
    under_way: Option<(u32, Kind)>,
    text: Fragments,
    last_block: Option<u32>,
    /// What goes back with reasoning: JSON text.
    pub state: Option<Vec<u8>>,
}

impl Item {
    pub fn new(index: u32, seed: &str, kind: Kind) -> Item {
        let is_reasoning = kind == Kind::Reasoning;
        Item {
            index,
            id: made_id(if is_reasoning { "rs" } else { "msg" }, seed, index as usize),
            is_reasoning,
            parts: Vec::new(),
            under_way: None,
            text: Fragments::default(),
            last_block: None,
            state: None,
        }
    }

    pub fn index(&self) -> u32 {
        self.index
    }

    /// Whether parts of this kind stand in such an item.
    pub fn takes(&self, kind: Kind) -> bool {
        self.is_reasoning == (kind == Kind::Reasoning)
    }

    pub fn is_at(&self, block: u32, kind: Kind) -> bool {
        self.under_way == Some((block, kind))
    }

    pub fn is_last(&self, block: u32) -> bool {
        self.last_block.is_none_or(|last| last <= block)
    }

    pub fn has_part(&self) -> bool {
        self.under_way.is_some()
    }

    pub fn begin_part(&mut self, block: u32, kind: Kind) {
        self.under_way = Some((block, kind));
        self.last_block = Some(block);
        self.text = Fragments::default();
    }

    pub fn push(&mut self, run: &mut Run, text: Value) -> Result<()> {
        self.text.push(run, text, At::ROOT)
    }

    pub fn text(&self, run: &mut Run) -> Result<Value> {
        self.text.value(run)
    }

    pub fn end_part(&mut self, run: &mut Run, part: Value) -> Result<()> {
        let json = run.export(part)?;
        self.parts.push(json);
        self.under_way = None;
        Ok(())
    }

    fn kind(&self) -> Kind {
        self.under_way.map_or(Kind::Text, |(_, kind)| kind)
    }

    pub fn delta(&self) -> Word {
        match self.kind() {
            Kind::Text => Word::output_text_delta,
            Kind::Refusal => Word::refusal_delta,
            Kind::Reasoning => Word::summary_text_delta,
        }
    }

    /// The event that ends the text, and the key under which it has it.
    pub fn text_done(&self) -> (Word, Word) {
        match self.kind() {
            Kind::Text => (Word::output_text_done, Word::text),
            Kind::Refusal => (Word::refusal_done, Word::refusal),
            Kind::Reasoning => (Word::summary_text_done, Word::text),
        }
    }

    pub fn part_added(&self) -> Word {
        if self.is_reasoning { Word::summary_part_added } else { Word::content_part_added }
    }

    pub fn part_done(&self) -> Word {
        if self.is_reasoning { Word::summary_part_done } else { Word::content_part_done }
    }

    /// Where the part under way is: members of an event that is open.
    pub fn place(&self) -> Vec<u8> {
        let key = if self.is_reasoning { "summary_index" } else { "content_index" };
        let id = quoted(&self.id);
        format!(",\"item_id\":{id},\"output_index\":{},\"{key}\":{}", self.index, self.parts.len()).into_bytes()
    }

    /// The part under way: with its text, or as it began.
    pub fn write_part(&self, run: &mut Run, has_begun: bool) -> Result<()> {
        let text = if has_begun { run.store.string("") } else { self.text.value(run)? };
        let mut object = run.begin();
        match self.kind() {
            Kind::Text => {
                object.word(run, Word::r#type, Word::output_text);
                object.put(run, Word::text, text);
                for word in [Word::annotations, Word::logprobs] {
                    object.key(run, word);
                    run.put_array(&[]);
                }
            }
            Kind::Refusal => {
                object.word(run, Word::r#type, Word::refusal);
                object.put(run, Word::refusal, text);
            }
            Kind::Reasoning => {
                object.word(run, Word::r#type, Word::summary_text);
                object.put(run, Word::text, text);
            }
        }
        object.close(run);
        Ok(())
    }

    pub fn write_begun(&self, run: &mut Run) {
        let mut object = run.begin();
        object.word(run, Word::r#type, if self.is_reasoning { Word::reasoning } else { Word::message });
        object.text(run, Word::id, &self.id);
        if self.is_reasoning {
            object.key(run, Word::summary);
        } else {
            object.word(run, Word::status, Word::in_progress);
            object.word(run, Word::role, Word::assistant);
            object.key(run, Word::content);
        }
        run.put_array(&[]);
        object.close(run);
    }

    pub fn write_whole(&self, run: &mut Run, status: Word) -> Result<()> {
        let mut parts = Vec::new();
        for part in &self.parts {
            parts.push(run.import(part)?);
        }
        let state = match &self.state {
            Some(state) => Some(run.import(state)?),
            None => None,
        };
        let mut object = run.begin();
        object.word(run, Word::r#type, if self.is_reasoning { Word::reasoning } else { Word::message });
        object.text(run, Word::id, &self.id);
        if self.is_reasoning {
            object.key(run, Word::summary);
        } else {
            object.word(run, Word::status, status);
            object.word(run, Word::role, Word::assistant);
            object.key(run, Word::content);
        }
        run.put_array(&parts);
        object.option(run, Word::encrypted_content, state);
        object.close(run);
        Ok(())
    }
}
