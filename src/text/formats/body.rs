//! How calls are encoded between their markers.

use super::{Format, Pair};

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
    /// Around the calls of a message, if they are the items of one array. Reading accepts single objects and arrays in either case.
    pub list: Pair,
    /// The field of the name; empty if the name is the key and the arguments are its value.
    pub name: &'static str,
    pub arguments: &'static str,
    /// The field of the id; empty if there is none.
    pub id: &'static str,
    /// The id stands before the name, not after the arguments.
    pub id_first: bool,
    /// A call may stand in text without any marker, at the start of the text or of a line.
    pub bare: bool,
    /// Reading accepts no other shape than the written one: an array, or single objects.
    pub exact: bool,
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
    /// A second attribute: the id of the call, or its name if `open` ends with that of the id; empty if there is none.
    pub second: &'static str,
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
    /// `type="raw"` or `type="json"`.
    Raw,
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
    /// Written around every value.
    pub quotes_all: bool,
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
    /// Written before the end of a header with a recipient.
    pub content_type: &'static str,
    /// What ends a message, and a call; as written, and when reading any of them.
    pub ends: &'static [&'static str],
    /// Written between two messages, after the end of the first.
    pub next: &'static str,
    /// The channel (or recipient) of reasoning, of text for the user, and of text that ends the turn.
    pub reasoning: &'static str,
    pub text: &'static str,
    pub answer: &'static str,
    /// Before the name of a tool that is a recipient.
    pub namespace: &'static str,
    /// The format of calls in a message; `None` if it is the arguments as a JSON object.
    pub inner: Option<&'static Format>,
}
