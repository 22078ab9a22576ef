//! The regular expressions of schemas: ECMAScript syntax with the flag `u`.
//!
//! Schemas may come from strangers, so patterns are matched in linear time, by [`Automaton`]. What it can't express (backreferences), and
//! what would take too many operations per character, is refused. The host's engine (natively, `regress`) only checks the syntax and
//! knows the properties of characters. `regex-lite`, the small engine of that kind, has neither properties nor lookarounds.

mod automaton;
#[cfg(target_arch = "wasm32")]
#[path = "host.rs"]
mod engine;
#[cfg(not(target_arch = "wasm32"))]
#[path = "native.rs"]
mod engine;
mod matching;
mod syntax;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

use automaton::Automaton;
use std::fmt;

/// Maximum length of text that a pattern is matched against, in bytes.
pub const MAX_TEXT: usize = 100 * 1024;
/// Maximum length of a pattern, in bytes.
const MAX_SOURCE: usize = 10_000;

pub struct Pattern {
    pub source: String,
    automaton: Automaton,
}

impl Pattern {
    /// Compiles a pattern. The error states why it can't be used.
    pub fn new(source: &str) -> Result<Self, String> {
        if source.len() > MAX_SOURCE {
            return Err(format!("the pattern has {} bytes. At most {MAX_SOURCE} are allowed", source.len()));
        }
        let automaton = syntax::parse(source).and_then(|part| Automaton::new(&part, false));
        engine::check(source).map_err(|reason| format!("`{source}` is not a regular expression: {reason}"))?;
        let automaton = automaton.map_err(|reason| format!("the pattern `{source}` {reason}"))?;
        Ok(Self { source: source.to_string(), automaton })
    }

    /// Whether the text matches. `None` if it is too long to be matched.
    pub fn matches(&self, text: &str) -> Option<bool> {
        (text.len() <= MAX_TEXT).then(|| self.automaton.matches(text))
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}/u", self.source)
    }
}

/// Whether the text is a valid regular expression, for the format `regex`.
pub fn is_regex(text: &str) -> bool {
    text.len() <= MAX_SOURCE && engine::check(text).is_ok()
}
