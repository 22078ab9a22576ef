//! Markup that is not part of the text.

use super::scan::Text;
use crate::text::formats::Pair;

/// The maximum length of such markup.
const HIDDEN: usize = 256;

pub(super) enum Hidden {
    More,
    /// Its length.
    Markup(usize),
    /// What follows is text.
    Text,
}

/// What the marker at the start of this text opens.
pub(super) fn hidden(text: Text, pair: &Pair) -> Hidden {
    let size = match text.text.find(pair.close) {
        Some(at) => at + pair.close.len(),
        None if !text.end && text.text.len() <= HIDDEN => return Hidden::More,
        None => return Hidden::Text,
    };
    let is_single = text.text.get(..size).is_some_and(|markup| markup.rfind('<') == Some(0));
    if size <= HIDDEN && is_single { Hidden::Markup(size) } else { Hidden::Text }
}
