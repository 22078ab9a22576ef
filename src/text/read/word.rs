//! The name before a marker that separates names from their arguments.

/// The length of the text that is kept: a name, and the blanks around it.
const LENGTH: usize = 160;

/// The last line with text, if it is short.
#[derive(Clone, Debug, Default)]
pub(super) struct Word {
    tail: String,
    /// Whether text of the same line may precede.
    is_cut: bool,
}

impl Word {
    /// This text was read.
    pub fn pass(&mut self, text: &str) {
        let from = text.ceil_char_boundary(text.len().saturating_sub(LENGTH));
        if from > 0 {
            self.tail.clear();
            self.is_cut = true;
        }
        self.tail.push_str(text.get(from..).unwrap_or_default());
        let extra = self.tail.ceil_char_boundary(self.tail.len().saturating_sub(LENGTH));
        self.is_cut |= extra > 0;
        self.tail.drain(..extra);
    }

    /// The last text that was read.
    pub fn tail(&self) -> &str {
        &self.tail
    }

    /// Whether the line begins with words, as far as it is known.
    pub fn in_sentence(&self) -> bool {
        let line = self.tail.rsplit('\n').next().unwrap_or_default();
        let first = line.split_once(' ').map(|(first, _)| first);
        first.is_some_and(|word| word.chars().all(|one| one.is_alphanumeric() || ",.:;'".contains(one)))
    }

    /// The last line, if it is a word without blanks.
    pub fn get(&self) -> Option<&str> {
        let text = self.tail.trim_end_matches(['\r', '\n']);
        let word = match text.rfind('\n') {
            Some(at) => text.get(at + 1..)?,
            None if self.is_cut => return None,
            None => text,
        };
        (!word.is_empty() && word.chars().all(|one| one.is_alphanumeric() || "_-.:/".contains(one))).then_some(word)
    }
}
