//! The table of text formats: markers, where the name stands, how arguments are encoded, how results are shown to the model.
//!
//! One row serves reading, writing and grammars. Reading is more tolerant than writing: every marker of a row can open a block, wrappers
//! may be missing, and whitespace around markers does not count.

mod body;
mod json;
mod models;
mod named;
mod pythonic;
mod tagged;

pub use body::{Body, Channels, Flag, Json, Literal, Named, Nested, Pythonic, Tagged};
pub use models::of_model;

use super::error::TextError;
use crate::nearest::nearest;
use std::collections::BinaryHeap;

/// A pair of markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    pub open: &'static str,
    /// Empty if nothing closes it.
    pub close: &'static str,
}

pub(crate) const fn pair(open: &'static str, close: &'static str) -> Pair {
    Pair { open, close }
}

pub(crate) const NONE: Pair = pair("", "");
pub(crate) const THINK: Pair = pair("<think>\n", "\n</think>\n\n");

/// How a model writes calls, and how it is shown their results.
#[derive(Debug)]
pub struct Format {
    pub id: &'static str,
    /// Other ids of the same format.
    pub aliases: &'static [&'static str],
    /// Around all calls of a message, as written; empty if there is none.
    pub section: Pair,
    /// Around each call, as written; empty if there is none.
    pub call: Pair,
    /// Written between two calls.
    pub separator: &'static str,
    /// Further markers that open a call when reading.
    pub also: &'static [Pair],
    pub body: Body,
    pub parallel: bool,
    pub ids: Ids,
    /// Around reasoning, as written; the first is written.
    pub reasoning: &'static [Pair],
    /// Around text, as written; empty if there is nothing.
    pub text: Pair,
    /// Between text and the calls after it, as written.
    pub gap: &'static str,
    /// A message is written either as text or as calls.
    pub alone: bool,
    /// Further markers that are not part of the text.
    pub wrappers: &'static [&'static str],
    /// Around markup within text that is not part of it.
    pub hidden: &'static [Pair],
    /// Before each part of a message: what follows up to the next marker is not text. Empty if there is none.
    pub header: &'static str,
    /// Spellings that models produce, and what is read in their place.
    pub spellings: &'static [(&'static str, &'static str)],
    pub after: After,
    pub undeclared: Undeclared,
    pub broken: Broken,
    /// How tools are defined in the prompt.
    pub definitions: Definitions,
    pub results: Results,
}

/// What the id of a call looks like in the text, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ids {
    None,
    /// `functions.NAME:POSITION`, counted over the whole conversation.
    Indexed,
    /// The position of the call.
    Position,
    /// Letters and digits, this many; lower case only if so stated.
    Letters {
        count: usize,
        lower: bool,
    },
}

/// What becomes of text after the calls of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Text,
    /// The model was trained to end there: what follows is no content, and the parsers of its servers drop it.
    Dropped,
}

/// What a well-formed call of a tool that was not declared is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undeclared {
    Call,
    Invalid,
    Text,
}

/// What a block that can't be read as a call becomes before anything of it was emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    Text,
    Invalid,
}

/// The notation of tool definitions in the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definitions {
    Json,
    /// JSON as in requests to OpenAI's API, which most models saw in training.
    OpenAi,
    TypeScript,
    Python,
    Xml,
    List,
}

/// How results are shown to the model: templates, as [`crate::text::write::Form`] explains them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Results {
    /// Around all results of a turn.
    pub all: Pair,
    pub item: &'static str,
    pub between: &'static str,
    pub encoding: Encoding,
}

/// How a result is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Text,
    Json,
}

pub(crate) const fn results(item: &'static str) -> Results {
    Results { all: NONE, item, between: "\n", encoding: Encoding::Text }
}

const TOOL_RESPONSE: Results = results("<tool_response>\n%r\n</tool_response>");
pub(crate) const NAMED_RESPONSE: Results = results("<tool_response name=%N>\n%r\n</tool_response>");
pub(crate) const OUTPUT: Results = Results { encoding: Encoding::Json, ..results("{\"output\": %r}") };

/// What rows have in common, unless they say otherwise.
pub(crate) const BASE: Format = Format {
    id: "none",
    aliases: &[],
    section: NONE,
    call: NONE,
    separator: "\n",
    also: &[],
    body: Body::None,
    parallel: true,
    ids: Ids::None,
    reasoning: &[THINK],
    text: NONE,
    gap: "\n",
    alone: false,
    wrappers: &[],
    hidden: &[],
    header: "",
    spellings: &[],
    after: After::Text,
    undeclared: Undeclared::Call,
    broken: Broken::Text,
    definitions: Definitions::OpenAi,
    results: TOOL_RESPONSE,
};

static NO_CALLS: [Format; 1] = [BASE];

/// All formats, those that are used most first.
pub fn all() -> impl Iterator<Item = &'static Format> {
    json::ROWS.iter().chain(&tagged::ROWS).chain(&named::ROWS).chain(&pythonic::ROWS).chain(&NO_CALLS)
}

/// The format of an id, or of another id of the same format.
pub fn by_id(id: &str) -> Option<&'static Format> {
    all().find(|format| format.id == id || format.aliases.contains(&id))
}

/// The error about an id that is not in the table.
pub(crate) fn unknown(id: &str) -> TextError {
    let ids = || all().flat_map(|format| [format.id].into_iter().chain(format.aliases.iter().copied()));
    let close = ids().find(|known| !id.is_empty() && known.starts_with(id)).or_else(|| nearest(id, ids()));
    let hint = close.map_or_else(|| "`TEXT_FORMATS` lists the formats".into(), |id| format!("did you mean `{id}`?"));
    TextError::new("/format", format!("there is no text format `{id}`; {hint}"))
}

impl Format {
    /// Patterns of the names of models that were trained on the format.
    pub fn models(&self) -> impl Iterator<Item = &'static str> {
        models::of_format(self.id)
    }

    /// Whether arguments can be emitted before the call is complete.
    pub fn streams(&self) -> bool {
        match &self.body {
            Body::None | Body::Pythonic(_) | Body::Literal(_) | Body::Nested(_) => false,
            Body::Channels(channels) => channels.inner.is_none(),
            Body::Json(_) | Body::Named(_) | Body::Tagged(_) => true,
        }
    }

    /// Whether written calls have ids.
    pub fn has_ids(&self) -> bool {
        self.ids != Ids::None
    }

    /// The markers that text of the user's or of a tool must not contain as they are: they could be taken for a call.
    pub fn markers(&self) -> Vec<&'static str> {
        let mut markers = vec![self.section.open, self.section.close, self.call.open, self.call.close];
        markers.extend(self.also.iter().flat_map(|pair| [pair.open, pair.close]));
        markers.extend(self.reasoning.iter().flat_map(|pair| [pair.open, pair.close]));
        markers.extend([self.text.open, self.text.close, self.header]);
        markers.extend(self.wrappers);
        markers.extend([self.results.all.open, self.results.all.close]);
        let results = self.results.item.split('%').map(|part| part.get(1..).unwrap_or_default().trim());
        markers.extend(results.filter(|part| part.starts_with(['<', '[']) && part.len() > 3));
        match &self.body {
            Body::Tagged(tagged) => markers.extend([tagged.open, tagged.close, tagged.key, tagged.value_close]),
            Body::Named(named) => markers.extend([named.separator.trim(), named.id]),
            Body::Literal(literal) => markers.push(literal.quote),
            Body::Nested(nested) => markers.push(nested.prefix),
            Body::Channels(channels) => {
                markers.extend([channels.start, channels.channel, channels.message]);
                markers.extend(channels.ends);
                markers.extend(channels.inner.into_iter().flat_map(Self::markers));
            }
            Body::Json(_) | Body::Pythonic(_) | Body::None => {}
        }
        let markers: BinaryHeap<&str> =
            markers.into_iter().map(str::trim).filter(|marker| !marker.is_empty()).collect();
        let mut sorted = markers.into_sorted_vec();
        sorted.dedup();
        sorted
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::{all, by_id, unknown};

    #[test]
    fn the_error_about_an_id_has_the_nearest_one() {
        for (id, near) in [("hermes", "hermes_json"), ("hermes_jsn", "hermes_json"), ("harmoni", "harmony")] {
            assert!(unknown(id).message.ends_with(&format!("did you mean `{near}`?")), "{}", unknown(id).message);
        }
        for id in ["", "a format of nobody's"] {
            assert!(unknown(id).message.contains("TEXT_FORMATS"), "{}", unknown(id).message);
        }
    }

    #[test]
    fn ids_are_unique() {
        let mut ids: Vec<&str> =
            all().flat_map(|format| [format.id].into_iter().chain(format.aliases.iter().copied())).collect();
        for id in &ids {
            assert!(by_id(id).is_some());
        }
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }

    #[test]
    fn markers_are_complete_tags() {
        assert!(by_id("qwen3_xml").is_some_and(|format| format.markers().contains(&"<function=")));
    }
}
