//! The table of text formats: markers, where the name stands, how arguments are encoded, how results are shown to the model.
//!
//! One row serves reading, writing and grammars. Reading is more tolerant than writing: every marker of a row can open a block, wrappers
//! may be missing, and whitespace around markers does not count.

mod json;
mod models;
mod named;
mod pythonic;
mod tagged;

pub use models::of_model;

use super::error::TextError;
use crate::nearest::nearest;

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
pub(crate) const THINK: Pair = pair("<think>", "</think>");

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
    /// Reasoning channels.
    pub reasoning: &'static [Pair],
    /// Markers around ordinary text, which are not part of it.
    pub wrappers: &'static [&'static str],
    /// Markers of headers: what follows them up to the next marker is not text.
    pub header: &'static [&'static str],
    /// Spellings that models produce, and what is read in their place.
    pub spellings: &'static [(&'static str, &'static str)],
    pub after: After,
    pub undeclared: Undeclared,
    pub broken: Broken,
    pub results: Results,
}

/// How the call between its markers is encoded.
#[derive(Debug)]
pub enum Body {
    /// A JSON object with name and arguments, or a list of them.
    Json(Json),
    /// The name, then the arguments as a JSON object.
    Named(Named),
    /// A tag per argument.
    Tagged(Tagged),
    /// `name(key=value)`, in Python's syntax.
    Pythonic(Pythonic),
    /// `call:name{key:value}` with strings between a marker of their own.
    Literal(Literal),
    /// A tag per argument whose own name is the argument's; nested for objects and arrays.
    Nested(Nested),
    /// Messages with a header: role, recipient, channel.
    Channels(Channels),
    /// No calls at all.
    None,
}

#[derive(Debug)]
pub struct Json {
    /// Calls are the items of one array. Reading accepts single objects and arrays in either case.
    pub list: bool,
    /// The field of the name; empty if the name is the key and the arguments are its value.
    pub name: &'static str,
    pub arguments: &'static str,
    /// The field of the id; empty if there is none.
    pub id: &'static str,
    /// A call may stand in text without any marker, at the start of the text or of a line.
    pub bare: bool,
}

#[derive(Debug)]
pub struct Named {
    /// Before the name, after the call's own marker.
    pub before: &'static str,
    /// Between the name (or the id) and the arguments.
    pub separator: &'static str,
    /// After the arguments, before the call's close.
    pub after: &'static str,
    /// Between the name and an id, or between an id and the name; empty if there is none.
    pub id: &'static str,
    pub id_first: bool,
    /// The name is written as `functions.NAME:INDEX`, which is the id.
    pub indexed: bool,
}

#[derive(Debug)]
pub struct Tagged {
    /// Before the name; empty if the name follows the call's marker directly.
    pub open: &'static str,
    /// After the name.
    pub name_end: &'static str,
    pub close: &'static str,
    pub key: &'static str,
    pub key_end: &'static str,
    /// Between `key_end` and the value, if the value has a tag of its own.
    pub value: &'static str,
    pub value_close: &'static str,
    /// The name and the keys are quoted attributes.
    pub quoted: bool,
    /// Written on both sides of a value, and removed once on both sides.
    pub pad: &'static str,
    /// Written after each tag.
    pub newline: &'static str,
    /// The attribute that states the type of a value.
    pub flag: Flag,
    /// Values may be `<![CDATA[…]]>`.
    pub cdata: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    None,
    /// `string="true"` or `string="false"`.
    String,
    /// `type="number"`.
    Type,
}

#[derive(Debug)]
pub struct Pythonic {
    /// Calls stand in `[…]`, separated by commas; otherwise on lines.
    pub list: bool,
    /// A list may stand in text without any marker.
    pub bare: bool,
}

#[derive(Debug)]
pub struct Literal {
    /// Around strings.
    pub quote: &'static str,
}

#[derive(Debug)]
pub struct Nested {
    /// Before every tag.
    pub prefix: &'static str,
    /// The tag of an array's items.
    pub item: &'static str,
}

#[derive(Debug)]
pub struct Channels {
    pub start: &'static str,
    pub channel: &'static str,
    pub message: &'static str,
    /// What ends a message.
    pub ends: &'static [&'static str],
    /// The recipients (or channels) whose text is reasoning, and those whose text is for the user.
    pub reasoning: &'static [&'static str],
    pub text: &'static [&'static str],
    /// Before the name of a tool that is a recipient.
    pub namespace: &'static str,
    /// The format of calls in a message; `None` if it is the arguments as a JSON object.
    pub inner: Option<&'static Format>,
}

/// Where the id of a call stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ids {
    None,
    /// `functions.NAME:INDEX`, counted over the whole conversation.
    Indexed,
    /// Counted from 0 or from 1.
    From(u8),
    /// Letters and digits of this length.
    Alphanumeric(u8),
}

/// What becomes of text after the calls of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Text,
    /// The model was trained to end there; what follows is noise.
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

/// How results are shown to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Results {
    pub role: Role,
    /// Around all results of a turn.
    pub all: Pair,
    /// Around each result; `{name}`, `{id}` and `{index}` stand for the call's.
    pub each: Pair,
    pub separator: &'static str,
    /// The result's text is written as a JSON string.
    pub quoted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    User,
    Tool,
    System,
}

pub(crate) const RESPONSES: Results = Results {
    role: Role::User,
    all: NONE,
    each: pair("<tool_response>\n", "\n</tool_response>"),
    separator: "\n",
    quoted: false,
};
pub(crate) const PLAIN: Results = Results { role: Role::Tool, each: NONE, ..RESPONSES };
pub(crate) const LABELLED: Results =
    Results { each: pair("Result of {name} ({id}):\n", ""), separator: "\n\n", ..RESPONSES };

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
    wrappers: &[],
    header: &[],
    spellings: &[],
    after: After::Text,
    undeclared: Undeclared::Call,
    broken: Broken::Text,
    results: RESPONSES,
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
        !matches!(self.body, Body::None | Body::Pythonic(_) | Body::Literal(_) | Body::Nested(_))
    }

    /// Whether the text has ids of calls.
    pub fn has_ids(&self) -> bool {
        self.ids != Ids::None
    }

    /// The markers that text of the user's or of a tool must not contain as they are: they could be taken for a call.
    pub fn markers(&self) -> Vec<&'static str> {
        let mut markers = vec![self.section.open, self.section.close, self.call.open, self.call.close];
        markers.extend(self.also.iter().flat_map(|pair| [pair.open, pair.close]));
        markers.extend(self.reasoning.iter().flat_map(|pair| [pair.open, pair.close]));
        markers.extend(self.wrappers);
        markers.extend([self.results.all.open, self.results.all.close, self.results.each.close].map(str::trim));
        match &self.body {
            Body::Tagged(tagged) => markers.extend([tagged.open, tagged.close, tagged.key, tagged.value_close]),
            Body::Named(named) => markers.extend([named.separator.trim(), named.id]),
            Body::Literal(literal) => markers.push(literal.quote),
            Body::Nested(nested) => markers.push(nested.prefix),
            Body::Channels(channels) => {
                markers.extend([channels.start, channels.channel, channels.message]);
                markers.extend(channels.ends);
            }
            Body::Json(_) | Body::Pythonic(_) | Body::None => {}
        }
        markers.retain(|marker| !marker.is_empty());
        markers.sort_unstable();
        markers.dedup();
        markers
    }
}

#[cfg(test)]
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
