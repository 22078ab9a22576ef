//! Regular expressions in native builds.

pub struct Regex(regress::Regex);

impl Regex {
    pub fn new(source: &str) -> Result<Self, String> {
        regress::Regex::with_flags(source, "u").map(Self).map_err(|error| error.text)
    }

    pub fn matches(&self, text: &str) -> bool {
        self.0.find(text).is_some()
    }
}
