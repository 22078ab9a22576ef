//! The options of a conversion, as the API takes them.

use serde::Deserialize;

/// What to do with a call that has no result before the next turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MissingResults {
    Error,
    Synthesize,
    Drop,
}

/// What to do with a result that has no call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OrphanResults {
    Error,
    Drop,
    AsText,
}

/// What to do with a second result of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DuplicateResults {
    Error,
    Last,
}

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $first:ident $first_name:literal),+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
        pub enum $name { $($(#[$variant_doc])* #[serde(rename = $first_name)] $first),+ }
    };
}

choice! {
    /// Whether the first lossy warning is thrown instead.
    Lossy { #[default] Allow "allow", Error "error" }
}
choice! {
    /// How an error result is told where the target has no error flag.
    ErrorStyle { #[default] Json "json", Prefix "prefix" }
}
choice! {
    /// How a string result is read.
    JsonResults { #[default] Text "text", Parse "parse" }
}
choice! {
    /// The key under which Gemini gets results that are no plain object.
    GeminiResultKey { #[default] Output "output", Result "result" }
}
choice! {
    /// The field in which Gemini gets parameter schemas.
    GeminiSchema { #[default] JsonSchema "jsonSchema", OpenApi "openapi" }
}
choice! {
    /// The version of the Anthropic API whose rules a body obeys (WIRE §3.0).
    AnthropicVersion { V20230601 "2023-06-01", #[default] V20261021 "2026-10-21" }
}

impl AnthropicVersion {
    pub fn text(self) -> &'static str {
        match self {
            AnthropicVersion::V20230601 => "2023-06-01",
            AnthropicVersion::V20261021 => "2026-10-21",
        }
    }
}
choice! {
    /// The role of system messages on OpenAI that came without one.
    SystemRole { #[default] System "system", Developer "developer" }
}
choice! {
    /// Where system messages after the first turn go.
    MidSystem { #[default] Hoist "hoist", Inline "inline" }
}

/// Where the model is hosted, for body differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Platform {
    Vertex,
    Bedrock,
}

/// Options of a conversion; every one has a default.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Options {
    pub lossy: Lossy,
    pub missing_results: Option<MissingResults>,
    pub orphan_results: Option<OrphanResults>,
    pub duplicate_results: Option<DuplicateResults>,
    pub error_style: ErrorStyle,
    pub json_results: JsonResults,
    pub gemini_result_key: GeminiResultKey,
    pub gemini_schema: GeminiSchema,
    pub anthropic_version: Option<AnthropicVersion>,
    pub platform: Option<Platform>,
    pub system_role: SystemRole,
    pub mid_system: MidSystem,
    pub id_seed: Option<String>,
    pub max_depth: Option<usize>,
}

impl Options {
    /// Nesting that is still read; more than `MOST` would not be safe on every machine's stack.
    pub fn max_depth(&self) -> usize {
        const DEFAULT: usize = 128;
        const MOST: usize = 2000;
        self.max_depth.unwrap_or(DEFAULT).min(MOST)
    }
}
