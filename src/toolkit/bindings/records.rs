//! Serializes results to JSON for JavaScript.

use crate::json::{Map, ToJson, Value};
use crate::toolkit::read::object;
use crate::toolkit::{Change, ChangeKind, Lint, Problem, ProblemCode, ToolDefinition};

impl ToJson for Problem {
    fn to_json(&self) -> Value {
        object([
            ("code", Some(problem_code(self.code).into())),
            ("path", Some(self.path.as_str().into())),
            ("message", Some(self.message.as_str().into())),
            ("schemaPath", self.schema_path.as_deref().map(Value::from)),
        ])
    }
}

fn problem_code(code: ProblemCode) -> &'static str {
    match code {
        ProblemCode::UnknownTool => "unknown_tool",
        ProblemCode::InvalidJson => "invalid_json",
        ProblemCode::Truncated => "truncated",
        ProblemCode::Missing => "missing",
        ProblemCode::WrongType => "wrong_type",
        ProblemCode::NotAllowed => "not_allowed",
        ProblemCode::OutOfRange => "out_of_range",
        ProblemCode::WrongFormat => "wrong_format",
        ProblemCode::Unexpected => "unexpected",
        ProblemCode::Invalid => "invalid",
    }
}

impl ToJson for Change {
    fn to_json(&self) -> Value {
        object([
            ("kind", Some(change_kind(self.kind).into())),
            ("path", Some(self.path.as_str().into())),
            ("from", self.from.clone()),
            ("to", self.to.clone()),
        ])
    }
}

fn change_kind(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Defaulted => "defaulted",
        ChangeKind::Coerced => "coerced",
        ChangeKind::Clamped => "clamped",
        ChangeKind::Repaired => "repaired",
        ChangeKind::Renamed => "renamed",
        ChangeKind::Removed => "removed",
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
