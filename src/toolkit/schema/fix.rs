//! Completes a value with defaults, and corrects its invalid parts.
//!
//! Valid parts are never corrected, so a valid value is only completed.

use super::super::problem::{Change, ChangeKind};
use super::ROOT;
use super::node::{Id, Node, Types};
use super::number;
use super::pointer::At;
use super::validate::Walk;
use crate::json::Value;

impl<'s> Walk<'s> {
    pub fn fix_all(&mut self, value: &mut Value) {
        self.begin(value);
        self.fix(ROOT, value, &At::Root);
    }

    pub fn fix(&mut self, id: Id, value: &mut Value, at: &At) {
        self.enter(id, |this, node| this.fix_node(id, node, value, at));
    }

    fn fix_node(&mut self, id: Id, node: &'s Node, value: &mut Value, at: &At) {
        if node.verdict.is_some() || (!self.corrects && is_plain(node)) {
            return;
        }
        let wrong = self.corrects && !self.valid(id, value);
        if self.corrects && !wrong && !self.schema.nodes.has_defaults {
            return;
        }
        if wrong {
            self.correct(id, node, value, at);
        }
        normalise(node, value);
        for id in self.targets(node).chain(node.all.iter().copied()) {
            self.fix(id, value, at);
        }
        if let Some(rules) = &node.objects
            && value.is_object()
        {
            self.fix_fields(rules, value, at, wrong);
        }
        if let (Some(rules), Value::Array(items)) = (&node.arrays, &mut *value) {
            for (index, item) in items.iter_mut().enumerate() {
                if let Some(id) = rules.prefix.get(index).copied().or(rules.items) {
                    self.fix(id, item, &at.item(index));
                }
            }
        }
        self.fix_union(&node.any, false, value, at);
        self.fix_union(&node.one, true, value, at);
        if let Some(condition) = &node.condition {
            let next = if self.valid(condition.schema, value) { condition.then } else { condition.otherwise };
            if let Some(id) = next {
                self.fix(id, value, at);
            }
        }
    }

    pub fn change(&mut self, kind: ChangeKind, at: &At, from: Option<Value>, to: Option<Value>) {
        self.changes.push(Change { kind, path: at.pointer(), from, to });
    }

    /// Fixes a copy of a value. Returns it with its changes, or `None` if it would still be invalid.
    pub fn trial(&mut self, id: Id, value: &Value, at: &At) -> Option<(Value, Vec<Change>)> {
        let known = self.changes.len();
        let mut copy = value.clone();
        self.spend(1);
        self.fix(id, &mut copy, at);
        let changes = self.changes.split_off(known);
        self.valid(id, &copy).then_some((copy, changes))
    }
}

/// Whether there is nothing to complete, because the node has no subschemas or references.
fn is_plain(node: &Node) -> bool {
    let alone = node.reference.is_none() && node.dynamic.is_none() && node.condition.is_none() && node.all.is_empty();
    let parts = node.objects.is_some() || node.arrays.is_some() || !node.any.is_empty() || !node.one.is_empty();
    alone && !parts && !node.types.is_some_and(|types| types.meets(Types::INTEGER))
}

/// Writes `5.0` as `5` where an integer is required. JSON Schema treats them as the same number.
fn normalise(node: &Node, value: &mut Value) {
    let wants_integer = node.types.is_some_and(|types| types.meets(Types::INTEGER) && !types.meets(Types::NUMBER));
    if let Value::Number(number) = value
        && wants_integer
        && let Some(whole) = number::normal(number)
    {
        *number = whole;
    }
}
