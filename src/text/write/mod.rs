//! Writes the texts that a model is shown: tool definitions, calls and results.

mod arguments;
mod calls;
mod definitions;
mod examples;
mod forms;
mod ids;
mod markers;
mod node;
mod object;
mod options;
mod prompt;
mod results;
mod sample;
mod template;

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;

use crate::table::Table;
pub use crate::text::formats::Definitions;
pub(super) use arguments::gemma_key;
pub use calls::calls_as_text;
pub use definitions::definitions;
pub(super) use forms::Arguments;
pub use forms::Form;
pub(super) use node::quote;
pub use object::object_as_text;
pub(super) use options::choice;
pub use options::{Carrier, Choice, Example, Examples, PromptOptions};
pub use prompt::tool_prompt;
pub use results::results_as_text;
pub use sample::sample;

/// Text, with warnings about what the format could not express.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    pub text: String,
    pub warnings: Vec<WriteWarning>,
}

/// A warning that a format can't express something, or not unambiguously.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteWarning {
    /// JSON Pointer into the function's input.
    pub path: String,
    pub message: String,
}

/// Collects warnings.
#[derive(Default)]
pub(super) struct Report {
    pub(super) warnings: Vec<WriteWarning>,
    /// The paths and messages of warnings that are given once.
    once: Table<String, ()>,
}

impl Report {
    pub(super) fn add(&mut self, path: &str, message: String) {
        self.warnings.push(WriteWarning { path: path.to_owned(), message });
    }

    pub(super) fn once(&mut self, path: &str, message: &str) {
        if self.once.insert(format!("{path}\n{message}"), ()).is_none() {
            self.add(path, message.to_owned());
        }
    }
}
