//! What a conversion tells beside its result.

use super::Dialect;
use serde::{Serialize, Serializer};

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident $name:literal $lossy:literal),+ $(,)?) => {
        /// What was changed or left out. The table in `docs/format.md` is made of this one (`npm run docs:codes`).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
        pub enum WarningCode { $($(#[$doc])* #[cfg_attr(target_arch = "wasm32", serde(rename = $name))] $variant),+ }

        impl Serialize for WarningCode {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl WarningCode {
            pub const ALL: &'static [WarningCode] = &[$(WarningCode::$variant),+];

            pub fn name(self) -> &'static str {
                match self { $(WarningCode::$variant => $name),+ }
            }

            /// Whether the target is told less, or something else, than the input says.
            pub fn lossy(self) -> bool {
                match self { $(WarningCode::$variant => $lossy),+ }
            }
        }
    };
}

codes! {
    /// A key stood twice in an object that was read; the last one counts.
    DuplicateKey "duplicate_key" false,
    /// Half of a surrogate pair became U+FFFD.
    LoneSurrogate "lone_surrogate" true,
    /// A number in arguments that a JavaScript number can't hold exactly (object path).
    InexactNumber "inexact_number" true,
    /// A key that the canonical format does not have.
    UnknownField "unknown_field" true,
    /// A field of the source provider, or one under `metadata` of it, that the target has no place for.
    FieldDropped "field_dropped" true,
    /// The same for mere bookkeeping (`created`, `system_fingerprint`, …), for hints that do not change the response (`store`,
    /// `include`, `cache_control`, `prompt_cache_key`, `service_tier`, …) and for state that nobody but its provider reads
    /// (signatures, encrypted reasoning).
    StateDropped "state_dropped" false,
    /// A setting of the request that the target, or its model, does not take.
    SettingDropped "setting_dropped" true,
    /// A setting whose value the target does not take.
    SettingChanged "setting_changed" true,
    /// A field, a turn of the user, or a word of an error, that the target demands was absent.
    DefaultUsed "default_used" false,
    /// What was said beside calls and results, where the target holds nothing else (`universal`).
    ContentDropped "content_dropped" true,
    /// A tool, block or choice that only its own provider knows.
    NativeDropped "native_dropped" true,
    /// Reasoning of another issuer, or without the signature that its issuer demands.
    ReasoningDropped "reasoning_dropped" true,
    /// Media that the target does not take there.
    MediaDropped "media_dropped" true,
    /// Media of a tool result that the user says after the results.
    MediaMoved "media_moved" false,
    /// Argument text that is no JSON object, where the target demands an object.
    ArgumentsWrapped "arguments_wrapped" true,
    /// Content and calls whose order the target can't express.
    OrderChanged "order_changed" true,
    /// Results put before other messages, in call order, or behind their call where they came after a later message of the
    /// assistant (unless `orphanResults` is set).
    ResultsMoved "results_moved" false,
    /// A call had no result; one that says so was made.
    ResultSynthesized "result_synthesized" true,
    /// A call without a result, left out.
    CallDropped "call_dropped" true,
    /// An orphan or a duplicate result, left out.
    ResultDropped "result_dropped" true,
    /// A result without a call, told as text (but for results that a piece begins with: their calls stand in what the caller has).
    OrphanAsText "orphan_as_text" true,
    /// An id that the target does not take; call and result changed together.
    IdRewritten "id_rewritten" false,
    /// A tool name that the target does not accept: illegal characters become `_`, followed by a hash of the original name (`a.b` →
    /// `a_b_a5ZccZ`), so that messages, tools and tool choice that are converted on their own get the same name. The context
    /// restores it.
    NameRewritten "name_rewritten" false,
    /// No control over parallel calls on the target.
    ParallelDropped "parallel_dropped" true,
    /// No strict mode on the target, or one that can't take the schema.
    StrictDropped "strict_dropped" true,
    /// Only the allowed tools were sent, as the target has no allow-list.
    ToolsFiltered "tools_filtered" true,
    /// A tool choice without tools, or one that names what is none of them.
    ChoiceDropped "choice_dropped" false,
    /// Answers beyond the first.
    ChoicesDropped "choices_dropped" true,
    /// A system message that was not first, or that the user must say (Gemma).
    SystemMoved "system_moved" true,
    /// Text that is empty or blank, an empty message or array, white space at the end of an answer to continue: where the target
    /// takes none; an empty text beside what else the assistant says.
    EmptyDropped "empty_dropped" false,
    /// A refusal where the target has no such block.
    RefusalAsText "refusal_as_text" true,
    /// A schema keyword that the target does not take, or that says something else there.
    SchemaChanged "schema_changed" true,
    /// A `toolCall` mark that names no call.
    DanglingMark "dangling_mark" false,
    /// An answer that failed, paused or ended otherwise, where the target knows good ends only; a reason that nobody knows, where
    /// it becomes another one; `tool_calls` in a response without a call, which becomes `stop`.
    FinishChanged "finish_changed" true,
    /// `lenientStreams`: an opening event of a stream was missing and is supplied.
    EventSupplied "event_supplied" false,
    /// A stream that ended before its answer did.
    StreamTruncated "stream_truncated" true,
}

/// One thing that was changed or left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    pub code: WarningCode,
    pub message: String,
    /// JSON Pointer into the input.
    pub path: String,
    /// The dialect that could not take it.
    pub dialect: Dialect,
}

impl Warning {
    pub fn lossy(&self) -> bool {
        self.code.lossy()
    }
}
