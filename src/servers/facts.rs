//! What a server accepts otherwise than the API of the format's own provider: the vocabulary of the table of servers.

use crate::models::facts::Efforts;
use crate::models::words::{Set, facts, words};
use crate::value::Word;

words! {
    /// The field for the token limit.
    TokenLimit { Completion "max_completion_tokens", Usual "max_tokens" }
}
words! {
    /// How reasoning is asked for in Chat Completions.
    Asked {
        /// `reasoning_effort`.
        Effort "effort",
        /// `reasoning: {effort | max_tokens, enabled, exclude}`.
        Object "object",
        /// `reasoning: {enabled}`, and `reasoning_effort` where there are efforts.
        Enabled "enabled",
        /// `thinking: {type: "enabled" | "disabled"}`, and `reasoning_effort` where there are efforts.
        Thinking "thinking",
        /// The same with `"adaptive"` for `"enabled"`.
        Adaptive "adaptive",
        /// `enable_thinking` and `thinking_budget`, and `reasoning_effort` where there are efforts.
        Switch "switch",
        /// `chat_template_kwargs: {enable_thinking}`, and `reasoning_effort` where there are efforts.
        Template "template",
        /// Not at all.
        Never "never",
    }
}
words! {
    /// The field of assistant messages in which reasoning is returned and goes back.
    ReasoningField { Content "reasoning_content", Short "reasoning" }
}
words! {
    /// Which assistant messages of the conversation have their reasoning again.
    Replayed {
        /// None.
        Never "never",
        /// Those that came with it.
        Given "given",
        /// All of them; an empty text where there was none.
        Always "always",
    }
}
words! {
    /// The forms of `tool_choice` beside `"auto"`.
    ChoiceForm { None "none", Required "required", Named "named", Allowed "allowed" }
}
words! {
    /// Fields of requests that a server may refuse.
    Field {
        FrequencyPenalty "frequency_penalty",
        LogitBias "logit_bias",
        Logprobs "logprobs",
        Metadata "metadata",
        Modalities "modalities",
        N "n",
        ParallelToolCalls "parallel_tool_calls",
        Prediction "prediction",
        PresencePenalty "presence_penalty",
        PromptCacheKey "prompt_cache_key",
        PromptCacheRetention "prompt_cache_retention",
        SafetyIdentifier "safety_identifier",
        Seed "seed",
        ServiceTier "service_tier",
        Stop "stop",
        Store "store",
        StreamOptions "stream_options",
        TopLogprobs "top_logprobs",
        User "user",
        Verbosity "verbosity",
        WebSearchOptions "web_search_options",
    }
}

impl Field {
    /// The key in requests.
    pub fn key(self) -> Word {
        use crate::models::words::Words;
        Word::of(self.word().as_bytes())
    }
}

pub type ChoiceForms = Set<ChoiceForm>;
pub type Fields = Set<Field>;

impl Fields {
    pub const fn of(fields: &[Field]) -> Fields {
        let (mut bits, mut rest) = (0, fields);
        while let [field, others @ ..] = rest {
            bits |= 1 << *field as u32;
            rest = others;
        }
        Set::of_bits(bits)
    }
}

impl ChoiceForms {
    pub const fn of(forms: &[ChoiceForm]) -> ChoiceForms {
        let (mut bits, mut rest) = (0, forms);
        while let [form, others @ ..] = rest {
            bits |= 1 << *form as u32;
            rest = others;
        }
        Set::of_bits(bits)
    }
}

facts! {
    /// What a server accepts, requires and returns. An absent fact means: as the API of the format's own provider.
    ServerFacts NAMES;
    /// The field for `maxTokens` in Chat Completions.
    "tokenLimit" token_limit: TokenLimit, "\"max_completion_tokens\" | \"max_tokens\"";
    /// Whether there is a role `developer`. Without it, such messages have the role `system`.
    "developerRole" developer_role: bool, "boolean";
    /// Whether tools and response schemas may be strict.
    "strict" strict: bool, "boolean";
    /// Whether a response can be made to match a schema. Without it, the response is asked for as JSON.
    "jsonSchema" json_schema: bool, "boolean";
    /// How reasoning is asked for.
    "reasoning" reasoning: Asked, "\"effort\" | \"object\" | \"enabled\" | \"thinking\" | \"adaptive\" | \"switch\" | \"template\" | \"never\"";
    /// The efforts that may be sent. Empty: none, reasoning is on or off.
    "efforts" efforts: Efforts, "readonly Effort[]";
    /// The field in which reasoning is returned and goes back.
    "reasoningField" reasoning_field: ReasoningField, "\"reasoning_content\" | \"reasoning\"";
    /// Whether the items of reasoning in Responses state that they are complete.
    "reasoningStatus" reasoning_status: bool, "boolean";
    /// Which assistant messages of the conversation have their reasoning again.
    "replay" replay: Replayed, "\"never\" | \"given\" | \"always\"";
    /// Whether contents that are texts only must be one string.
    "textAsString" text_as_string: bool, "boolean";
    /// Whether there are freeform (custom) tools. Without them, they are functions with an `input`.
    "freeformTools" freeform_tools: bool, "boolean";
    /// The forms of `tool_choice` beside `"auto"`.
    "toolChoices" tool_choices: ChoiceForms, "readonly (\"none\" | \"required\" | \"named\" | \"allowed\")[]";
    /// Fields of requests that are refused.
    "refused" refused: Fields, "readonly string[]";
    /// Whether there is `top_k`.
    "topK" top_k: bool, "boolean";
    /// Whether Anthropic's `cache_control` may be in contents and tools.
    "cacheMarks" cache_marks: bool, "boolean";
    /// Whether the arguments of calls are streamed only on request (`tool_stream`).
    "toolStream" tool_stream: bool, "boolean";
}
