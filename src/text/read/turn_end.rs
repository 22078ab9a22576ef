//! Tokens at the end of the text that end the turn of the model. Servers leave them out; libraries that decode all tokens do not.

use super::text_markers::TextMarkers;
use crate::text::formats::words::TURN_ENDS;

/// Finds them. Its tokens begin with `<`, and have no other one.
#[derive(Default)]
pub(super) struct TurnEnd {
    /// Those that are no markers of the format.
    tokens: Vec<&'static str>,
    /// The end of the text that was read: its last character that is no blank, and what follows that.
    last: Option<char>,
    gap: Gap,
}

/// What separates a token from the text before it.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Gap {
    #[default]
    Nothing,
    Blanks,
    Line,
}

/// The maximum length of the tokens at the end together.
const LONGEST: usize = 256;

/// The end of a text, and its position.
fn tail(text: &str) -> (usize, &str) {
    let from = text.ceil_char_boundary(text.len().saturating_sub(LONGEST));
    (from, text.get(from..).unwrap_or_default())
}

impl Gap {
    fn of(blanks: &str) -> Self {
        match blanks {
            "" => Self::Nothing,
            blanks if blanks.contains('\n') => Self::Line,
            _ => Self::Blanks,
        }
    }
}

impl TurnEnd {
    pub fn of(markers: &TextMarkers) -> Self {
        let is_marker = |token: &str| markers.all().iter().any(|(marker, _)| *marker == token);
        Self { tokens: TURN_ENDS.into_iter().filter(|token| !is_marker(token)).collect(), ..Self::default() }
    }

    /// Whether a token can begin with this byte.
    pub fn starts(&self, byte: u8) -> bool {
        byte == b'<' && !self.tokens.is_empty()
    }

    /// The length of the text before what may end the turn if nothing else follows.
    pub fn before(&self, text: &str) -> usize {
        let (from, tail) = tail(text);
        let is_part = |part: &str| self.tokens.iter().any(|token| token.starts_with(part));
        let part = tail.rfind('<').filter(|at| tail.get(*at..).is_some_and(is_part));
        from + self.solid(tail, part.unwrap_or(tail.len()))
    }

    /// The length of a complete text without what ends the turn.
    pub fn without(&self, text: &str) -> usize {
        let (from, tail) = tail(text);
        let length = from + self.solid(tail, tail.len());
        let (last, gap) = self.after(text.get(..length).unwrap_or_default());
        let is_named = last.is_some_and(|last| match gap {
            Gap::Nothing => false,
            Gap::Blanks => last.is_alphanumeric() || matches!(last, ',' | ':'),
            Gap::Line => last == ':',
        });
        if is_named { text.len() } else { length }
    }

    /// The length of the text up to this position, without the tokens at its end.
    fn solid(&self, text: &str, mut length: usize) -> usize {
        loop {
            let rest = text.get(..length).unwrap_or_default().trim_end();
            let Some(before) = self.tokens.iter().find_map(|token| rest.strip_suffix(token)) else { return length };
            length = before.len();
        }
    }

    /// This text was read.
    pub fn pass(&mut self, text: &str) {
        (self.last, self.gap) = self.after(text);
    }

    /// What the text ends with after this piece.
    fn after(&self, text: &str) -> (Option<char>, Gap) {
        let solid = text.trim_end();
        let gap = Gap::of(text.get(solid.len()..).unwrap_or_default());
        match solid.chars().next_back() {
            Some(last) => (Some(last), gap),
            None if self.gap == Gap::Line || gap == Gap::Nothing => (self.last, self.gap),
            None => (self.last, gap),
        }
    }
}
