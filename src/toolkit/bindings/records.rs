//! Serializes results to JSON for JavaScript.

use crate::json::{Map, ToJson, Value};
use crate::toolkit::read::object;
use crate::toolkit::{Change, ChangeKind, Lint, Problem, ProblemCode, ToolDefinition};
use crate::words::word_of;

impl ToJson for Problem {
    fn to_json(&self) -> Value {
        object([
            ("code", Some(word_of(ProblemCode::WORDS, &self.code).into())),
            ("path", Some(self.path.as_str().into())),
            ("message", Some(self.message.as_str().into())),
            ("schemaPath", self.schema_path.as_deref().map(Value::from)),
        ])
    }
}

impl ToJson for Change {
    fn to_json(&self) -> Value {
        object([
            ("kind", Some(word_of(ChangeKind::WORDS, &self.kind).into())),
            ("path", Some(self.path.as_str().into())),
            ("from", self.from.clone()),
            ("to", self.to.clone()),
        ])
    }
}

impl ToJson for Lint {
    fn to_json(&self) -> Value {
        let fields = [("tool", &self.tool), ("path", &self.path), ("code", &self.code), ("message", &self.message)];
        object(fields.map(|(name, text)| (name, Some(text.as_str().into()))))
    }
}

impl ToJson for ToolDefinition {
    fn to_json(&self) -> Value {
        object([
            ("name", Some(self.name.as_str().into())),
            ("description", self.description.as_deref().map(Value::from)),
            ("parameters", self.parameters.clone()),
            ("strict", self.strict.map(Value::from)),
            ("inputExamples", self.input_examples.clone().map(Value::Array)),
            ("metadata", self.metadata.as_ref().map(Map::to_json)),
        ])
    }
}
