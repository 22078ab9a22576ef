//! What a model accepts: the vocabulary of the table of models.

use super::words::{Set, Words, facts, words};
use super::{Model, date::Date};
use crate::format::Setting;
use serde::{Deserialize, Serialize};

words! {
    /// The reasoning effort, in ascending order.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
    Effort {
        None "none",
        Minimal "minimal",
        Low "low",
        Medium "medium",
        High "high",
        Xhigh "xhigh",
        Max "max",
    }
}
words! {
    /// How reasoning is asked for.
    Thinking {
        Effort "effort",
        Budget "budget",
        Adaptive "adaptive",
        AdaptiveOrBudget "adaptiveOrBudget",
        Level "level",
        None "none",
    }
}
words! {
    /// The field of `additionalModelRequestFields` that asks a model on Amazon Bedrock for an effort.
    EffortField { Reasoning "reasoning", ReasoningConfig "reasoningConfig" }
}
words! {
    /// How reasoning is turned off.
    Off {
        /// It can't be.
        No "false",
        None "none",
        Disabled "disabled",
        BetweenTools "betweenTools",
        ZeroBudget "zeroBudget",
    }
}
words! {
    /// Whether the model accepts a choice that requires a call.
    ForcedCalls {
        No "false",
        Yes "true",
        WithoutThinking "withoutThinking",
        /// A call of any tool, but not of a certain one.
        Any "any",
    }
}
words! {
    /// Whether the model's responses can be made to match a schema.
    StructuredOutput {
        No "false",
        Yes "true",
        WithoutTools "withoutTools",
        WithoutForcedCalls "withoutForcedCalls",
    }
}
words! {
    /// The API that calls of tools require, where the provider has several.
    ToolsApi { Any "any", Responses "responses", ResponsesIfReasoning "responsesIfReasoning" }
}
/// Settings are stated by their canonical keys.
impl Words for Setting {
    const ALL: &'static [Setting] = Setting::ALL;

    fn word(self) -> &'static str {
        self.key().text()
    }
}

#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen(typescript_custom_section)]
const SETTING_NAME: &str = r#"
/** The name of a setting of `ChatRequest`, for facts about it. */
export type SettingName = Exclude<keyof ChatRequest, "model" | "messages" | "tools" | "metadata" | "stream">;
"#;

pub type Efforts = Set<Effort>;
pub type SettingNames = Set<Setting>;

impl Efforts {
    pub const fn of(efforts: &[Effort]) -> Efforts {
        let (mut bits, mut rest) = (0, efforts);
        while let [effort, others @ ..] = rest {
            bits |= 1 << *effort as u32;
            rest = others;
        }
        Set::of_bits(bits)
    }

    /// The accepted effort that is nearest to another one. Of two that are equally near, the one nearer to "high". "none" is no effort here.
    pub fn nearest(self, effort: Effort) -> Option<Effort> {
        let far = |accepted: &Effort| {
            let distance = (*accepted as i32 - effort as i32).abs();
            (distance, (*accepted as i32 - Effort::High as i32).abs())
        };
        // "none" as the effort that is asked for: the lowest one
        self.words().filter(|accepted| *accepted != Effort::None).min_by_key(far)
    }
}

impl SettingNames {
    pub const fn of(settings: &[Setting]) -> SettingNames {
        let (mut bits, mut rest) = (0, settings);
        while let [setting, others @ ..] = rest {
            bits |= 1 << *setting as u32;
            rest = others;
        }
        Set::of_bits(bits)
    }
}

facts! {
    /// What a model accepts, as far as it is known. An absent fact means that no limit is known.
    ModelFacts NAMES;
    /// Efforts that may be sent, in order; `"none"` among them turns reasoning off. Empty: the model does not reason.
    "efforts" efforts: Efforts, "readonly Effort[]";
    /// The effort of a request that states none.
    "defaultEffort" default_effort: Effort, "Effort";
    /// How reasoning is asked for.
    "thinking" thinking: Thinking, "\"effort\" | \"budget\" | \"adaptive\" | \"adaptiveOrBudget\" | \"level\" | \"none\"";
    /// How reasoning is turned off; `false`: it can't be.
    "off" off: Off, "\"none\" | \"disabled\" | \"betweenTools\" | \"zeroBudget\" | false";
    /// The highest effort at which it may be turned off.
    "offUpTo" off_up_to: Effort, "Effort";
    /// The least and the greatest budget, in tokens.
    "budget" budget: (u32, u32), "readonly [number, number]";
    /// Settings that are refused always, unless they have their usual values.
    "refused" refused: SettingNames, "readonly SettingName[]";
    /// Settings that are refused while the model reasons.
    "refusedWithReasoning" refused_with_reasoning: SettingNames, "readonly SettingName[]";
    /// The lowest effort at which those settings are refused.
    "refusedFromEffort" refused_from_effort: Effort, "Effort";
    /// On Amazon Bedrock: the field of `additionalModelRequestFields` that has the effort.
    "effortField" effort_field: EffortField, "\"reasoning\" | \"reasoningConfig\"";
    /// Of `temperature` and `topP`, only one may be sent.
    "oneOfSampling" one_of_sampling: bool, "boolean";
    /// Whether the conversation may end with the beginning of the response.
    "prefill" prefill: bool, "boolean";
    /// Whether a call may be required; `"any"`: but not of a certain tool.
    "forcedCalls" forced_calls: ForcedCalls, "boolean | \"withoutThinking\" | \"any\"";
    /// Whether the model makes several calls in one turn.
    "parallelCalls" parallel_calls: bool, "boolean";
    /// Whether tools may be strict.
    "strictTools" strict_tools: bool, "boolean";
    /// Whether the response can be made to match a schema.
    "structuredOutput" structured_output: StructuredOutput, "boolean | \"withoutTools\" | \"withoutForcedCalls\"";
    /// Whether the provider's own tools may be combined with functions.
    "mixedTools" mixed_tools: bool, "boolean";
    /// Whether there is a system prompt.
    "systemPrompt" system_prompt: bool, "boolean";
    /// Whether system messages may follow the first turn.
    "midSystem" mid_system: bool, "boolean";
    /// Whether results of tools may contain media.
    "mediaInResults" media_in_results: bool, "boolean";
    /// In tokens.
    "contextWindow" context_window: u32, "number";
    /// The greatest `maxTokens`.
    "maxOutput" max_output: u32, "number";
    /// The API that calls of tools require.
    "toolsApi" tools_api: ToolsApi, "\"any\" | \"responses\" | \"responsesIfReasoning\"";
    /// Whether calls must come back with the signature that they came with.
    "thoughtSignatures" thought_signatures: bool, "boolean";
    /// Whether calls have ids.
    "callIds" call_ids: bool, "boolean";
    /// Whether what may be cached can be marked.
    "cacheMarks" cache_marks: bool, "boolean";
    /// Whether tools can be marked so, where other content can.
    "cacheMarksInTools" cache_marks_in_tools: bool, "boolean";
    /// The ISO date on which the model is retired.
    "retires" retires: Date, "string";
    /// Takes all other facts from this model: for deployments and profiles with names of their own.
    "like" like: Model, "string";
}
