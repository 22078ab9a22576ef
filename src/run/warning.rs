//! The warnings of a conversion.

use super::Dialect;
use serde::{Serialize, Serializer};

/// How much a warning matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The target gets less than the input says, or something different.
    Loss,
    /// The same in effect, or repaired.
    Change,
    /// What does not concern clients. Reported only if the options ask for it.
    Bookkeeping,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident $name:literal $level:ident),+ $(,)?) => {
        /// What was changed or left out: the closed list of `docs/format.md`.
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

            /// How much the warning matters.
            pub fn level(self) -> Level {
                match self { $(WarningCode::$variant => Level::$level),+ }
            }
        }
    };
}

// The table of `docs/format.md` is generated from this one: `npm run docs:codes`.
codes! {
    /// A key occurred twice in an object that was read; the last one counts.
    DuplicateKey "duplicate_key" Change,
    /// A lone surrogate became U+FFFD.
    LoneSurrogate "lone_surrogate" Loss,
    /// A number in arguments that a JavaScript number can't represent exactly (object path).
    InexactNumber "inexact_number" Loss,
    /// A key that the canonical format does not have.
    UnknownField "unknown_field" Loss,
    /// A field of the source provider, or one under its key in `metadata`, that the target has no place for.
    FieldDropped "field_dropped" Loss,
    /// Like `field_dropped`, for bookkeeping (`created`, `system_fingerprint`, …), for hints that do not change the response (`store`, `include`,
    /// `cache_control`, `prompt_cache_key`, `service_tier`, …) and for state that only its provider reads (signatures, encrypted reasoning).
    StateDropped "state_dropped" Bookkeeping,
    /// A setting of the request that the target, or its model, does not accept.
    SettingDropped "setting_dropped" Loss,
    /// A setting with a value that the target does not accept.
    SettingChanged "setting_changed" Loss,
    /// The target's API refuses the request for this model, while another one of the same provider accepts it; the message names that.
    ApiRefused "api_refused" Loss,
    /// A field that the target requires was absent, and what is sent for it has no effect of its own: the most tokens that the model can write, the
    /// documented signature for calls of other models, a role, a name of a schema.
    FieldSupplied "field_supplied" Bookkeeping,
    /// A user turn or a value that the target requires was absent.
    DefaultUsed "default_used" Change,
    /// Content beside calls and results, for a target that has no place for it (`universal`); what a model wrote after its calls, where its text
    /// format has no text there, and results that it made up (`toolwire/text`).
    ContentDropped "content_dropped" Loss,
    /// A tool, block or choice that only its own provider understands.
    NativeDropped "native_dropped" Loss,
    /// Reasoning of another issuer, or without the signature that its issuer requires.
    ReasoningDropped "reasoning_dropped" Change,
    /// Media that the target does not accept in that place.
    MediaDropped "media_dropped" Loss,
    /// Media of a tool result that were moved to a user message after the results.
    MediaMoved "media_moved" Change,
    /// Argument text that is not a JSON object, for a target that requires an object.
    ArgumentsWrapped "arguments_wrapped" Loss,
    /// Content and calls in an order that the target can't express.
    OrderChanged "order_changed" Loss,
    /// Results were moved: before other messages, into call order, or behind their call if they came after a later assistant message (unless
    /// `orphanResults` is set).
    ResultsMoved "results_moved" Change,
    /// A call had no result; an error result that states this was added.
    ResultSynthesized "result_synthesized" Loss,
    /// A call without a result was left out.
    CallDropped "call_dropped" Loss,
    /// An orphan or a duplicate result was left out.
    ResultDropped "result_dropped" Loss,
    /// A result without a call was converted to text. Results at the start of a piece are excepted: their calls are in an earlier piece.
    OrphanAsText "orphan_as_text" Loss,
    /// An id that the target does not accept; it was changed in the call and in its result.
    IdRewritten "id_rewritten" Bookkeeping,
    /// A tool name that the target does not accept: illegal characters become `_`, followed by a hash of the original name (`a.b` →
    /// `a_b_a5ZccZ`), so that messages, tools and tool choice that are converted on their own get the same name. The context
    /// restores it.
    NameRewritten "name_rewritten" Change,
    /// The target cannot control parallel calls.
    ParallelDropped "parallel_dropped" Loss,
    /// The target has no strict mode, or its strict mode does not accept the schema; or the server of
    /// [`enforce`](simulated-tools.md#enforced-responses) does not enforce the keyword.
    StrictDropped "strict_dropped" Loss,
    /// The name of a function in a namespace is sent together with that of the namespace, as the target has none. The context restores both.
    NamespaceFlattened "namespace_flattened" Bookkeeping,
    /// The grammar of a freeform tool was added to its description, for a target that has no grammars and does not enforce it.
    GrammarDescribed "grammar_described" Bookkeeping,
    /// A tool was declared again elsewhere: the last definition counts.
    ToolReplaced "tool_replaced" Change,
    /// Only the allowed tools were sent, as the target has no allow-list.
    ToolsFiltered "tools_filtered" Loss,
    /// A tool choice without tools, or one that names an unknown tool.
    ChoiceDropped "choice_dropped" Change,
    /// Choices of a response after the first.
    ChoicesDropped "choices_dropped" Loss,
    /// A system message that was not the first message, or one that was converted to user text (Gemma).
    SystemMoved "system_moved" Change,
    /// Empty or blank text, an empty message or array, or trailing white space of a response to continue, for a target that does not accept it; an
    /// empty text beside other content of the assistant.
    EmptyDropped "empty_dropped" Bookkeeping,
    /// A refusal, converted to text for a target that has no such block.
    RefusalAsText "refusal_as_text" Loss,
    /// A schema keyword that the target does not accept, or that has another meaning there.
    SchemaChanged "schema_changed" Change,
    /// A `toolCall` mark that names no call.
    DanglingMark "dangling_mark" Change,
    /// A finish reason that was changed: a response that failed, paused or ended otherwise, for a target that only has successful ends; an unknown
    /// reason that is mapped to a known one; `tool_calls` in a response without a call, which becomes `stop`.
    FinishChanged "finish_changed" Loss,
    /// `lenientStreams`: an opening event of a stream, or its end, was missing and was supplied.
    EventSupplied "event_supplied" Change,
    /// A stream that ended before its response was complete.
    StreamTruncated "stream_truncated" Loss,
}

/// One change or loss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    pub code: WarningCode,
    pub message: String,
    /// JSON Pointer into the input.
    pub path: String,
    /// The dialect that caused the change, usually the target.
    pub dialect: Dialect,
}

impl Warning {
    pub fn level(&self) -> Level {
        self.code.level()
    }

    /// Whether the target gets less information than the input has, or other information.
    pub fn lossy(&self) -> bool {
        self.level() == Level::Loss
    }
}
