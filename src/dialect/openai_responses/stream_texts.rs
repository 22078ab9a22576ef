//! Texts that arrive in pieces and are repeated when complete. If the complete text differs, this is reported.

use crate::model::{Event, Metadata};
use crate::run::{At, Provider, Run, WarningCode};
use crate::value::text::unescape_into;
use crate::value::{Value, Word};
use siphasher::sip::SipHasher13;
use std::hash::Hasher;

/// A running hash of the deltas, to compare with the complete text.
#[derive(Default)]
pub struct TextHash {
    hasher: SipHasher13,
    is_disputed: bool,
}

impl TextHash {
    pub fn add(&mut self, run: &Run, text: Value) {
        self.hasher.write(run.store.text(text).as_bytes());
    }

    /// Adds a piece that is the content of a JSON string, without quotes.
    pub fn extend(&mut self, text: &[u8]) {
        if !text.contains(&b'\\') {
            return self.hasher.write(text);
        }
        let mut content = Vec::new();
        unescape_into(&mut content, text);
        self.hasher.write(&content);
    }

    pub fn is(&self, run: &Run, whole: Value) -> bool {
        let mut hasher = SipHasher13::default();
        hasher.write(run.store.text(whole).as_bytes());
        hasher.finish() == self.hasher.finish()
    }

    /// Reports if the complete text differs from the deltas.
    pub fn compare(&mut self, run: &mut Run, whole: Value, at: At) {
        if !run.store.is_empty(whole) && !self.is(run, whole) {
            self.dispute(run, at);
        }
    }

    /// Reports a difference, at most once.
    pub fn dispute(&mut self, run: &mut Run, at: At) {
        if !std::mem::replace(&mut self.is_disputed, true) {
            run.warn(WarningCode::FieldDropped, at, "the earlier deltas had different content");
        }
    }
}

/// The kind of content in a part.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    Text,
    Refusal,
    /// A part of the summary, or of the reasoning text.
    Summary,
    Reasoning,
}

/// What a kind of content is in items and in events.
pub struct Row {
    /// The type of a part, the list that it is in, and the key of its text.
    pub part: Word,
    pub list: Word,
    pub key: Word,
    /// The events of a piece of the text, and of the whole text.
    pub delta: Word,
    pub done: Word,
}

impl PartKind {
    const ALL: [PartKind; 4] = [PartKind::Text, PartKind::Refusal, PartKind::Summary, PartKind::Reasoning];

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
        };
        Row { part, list, key, delta, done }
    }

    pub fn is_reasoning(self) -> bool {
        matches!(self, PartKind::Summary | PartKind::Reasoning)
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

/// The event of a text. Reasoning text is marked at its start (`begins`); the default is a summary.
pub fn piece(
    run: &mut Run,
    at: At,
    (block, kind, begins): (u32, PartKind, bool),
    (text, mut metadata): (Value, Metadata),
) -> Event {
    match kind {
        PartKind::Text => Event::TextDelta { at, block, text, metadata },
        PartKind::Refusal => Event::RefusalDelta { at, block, text, metadata },
        PartKind::Summary | PartKind::Reasoning => {
            if begins && kind == PartKind::Reasoning {
                metadata.add_form(Word::content, run.store.word_value(Word::reasoning_text));
            }
            Event::ReasoningDelta { at, block, text, issuer: Provider::OpenAI, metadata }
        }
    }
}
