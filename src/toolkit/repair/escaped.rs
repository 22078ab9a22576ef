//! JSON that was escaped as a whole, like the content of a string.

/// Removes one level of escapes if the text looks escaped: a bracket followed by a backslash or, if a container is
/// expected, a string that contains escaped JSON.
pub fn unescaped(text: &str, wants_container: bool) -> Option<String> {
    if wants_container && let Ok(inner) = crate::json::from_str::<String>(text) {
        return inner.trim_start().starts_with(['{', '[']).then_some(inner);
    }
    if text.starts_with("\\\"") {
        return Some(unescape(text));
    }
    let inside = text.strip_prefix(['{', '['])?.trim_start();
    // `\"`, or an escaped line break or tab. The latter must come before any unescaped text.
    let starts = ["\\\"", "\\n", "\\t", "\\r"].iter().any(|escape| inside.starts_with(escape));
    starts.then(|| unescape(text))
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('n') => plain.push('\n'),
                Some('t') => plain.push('\t'),
                Some('r') => plain.push('\r'),
                Some(escaped @ ('"' | '\\' | '/' | '\'')) => plain.push(escaped),
                Some(other) => plain.extend(['\\', other]),
                None => {}
            },
            letter => plain.push(letter),
        }
    }
    plain
}
