//! What the headers of messages state, by the words and markers of a format.

use super::scan::{Match, compare_any};
use crate::text::formats::Channels;
use crate::text::formats::words::{HEADER_WORDS, TOKEN};

/// The beginning and the end of every marker.
pub(super) const MARK: &str = TOKEN.open;
pub(super) const MARK_END: &str = TOKEN.close;
/// The maximum length of the words between two markers of a header.
pub(super) const WORDS: usize = 128;

impl Channels {
    /// Whether a text is the beginning of a marker of the format.
    pub(super) fn begins_marker(&self, text: &str) -> bool {
        let Channels { start, channel, message, constrain, ends, .. } = *self;
        let markers = [start, channel, message, constrain].into_iter();
        markers.chain(ends.iter().copied()).any(|marker| marker.starts_with(text))
    }

    /// The recipient that a header names.
    pub(super) fn recipient<'a>(&self, header: &'a str) -> Option<&'a str> {
        let (_, rest) = header.rsplit_once(self.recipient)?;
        let cut = rest.find(|one: char| one.is_whitespace() || one == '<').unwrap_or(rest.len());
        rest.get(..cut)
    }

    /// Whether the message is the result of a tool.
    pub(super) fn is_result(&self, header: &str) -> bool {
        let Channels { recipient: to, role: model, namespace, .. } = *self;
        let role = header.trim_start().split([' ', '<']).next().unwrap_or_default();
        let is_of_tool =
            self.recipient(header) == Some(model) && !role.is_empty() && role != model && !role.starts_with(to);
        is_of_tool || (role.starts_with(namespace) && !namespace.is_empty())
    }

    /// Whether all words are those of a header. The last one may be incomplete.
    pub(super) fn is_header(&self, words: &str, is_over: bool) -> bool {
        let Channels { reasoning, text, answer, namespace, recipient, .. } = *self;
        let is_last = |word: &str| !is_over && words.ends_with(word);
        let fits = |word: &str| {
            let known = HEADER_WORDS.into_iter().chain([reasoning, text, answer]);
            word.starts_with(recipient)
                || (!namespace.is_empty() && word.starts_with(namespace))
                || known
                    .chain([recipient, namespace])
                    .any(|known| word == known || (is_last(word) && known.starts_with(word)))
        };
        words.len() <= 2 * WORDS && words.split_whitespace().all(fits)
    }

    /// Whether a header follows the marker that starts a message: any words before another marker of headers, or known ones.
    pub(super) fn is_before_header(&self, after: &str, end: bool) -> Match {
        let line = after.get(..after.floor_char_boundary(WORDS)).and_then(|words| words.split('\n').next());
        let words = line.and_then(|line| line.split('<').next()).unwrap_or_default();
        let rest = after.get(words.len()..).unwrap_or_default();
        let is_over = rest.starts_with(MARK);
        let is_known = || (is_over || MARK.starts_with(rest)) && self.is_header(words, is_over);
        let markers = [self.channel, self.message, self.constrain];
        let markers: Vec<_> = markers.into_iter().filter(|marker| !marker.is_empty()).collect();
        match compare_any(rest, &markers, end).0 {
            Match::No if self.recipient(words).is_some() || is_known() => Match::Yes,
            found => found,
        }
    }
}
