//! The end of the text before a marker, which shows what the marker belongs to.

/// The length of the text that is kept: at least a name, and the blanks around it.
const LENGTH: usize = 160;

/// The end of the text that was read since the last markup.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent {
    text: String,
    /// The start of the last line.
    line: String,
    /// Whether text of the same line may precede.
    is_cut: bool,
}

impl Recent {
    /// This text was read.
    pub fn pass(&mut self, text: &str) {
        let line = text.rfind('\n').and_then(|at| text.get(at + 1..));
        if line.is_some() {
            self.line.clear();
        }
        let line = line.unwrap_or(text);
        self.line
            .push_str(line.get(..line.floor_char_boundary(LENGTH.saturating_sub(self.line.len()))).unwrap_or_default());
        let from = text.ceil_char_boundary(text.len().saturating_sub(LENGTH));
        if from > 0 {
            self.text.clear();
            self.is_cut = true;
        }
        self.text.push_str(text.get(from..).unwrap_or_default());
        let extra = self.text.ceil_char_boundary(self.text.len().saturating_sub(LENGTH));
        self.is_cut |= extra > 0;
        self.text.drain(..extra);
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the line begins with words.
    pub fn in_sentence(&self) -> bool {
        let first = self.line.split_once(' ').map(|(first, _)| first);
        first.is_some_and(|word| word.chars().all(|one| one.is_alphanumeric() || ",.:;'".contains(one)))
    }

    /// The end of the text that begins with this and has no blanks, and whether it begins the line or follows words.
    pub fn word_from(&self, start: &str) -> Option<(&str, bool)> {
        let at = self.text.rfind(start)?;
        let word = self.text.get(at..).filter(|word| !word.contains(char::is_whitespace))?;
        let is_apart = self.text.get(..at)?.chars().next_back().is_none_or(char::is_whitespace);
        Some((word, is_apart && (self.in_sentence() || self.line.trim_start().starts_with(start))))
    }

    /// The last line, if it is a word without blanks.
    pub fn word(&self) -> Option<&str> {
        let text = self.text.trim_end_matches(['\r', '\n']);
        let word = match text.rfind('\n') {
            Some(at) => text.get(at + 1..)?,
            None if self.is_cut => return None,
            None => text,
        };
        (!word.is_empty() && word.chars().all(|one| one.is_alphanumeric() || "_-.:/".contains(one))).then_some(word)
    }
}
