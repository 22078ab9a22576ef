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
        if !run.route.stays() && !std::mem::replace(&mut self.is_disputed, true) {
            run.warn(WarningCode::FieldDropped, at, "the earlier deltas had different content");
        }
    }
}

/// For events with texts: the list, the type of part, and whether the text is a delta.
pub fn text_event(word: Word) -> Option<(Word, Word, bool)> {
    match word {
        Word::output_text_delta => Some((Word::content, Word::output_text, true)),
        Word::output_text_done => Some((Word::content, Word::output_text, false)),
        Word::refusal_delta => Some((Word::content, Word::refusal, true)),
        Word::refusal_done => Some((Word::content, Word::refusal, false)),
        Word::summary_text_delta => Some((Word::summary, Word::summary_text, true)),
        Word::summary_text_done => Some((Word::summary, Word::summary_text, false)),
        Word::reasoning_text_delta => Some((Word::content, Word::reasoning_text, true)),
        Word::reasoning_text_done => Some((Word::content, Word::reasoning_text, false)),
        _ => None,
    }
}

/// Marks reasoning text at its start. The default is a summary.
pub fn mark(run: &mut Run, kind: Word, metadata: &mut Metadata) {
    if kind == Word::reasoning_text {
        metadata.add_form(Word::content, run.store.word_value(Word::reasoning_text));
    }
}

pub fn piece(at: At, block: u32, kind: Word, (text, metadata): (Value, Metadata)) -> Event {
    match kind {
        Word::refusal => Event::RefusalDelta { at, block, text, metadata },
        Word::summary_text | Word::reasoning_text => {
            Event::ReasoningDelta { at, block, text, issuer: Provider::OpenAI, metadata }
        }
        _ => Event::TextDelta { at, block, text, metadata },
    }
}
