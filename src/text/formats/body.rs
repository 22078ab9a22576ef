//! The encodings of a call between its markers.

use super::{Format, Pair};

/// The encoding of a call between its markers.
#[derive(Debug)]
pub enum Body {
    /// A JSON object with name and arguments, or an array of such objects.
    Json(Json),
    /// The tool name, followed by the arguments as a JSON object.
    Named(Named),
    /// One tag per argument.
    Tagged(Tagged),
    /// `name(key=value)`, in Python syntax.
    Pythonic(Pythonic),
    /// `call:name{key:value}`. Strings are enclosed in a special marker.
    Literal(Literal),
    /// One element per argument, named after the argument. Objects and arrays are nested elements.
    Nested(Nested),
    /// Messages with a header: role, recipient and channel.
    Channels(Channels),
    /// The format has no calls.
    None,
}

#[derive(Debug)]
pub struct Json {
    /// The brackets, if the calls of a message are written as one array. Reading always accepts single objects and arrays.
    pub list: Pair,
    /// The key of the name. Empty if the name is itself the key, with the arguments as its value.
    pub name: &'static str,
    pub arguments: &'static str,
    /// The key of the id. Empty if calls have no id.
    pub id: &'static str,
    /// Whether the id comes before the name instead of after the arguments.
    pub id_first: bool,
    /// Whether a call without markers is accepted at the start of the text or of a line.
    pub bare: bool,
    /// Whether reading accepts only the layout that is written: an array, or single objects.
    pub exact: bool,
}

#[derive(Debug)]
pub struct Named {
    /// Text between the call's opening marker and the name.
    pub before: &'static str,
    /// Text between the name (or the id) and the arguments.
    pub separator: &'static str,
    /// Text between the arguments and the call's closing marker.
    pub after: &'static str,
    /// The layout of another version of the model, which reading accepts too: `before`, `separator` and `after`.
    pub sibling: [&'static str; 3],
    /// Text between the name and the id, in either order. Empty if calls have no id.
    pub id: &'static str,
    pub id_first: bool,
    /// Whether the name is written as `functions.NAME:INDEX`, which is also the id.
    pub indexed: bool,
    /// Whether a call may lack its name, or its arguments at the end of the text.
    pub optional: bool,
    /// Whether reading accepts JSON objects with name and arguments, also without a marker, and calls of which only the closing marker is
    /// there.
    pub bare: bool,
    /// Whether a call is a line with the name and JSON after it, without a marker: the prompt has the one that begins its turn. The
    /// separator of calls begins the next turn.
    pub lines: bool,
}

#[derive(Debug)]
pub struct Tagged {
    /// Text before the name. Empty if the name directly follows the call's marker.
    pub open: &'static str,
    /// Text after the name.
    pub name_end: &'static str,
    pub close: &'static str,
    pub key: &'static str,
    pub key_end: &'static str,
    /// Text between `key_end` and the value, if the value has its own tag.
    pub value: &'static str,
    pub value_close: &'static str,
    /// Whether the name and the keys are quoted attributes.
    pub quoted: bool,
    /// A second attribute: the call id, or the tool name if `open` ends with the id attribute. Empty if there is none.
    pub second: &'static str,
    /// Padding on both sides of a value. Reading removes it once per side.
    pub pad: &'static str,
    /// Text after each tag.
    pub newline: &'static str,
    /// The attribute that states the type of a value.
    pub flag: Flag,
    /// Whether values may be written as `<![CDATA[…]]>`.
    pub cdata: bool,
    /// Around the type of a value, which may be between its key and the value. Empty if the format has no such tag.
    pub kind: Pair,
    /// Around arguments that are written as one JSON object instead. Empty if the format has no such form.
    pub object: Pair,
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
    /// Whether calls are written as `[…]` with commas, instead of one per line.
    pub list: bool,
    /// Whether a list without markers is accepted.
    pub bare: bool,
}

#[derive(Debug)]
pub struct Literal {
    /// What precedes the name.
    pub open: &'static str,
    /// The delimiter of strings.
    pub quote: &'static str,
    /// Whether every value is enclosed in `quote`.
    pub quotes_all: bool,
}

#[derive(Debug)]
pub struct Nested {
    /// The prefix of every tag.
    pub prefix: &'static str,
    /// The beginning of the tag of a call, with the prefix.
    pub open: &'static str,
    /// The tag that ends a call, with the prefix.
    pub close: &'static str,
    /// The tag of array items.
    pub item: &'static str,
}

#[derive(Debug)]
pub struct Channels {
    pub start: &'static str,
    pub channel: &'static str,
    pub message: &'static str,
    /// The marker of the content type, which follows it. Empty if headers have none.
    pub constrain: &'static str,
    /// The end markers: of messages, then of calls. Reading accepts any of them.
    pub ends: &'static [&'static str],
    /// Text between two messages, after the end of the first.
    pub next: &'static str,
    /// A message with a call, text between two of them, and text after the last one. `%n` is the name, `%a` the arguments or the calls in the
    /// inner format.
    pub call: &'static str,
    pub between: &'static str,
    pub close: &'static str,
    /// The channel (or recipient) of reasoning, of text for the user, and of text that ends the turn.
    pub reasoning: &'static str,
    pub text: &'static str,
    pub answer: &'static str,
    /// What precedes the recipient, and the role of the model.
    pub recipient: &'static str,
    pub role: &'static str,
    /// The prefix of a tool name in the recipient.
    pub namespace: &'static str,
    /// The format of calls in a message, or of the whole message if its header has the name of the call. `None` if the message contains the
    /// arguments as a JSON object.
    pub inner: Option<&'static Format>,
}

impl Channels {
    /// The tags of the inner format, if it is that of the whole message.
    pub fn message_tags(&self) -> Option<&'static Tagged> {
        match &self.inner?.body {
            Body::Tagged(tags) if tags.open.ends_with(self.recipient) => Some(tags),
            _ => None,
        }
    }
}
