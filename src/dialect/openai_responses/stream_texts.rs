//! Texts that arrive in pieces and are repeated when complete. If the complete text differs, this is reported.

use crate::dialect::shared::stream::Fragments;
use crate::model::{Event, Metadata};
use crate::run::{At, Result, Run, WarningCode};
use crate::value::text::unescape_into;
use crate::value::{Value, Word};
use siphasher::sip::SipHasher13;
use std::hash::Hasher;

/// A text so far.
pub struct Text {
    /// The pieces, if they are needed at the end.
    pub pieces: Fragments,
    keeps: bool,
    /// Compared with the complete text.
    hash: SipHasher13,
    pub is_empty: bool,
    is_disputed: bool,
}

impl Text {
    pub fn new(keeps: bool) -> Text {
        let (pieces, hash) = (Fragments::default(), SipHasher13::default());
        Text { pieces, keeps, hash, is_empty: true, is_disputed: false }
    }

    pub fn add(&mut self, run: &mut Run, text: Value, at: At) -> Result<()> {
        self.hash.write(run.store.text(text).as_bytes());
        self.is_empty = false;
        if self.keeps { self.pieces.push(run, text, at) } else { Ok(()) }
    }

    /// Adds a piece that is the content of a JSON string, without quotes.
    pub fn extend(&mut self, text: &[u8]) {
        let mut content = Vec::new();
        if text.contains(&b'\\') {
            unescape_into(&mut content, text);
        }
        self.hash.write(if content.is_empty() { text } else { &content });
        if self.keeps {
            self.pieces.extend(text);
        }
    }

    /// Reports if the complete text differs, at most once. The white space in JSON does not matter.
    pub fn compare(&mut self, run: &mut Run, whole: Value, is_json: bool, at: At) -> Result<()> {
        let mut hash = SipHasher13::default();
        hash.write(run.store.text(whole).as_bytes());
        if run.store.is_empty(whole) || hash.finish() == self.hash.finish() {
            return Ok(());
        }
        let is_disputed = !(is_json && self.is_same_json(run, whole)?);
        if is_disputed && !std::mem::replace(&mut self.is_disputed, true) {
            run.warn(WarningCode::FieldDropped, at, "the earlier deltas had different content");
        }
        Ok(())
    }

    fn is_same_json(&self, run: &mut Run, whole: Value) -> Result<bool> {
        let pieces = self.pieces.value(run)?;
        let is_same = match (run.store.parse(pieces), run.store.parse(whole)) {
            (Ok(pieces), Ok(whole)) => run.store.same(pieces, whole),
            _ => false,
        };
        // notices about the text are reported where the call is read
        drop(run.store.take_notices());
        Ok(is_same)
    }
}

/// A kind of text in items.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    Text,
    Refusal,
    /// A part of the summary, or of the reasoning text.
    Summary,
    Reasoning,
    /// The arguments of a call, or the input of a freeform call: a part of its own.
    Arguments,
    Input,
}

/// What a kind of text is in items and in events.
pub struct Row {
    /// The type of a part, the list that it is in, and the key of its text. The text of a call is directly in the `item`.
    pub part: Word,
    pub list: Word,
    pub key: Word,
    /// The events of a piece of the text, and of the whole text.
    pub delta: Word,
    pub done: Word,
}

impl PartKind {
    const ALL: [PartKind; 6] = [
        PartKind::Text,
        PartKind::Refusal,
        PartKind::Summary,
        PartKind::Reasoning,
        PartKind::Arguments,
        PartKind::Input,
    ];

    pub fn row(self) -> Row {
        let (list, part, key, [delta, done]) = match self {
            PartKind::Text => {
                (Word::content, Word::output_text, Word::text, [Word::output_text_delta, Word::output_text_done])
            }
            PartKind::Refusal => {
                (Word::content, Word::refusal, Word::refusal, [Word::refusal_delta, Word::refusal_done])
            }
            PartKind::Summary => {
                (Word::summary, Word::summary_text, Word::text, [Word::summary_text_delta, Word::summary_text_done])
            }
            PartKind::Reasoning => (
                Word::content,
                Word::reasoning_text,
                Word::text,
                [Word::reasoning_text_delta, Word::reasoning_text_done],
            ),
            PartKind::Arguments => {
                (Word::item, Word::item, Word::arguments, [Word::arguments_delta, Word::arguments_done])
            }
            PartKind::Input => (Word::item, Word::item, Word::input, [Word::input_delta, Word::input_done]),
        };
        Row { part, list, key, delta, done }
    }

    /// Writes a part of a message or of reasoning: its text and its other fields.
    pub fn put(self, run: &mut Run, text: Value, rest: Option<Value>) {
        let row = self.row();
        let mut object = run.begin();
        object.word(run, Word::r#type, row.part);
        object.put(run, row.key, text);
        if self == PartKind::Text {
            for word in [Word::annotations, Word::logprobs] {
                match rest.and_then(|rest| run.member(rest, word)) {
                    Some(list) => object.put(run, word, list),
                    None => object.list(run, word, &[]),
                }
            }
        }
        object.add_rest(run, rest);
        object.close(run);
    }

    pub fn is_reasoning(self) -> bool {
        matches!(self, PartKind::Summary | PartKind::Reasoning)
    }

    pub fn is_call(self) -> bool {
        matches!(self, PartKind::Arguments | PartKind::Input)
    }

    /// The events of the start and the end of a part.
    pub fn part_events(self) -> (Word, Word) {
        if self == PartKind::Summary {
            (Word::summary_part_added, Word::summary_part_done)
        } else {
            (Word::content_part_added, Word::content_part_done)
        }
    }

    /// The key of a part's index in events.
    pub fn index(self) -> Word {
        if self == PartKind::Summary { Word::summary_index } else { Word::content_index }
    }
}

/// For events with texts: the kind of content, and whether the text is a piece.
pub fn text_event(word: Word) -> Option<(PartKind, bool)> {
    PartKind::ALL.into_iter().find_map(|kind| {
        let Row { delta, done, .. } = kind.row();
        (word == delta || word == done).then_some((kind, word == delta))
    })
}

/// The event of a text. Reasoning text is marked at its start (`begins`); the default is a summary. None for the input of a freeform call: the
/// fragments of its arguments are JSON.
pub fn piece(
    run: &mut Run,
    at: At,
    (block, kind, begins): (u32, PartKind, bool),
    (text, mut metadata): (Value, Metadata),
) -> Option<Event> {
    Some(match kind {
        PartKind::Text => Event::TextDelta { at, block, text, metadata },
        PartKind::Refusal => Event::RefusalDelta { at, block, text, metadata },
        PartKind::Summary | PartKind::Reasoning => {
            if begins && kind == PartKind::Reasoning {
                metadata.add_form(Word::content, run.store.word_value(Word::reasoning_text));
            }
            Event::ReasoningDelta { at, block, text, issuer: run.route.source_provider(), metadata }
        }
        PartKind::Arguments => Event::CallDelta { block, text },
        PartKind::Input => return None,
    })
}
