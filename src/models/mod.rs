//! What models accept, as data: one file for each provider, in which each row cites its source (`docs/models.md`).
//!
//! A name is stripped to the family first ([`name`]). Then the row with its version and variant is taken; for an unknown version or variant, the newest
//! row of the family. A name of no family has no facts: no limits are known.

mod amazon;
mod anthropic;
mod bedrock;
pub mod date;
mod deepseek;
pub mod facts;
mod google;
mod meta;
mod mistral;
mod moonshot;
pub mod name;
mod openai;
mod qwen;
pub mod words;
mod xai;
mod zai;

use std::cell::Cell;

use crate::format::Provider;
pub use facts::{Effort, ModelFacts};
use name::{Name, Parts, Spelling};
use serde::ser::{Serialize, Serializer};
use words::{Fact, Given};

/// The models of one provider whose names are written alike.
pub struct Family {
    pub name: &'static str,
    /// The provider whose formats the models' own API has.
    pub provider: Provider,
    /// What is different on a host, for all rows.
    pub on: &'static [(Host, ModelFacts)],
    pub spelling: Spelling,
    /// The newest first.
    pub rows: &'static [Row],
}

/// Models with the same facts.
pub struct Row {
    /// The words of the name besides the version, for each variant; `-` for none, `*` for any.
    pub variants: &'static str,
    /// The first and the last version; 0 for names without one.
    pub versions: (u32, u32),
    pub facts: &'static ModelFacts,
    /// What is different on a host.
    pub on: &'static [(Host, ModelFacts)],
}

/// A host of another provider's models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    Vertex,
    Bedrock,
}

const FAMILIES: &[&[Family]] = &[
    openai::FAMILIES,
    anthropic::FAMILIES,
    google::FAMILIES,
    mistral::FAMILIES,
    deepseek::FAMILIES,
    xai::FAMILIES,
    moonshot::FAMILIES,
    zai::FAMILIES,
    qwen::FAMILIES,
    amazon::FAMILIES,
    meta::FAMILIES,
    // last, as it must look at every name
    openai::UNLIKE,
];

/// A row for all versions of one number.
const fn row(variants: &'static str, version: u32, facts: &'static ModelFacts) -> Row {
    rows(variants, (version, version), facts)
}

const fn rows(variants: &'static str, versions: (u32, u32), facts: &'static ModelFacts) -> Row {
    Row { variants, versions, facts, on: &[] }
}

impl Row {
    const fn on(self, on: &'static [(Host, ModelFacts)]) -> Row {
        Row { on, ..self }
    }

    fn has(&self, variant: &str) -> bool {
        let variant = if variant.is_empty() { "-" } else { variant };
        self.variants == "*" || self.variants.split(' ').any(|known| known == variant)
    }

    fn has_version(&self, version: u32) -> bool {
        (self.versions.0..=self.versions.1).contains(&version)
    }
}

/// A model that was found by its name.
#[derive(Clone, Copy)]
pub struct Model {
    family: &'static Family,
    row: &'static Row,
    /// False if the newest row of the family stands in.
    pub known: bool,
}

/// The maximum length of a name that is kept, in bytes.
const KEPT_NAME: usize = 64;

/// A name, and the model that it names.
#[derive(Clone, Copy)]
struct Lookup {
    name: [u8; KEPT_NAME],
    length: usize,
    model: Option<Model>,
}

thread_local! {
    /// The last one: a program mostly asks the same model again.
    static LAST: Cell<Option<Lookup>> = const { Cell::new(None) };
}

impl Model {
    pub fn named(name: &str) -> Option<Model> {
        if let Some(last) = LAST.get()
            && last.name.get(..last.length) == Some(name.as_bytes())
        {
            return last.model;
        }
        let model = Model::look_up(name);
        if name.len() <= KEPT_NAME {
            let mut last = Lookup { name: [0; KEPT_NAME], length: name.len(), model };
            last.name.iter_mut().zip(name.bytes()).for_each(|(kept, byte)| *kept = byte);
            LAST.set(Some(last));
        }
        model
    }

    fn look_up(name: &str) -> Option<Model> {
        let lower = name.trim().to_ascii_lowercase();
        let name = Name::of(&lower)?;
        let find = |family: &'static Family| family.find(&name.parts(&family.spelling)?);
        FAMILIES.iter().find_map(|families| families.iter().find_map(find))
    }

    pub fn family(&self) -> &'static str {
        self.family.name
    }

    /// The provider whose formats the model's own API has.
    pub fn provider(&self) -> Provider {
        self.family.provider
    }

    pub fn facts(&self, host: Option<Host>) -> ModelFacts {
        let on = |all: &[(Host, ModelFacts)]| {
            all.iter().find(|(known, _)| Some(*known) == host).map_or(ModelFacts::NONE, |(_, facts)| *facts)
        };
        on(self.row.on).over(on(self.family.on)).over(*self.row.facts)
    }
}

/// Words behind the version that name no model: other kinds of models, and what people call their deployments.
const NO_VARIANTS: &[&str] = &[
    "oss",
    "realtime",
    "image",
    "audio",
    "tts",
    "transcribe",
    "live",
    "embedding",
    "prod",
    "production",
    "dev",
    "test",
    "testing",
    "staging",
    "stage",
    "qa",
    "eval",
    "eu",
    "us",
    "uk",
    "asia",
    "global",
    "default",
    "backup",
    "deployment",
    "deploy",
    "internal",
    "custom",
    "finetuned",
    "team",
    "main",
    "shared",
    "instance",
    "proxy",
    "router",
];

impl Family {
    fn find(&'static self, parts: &Parts) -> Option<Model> {
        let Parts { version, variant, is_latest, version_first } = parts;
        let model = |row, known| Model { family: self, row, known };
        let named = |row: &&Row| row.has(variant);
        let version = version.unwrap_or_default();
        if let Some(row) = self.rows.iter().filter(|row| row.has_version(version)).find(named) {
            return Some(model(row, true));
        }
        if version != 0 && !self.spelling.is_open {
            return None;
        }
        let newest = self.rows.iter().filter(|row| row.versions.1 > 0).find(named);
        if version == 0 {
            return newest.map(|row| model(row, *is_latest));
        }
        let is_word = variant.len() > 2 && variant.bytes().all(|letter| letter.is_ascii_lowercase());
        let is_plausible =
            newest.is_some() || variant.is_empty() || is_word && !NO_VARIANTS.contains(&variant.as_str());
        if self.spelling.version_first && !version_first || !is_plausible {
            return None;
        }
        let plain = self.rows.iter().find(|row| row.has_version(version) && row.has(""));
        let newest = newest.filter(|_| !variant.is_empty()).or(self.rows.first());
        plain.or(newest).map(|row| model(row, false))
    }
}

/// The facts of a model, whether they are its own, and the family that it belongs to.
pub struct Found {
    pub facts: ModelFacts,
    pub known: bool,
    pub family: &'static str,
}

/// The facts of the model with this name. None for a name of no known family.
pub fn find(name: &str, host: Option<Host>) -> Option<Found> {
    Model::named(name).map(|model| Found { facts: model.facts(host), known: model.known, family: model.family() })
}

impl Found {
    /// The facts as JSON.
    pub fn to_json(&self) -> String {
        ["{", self.members().get(1..).unwrap_or_default(), "}"].concat()
    }

    fn members(&self) -> String {
        let mut text = [r#","family":""#, self.family, r#"","known":"#].concat();
        self.known.put(&mut text);
        self.facts.put(&mut text);
        text
    }
}

impl Serialize for Found {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        words::serialize_members(&self.members(), serializer)
    }
}

impl PartialEq for Model {
    fn eq(&self, other: &Model) -> bool {
        std::ptr::eq(self.row, other.row)
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}-{:?}", self.family.name, self.row.versions)
    }
}

/// `like`: stated by name. No row has it.
impl Fact for Model {
    fn put(self, text: &mut String) {
        words::put_word(self.family.name, text);
    }

    fn of(given: &Given) -> Result<Model, String> {
        let named = if let Given::Text(name) = given { Model::named(name) } else { None };
        named.ok_or_else(|| "no model of this name is known".to_owned())
    }
}
