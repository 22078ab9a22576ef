//! The table of text formats: markers, position of the name, encoding of arguments, and how results are shown to the model.
//!
//! Reading, writing and grammars use the same rows. Reading is more tolerant than writing: every marker of a row can open a block, wrappers
//! may be missing, and whitespace around markers is ignored.

mod body;
mod json;
mod model_names;
mod models;
mod named;
mod pythonic;
mod response;
mod tagged;
mod templates;
pub(crate) mod words;

pub use body::{Body, Channels, Flag, Json, Literal, Named, Nested, Pythonic, Tagged};
pub use model_names::of_model;
pub use response::of_response;
pub use templates::{of_mlx_parser, of_template};

use super::error::TextError;
use crate::nearest::nearest;
use crate::words::worded;
use std::collections::BinaryHeap;
use std::sync::LazyLock;

/// An opening and a closing marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    pub open: &'static str,
    /// Empty if there is no closing marker.
    pub close: &'static str,
}

impl Pair {
    /// The opening marker without the white space around it.
    pub const fn opener(&self) -> &'static str {
        self.open.trim_ascii()
    }

    /// The closing marker without the white space around it.
    pub const fn closer(&self) -> &'static str {
        self.close.trim_ascii()
    }

    /// The token that the opening marker begins with, and the rest of the marker, if it has more than the token.
    pub(crate) fn label(&self) -> Option<(&'static str, &'static str)> {
        let open = self.open.trim_end();
        let (token, label) = open.split_at_checked(open.rfind('>')? + 1)?;
        (!label.is_empty()).then_some((token, label))
    }
}

pub(crate) const fn pair(open: &'static str, close: &'static str) -> Pair {
    Pair { open, close }
}

pub(crate) const NONE: Pair = pair("", "");
pub(crate) const THINK: Pair = pair("<think>\n", "\n</think>\n\n");

/// How a model writes calls, and how results are shown to it.
#[derive(Debug)]
pub struct Format {
    pub id: &'static str,
    /// Alternative ids of the format.
    pub aliases: &'static [&'static str],
    /// Around all calls of a message. Empty if there is no such pair.
    pub section: Pair,
    /// Around each call. Empty if there is no such pair.
    pub call: Pair,
    /// Text between two calls.
    pub separator: &'static str,
    /// Additional markers that open a call when reading.
    pub also: &'static [Pair],
    pub body: Body,
    pub parallel: bool,
    pub ids: Ids,
    /// Around reasoning. Writing uses the first pair.
    pub reasoning: &'static [Pair],
    /// Around text. Empty if there is no such pair.
    pub text: Pair,
    /// Text between the content and the calls after it.
    pub gap: &'static str,
    /// Whether a message contains either text or calls, but not both.
    pub alone: bool,
    /// Additional markers that are removed from the text.
    pub wrappers: &'static [&'static str],
    /// Markers of markup that is removed from the text, together with its content.
    pub hidden: &'static [Pair],
    /// A token that represents a line break in the text. Empty if there is none.
    pub line_break: &'static str,
    /// Starts a header before each part of a message. The header ends at the next marker and is not text. Empty if there is none.
    pub header: &'static str,
    /// Variants of markers that models produce, each with the marker that it replaces.
    pub spellings: &'static [(&'static str, &'static str)],
    /// Formats of calls that models write instead of this one, or between its markers. Their calls are read if they name declared tools.
    pub drifts: &'static [&'static Format],
    /// The id of the format that reads the calls, if it is another one: formats that share markers. Empty if it is this one.
    pub read_as: &'static str,
    pub after: After,
    pub undeclared: Undeclared,
    /// The notation of tool definitions in the prompt.
    pub definitions: Definitions,
    pub results: Results,
}

/// The form of call ids in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ids {
    None,
    /// `functions.NAME:POSITION`, counted over the whole conversation.
    Indexed,
    /// The index of the call.
    Position,
    /// `count` letters and digits, only lower case if `lower`.
    Letters {
        count: usize,
        lower: bool,
    },
}

/// How text after the calls of a message is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Text,
    /// The text is dropped: the model was trained to stop there, and the parsers of its servers drop it as well.
    Dropped,
}

/// How a well-formed call of an undeclared tool is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undeclared {
    Call,
    Invalid,
    Text,
}

/// The notation of tool definitions in the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definitions {
    Json,
    /// JSON as in requests to OpenAI's API, which is common in training data. Not an option.
    OpenAi,
    TypeScript,
    Python,
    Xml,
    List,
}

worded! {
    Definitions as "DefinitionNotation" {
        Json "json", TypeScript "typescript", Python "python", Xml "xml", List "list",
    }
}

/// How results are shown to the model, as templates (see [`crate::text::write::Form`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Results {
    /// Around all results of a turn.
    pub all: Pair,
    pub item: &'static str,
    pub between: &'static str,
    pub encoding: Encoding,
}

/// The encoding of a result.
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

/// The defaults of the rows.
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
    line_break: "",
    header: "",
    spellings: &[],
    drifts: &[],
    read_as: "",
    after: After::Text,
    undeclared: Undeclared::Call,
    definitions: Definitions::OpenAi,
    results: TOOL_RESPONSE,
};

static NO_CALLS: [Format; 1] = [BASE];

/// One list: an iterator over several tables is compiled for each use.
static ALL: LazyLock<Vec<&'static Format>> = LazyLock::new(|| {
    let tables: [&'static [Format]; 5] = [&json::ROWS, &tagged::ROWS, &named::ROWS, &pythonic::ROWS, &NO_CALLS];
    tables.into_iter().flatten().collect()
});

/// All formats, the most common ones first.
pub fn all() -> impl Iterator<Item = &'static Format> {
    ALL.iter().copied()
}

/// The format with this id or alias, or of this response template.
pub fn by_id(id: &str) -> Option<&'static Format> {
    if id.starts_with('{') {
        return of_response(id);
    }
    all().find(|format| format.id == id || format.aliases.contains(&id))
}

/// The error for an unknown format id.
pub(crate) fn unknown(id: &str) -> TextError {
    let mut ids = Vec::new();
    for format in all() {
        ids.push(format.id);
        ids.extend(format.aliases);
    }
    let begun = ids.iter().find(|known| !id.is_empty() && known.starts_with(id)).copied();
    let close = begun.or_else(|| nearest(id, &ids));
    let hint = close.map_or_else(|| "`TEXT_FORMATS` lists the formats".into(), |id| format!("did you mean `{id}`?"));
    TextError::new("/format", format!("there is no text format `{id}`; {hint}"))
}

impl Format {
    /// Patterns for the names of models that were trained on the format.
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

    /// A marker and its variants.
    pub fn spellings_of(&self, marker: &'static str) -> impl Iterator<Item = &'static str> + Clone {
        let variants = self.spellings.iter().filter(move |(_, of)| *of == marker).map(|(variant, _)| *variant);
        std::iter::once(marker).chain(variants)
    }

    /// Markers and their variants, without empty ones.
    pub fn spellings(&self, markers: &[&'static str]) -> Vec<&'static str> {
        let mut found = Vec::new();
        for marker in markers.iter().filter(|marker| !marker.is_empty()) {
            found.extend(self.spellings_of(marker));
        }
        found
    }

    /// Whether written calls have ids.
    pub fn has_ids(&self) -> bool {
        self.ids != Ids::None
    }

    /// What a call looks like, with placeholders.
    pub fn shape(&self) -> String {
        let call = match &self.body {
            Body::Json(json) if json.name.is_empty() => r#"{"NAME": {…}}"#.to_owned(),
            Body::Json(json) => format!(r#"{{"{}": "NAME", "{}": {{…}}}}"#, json.name, json.arguments),
            Body::Named(named) if named.indexed => ["functions.NAME:0", named.separator, "{…}"].concat(),
            Body::Named(named) => [named.before, "NAME", named.separator, "{…}", named.after].concat(),
            Body::Tagged(tagged) => {
                let quote = if tagged.quoted { "\"" } else { "" };
                let name = [tagged.open, quote, "NAME", quote, tagged.name_end, tagged.newline].concat();
                let key = [tagged.key, quote, "KEY", quote, tagged.key_end, tagged.value].concat();
                [&name, &key, tagged.pad, "VALUE", tagged.pad, tagged.value_close, tagged.newline, tagged.close]
                    .concat()
            }
            Body::Pythonic(_) => "NAME(KEY=VALUE)".to_owned(),
            Body::Literal(literal) => [literal.open, "NAME{KEY:", literal.quote, "VALUE", literal.quote, "}"].concat(),
            Body::Nested(Nested { prefix, open, close, .. }) => {
                format!(r#"{open} name="NAME">{prefix}<KEY>VALUE{prefix}</KEY>{close}"#)
            }
            Body::Channels(_) | Body::None => String::new(),
        };
        let list = match &self.body {
            Body::Json(json) => json.list,
            Body::Pythonic(python) if python.list => pair("[", "]"),
            _ => NONE,
        };
        let open = [self.section.open, self.call.open, list.open];
        let close = [list.close, self.call.close, self.section.close];
        [open.concat(), call, close.concat()].concat()
    }

    /// The markers to escape in text from users and tools, because they could be read as a call.
    pub fn markers(&self) -> Vec<&'static str> {
        let mut markers = vec![self.section.open, self.section.close, self.call.open, self.call.close];
        markers.extend(self.also.iter().flat_map(|pair| [pair.open, pair.close]));
        markers.extend(self.reasoning.iter().flat_map(|pair| [pair.open, pair.close]));
        markers.extend([self.text.open, self.text.close, self.line_break, self.header]);
        markers.extend(self.wrappers);
        markers.extend([self.results.all.open, self.results.all.close]);
        let results = self.results.item.split('%').map(|part| part.get(1..).unwrap_or_default().trim());
        markers.extend(results.filter(|part| part.starts_with(['<', '[']) && part.len() > 3));
        match &self.body {
            Body::Tagged(tagged) => markers.extend([tagged.open, tagged.close, tagged.key, tagged.value_close]),
            Body::Named(named) if named.lines => markers.push(self.separator),
            Body::Named(named) => markers.extend([named.separator.trim(), named.id]),
            Body::Literal(literal) => markers.push(literal.quote),
            Body::Nested(nested) => markers.push(nested.prefix),
            Body::Channels(channels) => {
                markers.extend([channels.start, channels.channel, channels.message]);
                markers.extend(channels.ends);
                let inner = channels.inner.into_iter().flat_map(Self::markers);
                markers.extend(inner.filter(|marker| !marker.starts_with(channels.start)));
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
        for id in ["", "an unknown format"] {
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
