//! What the engine asks of each kind of body.

use crate::text::Tool;
use crate::text::formats::{Channels, Format, Json, NONE};
use crate::text::read::call::{Call, CallBody, Found, Opening, Progress};
use crate::text::read::out::Out;
use crate::text::read::scan::{Match, Text};

/// What the engine must know of a kind of body. The defaults are those of most kinds.
#[derive(Clone, Copy, Default)]
pub(in crate::text::read) struct Facts {
    /// The markers that begin a block by themselves.
    pub openers: [&'static str; 2],
    /// The tags around a call, and at the end of an argument, in formats that write one per argument.
    pub open: &'static str,
    /// The second attribute of that tag, if it has the name, instead of the first one.
    pub name: &'static str,
    pub close: &'static str,
    pub value_close: &'static str,
    /// The tags that begin an argument and its value.
    pub parts: [&'static str; 2],
    /// Markers between the end of a body and the closing marker of its call.
    pub after: [&'static str; 2],
    /// Whether other texts look the same, so that only the name of a declared tool makes a text a call.
    pub is_common: bool,
    /// Whether the arguments are JSON in the text.
    pub is_json: bool,
    /// Whether a call is a JSON object with name and arguments.
    pub is_object: bool,
    /// Whether an object without a marker is a call.
    pub takes_objects: bool,
    /// Whether the calls of a message are written as one array.
    pub has_list: bool,
    /// Whether a body follows the marker around all calls even if calls have their own.
    pub is_sectioned: bool,
    /// The markers that separate a name from its arguments.
    pub heads: [&'static str; 3],
    /// Whether the name precedes the arguments, which are a JSON object.
    pub has_head: bool,
    /// Whether nothing separates the name from the marker of its call.
    pub has_bare_name: bool,
    /// Whether a call is a line with its name and an object after it, without a marker.
    pub has_lines: bool,
    /// Whether a call may lack its name.
    pub is_optional: bool,
    /// Whether a call without its marker can only begin the text.
    pub begins_text: bool,
    /// Whether a name before a parenthesis is that of a call.
    pub is_python: bool,
    /// Whether only the notation of the format itself is read between its markers.
    pub is_exact: bool,
}

/// Where the body of a call may start.
#[derive(Clone, Copy)]
pub(in crate::text::read) struct Spot {
    /// Whether the call is the first one of its block.
    pub is_first: bool,
    /// Whether the markers around all calls were read, if the format has any, tools are declared, or the tags of another format begin the text.
    /// Else the text may only quote a call.
    pub is_certain: bool,
    pub in_list: bool,
    /// Whether no marker was read before it.
    pub is_bare: bool,
}

/// What a bracket is that may open a list of calls.
pub(in crate::text::read) enum Bracket {
    List,
    Call,
    Unknown,
    /// None of these: the text decides.
    Other,
}

/// A call that is one JSON object, if the format states nothing else.
pub(in crate::text::read) const PLAIN: Json =
    Json { list: NONE, name: "name", arguments: "arguments", id: "id", id_first: false, bare: false, exact: false };

/// A part of a text that can't be read as a whole, and the call that it is, if it is one.
pub(in crate::text::read) type Piece<'a> = (&'a str, Option<Found>);

/// A kind of body.
pub(in crate::text::read) trait Kind: Sync {
    fn facts(&'static self) -> Facts {
        Facts::default()
    }

    /// Reads a call that starts here.
    fn start(&'static self, _call: &mut Call) -> Box<dyn CallBody> {
        Box::new(NoCalls)
    }

    /// The keys of a call that is a JSON object.
    fn spelling(&'static self, _opening: Opening) -> &'static Json {
        &PLAIN
    }

    /// The marker that begins the body of a call at this place.
    fn opener(&'static self, _spot: Spot) -> &'static str {
        ""
    }

    /// Whether a body starts at this text, which is neither a bracket nor a marker.
    fn starts(&'static self, _rest: &str, _spot: Spot) -> bool {
        false
    }

    /// What an opening square bracket at this position is. `seen` is the position up to which whitespace after it was skipped.
    fn bracket(&'static self, _format: &Format, _text: Text, _at: usize, _seen: &mut usize, _spot: Spot) -> Bracket {
        Bracket::List
    }

    /// Whether a text begins with a call of a declared tool, without the markers around calls that are objects.
    fn begins(&'static self, _format: &'static Format, _text: &str, _tools: &[Tool]) -> bool {
        false
    }

    /// The calls of a text that deviates slightly from the notation.
    fn salvage(&'static self, _body: &str, _tools: &[Tool]) -> Option<Vec<Found>> {
        None
    }

    /// The calls of a text that can't be read as a whole. `is_closed` is whether its end was not cut off.
    fn split<'a>(&'static self, _body: &'a str, _is_closed: bool, _tools: &'a [Tool]) -> Vec<Piece<'a>> {
        Vec::new()
    }

    /// The messages, if calls are messages of their own.
    fn messages(&'static self) -> Option<&'static Channels> {
        None
    }

    /// Whether a text can have this format, which its markers may suggest.
    fn may_be(&'static self, _text: &str, _prefill: &str) -> bool {
        true
    }

    /// Whether a message starts with a call without its marker.
    fn begins_message(&'static self, _format: &'static Format, _start: &str, _prefill: &str) -> bool {
        false
    }

    /// The part of a prompt that belongs to the message, if the prompt begins a call.
    fn continued<'a>(&'static self, _format: &Format, _prefill: &'a str) -> Option<&'a str> {
        None
    }
}

/// The kind of formats without calls, and the body of those whose calls are messages.
pub(super) struct NoCalls;

impl Kind for NoCalls {}

impl CallBody for NoCalls {
    fn step(&mut self, _: &mut Call, _: Text, _: &[Tool], _: &mut Out) -> Progress {
        Progress::Broken
    }
}

/// Whether a text begins with a name and this bracket, and may be incomplete.
pub(in crate::text::read) fn is_call(text: &str, bracket: char) -> bool {
    crate::text::read::scan::begins_call(text, &['_', '.', '-'], bracket, true) == Match::Yes
}
