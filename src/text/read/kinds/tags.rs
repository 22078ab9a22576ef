//! Tags: attributes, and what may be between two of them.

use std::borrow::Cow;

use crate::text::formats::{Flag, Format, Tagged};
use crate::text::read::scan::Text;

/// The value of the first attribute, quoted or bare.
pub(super) fn attribute(head: &str) -> &str {
    let head = head.trim();
    match head.chars().next() {
        Some(quote @ ('"' | '\'')) => head.get(1..).and_then(|rest| rest.split(quote).next()).unwrap_or_default(),
        // the opening quotation mark may be missing
        _ => head.split(|one: char| one.is_whitespace() || matches!(one, '"' | '\'')).next().unwrap_or_default(),
    }
}

/// The value of an attribute with this name.
pub(super) fn named<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = head.split_once(name)?;
    rest.strip_prefix('=').map(attribute)
}

/// The name that an attribute encodes. In formats with types of arguments, attributes are escaped.
pub(super) fn written<'a>(spelling: &Tagged, attribute: &'a str) -> Cow<'a, str> {
    match spelling.flag {
        Flag::Type | Flag::Raw => Cow::Owned(unescaped(attribute)),
        Flag::String | Flag::None => Cow::Borrowed(attribute),
    }
}

/// A name in an attribute.
pub(super) fn unescaped(name: &str) -> String {
    name.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// Skips whitespace, including whitespace written as two-character escapes.
pub(super) fn skip(text: Text, mut at: usize) -> usize {
    loop {
        let solid = text.solid(at);
        if text.from(solid).starts_with("\\n") {
            at = solid + 2;
        } else {
            return solid;
        }
    }
}

/// What can follow an argument: the next one, the end of its call or of all calls, or the next call.
pub(super) fn following(format: &Format, spelling: &Tagged) -> [&'static str; 6] {
    let [call, section] = [format.call.closer(), format.section.closer()];
    [spelling.key, spelling.close, call, section, format.call.opener(), spelling.open]
}
