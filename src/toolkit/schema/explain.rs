//! Explains why a value is invalid. Runs only after validation has failed.

use super::super::problem::{Problem, ProblemCode};
use super::ROOT;
use super::assertions::{self, Failure};
use super::messages;
use super::node::{Arrays, Id, Node, Objects};
use super::pointer::{At, join};
use super::validate::{Exhausted, Walk, schemas_of};
use crate::json::{Map, Value};
use crate::nearest::nearest;

/// Maximum number of reported problems. More are not useful to a model.
const MAX_PROBLEMS: usize = 20;

impl<'s> Walk<'s> {
    /// Collects the problems of a whole value: at least one if it is invalid.
    pub fn explain_all(&mut self, value: &Value) {
        if !self.is_valid(value) && self.exhausted.is_none() {
            self.explain(ROOT, value, &At::Root);
            if self.problems.is_empty() {
                let node = self.schema.node(ROOT);
                self.problem(ProblemCode::Invalid, node, "", &At::Root, "the value does not fit the schema.");
            }
        }
        self.problems.truncate(MAX_PROBLEMS);
        let message = match self.exhausted {
            None => return,
            Some(Exhausted::Work) => "the value is too large to be checked. Shorten it.",
            Some(Exhausted::Depth) => "the value is nested too deeply to be checked. Make it flatter.",
        };
        self.problems.clear();
        self.problem(ProblemCode::Invalid, self.schema.node(ROOT), "", &At::Root, message);
    }

    pub fn problem(&mut self, code: ProblemCode, node: &Node, keyword: &str, at: &At, message: &str) {
        let schema_path = if keyword.is_empty() { node.pointer.clone() } else { join(node.pointer.clone(), keyword) };
        let message = messages::of_field(at, message);
        self.problems.push(Problem { code, path: at.pointer(), message, schema_path: Some(schema_path) });
    }

    /// Adds the problems of a value, which may also be valid.
    pub fn explain(&mut self, id: Id, value: &Value, at: &At) {
        if self.problems.len() < MAX_PROBLEMS && !self.valid(id, value) {
            self.enter(id, |this, node| this.explain_node(node, value, at));
        }
    }

    fn explain_node(&mut self, node: &'s Node, value: &Value, at: &At) {
        if node.verdict == Some(false) {
            self.problem(ProblemCode::NotAllowed, node, "", at, "no value is allowed here. Remove it.");
            return;
        }
        let mut failures = Vec::new();
        assertions::check(node, value, self.options.formats, &mut |failure| failures.push(failure));
        // If the type is wrong, no other failure is useful.
        let wrong_type = failures.iter().position(|failure| matches!(failure, Failure::Type(_)));
        for failure in failures.iter().filter(|failure| wrong_type.is_none() || matches!(failure, Failure::Type(_))) {
            self.failure(node, failure, value, at);
        }
        if wrong_type.is_some() {
            return;
        }
        for id in self.targets(node).chain(node.all.iter().copied()) {
            self.explain(id, value, at);
        }
        self.explain_unions(node, value, at);
        if node.not.is_some_and(|id| self.valid(id, value)) {
            let message =
                format!("this value is not allowed, received {}. Use another one.", messages::received(value));
            self.problem(ProblemCode::NotAllowed, node, "not", at, &message);
        }
        if let Some(condition) = &node.condition {
            let holds = self.valid(condition.schema, value);
            if let Some(id) = if holds { condition.then } else { condition.otherwise } {
                self.explain(id, value, at);
            }
        }
        match value {
            Value::Object(fields) => {
                if let Some(rules) = &node.objects {
                    self.explain_fields(node, rules, fields, value, at);
                }
            }
            Value::Array(items) => {
                if let Some(rules) = &node.arrays {
                    self.explain_items(node, rules, items, value, at);
                }
            }
            _ => {}
        }
    }

    fn failure(&mut self, node: &'s Node, failure: &Failure<'s>, value: &Value, at: &At) {
        let code = match failure {
            Failure::Type(_) => ProblemCode::WrongType,
            Failure::Enum(_) | Failure::Const(_) => ProblemCode::NotAllowed,
            Failure::Pattern(_) | Failure::Format(_) => ProblemCode::WrongFormat,
            Failure::Duplicate(..) | Failure::Multiple(_) => ProblemCode::Invalid,
            Failure::Required(name) | Failure::DependentRequired(name, _) => {
                let at = at.field(name);
                let message = match failure {
                    Failure::Required(_) => messages::missing(self.expected(node, name).as_deref()),
                    failure => messages::failure(failure, value),
                };
                self.problem(ProblemCode::Missing, node, failure.keyword(), &at, &message);
                return;
            }
            _ => ProblemCode::OutOfRange,
        };
        self.problem(code, node, failure.keyword(), at, &messages::failure(failure, value));
    }

    /// A description of the values that a field accepts.
    fn expected(&self, node: &Node, name: &str) -> Option<String> {
        let id = *node.objects.as_ref()?.properties.get(name)?;
        let facets = self.facets(id);
        let listed = facets.values().map(|values| messages::one_of(&values));
        listed.or_else(|| facets.types().map(messages::types))
    }

    fn explain_fields(
        &mut self,
        node: &'s Node,
        rules: &'s Objects,
        fields: &Map<String, Value>,
        value: &Value,
        at: &At,
    ) {
        for (name, part) in fields {
            let at = at.field(name);
            for id in schemas_of(rules, name) {
                let rejects = self.schema.node(id).verdict == Some(false);
                if rejects && !rules.properties.contains_key(name) {
                    self.unexpected(node, rules, "additionalProperties", name, fields, &at);
                } else {
                    self.explain(id, part, &at);
                }
            }
            if rules.names.is_some_and(|id| !self.valid(id, &Value::String(name.clone()))) {
                self.problem(
                    ProblemCode::Unexpected,
                    node,
                    "propertyNames",
                    &at,
                    "this name is not allowed. Use another one.",
                );
            }
        }
        for (_, id) in rules.dependent_schemas.iter().filter(|(name, _)| fields.contains_key(name)) {
            self.explain(*id, value, at);
        }
        if rules.unevaluated.is_some() && self.problems.is_empty() {
            for index in self.rejected_rest(node, value) {
                if let Some(name) = fields.keys().nth(index) {
                    self.unexpected(node, rules, "unevaluatedProperties", name, fields, &at.field(name));
                }
            }
        }
    }

    fn unexpected(
        &mut self,
        node: &Node,
        rules: &Objects,
        keyword: &str,
        name: &str,
        fields: &Map<String, Value>,
        at: &At,
    ) {
        let free: Vec<&str> =
            rules.properties.keys().map(String::as_str).filter(|known| !fields.contains_key(*known)).collect();
        let nearest = nearest(name, &free);
        let known: Vec<String> = rules.properties.keys().map(|name| format!("`{name}`")).collect();
        self.problem(ProblemCode::Unexpected, node, keyword, at, &messages::unexpected(&known, nearest));
    }

    fn explain_items(&mut self, node: &'s Node, rules: &'s Arrays, items: &[Value], value: &Value, at: &At) {
        for (index, item) in items.iter().enumerate() {
            if let Some(id) = rules.prefix.get(index).copied().or(rules.items) {
                self.explain(id, item, &at.item(index));
            }
        }
        if let Some(contains) = &rules.contains {
            let found = items.iter().filter(|item| self.valid(contains.schema, item)).count() as u64;
            if found < contains.min {
                let message =
                    format!("must contain at least {} of the required items, found {found}. Add them.", contains.min);
                self.problem(ProblemCode::Invalid, node, "contains", at, &message);
            }
            if let Some(max) = contains.max.filter(|max| found > *max) {
                let message = format!("must contain at most {max} of the required items, found {found}. Remove some.");
                self.problem(ProblemCode::Invalid, node, "contains", at, &message);
            }
        }
        if rules.unevaluated.is_some() && self.problems.is_empty() {
            for index in self.rejected_rest(node, value) {
                self.problem(
                    ProblemCode::Unexpected,
                    node,
                    "unevaluatedItems",
                    &at.item(index),
                    "there is no such item. Remove it.",
                );
            }
        }
    }
}
