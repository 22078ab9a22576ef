//! A request: messages, tools, choice and settings.

use super::{Message, Metadata, Native};
use crate::run::{At, Provider};
use crate::value::{Kind, Word};

#[derive(Clone, Debug)]
pub struct Request<V> {
    pub at: At,
    pub messages: Vec<Message<V>>,
    pub tools: Option<Vec<Tool<V>>>,
    pub choice: Option<(ToolChoice<V>, At)>,
    pub parallel: Option<(bool, At)>,
    pub settings: Settings<V>,
    pub metadata: Metadata<V>,
}

impl<V> Request<V> {
    pub fn new(at: At) -> Request<V> {
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
pub enum Tool<V> {
    Definition(Definition<V>),
    Native(Native<V>),
}

#[derive(Clone, Debug)]
pub struct Definition<V> {
    pub at: At,
    pub name: V,
    pub description: Option<V>,
    /// JSON Schema.
    pub parameters: Option<V>,
    pub strict: Option<bool>,
    pub metadata: Metadata<V>,
}

#[derive(Clone, Debug)]
pub enum ToolChoice<V> {
    Auto,
    None,
    Required,
    Named(V),
    Allowed { names: Vec<V>, required: bool },
    Native { provider: Provider, value: V },
}

/// The settings that are one plain value; their order is that of the canonical format.
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

/// Everything that steers the answer.
#[derive(Clone, Debug)]
pub struct Settings<V> {
    plain: [Option<(V, At)>; Setting::ALL.len()],
    pub stop: Option<(Vec<V>, At)>,
    pub reasoning: Option<ReasoningSettings<V>>,
    pub response_format: Option<(ResponseFormat<V>, At)>,
}

impl<V> Default for Settings<V> {
    fn default() -> Self {
        Settings { plain: std::array::from_fn(|_| None), stop: None, reasoning: None, response_format: None }
    }
}

impl<V: Copy> Settings<V> {
    pub fn get(&self, setting: Setting) -> Option<(V, At)> {
        self.plain.get(setting as usize).copied().flatten()
    }

    pub fn set(&mut self, setting: Setting, value: V, at: At) {
        if let Some(slot) = self.plain.get_mut(setting as usize) {
            *slot = Some((value, at));
        }
    }
}

#[derive(Clone, Debug)]
pub struct ReasoningSettings<V> {
    pub effort: Option<(Word, At)>,
    pub budget: Option<(V, At)>,
    pub include: Option<(bool, At)>,
}

impl<V> ReasoningSettings<V> {
    pub fn new() -> ReasoningSettings<V> {
        ReasoningSettings { effort: None, budget: None, include: None }
    }

    pub fn is_empty(&self) -> bool {
        self.effort.is_none() && self.budget.is_none() && self.include.is_none()
    }
}

#[derive(Clone, Debug)]
pub enum ResponseFormat<V> {
    Text,
    Json,
    Schema { name: Option<V>, description: Option<V>, schema: V, strict: Option<bool> },
}
