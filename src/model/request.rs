//! A request: messages, tools, choice and settings.

use super::{Message, Metadata, Native};
use crate::run::{At, Provider, Run};
use crate::value::{Kind, Value, Word};

#[derive(Clone, Debug)]
pub struct Request {
    pub at: At,
    pub messages: Vec<Message>,
    pub tools: Option<Vec<Tool>>,
    pub choice: Option<(ToolChoice, At)>,
    pub parallel: Option<(bool, At)>,
    pub settings: Settings,
    pub metadata: Metadata,
}

impl Request {
    #[inline(never)]
    pub fn new(at: At) -> Request {
        Request {
            at,
            messages: Vec::new(),
            tools: None,
            choice: None,
            parallel: None,
            settings: Settings::default(),
            metadata: Metadata::default(),
        }
    }
}

#[derive(Clone, Debug)]
pub enum Tool {
    Definition(Definition),
    Native(Native),
}

impl Tool {
    pub fn as_definition(&self) -> Option<&Definition> {
        match self {
            Tool::Definition(definition) => Some(definition),
            Tool::Native(_) => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Definition {
    pub at: At,
    pub name: Value,
    pub description: Option<Value>,
    /// JSON Schema.
    pub parameters: Option<(Value, At)>,
    pub strict: Option<(bool, At)>,
    /// An array of example arguments.
    pub examples: Option<(Value, At)>,
    pub metadata: Metadata,
}

impl Definition {
    pub fn new(at: At, name: Value) -> Definition {
        Definition {
            at,
            name,
            description: None,
            parameters: None,
            strict: None,
            examples: None,
            metadata: Metadata::default(),
        }
    }

    /// Whether the tool accepts a text instead of arguments. The mark of OpenAI's formats states this, in any format.
    pub fn is_freeform(&self, run: &mut Run) -> bool {
        let of_family = run.route.has_openai_fields() && self.metadata.family_field(Word::custom).is_some();
        let other = self.metadata.others().iter().find(|member| member.has_openai_fields());
        of_family || other.is_some_and(|other| run.member(other.value, Word::custom).is_some())
    }
}

#[derive(Clone, Debug)]
pub enum ToolChoice {
    Auto,
    None,
    Required,
    Named(Value),
    Allowed { names: Vec<Value>, required: bool },
    Native { provider: Provider, value: Value },
}

/// The settings that are single values, in the order of the canonical format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    Model,
    MaxTokens,
    Temperature,
    TopP,
    TopK,
    PresencePenalty,
    FrequencyPenalty,
    Seed,
    CandidateCount,
    TopLogprobs,
    Verbosity,
    Stream,
    UserId,
}

impl Setting {
    pub const ALL: [Setting; 13] = [
        Setting::Model,
        Setting::MaxTokens,
        Setting::Temperature,
        Setting::TopP,
        Setting::TopK,
        Setting::PresencePenalty,
        Setting::FrequencyPenalty,
        Setting::Seed,
        Setting::CandidateCount,
        Setting::TopLogprobs,
        Setting::Verbosity,
        Setting::Stream,
        Setting::UserId,
    ];

    /// Whether the value must be an integer.
    pub fn is_whole(self) -> bool {
        match self {
            Setting::MaxTokens | Setting::TopK | Setting::Seed | Setting::CandidateCount | Setting::TopLogprobs => true,
            Setting::Temperature | Setting::TopP | Setting::PresencePenalty | Setting::FrequencyPenalty => false,
            Setting::Model | Setting::Verbosity | Setting::Stream | Setting::UserId => false,
        }
    }

    /// The canonical key and the type of the value.
    pub fn shape(self) -> (Word, Kind) {
        match self {
            Setting::Model => (Word::model, Kind::String),
            Setting::MaxTokens => (Word::maxTokens, Kind::Number),
            Setting::Temperature => (Word::temperature, Kind::Number),
            Setting::TopP => (Word::topP, Kind::Number),
            Setting::TopK => (Word::topK, Kind::Number),
            Setting::PresencePenalty => (Word::presencePenalty, Kind::Number),
            Setting::FrequencyPenalty => (Word::frequencyPenalty, Kind::Number),
            Setting::Seed => (Word::seed, Kind::Number),
            Setting::CandidateCount => (Word::candidateCount, Kind::Number),
            Setting::TopLogprobs => (Word::topLogprobs, Kind::Number),
            Setting::Verbosity => (Word::verbosity, Kind::String),
            Setting::Stream => (Word::stream, Kind::Boolean),
            Setting::UserId => (Word::userId, Kind::String),
        }
    }
}

/// All settings of the request.
#[derive(Clone, Debug)]
pub struct Settings {
    plain: [Option<(Value, At)>; Setting::ALL.len()],
    pub stop: Option<(Vec<Value>, At)>,
    pub reasoning: Option<ReasoningSettings>,
    pub response_format: Option<(ResponseFormat, At)>,
    /// Whether the client expects the usage of a streamed response in an event of its own.
    pub expects_usage: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            plain: std::array::from_fn(|_| None),
            stop: None,
            reasoning: None,
            response_format: None,
            expects_usage: false,
        }
    }
}

impl Settings {
    pub fn get(&self, setting: Setting) -> Option<(Value, At)> {
        self.plain.get(setting as usize).copied().flatten()
    }

    pub fn clear(&mut self, setting: Setting) {
        if let Some(slot) = self.plain.get_mut(setting as usize) {
            *slot = None;
        }
    }

    pub fn set(&mut self, setting: Setting, value: Value, at: At) {
        if let Some(slot) = self.plain.get_mut(setting as usize) {
            *slot = Some((value, at));
        }
    }
}

#[derive(Clone, Debug)]
pub struct ReasoningSettings {
    pub effort: Option<(Word, At)>,
    pub budget: Option<(Value, At)>,
    pub include: Option<(bool, At)>,
}

impl ReasoningSettings {
    pub fn new() -> ReasoningSettings {
        ReasoningSettings { effort: None, budget: None, include: None }
    }

    pub fn is_empty(&self) -> bool {
        self.effort.is_none() && self.budget.is_none() && self.include.is_none()
    }
}

#[derive(Clone, Debug)]
pub enum ResponseFormat {
    Text,
    Json,
    Schema {
        name: Option<(Value, At)>,
        description: Option<(Value, At)>,
        schema: (Value, At),
        strict: Option<(bool, At)>,
    },
}

impl ResponseFormat {
    /// For an API that enforces every response schema.
    pub fn enforced(schema: (Value, At)) -> ResponseFormat {
        ResponseFormat::Schema { name: None, description: None, schema, strict: Some((true, schema.1)) }
    }
}
