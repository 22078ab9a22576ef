//! The options of a conversion, in the form that the API accepts.

use super::settings::{AtMost, Choice, choice, choice_or_default, required};
use super::{Names, Texts};
use crate::format::{Asks, Provider};
use crate::models::ModelFacts;
use crate::servers::ServerProfile;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident $text:literal),+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
        pub enum $name { $($(#[$variant_doc])* #[cfg_attr(target_arch = "wasm32", serde(rename = $text))] $variant),+ }

        impl Choice for $name {
            const WORDS: &'static [&'static str] = &[$($text),+];
            const ALL: &'static [$name] = &[$($name::$variant),+];
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                required(deserializer)
            }
        }
    };
}

choice! {
    /// What to do with a call that has no result before the next turn.
    MissingResults { Error "error", Synthesize "synthesize", Drop "drop" }
}
choice! {
    /// What to do with a result that has no call.
    OrphanResults { Error "error", Drop "drop", AsText "asText" }
}
choice! {
    /// What to do with a second result of one call.
    DuplicateResults { Error "error", Last "last" }
}
choice! {
    /// Whether the first lossy warning becomes an error.
    #[derive(Default)]
    Lossy { #[default] Allow "allow", Error "error" }
}
choice! {
    /// How to write an error result for a target without an error flag.
    #[derive(Default)]
    ErrorStyle { #[default] Json "json", Prefix "prefix" }
}
choice! {
    /// How to read a string result.
    #[derive(Default)]
    JsonResults { #[default] Text "text", Parse "parse" }
}
choice! {
    /// The key under which Gemini gets results that are not plain objects.
    #[derive(Default)]
    GeminiResultKey { #[default] Output "output", Result "result" }
}
choice! {
    /// The field in which Gemini gets parameter schemas.
    #[derive(Default)]
    GeminiSchema { #[default] JsonSchema "jsonSchema", OpenApi "openapi" }
}
choice! {
    /// The version of the Anthropic API that a body is for; send the same value in the header `anthropic-version`.
    #[derive(Default)]
    AnthropicVersion { V20230601 "2023-06-01", #[default] V20261021 "2026-10-21" }
}
choice! {
    /// What a schema is for (`toOpenAISchema`): the parameters of a tool, or the format of the response.
    #[derive(Default)]
    SchemaUse { #[default] Tool "tool", Format "format" }
}
choice! {
    /// The OpenAI role of system messages that have none.
    #[derive(Default)]
    SystemRole { #[default] System "system", Developer "developer" }
}
choice! {
    /// What to do with example arguments of tools for targets that have none.
    #[derive(Default)]
    InputExamples { #[default] Warn "warn", Describe "describe" }
}
choice! {
    /// Where system messages after the first turn go.
    #[derive(Default)]
    MidSystem { #[default] Hoist "hoist", Inline "inline" }
}
choice! {
    /// Whether the canonical format records how the provider wrote things.
    #[derive(Default)]
    Forms { #[default] Keep "keep", Omit "omit" }
}
choice! {
    /// Whether responses show reasoning of another issuer to the client.
    ReasoningShown { Show "show", Hide "hide" }
}
choice! {
    /// Whether requests to Anthropic get marks of what may be cached.
    #[derive(Default)]
    Cache { #[default] None "none", Auto "auto" }
}
choice! {
    /// What to do with a request that refers to what the target can't resolve.
    #[derive(Default)]
    StoredContext { #[default] Error "error", Drop "drop" }
}
choice! {
    /// Where the model is hosted, for differences in the body.
    Platform { Vertex "vertex", Bedrock "bedrock" }
}

impl AnthropicVersion {
    pub fn text(self) -> &'static str {
        match self {
            AnthropicVersion::V20230601 => "2023-06-01",
            AnthropicVersion::V20261021 => "2026-10-21",
        }
    }
}

/// What converting a response requires from its request (`contextOf`): small, deterministic, plain JSON. The maps lead from what was sent to the
/// target to what the client uses.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Context {
    #[serde(skip_serializing_if = "Texts::is_empty")]
    pub names: Texts,
    #[serde(skip_serializing_if = "Texts::is_empty")]
    pub ids: Texts,
    /// The namespaces of tools, by the names that were sent to the target.
    #[serde(skip_serializing_if = "Texts::is_empty")]
    pub namespaces: Texts,
    /// Names of freeform tools; for those in namespaces, the names that were sent to the target.
    #[serde(skip_serializing_if = "Names::is_empty")]
    pub freeform: Names,
    /// Whether a call of `tool_search` is one of the client's own tool search (OpenAI Responses).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub searches: bool,
    /// Whether the client asked for the usage of a streamed response (`stream_options.include_usage` of Chat Completions).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub usage: bool,
    /// Whether the client asked for the reasoning, in a format in which it can.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reasoning: bool,
    /// The provider whose signatures the response's reasoning has, if the target is a host of several providers' models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signer: Option<Provider>,
    /// What the client's format repeats of a request in its responses: a JSON object, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub echo: Option<String>,
    /// When the request came, in Unix seconds, if the caller adds it: a conversion has no clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<u32>,
}

/// How to convert. Every option has a default; unknown options are errors.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), serde(rename_all = "camelCase", default))]
pub struct Options {
    /// `"error"`: the first lossy warning becomes an error. Default `"allow"`.
    pub lossy: Lossy,
    /// A call without a result before the next turn. Default: `"synthesize"` for another dialect; for the same dialect, it is left as it is.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub missing_results: Option<MissingResults>,
    /// A result without a call. Default: `"asText"` for another dialect; for the same dialect, it is left as it is.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub orphan_results: Option<OrphanResults>,
    /// A second result of one call: `"error"`, or `"last"` to use the last one.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub duplicate_results: Option<DuplicateResults>,
    /// How to write an error result for a target without an error flag. `"json"` (default): `{"error": …}`. `"prefix"`: `Execution Error: …`.
    pub error_style: ErrorStyle,
    /// How to read a string result. `"text"` (default): as text. `"parse"`: JSON objects and arrays become data, and an object of exactly the form
    /// `{"error": string}` an error.
    pub json_results: JsonResults,
    /// The key of Gemini's results that are not plain objects, for reading and writing. Default `"output"`.
    pub gemini_result_key: GeminiResultKey,
    /// The field for schemas in Gemini requests: `parametersJsonSchema` (default), or `parameters`, which uses Gemini's own dialect of OpenAPI.
    pub gemini_schema: GeminiSchema,
    /// The version of the Anthropic API that a body is for; send the same value in the header `anthropic-version`. Default `"2026-10-21"`,
    /// which rejects `temperature`, `top_p` and `top_k`: they are dropped, with a warning. `"2023-06-01"` keeps them
    /// ([versioning](https://platform.claude.com/docs/en/api/versioning)).
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub anthropic_version: Option<AnthropicVersion>,
    /// Where the model is hosted, for differences in the body. Default: the provider's own API.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub platform: Option<Platform>,
    /// The server, if it is not the provider's own, for `openai`, `openai-responses` and `anthropic`: its name, or a profile (`docs/servers.md`). It is
    /// the one that gets a request, or that sent a response. Default: the provider's own.
    #[cfg_attr(target_arch = "wasm32", tsify(optional, type = "Server | ServerProfile"))]
    pub server: Option<ServerProfile>,
    /// The OpenAI role of system messages that have none. Default `"system"`.
    pub system_role: SystemRole,
    /// System messages after the first turn. `"hoist"` (default): moved to the front, with a warning. `"inline"`: left in place, if the target
    /// accepts that.
    pub mid_system: MidSystem,
    /// `"omit"` removes from canonical output what only records how the provider wrote it (`metadata.<provider>.form`), for callers
    /// that compare or store it. Default `"keep"`: a body converted back is the same.
    pub forms: Forms,
    /// The `inputExamples` of tools on targets other than Anthropic. `"warn"` (default): left out, with a warning; `"describe"`: added
    /// to the tool's description, as JSON.
    pub input_examples: InputExamples,
    /// Requests to `anthropic`: `"auto"` marks what may be cached if the request marks nothing: the tools, the system prompt and the last two turns of
    /// the user ([prompt caching](https://platform.claude.com/docs/en/build-with-claude/prompt-caching)). Default `"none"`.
    pub cache: Cache,
    /// Seed of generated ids if the input has no response id.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub id_seed: Option<String>,
    /// What converting a response requires from its request (see `contextOf`). Requests, messages, tools and tool choice use the names
    /// that it holds for renamed tools.
    #[cfg_attr(target_arch = "wasm32", tsify(optional, type = "ConversionContext"))]
    pub context: Option<Context>,
    /// The HTTP status that came with an error body (`convertError`).
    #[cfg_attr(target_arch = "wasm32", serde(skip))]
    pub status: Option<u16>,
    /// Whether a single schema is for strict mode (`toOpenAISchema`).
    #[cfg_attr(target_arch = "wasm32", serde(skip))]
    pub strict: bool,
    /// The purpose of a single schema (`toOpenAISchema`).
    #[cfg_attr(target_arch = "wasm32", serde(skip))]
    pub schema_use: SchemaUse,
    /// Requests: the model to use, instead of the one in the request. Required if the source format has the model in its path. Messages, tools and
    /// tool choice: the model that they are for, as some models accept less than others.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub model: Option<String>,
    /// Requests: overrides single facts about the model (see `modelFacts`), for a model that the table does not know or no longer knows rightly.
    #[cfg_attr(target_arch = "wasm32", tsify(optional, type = "ModelFacts"))]
    pub model_facts: Option<ModelFacts>,
    /// Requests: `max_tokens` where the target requires it and the request has none. Default: the model's `maxOutput`, at most 32,000 if the request
    /// streams and 21,333 otherwise (Anthropic's SDK refuses more without streaming); 4096 for unknown models.
    #[cfg_attr(target_arch = "wasm32", tsify(optional, type = "number"))]
    pub default_max_tokens: Option<usize>,
    /// Requests: whether to stream the response, instead of what the request states.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub stream: Option<bool>,
    /// Streams to `openai`: whether a final chunk without choices has the usage, as with `stream_options.include_usage`. Default: the value in the
    /// context, or `false`.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub include_usage: Option<bool>,
    /// Responses: whether the client is shown the reasoning text of another issuer. Default: with a `context`, if the client asked for it; clients of
    /// `openai`, which has no way to ask, always are. Without one, `"show"`.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub reasoning: Option<ReasoningShown>,
    /// Whether to report warnings of the level `bookkeeping`, too. Default false.
    pub bookkeeping: bool,
    /// Requests: what they refer to that is stored elsewhere (`previous_response_id`, `conversation`, `item_reference`, `cachedContent` …), if the target
    /// can't resolve it. `"error"` (default): the error `unsupported`, as the request has another meaning without it. `"drop"`: left out, with a
    /// warning. `store: true` alone refers to nothing.
    pub stored_context: StoredContext,
    /// Streams: whether to accept a stream without its opening events, for example of a mock or a proxy. They are supplied, with the warning
    /// `event_supplied`. Default false.
    pub lenient_streams: bool,
    /// Maximum nesting of JSON text. Default 128, at most 2000.
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub max_depth: Option<usize>,
    /// Maximum size of one event of a stream in bytes. Default 33554432 (32 MiB).
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub max_event_bytes: Option<usize>,
}

impl Options {
    /// Whether the client of a stream expects a chunk with the usage.
    pub fn includes_usage(&self) -> bool {
        self.include_usage.unwrap_or_else(|| self.context.as_ref().is_some_and(|context| context.usage))
    }

    /// Whether a client of a format is shown the reasoning of another issuer.
    pub fn shows_reasoning(&self, asks: Asks) -> bool {
        match self.reasoning {
            Some(shown) => shown == ReasoningShown::Show,
            None => asks == Asks::Never || self.context.as_ref().is_none_or(|context| context.reasoning),
        }
    }

    /// The maximum nesting of JSON text.
    pub fn max_depth(&self) -> usize {
        const DEFAULT: usize = 128;
        self.max_depth.unwrap_or(DEFAULT).min(DEEPEST)
    }

    /// The maximum size of one event of a stream.
    pub fn max_event_bytes(&self) -> usize {
        const DEFAULT: usize = 32 << 20;
        self.max_event_bytes.unwrap_or(DEFAULT)
    }
}

/// Deeper nesting could overflow the stack on some machines.
const DEEPEST: usize = 2000;

/// The names of all options, the field of each, and how its value is read.
macro_rules! read_options {
    ($($name:literal $field:ident $read:expr),+ $(,)?) => {
        impl Options {
            /// Sets an option to the next value of a map.
            pub fn read<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
                // exhaustive, so that no option can be forgotten
                let Options { $($field,)+ status: _, strict: _, schema_use: _ } = self;
                match name {
                    $($name => *$field = $read(map)?,)+
                    _ => return Err(de::Error::unknown_field(name, &[$($name),+])),
                }
                Ok(())
            }
        }
    };
}
read_options! {
    "lossy" lossy choice_or_default,
    "missingResults" missing_results choice,
    "orphanResults" orphan_results choice,
    "duplicateResults" duplicate_results choice,
    "errorStyle" error_style choice_or_default,
    "jsonResults" json_results choice_or_default,
    "geminiResultKey" gemini_result_key choice_or_default,
    "geminiSchema" gemini_schema choice_or_default,
    "anthropicVersion" anthropic_version choice,
    "platform" platform choice,
    "server" server A::next_value,
    "systemRole" system_role choice_or_default,
    "midSystem" mid_system choice_or_default,
    "forms" forms choice_or_default,
    "inputExamples" input_examples choice_or_default,
    "cache" cache choice_or_default,
    "idSeed" id_seed A::next_value,
    "context" context A::next_value,
    "model" model A::next_value,
    "modelFacts" model_facts A::next_value,
    "defaultMaxTokens" default_max_tokens A::next_value,
    "stream" stream A::next_value,
    "includeUsage" include_usage A::next_value,
    "reasoning" reasoning choice,
    "bookkeeping" bookkeeping boolean,
    "storedContext" stored_context choice_or_default,
    "lenientStreams" lenient_streams boolean,
    "maxDepth" max_depth |map: &mut A| map.next_value_seed(AtMost(DEEPEST)),
    "maxEventBytes" max_event_bytes A::next_value,
}

fn boolean<'de, A: MapAccess<'de>>(map: &mut A) -> Result<bool, A::Error> {
    Ok(map.next_value::<Option<bool>>()?.unwrap_or_default())
}

impl<'de> Deserialize<'de> for Options {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Options, D::Error> {
        deserializer.deserialize_map(OptionsVisitor)
    }
}

struct OptionsVisitor;

impl<'de> Visitor<'de> for OptionsVisitor {
    type Value = Options;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Options, A::Error> {
        let mut options = Options::default();
        while let Some(name) = map.next_key::<String>()? {
            options.read(&name, &mut map)?;
        }
        Ok(options)
    }
}
