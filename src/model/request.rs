//! A request: messages, tools, choice and settings.

use super::{Message, Metadata, Native};
use crate::format::Setting;
use crate::models::ModelFacts;
use crate::run::{At, Provider, Run};
use crate::value::{Value, Word};

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
        run.openai_field(&self.metadata, Word::custom).is_some()
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

/// The settings of a request, apart from those that concern tools.
#[derive(Clone, Debug)]
pub struct Settings {
    plain: [Option<(Value, At)>; Setting::COUNT],
    pub stop: Option<(Vec<Value>, At)>,
    pub reasoning: Option<ReasoningSettings>,
    pub response_format: Option<(ResponseFormat, At)>,
    /// Whether the client expects the usage of a streamed response in an event of its own.
    pub expects_usage: bool,
    /// What the model accepts, as far as it is known.
    pub facts: ModelFacts,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            plain: std::array::from_fn(|_| None),
            stop: None,
            reasoning: None,
            response_format: None,
            expects_usage: false,
            facts: ModelFacts::NONE,
        }
    }
}

impl Settings {
    pub fn get(&self, setting: Setting) -> Option<(Value, At)> {
        self.plain.get(setting as usize).copied().flatten()
    }

    /// Whether the request has a setting.
    pub fn has(&self, setting: Setting) -> bool {
        match setting {
            Setting::Stop => self.stop.is_some(),
            Setting::Reasoning => self.reasoning.is_some(),
            Setting::ResponseFormat => self.response_format.is_some(),
            _ => self.get(setting).is_some(),
        }
    }

    pub fn take(&mut self, setting: Setting) -> Option<(Value, At)> {
        self.plain.get_mut(setting as usize).and_then(Option::take)
    }

    pub fn clear(&mut self, setting: Setting) {
        self.take(setting);
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

    /// Where its parts are stated.
    pub fn positions(&self) -> [Option<At>; 3] {
        let ReasoningSettings { effort, budget, include } = self;
        [effort.map(|(_, at)| at), budget.map(|(_, at)| at), include.map(|(_, at)| at)]
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
