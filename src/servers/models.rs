//! What a model accepts on a server: its own facts, less what the server lacks.

use super::ServerFacts;
use super::facts::{Asked, ChoiceForm};
use crate::models::facts::{Efforts, ForcedCalls, StructuredOutput, Thinking};
use crate::models::{Found, ModelFacts};

impl Found {
    /// The facts of the model on a server.
    pub fn on(mut self, server: &ServerFacts) -> Found {
        limit(&mut self.facts, server);
        self
    }
}

fn limit(facts: &mut ModelFacts, server: &ServerFacts) {
    if server.reasoning == Some(Asked::Never) {
        (facts.efforts, facts.thinking, facts.default_effort) = (Some(Efforts::NONE), Some(Thinking::None), None);
    }
    if server.strict == Some(false) {
        facts.strict_tools = Some(false);
    }
    if server.json_schema == Some(false) {
        facts.structured_output = Some(StructuredOutput::No);
    }
    if server.tool_choices.is_some_and(|forms| !forms.has(ChoiceForm::Required)) {
        facts.forced_calls = Some(ForcedCalls::No);
    }
    facts.cache_marks = server.cache_marks.or(facts.cache_marks);
}
