//! The settings of requests (`docs/adding-a-dialect.md`). The canonical field, its types and its words follow from a row here; what a format calls a
//! setting and accepts of it is a row of [`super::Format::settings`]. What has no row there is missing: it is dropped, with a warning.

use crate::value::{Kind, Word};

/// Passes the table of settings to another macro: the fields of a request in the order of the canonical format, without messages and tools, and the
/// parts of `reasoning`. Each row: the setting, its key in the canonical format, its field in Rust and the type of that, the type in TypeScript, its
/// shape; and the value, if any, that means the same as none.
#[macro_export]
macro_rules! settings {
    ($callback:ident) => {
        $callback! {
            request {
                /// The provider's name of the model.
                (Model, Word::model, model: String as "string", Shape::Own)
                /// Default: the provider's, which is `"auto"` if there are tools.
                (ToolChoice, Word::toolChoice, tool_choice: ToolChoice as "ToolChoice", Shape::Own)
                /// Whether the model may make several calls in one turn. Default: the provider's, which is true.
                (ParallelToolCalls, Word::parallelToolCalls, parallel_tool_calls: bool as "boolean", Shape::Own)
                /// Maximum number of tokens of the response, including reasoning. Anthropic requires it: without a value, a default is sent, with a warning (`defaultMaxTokens`).
                (MaxTokens, Word::maxTokens, max_tokens: Number as "number", Shape::Integer)
                /// Randomness, from 0 to 2 (Anthropic: 1).
                (Temperature, Word::temperature, temperature: Number as "number", Shape::Number, 1.0)
                /// Nucleus sampling: only the likeliest tokens, up to this total probability, from 0 to 1.
                (TopP, Word::topP, top_p: Number as "number", Shape::Number, 1.0)
                /// Only this many of the likeliest tokens are considered.
                (TopK, Word::topK, top_k: Number as "number", Shape::Integer)
                /// From -2 to 2.
                (PresencePenalty, Word::presencePenalty, presence_penalty: Number as "number", Shape::Number, 0.0)
                /// From -2 to 2.
                (FrequencyPenalty, Word::frequencyPenalty, frequency_penalty: Number as "number", Shape::Number, 0.0)
                /// Texts at which the response ends.
                (Stop, Word::stop, stop: Vec<String> as "string[]", Shape::Own)
                /// Makes responses reproducible, as far as the provider supports it.
                (Seed, Word::seed, seed: Number as "number", Shape::Integer)
                /// Number of alternative responses. Those beyond the first are in the `metadata` of the response.
                (CandidateCount, Word::candidateCount, candidate_count: Number as "number", Shape::Integer, 1.0)
                /// Number of tokens per position whose log probabilities are returned.
                (TopLogprobs, Word::topLogprobs, top_logprobs: Number as "number", Shape::Integer, 0.0)
                (Reasoning, Word::reasoning, reasoning: ReasoningSettings as "ReasoningSettings", Shape::Own)
                (Verbosity, Word::verbosity, verbosity: Verbosity as "Verbosity", Shape::OneOf(&[Word::low, Word::medium, Word::high]))
                (ResponseFormat, Word::responseFormat, response_format: ResponseFormat as "ResponseFormat", Shape::Own)
                /// Whether the response is streamed.
                (Stream, Word::stream, stream: bool as "boolean", Shape::Boolean)
                /// An identifier of the end user, for the provider's abuse detection.
                (UserId, Word::userId, user_id: String as "string", Shape::String)
            }
            reasoning {
                (Effort, Word::effort, effort: Effort as "Effort", Shape::Own)
                /// Maximum number of reasoning tokens.
                (BudgetTokens, Word::budgetTokens, budget_tokens: Number as "number", Shape::Own)
                /// Whether the response includes the reasoning.
                (IncludeReasoning, Word::include, include: bool as "boolean", Shape::Own)
            }
        }
    };
}

/// What the value of a setting is.
#[derive(Clone, Copy)]
pub enum Shape {
    String,
    OneOf(&'static [Word]),
    Boolean,
    Number,
    Integer,
    /// The model has a field for it, and code of its own reads and writes it.
    Own,
}

impl Shape {
    /// In the canonical format, which takes any value.
    const fn values(self) -> Values {
        match self {
            Shape::Own => Values::Own,
            Shape::String | Shape::OneOf(_) | Shape::Boolean | Shape::Number | Shape::Integer => Values::Any,
        }
    }

    /// The type of a single value.
    pub fn kind(self) -> Option<Kind> {
        match self {
            Shape::String | Shape::OneOf(_) => Some(Kind::String),
            Shape::Boolean => Some(Kind::Boolean),
            Shape::Number | Shape::Integer => Some(Kind::Number),
            Shape::Own => None,
        }
    }
}

/// The values that a format accepts. It rejects the whole request for any other (Q219).
#[derive(Clone, Copy)]
pub enum Values {
    Any,
    /// Identifiers of at most so many characters. Longer ones are replaced by a hash, which is the same each time.
    Hashed(usize),
    /// Numbers from the least to the greatest. Others are replaced by the nearest one.
    Clamped(f64, f64),
    /// The same, but others are left out: no other value has nearly the same meaning.
    Only(f64, f64),
    /// At most so many texts (0: any number), which are not empty or, if so stated, not even blank (Q97i).
    Texts {
        most: usize,
        blank: bool,
    },
    /// Not the setting itself, but a flag that is true if there is the setting.
    Flag,
    /// The dialect has code of its own for them.
    Own,
}

/// A setting in a format: the keys that lead to it from the top of the request, and what it may be. A setting that requires several keys has a row for
/// each. No keys: it is not in the body.
pub type Row = (Setting, &'static [Word], Values);

macro_rules! define {
    (request { $($(#[$doc:meta])* ($variant:ident, $key:expr, $field:ident: $type:ty as $typescript:literal, $shape:expr $(, $default:literal)?))+ }
     reasoning { $($(#[$inner_doc:meta])* ($inner:ident, $inner_key:expr, $inner_field:ident: $inner_type:ty as $inner_typescript:literal, $inner_shape:expr))+ }) => {
        /// A setting of a request, or a part of `reasoning`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Setting { $($variant,)+ $($inner),+ }

        impl Setting {
            /// The settings of a request, in the order of the canonical format.
            pub const ALL: &'static [Setting] = &[$(Setting::$variant),+];
            /// The parts of [`Setting::Reasoning`].
            pub const REASONING: &'static [Setting] = &[$(Setting::$inner),+];
            /// The rows of the canonical format.
            pub const CANONICAL: &'static [Row] = &[$((Setting::$variant, &[$key], $shape.values())),+];
            /// How many there are.
            pub const COUNT: usize = Setting::ALL.len() + Setting::REASONING.len();

            /// The canonical key.
            pub const fn key(self) -> Word {
                match self { $(Setting::$variant => $key,)+ $(Setting::$inner => $inner_key),+ }
            }

            pub const fn shape(self) -> Shape {
                match self { $(Setting::$variant => $shape,)+ $(Setting::$inner => $inner_shape),+ }
            }

            /// The word that means the same as none, if any.
            pub fn usual_word(self) -> Option<Word> {
                (self == Setting::Verbosity).then_some(Word::medium)
            }

            /// The number that means the same as none, if any.
            pub fn default(self) -> Option<f64> {
                match self { $($(Setting::$variant => Some($default),)?)+ _ => None }
            }
        }
    };
}
settings!(define);
