//! Regular expressions in native builds.

/// A class of characters.
pub struct Regex {
    source: String,
    regex: regress::Regex,
}

/// Fails if the source is not a regular expression.
pub fn check(source: &str) -> Result<(), String> {
    compiled(source).map(|_| ())
}

fn compiled(source: &str) -> Result<regress::Regex, String> {
    regress::Regex::with_flags(source, "u").map_err(|error| error.text)
}

impl Regex {
    pub fn class(source: &str) -> Result<Self, &'static str> {
        let regex = compiled(source).map_err(|_| "uses an unknown property of characters")?;
        Ok(Self { source: source.to_owned(), regex })
    }

    pub fn is_class(&self, source: &str) -> bool {
        self.source == source
    }

    pub fn has(&self, letter: char) -> bool {
        self.regex.find(letter.encode_utf8(&mut [0; 4])).is_some()
    }
}
