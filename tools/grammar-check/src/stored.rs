//! Files next to the tool: the verdicts of engines that are not crates, and the verdicts that are known to be wrong.

use crate::cases::Case;
use crate::engines::Verdict;
use serde_json::{Map, Value, json};
use siphasher::sip::SipHasher13;
use std::hash::Hasher;

const VERDICTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/verdicts.json");
const EXCEPTIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/exceptions.json");

fn read(file: &str) -> Value {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// By syntax and case: a digest of the grammar and the texts, and the verdicts on the texts.
pub struct Stored(Map<String, Value>);

impl Stored {
    pub fn read() -> Self {
        Self(read(VERDICTS).as_object().expect("an object of syntaxes").clone())
    }

    pub fn verdict(&self, case: &Case) -> Result<Verdict, String> {
        let entry = self.0.get(case.syntax).and_then(|cases| cases[case.id.to_string()].as_str());
        let Some((digest, verdicts)) = entry.and_then(|entry| entry.split_once(' ')) else {
            return Err("no verdicts are stored".to_owned());
        };
        if digest != digest_of(case) {
            return Err("the stored verdicts are on another grammar or other texts".to_owned());
        }
        Ok(match verdicts {
            "refused" => Verdict::Refused("by the engine whose verdicts are stored".to_owned()),
            texts => Verdict::Texts(texts.chars().map(|verdict| verdict == '1').collect()),
        })
    }

    pub fn clear(&mut self, syntax: &str) {
        self.0.insert(syntax.to_owned(), json!({}));
    }

    pub fn keep(&mut self, case: &Case, verdict: &Verdict) {
        let verdicts = match verdict {
            Verdict::Refused(_) => "refused".to_owned(),
            Verdict::Texts(all) => all.iter().map(|verdict| if *verdict { '1' } else { '0' }).collect(),
        };
        self.0[case.syntax][case.id.to_string()] = json!(format!("{} {verdicts}", digest_of(case)));
    }

    pub fn write(&self) {
        let text = serde_json::to_string_pretty(&self.0).expect("JSON");
        std::fs::write(VERDICTS, text + "\n").unwrap_or_else(|error| panic!("{VERDICTS}: {error}"));
    }
}

fn digest_of(case: &Case) -> String {
    let mut hasher = SipHasher13::new();
    hasher.write(json!([case.grammar, case.accepted, case.rejected]).to_string().as_bytes());
    format!("{:016x}", hasher.finish())
}

/// Wrong verdicts with their reasons.
pub struct Exceptions(Value);

impl Exceptions {
    pub fn read() -> Self {
        Self(read(EXCEPTIONS))
    }

    /// The number of verdicts on a case that are known to be wrong, or `"refused"`.
    pub fn of(&self, case: &Case) -> Value {
        let all = self.0.as_array().expect("an array of exceptions").iter();
        let mut of_case = all
            .filter(|exception| exception["syntax"] == case.syntax && exception["format"] == case.format)
            .filter_map(|exception| exception["wrong"].get(case.id.to_string()));
        of_case.next().cloned().unwrap_or(json!(0))
    }
}
