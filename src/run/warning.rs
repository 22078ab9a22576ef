//! What a conversion tells beside its result.

use super::Dialect;
use serde::{Serialize, Serializer};

macro_rules! codes {
    ($($variant:ident $name:literal $lossy:literal),+ $(,)?) => {
        /// What was changed or left out: the closed list of `docs/format.md`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
        pub enum WarningCode { $(#[cfg_attr(target_arch = "wasm32", serde(rename = $name))] $variant),+ }

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
    DuplicateKey "duplicate_key" false,
    LoneSurrogate "lone_surrogate" true,
    InexactNumber "inexact_number" true,
    UnknownField "unknown_field" true,
    FieldDropped "field_dropped" true,
    StateDropped "state_dropped" false,
    SettingDropped "setting_dropped" true,
    SettingChanged "setting_changed" true,
    DefaultUsed "default_used" false,
    ContentDropped "content_dropped" true,
    NativeDropped "native_dropped" true,
    ReasoningDropped "reasoning_dropped" true,
    MediaDropped "media_dropped" true,
    MediaMoved "media_moved" false,
    ArgumentsWrapped "arguments_wrapped" true,
    OrderChanged "order_changed" true,
    ResultsMoved "results_moved" false,
    ResultSynthesized "result_synthesized" true,
    CallDropped "call_dropped" true,
    ResultDropped "result_dropped" true,
    OrphanAsText "orphan_as_text" true,
    IdRewritten "id_rewritten" false,
    NameRewritten "name_rewritten" false,
    ParallelDropped "parallel_dropped" true,
    StrictDropped "strict_dropped" true,
    ToolsFiltered "tools_filtered" true,
    ChoiceDropped "choice_dropped" false,
    ChoicesDropped "choices_dropped" true,
    SystemMoved "system_moved" true,
    EmptyDropped "empty_dropped" false,
    RefusalAsText "refusal_as_text" true,
    SchemaChanged "schema_changed" true,
    DanglingMark "dangling_mark" false,
    FinishChanged "finish_changed" true,
    EventSupplied "event_supplied" false,
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
