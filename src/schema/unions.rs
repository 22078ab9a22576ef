//! What is said about a schema as a whole before its keywords are written: alternatives, tuples, bounds.

use super::keywords::types_of;
use super::node::{Held, Member, Node, Part, names_of, type_names, type_value};
use super::policy::{Rule, is_annotation, type_of_keyword};
use super::walk::Walker;
use crate::run::{At, Result, Run};
use crate::value::{Kind, Value};

impl Walker {
    /// Alternatives in the target's words: `anyOf`, types, null (Q9–Q11).
    pub fn fit_unions(&mut self, run: &mut Run, node: &mut Node, at: At) -> Result<()> {
        if self.policy.rule("oneOf") == Rule::AnyOf {
            self.fit_one_of(run, node);
        }
        if self.policy.rule("nullable") == Rule::Null
            && let Some(member) = node.take("nullable")
        {
            let Held::Value(value) = member.held else { return Ok(()) };
            node.nullable |= run.store.boolean(value);
        }
        if self.policy.google_types { self.fit_null(run, node, at) } else { Ok(()) }
    }

    /// Null is no type beside others here: one alternative that is left stands for itself (Q10).
    fn fit_null(&mut self, run: &mut Run, node: &mut Node, at: At) -> Result<()> {
        self.fit_types(run, node);
        let Some(Member { held: Held::List { parts, .. }, .. }) = node.get("anyOf") else { return Ok(()) };
        let before = parts.len();
        let mut rest = parts.clone();
        rest.retain(|part| !is_null(run, *part));
        node.nullable |= rest.len() < before;
        match rest.as_slice() {
            [] => {
                node.take("anyOf");
                node.nullable = false;
                let null = run.store.string("null");
                node.put("type", at, null);
            }
            [only] => {
                let only = *only;
                node.take("anyOf");
                self.gather(run, node, only, true)?;
                // the branch may hold alternatives itself
                return self.nested(run, at, |walker, run| walker.fit_unions(run, node, at));
            }
            _ if rest.len() < before => {
                if let Some(member) = node.get_mut("anyOf") {
                    member.held = Held::List { whole: None, parts: rest };
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn fit_one_of(&mut self, run: &mut Run, node: &mut Node) {
        let Some(Member { at, held: Held::List { parts, .. }, .. }) = node.get("oneOf") else { return };
        let (at, parts) = (*at, parts.clone());
        if node.has("anyOf") {
            self.tell(run, at, "the target takes one list of alternatives only");
            node.take("oneOf");
            return;
        }
        if !self.is_exclusive(run, &parts) {
            self.tell(run, at, "\"exactly one of\" became \"any of\"");
        }
        if let Some(member) = node.get_mut("oneOf") {
            member.name = "anyOf".to_owned();
        }
    }

    /// Whether no value fits two of the branches: they have other types, or another constant under one required name.
    fn is_exclusive(&mut self, run: &mut Run, parts: &[Part]) -> bool {
        let branches: Vec<Value> = parts.iter().map(|part| self.resolved(run, *part)).collect();
        let mut types = Vec::new();
        for branch in &branches {
            let kind = super::node::member_of(run, *branch, "type");
            let constant = super::node::member_of(run, *branch, "const");
            types.push(match (kind, constant) {
                (Some((kind, _)), _) => type_names(run, kind).join(" "),
                (None, Some((value, _))) => types_of(run, &[value]).join(" "),
                (None, None) => String::new(),
            });
        }
        let number = |name: &String| name == "number" || name == "integer";
        let distinct = types.iter().enumerate().all(|(index, name)| {
            !name.is_empty() && !name.contains(' ') && !types.iter().take(index).any(|other| other == name)
        });
        if distinct && types.iter().filter(|name| number(name)).count() < 2 {
            return true;
        }
        let Some(first) = branches.first() else { return true };
        let tags = super::node::member_of(run, *first, "properties").map(|(properties, _)| properties);
        let tags = tags.filter(|properties| run.store.kind(*properties) == Kind::Object);
        let tags = tags.map(|properties| run.members(properties)).unwrap_or_default();
        tags.into_iter().any(|tag| {
            let name = run.store.owned_text(tag.key);
            let mut constants: Vec<Value> = Vec::new();
            branches.iter().all(|branch| match constant(run, *branch, &name) {
                Some(value) if !constants.iter().any(|known| run.store.same(*known, value)) => {
                    constants.push(value);
                    true
                }
                Some(_) | None => false,
            })
        })
    }

    fn resolved(&mut self, run: &mut Run, part: Part) -> Value {
        let reference = super::node::member_of(run, part.value, "$ref").map(|(value, _)| value);
        let reference = reference.map(|value| run.store.owned_text(value));
        reference.and_then(|reference| self.target(run, &reference)).map_or(part.value, |target| target.value)
    }

    /// Several types are alternatives; null among them is `nullable` (Q9).
    fn fit_types(&mut self, run: &mut Run, node: &mut Node) {
        let Some(value) = node.value("type") else { return };
        if run.store.kind(value) != Kind::Array {
            return;
        }
        let Some(member) = node.get("type") else { return };
        let at = member.at;
        let mut names = type_names(run, value);
        let before = names.len();
        names.retain(|name| name != "null");
        node.nullable |= names.len() < before && !names.is_empty();
        match names.as_slice() {
            [] if before == 0 => {
                node.take("type");
            }
            [] => {
                let null = run.store.string("null");
                node.put("type", at, null);
            }
            [_] => {
                let value = type_value(run, &names);
                node.put("type", at, value);
            }
            _ if node.has("anyOf") => {
                node.take("type");
            }
            names => {
                let parts = names.iter().map(|name| Part { value: of_type(run, name), at, trail: 0 }).collect();
                if let Some(member) = node.get_mut("type") {
                    member.name = "anyOf".to_owned();
                    member.held = Held::List { whole: None, parts };
                }
            }
        }
    }

    /// A tuple becomes a list of any of its types (Q16).
    pub fn fit_tuple(&mut self, run: &mut Run, node: &mut Node) {
        if self.policy.rule("prefixItems") != Rule::Items {
            return;
        }
        let listed = |member: &Member| matches!(member.held, Held::List { .. });
        let key = if node.get("prefixItems").is_some_and(listed) { "prefixItems" } else { "items" };
        let Some(Member { at, held: Held::List { parts, .. }, .. }) = node.get(key).filter(|member| listed(member))
        else {
            return;
        };
        let (at, mut parts) = (*at, parts.clone());
        self.tell(run, at, "a tuple became a list of any of its types");
        let length = run.build(|run| run.store.put_number(parts.len() as f64));
        let rest = if key == "items" { node.take("additionalItems") } else { node.take("items") };
        let rest = match rest {
            Some(Member { held: Held::Schema { parts, .. }, .. }) => parts,
            Some(_) | None => Vec::new(),
        };
        let mut open: Vec<Part> = rest;
        open.retain(|part| run.store.kind(part.value) == Kind::Object);
        if !node.has("minItems") {
            node.put("minItems", at, length);
        }
        if open.is_empty() && !node.has("maxItems") {
            node.put("maxItems", at, length);
        }
        parts.extend(open);
        if parts.is_empty() {
            node.take(key);
        } else if let Some(member) = node.get_mut(key) {
            member.name = "items".to_owned();
            member.held = Held::Schema { parts, any: true };
        }
    }

    /// Exclusive bounds become inclusive ones: exactly for whole numbers, else with a warning.
    pub fn fit_bounds(&mut self, run: &mut Run, node: &mut Node) {
        for (exclusive, inclusive, step) in
            [("exclusiveMinimum", "minimum", 1.0), ("exclusiveMaximum", "maximum", -1.0)]
        {
            if self.policy.rule(exclusive) != Rule::Inclusive {
                continue;
            }
            let Some(Member { at, held: Held::Value(bound), .. }) = node.take(exclusive) else { continue };
            // in draft 4 it says that the inclusive bound is meant so
            let bound = match run.store.kind(bound) {
                Kind::Number => bound,
                Kind::Boolean if !run.store.boolean(bound) => continue,
                _ => match node.value(inclusive) {
                    Some(bound) if run.store.kind(bound) == Kind::Number => bound,
                    Some(_) | None => continue,
                },
            };
            let is_whole = node.types(run).iter().all(|name| name == "integer") && node.has("type");
            let number = run.store.number(bound);
            const EXACT: f64 = 9_007_199_254_740_991.0;
            let written = if is_whole && number.abs() < EXACT {
                let next = if step > 0.0 { number.floor() } else { number.ceil() } + step;
                run.build(|run| run.store.put_number(next))
            } else {
                self.tell(run, at, "the bound itself is allowed, too");
                bound
            };
            let known = node.value(inclusive).filter(|known| run.store.kind(*known) == Kind::Number);
            let is_tighter =
                known.is_none_or(|known| (run.store.number(written) - run.store.number(known)) * step > 0.0);
            if is_tighter {
                node.put(inclusive, at, written);
            }
        }
    }

    /// Whether what stands beside `anyOf` must go into its branches: Google takes nothing there, and an object that is closed
    /// knows no properties but its own.
    pub fn distributes(&self, node: &Node) -> bool {
        let alternatives = node.get("anyOf").is_some_and(|member| matches!(member.held, Held::List { .. }));
        let beside = |member: &Member| member.name != "anyOf" && self.policy.rule(&member.name) != Rule::Omit;
        alternatives
            && (self.policy.lone_any_of && (node.nullable || node.members.iter().any(beside))
                || self.policy.closed && node.has("properties"))
    }

    /// Writes each branch with what stood beside all of them.
    pub fn distribute(&mut self, run: &mut Run, mut node: Node, at: At) -> Result<Value> {
        let Some(Member { held: Held::List { parts, .. }, .. }) = node.take("anyOf") else {
            return Ok(run.empty_object());
        };
        if self.policy.lone_any_of
            && let Some(member) = node.take("default")
        {
            self.tell(run, member.at, "nothing stands beside alternatives");
        }
        let (mut outside, mut beside) = (Vec::new(), Vec::new());
        for member in node.members {
            let stays = is_annotation(&member.name) && (!self.policy.lone_any_of || member.name.starts_with('$'));
            if stays { outside.push(member) } else { beside.push(member) }
        }
        let mut branches = Vec::with_capacity(parts.len());
        for part in parts {
            let mut branch = Node { nullable: node.nullable, notes: node.notes.clone(), ..Node::default() };
            self.gather(run, &mut branch, part, true)?;
            let types = branch.types(run);
            for member in &beside {
                let concerns = type_of_keyword(&member.name).is_none_or(|name| types.iter().any(|known| known == name));
                if types.is_empty() || concerns {
                    self.add(run, &mut branch, member.clone());
                }
            }
            branches.push(self.write(run, branch, None, part.at, false)?);
        }
        let union = run.array_of(&branches);
        let mut outer = Node { members: outside, ..Node::default() };
        outer.put("anyOf", at, union);
        self.write(run, outer, None, at, false)
    }
}

/// `{"type": …}`
fn of_type(run: &mut Run, name: &str) -> Value {
    run.build(|run| {
        run.store.begin_object();
        run.store.key(crate::value::Word::r#type);
        run.store.put_text(name);
        run.store.end_object();
    })
}

/// Whether a branch allows null and nothing else.
fn is_null(run: &mut Run, part: Part) -> bool {
    let kind = super::node::member_of(run, part.value, "type").map(|(value, _)| type_names(run, value));
    let constant = super::node::member_of(run, part.value, "const");
    kind.is_some_and(|names| names == ["null"])
        || constant.is_some_and(|(value, _)| run.store.kind(value) == Kind::Null)
}

/// The one value that a branch allows, and demands, under a name.
fn constant(run: &mut Run, branch: Value, name: &str) -> Option<Value> {
    let (required, _) = super::node::member_of(run, branch, "required")?;
    let required = names_of(run, required);
    if !required.iter().any(|known| run.store.text(*known) == name) {
        return None;
    }
    let (properties, _) = super::node::member_of(run, branch, "properties")?;
    let (property, _) = super::node::member_of(run, properties, name)?;
    if let Some((value, _)) = super::node::member_of(run, property, "const") {
        return Some(value);
    }
    let (values, _) = super::node::member_of(run, property, "enum")?;
    let values = if run.store.kind(values) == Kind::Array { run.list(values) } else { Vec::new() };
    match values.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}
