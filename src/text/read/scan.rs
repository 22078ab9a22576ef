//! Scanning in pieces: every byte is looked at once.

/// Finds the end of a JSON value by its brackets and quotes. Whether it is valid is for its reader to say.
#[derive(Debug, Default)]
pub(super) struct JsonScan {
    depth: usize,
    string: bool,
    escaped: bool,
    begun: bool,
}

impl JsonScan {
    /// Looks at `bytes` from `at` on: where the value ends, or how far it was looked at.
    pub fn run(&mut self, bytes: &[u8], at: &mut usize) -> Option<usize> {
        while let Some(&byte) = bytes.get(*at) {
            *at += 1;
            if self.string {
                if self.escaped {
                    self.escaped = false;
                } else if byte == b'\\' {
                    self.escaped = true;
                } else if byte == b'"' {
                    self.string = false;
                    if self.depth == 0 {
                        return Some(*at);
                    }
                }
                continue;
            }
            match byte {
                b'"' => self.string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' | b',' if self.depth == 0 => return Some(*at - 1),
                b'}' | b']' => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Some(*at);
                    }
                }
                b' ' | b'\n' | b'\r' | b'\t' if self.depth == 0 && self.begun => return Some(*at - 1),
                _ => {}
            }
            self.begun = true;
        }
        None
    }
}

/// What the rest of a text is, compared with a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    Yes,
    No,
    /// The text ends within the marker.
    Maybe,
}

pub(super) fn compare(rest: &str, marker: &str, end: bool) -> Match {
    if rest.starts_with(marker) {
        Match::Yes
    } else if !end && rest.len() < marker.len() && marker.starts_with(rest) {
        Match::Maybe
    } else {
        Match::No
    }
}

/// The first of the markers in the text, and where it is. All of them begin with the same byte.
pub(super) fn first_of<'a>(text: &str, markers: impl Iterator<Item = &'a str> + Clone) -> Option<(usize, &'a str)> {
    let first = markers.clone().find_map(|marker| marker.bytes().next())?;
    let mut places = text.bytes().enumerate().filter(|(_, byte)| *byte == first);
    let at = |at: usize| {
        let rest = text.get(at..).unwrap_or_default();
        markers.clone().find(|marker| rest.starts_with(marker)).map(|marker| (at, marker))
    };
    places.find_map(|(place, _)| at(place))
}

/// How much of the end of `text` could be the beginning of `marker`.
pub(super) fn overlap(text: &str, marker: &str) -> usize {
    let longest = marker.len().saturating_sub(1).min(text.len());
    (1..=longest)
        .rev()
        .find(|&size| text.as_bytes().get(text.len() - size..) == marker.as_bytes().get(..size))
        .unwrap_or(0)
}

pub(super) fn space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// Sorts few items, those of equal length in the order that they have. The standard library's sort takes 6 kB of wasm.
pub fn longest_first<T>(items: &mut [T], length: impl Fn(&T) -> usize) {
    for end in 1..items.len() {
        let mut at = end;
        while at > 0 && items.get(at - 1).map(&length) < items.get(at).map(&length) {
            items.swap(at - 1, at);
            at -= 1;
        }
    }
}
