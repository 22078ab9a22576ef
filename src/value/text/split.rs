//! Substring search in short texts. The standard search is optimized for long ones and costs kilobytes.

/// The text before and after the first `mark`.
pub fn split_around<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    let place = text.as_bytes().windows(mark.len().max(1)).position(|part| part == mark.as_bytes())?;
    let (before, rest) = text.split_at_checked(place)?;
    Some((before, rest.strip_prefix(mark)?))
}

#[cfg(test)]
mod tests {
    use super::split_around;

    #[test]
    fn the_first_separator_counts() {
        assert_eq!(split_around("a--b--c", "--"), Some(("a", "b--c")));
        assert_eq!(split_around("--", "--"), Some(("", "")));
        assert_eq!(split_around("é-", "-"), Some(("é", "")));
        assert_eq!(split_around("a-", "--"), None);
        assert_eq!(split_around("", "-"), None);
    }
}
