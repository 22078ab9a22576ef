//! Validation: the traversal of a schema and a value that the other modules build on.

use super::super::problem::{Change, Problem};
use super::assertions;
use super::compile::dynamic_key;
use super::node::{Arrays, Id, Node, Objects, ResourceId};
use super::{CheckOptions, ROOT, Schema, size};
use crate::json::{Map, Value};

/// The number of subschema visits for a small value. Larger values get additional visits per part. A value that requires more is
/// rejected.
const FUEL: usize = 200_000;
const FUEL_PER_PART: usize = 100;
/// Maximum depth of nested visits.
const MAX_DEPTH: u32 = 150;

/// Why a traversal was aborted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The schema and the value together require too many visits.
    Work,
    /// The value is nested too deeply, or a reference is circular.
    Depth,
}

/// The fields or items of the current value that were evaluated, by index.
#[derive(Default)]
pub struct Seen {
    marks: Vec<bool>,
}

impl Seen {
    fn mark(&mut self, index: usize) {
        if self.marks.len() <= index {
            self.marks.resize(index + 1, false);
        }
        if let Some(mark) = self.marks.get_mut(index) {
            *mark = true;
        }
    }

    fn has(&self, index: usize) -> bool {
        self.marks.get(index).copied().unwrap_or(false)
    }

    fn add(&mut self, other: &Self) {
        for (index, _) in other.marks.iter().enumerate().filter(|(_, mark)| **mark) {
            self.mark(index);
        }
    }
}

/// A traversal of a schema and a value, for validating, explaining or correcting it.
pub struct Walk<'s> {
    pub schema: &'s Schema,
    pub options: CheckOptions,
    pub changes: Vec<Change>,
    pub problems: Vec<Problem>,
    /// Whether values are corrected, in addition to being completed.
    pub corrects: bool,
    /// The dynamic scope: the resources that were entered, outermost first.
    scope: Vec<ResourceId>,
    fuel: usize,
    depth: u32,
    pub exhausted: Option<Exhausted>,
}

impl<'s> Walk<'s> {
    pub fn new(schema: &'s Schema, options: CheckOptions) -> Self {
        Self {
            schema,
            options,
            changes: Vec::new(),
            problems: Vec::new(),
            corrects: false,
            scope: Vec::new(),
            fuel: FUEL,
            depth: 0,
            exhausted: None,
        }
    }

    pub fn valid(&mut self, id: Id, value: &Value) -> bool {
        if self.schema.nodes.tracks {
            self.visit(id, value, Some(&mut Seen::default()))
        } else {
            self.visit(id, value, None)
        }
    }

    /// Sets the number of visits according to the size of the value.
    pub fn begin(&mut self, value: &Value) {
        self.fuel = size::of(value).parts.saturating_mul(FUEL_PER_PART).saturating_add(FUEL);
        self.exhausted = None;
    }

    /// Whether a whole value is valid.
    pub fn is_valid(&mut self, value: &Value) -> bool {
        self.begin(value);
        self.valid(ROOT, value) && self.exhausted.is_none()
    }

    /// Runs a function inside a node. Returns `None` if the limit of visits or depth is reached.
    pub fn enter<T>(&mut self, id: Id, run: impl FnOnce(&mut Self, &'s Node) -> T) -> Option<T> {
        if self.fuel == 0 || self.depth >= MAX_DEPTH {
            self.exhausted.get_or_insert(if self.fuel == 0 { Exhausted::Work } else { Exhausted::Depth });
            return None;
        }
        self.fuel -= 1;
        self.depth += 1;
        let node = self.schema.node(id);
        let enters = self.scope.last() != Some(&node.resource);
        if enters {
            self.scope.push(node.resource);
        }
        let result = run(self, node);
        if enters {
            self.scope.pop();
        }
        self.depth -= 1;
        Some(result)
    }

    /// Accounts for work that is not a visit.
    pub fn spend(&mut self, work: usize) {
        self.fuel = self.fuel.saturating_sub(work);
    }

    fn visit(&mut self, id: Id, value: &Value, seen: Option<&mut Seen>) -> bool {
        let visit = |this: &mut Self, node: &'s Node| match seen {
            // Properties evaluated outside a subschema don't count inside it.
            Some(outer) if rest_of(node, value).is_some() => {
                let mut inner = Seen::default();
                let holds = this.holds(node, value, Some(&mut inner));
                outer.add(&inner);
                holds
            }
            seen => this.holds(node, value, seen),
        };
        self.enter(id, visit).unwrap_or(false)
    }

    fn holds(&mut self, node: &'s Node, value: &Value, mut seen: Option<&mut Seen>) -> bool {
        if let Some(verdict) = node.verdict {
            return verdict;
        }
        let mut failed = false;
        self.spend(node.values.as_ref().map_or(0, Vec::len));
        assertions::check(node, value, self.options.formats, &mut |_| failed = true);
        !failed
            && self.combined(node, value, seen.as_deref_mut())
            && self.inside(node, value, seen.as_deref_mut())
            && self.unevaluated(node, value, seen)
    }

    /// The targets of `$ref` and `$dynamicRef`.
    pub fn targets(&self, node: &Node) -> impl Iterator<Item = Id> + use<> {
        let dynamic = node.dynamic.as_ref().map(|dynamic| {
            let anchors = &self.schema.nodes.dynamic;
            let found = self.scope.iter().find_map(|resource| anchors.get(&dynamic_key(*resource, &dynamic.name)));
            found.copied().unwrap_or(dynamic.target)
        });
        node.reference.into_iter().chain(dynamic)
    }

    /// Validates the keywords that apply subschemas to the value itself.
    fn combined(&mut self, node: &'s Node, value: &Value, mut seen: Option<&mut Seen>) -> bool {
        for id in self.targets(node).chain(node.all.iter().copied()) {
            if !self.visit(id, value, seen.as_deref_mut()) {
                return false;
            }
        }
        if !node.any.is_empty() && self.count(&node.any, value, seen.as_deref_mut(), false) == 0 {
            return false;
        }
        if !node.one.is_empty() && self.count(&node.one, value, seen.as_deref_mut(), true) != 1 {
            return false;
        }
        if node.not.is_some_and(|id| self.visit(id, value, seen.as_ref().map(|_| Seen::default()).as_mut())) {
            return false;
        }
        match &node.condition {
            None => true,
            Some(condition) => {
                let holds = self.branch(condition.schema, value, seen.as_deref_mut());
                let next = if holds { condition.then } else { condition.otherwise };
                next.is_none_or(|id| self.visit(id, value, seen))
            }
        }
    }

    /// Visits a subschema that may fail. Its evaluated parts count only if it succeeds.
    fn branch(&mut self, id: Id, value: &Value, seen: Option<&mut Seen>) -> bool {
        let Some(seen) = seen else { return self.visit(id, value, None) };
        let mut inner = Seen::default();
        let holds = self.visit(id, value, Some(&mut inner));
        if holds {
            seen.add(&inner);
        }
        holds
    }

    /// The number of valid branches. Stops as soon as the result for `anyOf` or `oneOf` is certain.
    fn count(&mut self, branches: &[Id], value: &Value, mut seen: Option<&mut Seen>, one: bool) -> usize {
        let mut valid = 0;
        for id in branches {
            if self.branch(*id, value, seen.as_deref_mut()) {
                valid += 1;
                if (one && valid > 1) || (!one && seen.is_none()) {
                    break;
                }
            }
        }
        valid
    }

    /// Validates the keywords that apply subschemas to fields and items.
    fn inside(&mut self, node: &'s Node, value: &Value, seen: Option<&mut Seen>) -> bool {
        match value {
            Value::Object(fields) => node.objects.as_ref().is_none_or(|rules| self.fields(rules, fields, value, seen)),
            Value::Array(items) => node.arrays.as_ref().is_none_or(|rules| self.items(rules, items, seen)),
            _ => true,
        }
    }

    fn fields(
        &mut self,
        rules: &'s Objects,
        fields: &Map<String, Value>,
        value: &Value,
        mut seen: Option<&mut Seen>,
    ) -> bool {
        for (index, (name, value)) in fields.iter().enumerate() {
            let mut applied = false;
            for id in schemas_of(rules, name) {
                applied = true;
                if !self.valid(id, value) {
                    return false;
                }
            }
            if let Some(seen) = seen.as_deref_mut().filter(|_| applied) {
                seen.mark(index);
            }
            if rules.names.is_some_and(|id| !self.valid(id, &Value::String(name.clone()))) {
                return false;
            }
        }
        for (name, id) in &rules.dependent_schemas {
            if fields.contains_key(name) && !self.visit(*id, value, seen.as_deref_mut()) {
                return false;
            }
        }
        true
    }

    fn items(&mut self, rules: &'s Arrays, items: &[Value], mut seen: Option<&mut Seen>) -> bool {
        for (index, item) in items.iter().enumerate() {
            let Some(id) = rules.prefix.get(index).copied().or(rules.items) else { break };
            if !self.valid(id, item) {
                return false;
            }
            if let Some(seen) = seen.as_deref_mut() {
                seen.mark(index);
            }
        }
        let Some(contains) = &rules.contains else { return true };
        let mut found = 0;
        for (index, item) in items.iter().enumerate() {
            if self.valid(contains.schema, item) {
                found += 1;
                if let Some(seen) = seen.as_deref_mut().filter(|_| contains.evaluates) {
                    seen.mark(index);
                }
            }
        }
        found >= contains.min && contains.max.is_none_or(|max| found <= max)
    }

    fn unevaluated(&mut self, node: &'s Node, value: &Value, seen: Option<&mut Seen>) -> bool {
        let Some(seen) = seen else { return true };
        let Some((id, parts)) = rest_of(node, value) else { return true };
        for (index, (_, part)) in parts.into_iter().enumerate() {
            if seen.has(index) {
                continue;
            }
            if !self.valid(id, part) {
                return false;
            }
            seen.mark(index);
        }
        true
    }

    /// The indices of the fields or items that `unevaluatedProperties` or `unevaluatedItems` rejects.
    pub fn rejected_rest(&mut self, node: &'s Node, value: &Value) -> Vec<usize> {
        let Some((id, parts)) = rest_of(node, value) else { return Vec::new() };
        let mut seen = Seen::default();
        self.combined(node, value, Some(&mut seen));
        self.inside(node, value, Some(&mut seen));
        let rest = parts.into_iter().enumerate().filter(|(index, _)| !seen.has(*index));
        rest.filter_map(|(index, (_, part))| (!self.valid(id, part)).then_some(index)).collect()
    }
}

/// The schema for unevaluated parts, and all parts with their names.
fn rest_of<'v>(node: &Node, value: &'v Value) -> Option<(Id, Vec<(&'v str, &'v Value)>)> {
    match value {
        Value::Object(fields) => {
            let id = node.objects.as_ref()?.unevaluated?;
            Some((id, fields.iter().map(|(name, value)| (name.as_str(), value)).collect()))
        }
        Value::Array(items) => {
            Some((node.arrays.as_ref()?.unevaluated?, items.iter().map(|item| ("", item)).collect()))
        }
        _ => None,
    }
}

/// The schemas that apply to a field.
pub fn schemas_of<'r>(rules: &'r Objects, name: &'r str) -> impl Iterator<Item = Id> + use<'r> {
    let declared = rules.properties.get(name).copied();
    let patterns = rules.patterns.iter().filter(|(pattern, _)| pattern.matches(name) == Some(true)).map(|(_, id)| *id);
    let mut named = declared.into_iter().chain(patterns).peekable();
    let additional = if named.peek().is_none() { rules.additional } else { None };
    named.chain(additional)
}
