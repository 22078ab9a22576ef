//! Names of models: what hosts add to them, and the version and the variant that they state.

/// A name without what its host added to it.
pub struct Name<'n> {
    text: &'n str,
}

/// The vendors that Amazon Bedrock states before the names of models, behind a region or a profile.
const VENDORS: &[&str] = &[
    "amazon",
    "anthropic",
    "openai",
    "deepseek",
    "meta",
    "mistral",
    "moonshot",
    "moonshotai",
    "zai",
    "qwen",
    "xai",
    "google",
];

/// What routers append to a name after a colon. Another text after a colon belongs to the name: fine-tunes, tags of Ollama.
const ROUTED: &[&str] = &["free", "nitro", "floor", "online", "extended", "thinking", "beta", "exacto"];

impl<'n> Name<'n> {
    /// Of a name in lower case. None for one that no provider gives to its own models: a fine-tune, or a tag of a local model.
    pub fn of(lower: &'n str) -> Option<Name<'n>> {
        // publishers, routers, regions and ARNs: `models/…`, `openrouter/anthropic/…`, `arn:…:foundation-model/…`
        let text = lower.rsplit_once('/').map_or(lower, |(_, name)| name);
        if text.starts_with("ft:") {
            return None;
        }
        // Vertex AI's dates, and the context window that Claude Code appends
        let end = text.bytes().position(|byte| matches!(byte, b'@' | b'[')).unwrap_or(text.len());
        let text = text.get(..end).unwrap_or_default();
        let text = match text.split_once(':') {
            None => text,
            Some((text, rest)) if is_number(rest) => without_revision(text),
            Some((text, rest)) if ROUTED.contains(&rest) => text,
            Some(_) => return None,
        };
        let text = behind_vendor(text).map_or(text, without_revision);
        Some(Name { text })
    }

    /// The version, the variant and the rest of a name of a family; none if the name does not begin like those of the family.
    pub fn parts(&self, spelling: &Spelling) -> Option<Parts> {
        // not `strip_prefix`: most names differ in the first byte, and a call of `memcmp` takes longer
        let begins_alike = spelling.prefix.bytes().zip(self.text.bytes()).all(|(own, given)| own == given);
        let rest = self.text.get(spelling.prefix.len()..).filter(|_| begins_alike)?;
        let words: Vec<&str> = rest.split('-').collect();
        let mut parts = Parts::default();
        let mut rest = words.as_slice();
        while let Some(word) = rest.first() {
            rest = rest.get(parts.take(word, rest, spelling)..).unwrap_or_default();
        }
        Some(parts)
    }
}

/// The name behind that of its vendor, if it states one: `claude-…` of `us.anthropic.claude-…`.
fn behind_vendor(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some((word, behind)) = rest.split_once('.') {
        if VENDORS.contains(&word) {
            return Some(behind);
        }
        rest = behind;
    }
    None
}

/// A name without the revision that Amazon Bedrock appends: `-v1`.
fn without_revision(text: &str) -> &str {
    match text.rsplit_once("-v") {
        Some((name, revision)) if is_number(revision) => name,
        _ => text,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|letter| letter.is_ascii_digit())
}

/// How the names of a family are written.
pub struct Spelling {
    pub prefix: &'static str,
    /// Whether the minor version may be a word of its own: `4-6` for 4.6.
    pub minor_apart: bool,
    /// Whether versions are decimal numbers: 4.20 comes before 4.3.
    pub is_decimal: bool,
    /// Whether a number of four digits is a version (the month of a release), not a date.
    pub has_months: bool,
    /// Whether the version comes before the variant.
    pub version_first: bool,
    /// Whether versions and variants that no row knows belong to the family.
    pub is_open: bool,
    /// Words that do not distinguish models.
    pub ignored: &'static [&'static str],
}

impl Spelling {
    /// The version, then the variant: `gpt-5.6-sol`.
    pub const fn of(prefix: &'static str) -> Spelling {
        Spelling {
            prefix,
            minor_apart: false,
            is_decimal: false,
            has_months: false,
            version_first: true,
            is_open: true,
            ignored: &["preview"],
        }
    }
}

/// What a name states.
#[derive(Debug, Default, PartialEq)]
pub struct Parts {
    /// Major and minor version, as one number: 506 for 5.6.
    pub version: Option<u32>,
    /// The other words, joined by hyphens.
    pub variant: String,
    /// Whether the name is for whatever model is the newest.
    pub is_latest: bool,
    /// Whether the version comes before the variant.
    pub version_first: bool,
}

impl Parts {
    /// Takes the first of the remaining words, and others that belong to it; returns how many.
    fn take(&mut self, word: &str, rest: &[&str], spelling: &Spelling) -> usize {
        if self.version.is_none()
            && let Some((major, minor, kind)) = version(word, spelling)
        {
            self.version_first = self.variant.is_empty();
            if !kind.is_empty() {
                self.add(kind);
            }
            let apart = rest.get(1).filter(|next| spelling.minor_apart && minor.is_none() && next.len() <= 2);
            let apart = apart.filter(|next| is_number(next)).and_then(|next| next.parse().ok());
            self.version = Some(major * 100 + minor.or(apart).unwrap_or(0));
            return if apart.is_some() { 2 } else { 1 };
        }
        if let Some(count) = date(rest) {
            return count;
        }
        match word {
            "latest" => self.is_latest = true,
            _ if spelling.ignored.contains(&word) => {}
            _ => self.add(word),
        }
        1
    }

    fn add(&mut self, word: &str) {
        if !self.variant.is_empty() {
            self.variant.push('-');
        }
        self.variant.push_str(word);
    }
}

/// The version that a word states, and the letters directly behind it: `5.6`, `v4`, `4o`.
fn version<'w>(word: &'w str, spelling: &Spelling) -> Option<(u32, Option<u32>, &'w str)> {
    let word = word.strip_prefix('v').unwrap_or(word);
    let end = word.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(word.len());
    let (number, kind) = word.split_at_checked(end).filter(|(_, kind)| kind.len() <= 1)?;
    let (major, minor) = number.split_once('.').map_or((number, None), |(major, minor)| (major, Some(minor)));
    if !is_number(major) || major.len() > 2 && !(spelling.has_months && major.len() == 4) {
        return None;
    }
    let minor = match minor {
        Some(minor) if !is_number(minor) || minor.len() > 2 => return None,
        Some(minor) if spelling.is_decimal && minor.len() == 1 => minor.parse().ok().map(|tenths: u32| tenths * 10),
        Some(minor) => minor.parse().ok(),
        None => None,
    };
    Some((major.parse().ok()?, minor, kind))
}

/// How many words make up the date, or the number of a revision, at the start: `20250805`, `2025-08-07`, `09-2025`, `05-06`, `0613`, `001`.
fn date(words: &[&str]) -> Option<usize> {
    let mut lengths = [0; 3];
    for (length, word) in lengths.iter_mut().zip(words).filter(|(_, word)| is_number(word)) {
        *length = word.len();
    }
    match lengths {
        [4, 2, 2] => Some(3),
        [2, 2 | 4, ..] => Some(2),
        [3 | 4 | 6 | 8, ..] => Some(1),
        _ => None,
    }
}
