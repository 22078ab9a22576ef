//! The regular expressions of schemas: ECMAScript syntax with the flag `u`.

#[cfg(target_arch = "wasm32")]
#[path = "host.rs"]
mod engine;
#[cfg(not(target_arch = "wasm32"))]
#[path = "native.rs"]
mod engine;
mod safety;
mod syntax;

use std::fmt;

/// Maximum length of text that a pattern is matched against, in bytes.
pub const MAX_TEXT: usize = 4096;

pub struct Pattern {
    pub source: String,
    regex: engine::Regex,
}

impl Pattern {
    /// Compiles a pattern. The error states why it can't be used.
    pub fn new(source: &str) -> Result<Self, String> {
        safety::check(source)?;
        let regex =
            engine::Regex::new(source).map_err(|reason| format!("`{source}` is not a regular expression: {reason}"))?;
        Ok(Self { source: source.to_string(), regex })
    }

    /// Whether the text matches. `None` if it is too long to be matched.
    pub fn matches(&self, text: &str) -> Option<bool> {
        (text.len() <= MAX_TEXT).then(|| self.regex.matches(text))
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}/u", self.source)
    }
}

/// Whether the text is a valid regular expression, for the format `regex`.
pub fn is_regex(text: &str) -> bool {
    text.len() <= MAX_TEXT && engine::Regex::new(text).is_ok()
}
