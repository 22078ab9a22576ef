//! `anyOf` and `oneOf`: finds the branch that a value is intended for.

use super::super::problem::{Change, ChangeKind, Problem, ProblemCode};
use super::facets;
use super::messages;
use super::node::{Id, Node, Types};
use super::pointer::At;
use super::validate::Walk;
use crate::json::Value;

/// Maximum number of branches that are tried.
const MAX_BRANCHES: usize = 50;

/// The branch that a value is intended for.
enum Intended<'s> {
    Branch(Id),
    /// No branch accepts values of this type.
    NoType(Types),
    /// No branch has this value of the discriminating field.
    NoTag(&'s str, Vec<&'s Value>),
    Unknown,
}

impl<'s> Walk<'s> {
    /// Completes the value by the valid branch, or corrects it by the branch that requires the cheapest changes.
    pub fn fix_union(&mut self, branches: &'s [Id], one: bool, value: &mut Value, at: &At) {
        if branches.is_empty() {
            return;
        }
        let branches = branches.get(..MAX_BRANCHES).unwrap_or(branches);
        let valid = branches.iter().copied().find(|id| self.valid(*id, value));
        if let Some(id) = valid {
            if self.schema.nodes.has_defaults
                && let Some((fixed, changes)) = self.trial(id, value, at)
                && (!one || self.is_only(branches, &fixed))
            {
                *value = fixed;
                self.changes.extend(changes);
            }
            return;
        }
        let mut best: Option<(u32, Value, Vec<Change>)> = None;
        for id in branches {
            if let Some((fixed, changes)) = self.trial(*id, value, at)
                && (!one || self.is_only(branches, &fixed))
            {
                let cost = changes.iter().map(cost).sum();
                if best.as_ref().is_none_or(|(least, _, _)| cost < *least) {
                    best = Some((cost, fixed, changes));
                }
            }
        }
        match best {
            Some((_, fixed, changes)) => {
                *value = fixed;
                self.changes.extend(changes);
            }
            // Correct the rest of the branch, even if the value can't become valid.
            None if value.is_object() => {
                if let Intended::Branch(id) = self.intended(branches, value) {
                    self.fix(id, value, at);
                }
            }
            None => {}
        }
    }

    fn is_only(&mut self, branches: &[Id], value: &Value) -> bool {
        branches.iter().filter(|id| self.valid(**id, value)).count() == 1
    }

    pub fn explain_unions(&mut self, node: &'s Node, value: &Value, at: &At) {
        if !node.any.is_empty() && !node.any.iter().any(|id| self.valid(*id, value)) {
            self.explain_union(node, "anyOf", &node.any, value, at);
        }
        if node.one.is_empty() {
            return;
        }
        match node.one.iter().filter(|id| self.valid(**id, value)).count() {
            0 => self.explain_union(node, "oneOf", &node.one, value, at),
            1 => {}
            _ => {
                let message = "fits more than one of the alternatives. Leave out the fields that belong to the others.";
                self.problem(ProblemCode::Invalid, node, "oneOf", at, message);
            }
        }
    }

    fn explain_union(&mut self, node: &'s Node, keyword: &str, branches: &'s [Id], value: &Value, at: &At) {
        match self.intended(branches, value) {
            Intended::Branch(id) => self.explain(id, value, at),
            Intended::NoType(types) => {
                self.problem(ProblemCode::WrongType, node, keyword, at, &messages::wrong_type(types, value));
            }
            Intended::NoTag(name, values) => {
                let tag = value.get(name).unwrap_or(&Value::Null);
                self.problem(
                    ProblemCode::NotAllowed,
                    node,
                    keyword,
                    &at.field(name),
                    &messages::not_listed(&values, tag),
                );
            }
            Intended::Unknown => self.explain_nearest(branches, value, at),
        }
    }

    /// Adds the problems of the branch that has the fewest.
    fn explain_nearest(&mut self, branches: &'s [Id], value: &Value, at: &At) {
        let listed: Option<Vec<Vec<&Value>>> = branches.iter().map(|id| self.facets(*id).values()).collect();
        if let Some(values) = listed {
            let values: Vec<&Value> = values.into_iter().flatten().collect();
            let message = messages::not_listed(&values, value);
            let Some(first) = branches.first().map(|id| self.schema.node(*id)) else { return };
            self.problem(ProblemCode::NotAllowed, first, "", at, &message);
            return;
        }
        let known = self.problems.len();
        let mut best: Option<Vec<Problem>> = None;
        let kind = Types::of(value);
        for id in branches.iter().take(MAX_BRANCHES) {
            let takes = self.facets(*id).types().is_none_or(|types| types.meets(kind));
            if !takes {
                continue;
            }
            self.explain(*id, value, at);
            let problems = self.problems.split_off(known);
            let fewer = best.as_ref().is_none_or(|best| problems.len() < best.len());
            if !problems.is_empty() && fewer {
                best = Some(problems);
            }
        }
        self.problems.extend(best.into_iter().flatten());
    }

    fn intended(&mut self, branches: &'s [Id], value: &Value) -> Intended<'s> {
        let kind = Types::of(value);
        let types: Vec<Option<Types>> = branches.iter().map(|id| self.facets(*id).types()).collect();
        let takes = |types: &Option<Types>| types.is_none_or(|types| types.meets(kind));
        let mut open = branches.iter().zip(&types).filter(|(_, types)| takes(types)).map(|(id, _)| *id);
        match (open.next(), open.next()) {
            (None, _) => {
                let all = types.iter().flatten().fold(Types::default(), |all, types| all.and(*types));
                return Intended::NoType(all);
            }
            (Some(id), None) => return Intended::Branch(id),
            _ => {}
        }
        if value.is_object() { self.intended_by_tag(branches, value) } else { Intended::Unknown }
    }

    /// Selects a branch by a field for which branches list values.
    fn intended_by_tag(&self, branches: &'s [Id], value: &Value) -> Intended<'s> {
        let mut names: Vec<&'s str> = Vec::new();
        let mut scores = Vec::new();
        for id in branches {
            let mut score = 0_i32;
            for (name, field) in self.facets(*id).properties() {
                let (Some(values), Some(tag)) = (self.facets(field).values(), value.get(name)) else { continue };
                score += if facets::contains(&values, tag) { 1 } else { -1 };
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            scores.push((score, *id));
        }
        let best = scores.iter().map(|(score, _)| *score).max().unwrap_or(0);
        let mut matching = scores.iter().filter(|(score, _)| *score == best && best > 0);
        if let (Some((_, id)), None) = (matching.next(), matching.next()) {
            return Intended::Branch(*id);
        }
        for name in names {
            let listed = branches.iter().map(|id| {
                let field = self.facets(*id).properties().find(|(known, _)| *known == name)?.1;
                self.facets(field).values()
            });
            let listed: Option<Vec<Vec<&Value>>> = listed.collect();
            let Some(values) = listed.map(|values| values.into_iter().flatten().collect::<Vec<_>>()) else { continue };
            if value.get(name).is_some_and(|tag| !facets::contains(&values, tag)) {
                return Intended::NoTag(name, values);
            }
        }
        Intended::Unknown
    }
}

/// The cost of a change, for comparing branches.
fn cost(change: &Change) -> u32 {
    match change.kind {
        ChangeKind::Defaulted | ChangeKind::Repaired => 0,
        ChangeKind::Removed => 1,
        ChangeKind::Renamed => 2,
        ChangeKind::Coerced => match (&change.from, &change.to) {
            (Some(Value::String(_)), Some(Value::String(_))) => 1,
            (_, Some(Value::Array(_))) => 4,
            _ => 3,
        },
        ChangeKind::Clamped => 6,
    }
}
