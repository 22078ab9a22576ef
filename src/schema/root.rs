//! The root of a schema: most APIs want a plain object there (Q20, Q21).

use super::node::{Held, Member, Named, Node, Part, names_of};
use super::policy::Rule;
use super::walk::Walker;
use crate::run::{At, ErrorCode, Result, Run};
use crate::value::{Kind, Value};

impl Walker {
    /// The root of a tool's schema is an object, and most APIs take no alternatives there (Q20, Q21).
    pub fn fit_root(&mut self, run: &mut Run, node: &mut Node, at: At) -> Result<()> {
        if !self.policy.object_root {
            return Ok(());
        }
        if let Some(Member { at, held: Held::Value(reference), .. }) = node.take("$ref") {
            self.follow(run, node, reference, at, 0)?;
        }
        self.join_alternatives(run, node)?;
        self.fit_names(run, node)?;
        self.forbid_null(run, node);
        let types = node.types(run);
        match types.as_slice() {
            [] => {
                let held = Held::Value(run.store.string("object"));
                node.members.retain(|member| member.name != "type");
                node.members.insert(0, Member { name: "type".to_owned(), at, held });
            }
            [only] if only == "object" => {}
            names if names.iter().any(|name| name == "object") => {
                let object = run.store.string("object");
                let at = node.get("type").map_or(at, |member| member.at);
                self.tell(run, at, "the root is an object and nothing else");
                node.put("type", at, object);
            }
            _ if self.policy.strict => self.refuse(run, at, "the root is no object"),
            _ => {
                return run.fail(ErrorCode::Unsupported, at, "the target takes schemas of objects only");
            }
        }
        Ok(())
    }

    /// Properties whose names the target refuses are left out, and told in the description: the model can still give them.
    fn fit_names(&mut self, run: &mut Run, node: &mut Node) -> Result<()> {
        let Some(names) = self.policy.names else { return Ok(()) };
        let Some(Member { held: Held::Map { whole, each }, .. }) = node.get_mut("properties") else { return Ok(()) };
        let (kept, gone): (Vec<Named>, Vec<Named>) = each.drain(..).partition(|named| names.allow(&named.name));
        *each = kept;
        if gone.is_empty() {
            return Ok(());
        }
        *whole = None;
        for Named { name, at, parts, .. } in &gone {
            if self.policy.strict {
                self.refuse(run, *at, "the target takes no property of this name");
            }
            self.tell(run, *at, "the target takes no property of this name: the description tells it");
            let texts = parts.iter().map(|part| run.store.stringify(part.value).map(|text| run.store.owned_text(text)));
            let texts = texts.collect::<std::result::Result<Vec<_>, _>>().map_err(|fault| run.fault(fault, *at))?;
            node.notes.push(format!("{name}: {}", texts.join(" ")));
        }
        if let Some(required) = node.value("required") {
            let mut left = names_of(run, required);
            left.retain(|name| !gone.iter().any(|gone| run.store.text(*name) == gone.name));
            if left.is_empty() {
                node.take("required");
            } else {
                let list = run.array_of(&left);
                node.put("required", self.root.at, list);
            }
        }
        // what is left out is still allowed
        if node.get("additionalProperties").is_some_and(|member| forbids(run, member)) {
            node.take("additionalProperties");
        }
        Ok(())
    }

    /// What may be null besides is no object.
    fn forbid_null(&mut self, run: &mut Run, node: &mut Node) {
        if self.policy.rule("nullable") == Rule::Null
            && let Some(Member { at, held: Held::Value(value), .. }) = node.take("nullable")
            && run.store.boolean(value)
        {
            self.tell(run, at, "the root is an object and nothing else");
        }
    }

    /// Joins what the keywords hold that may not stand at the root.
    fn join_alternatives(&mut self, run: &mut Run, node: &mut Node) -> Result<()> {
        // what is joined may bring some of its own
        while let Some(member) = self.policy.not_at_root.iter().find_map(|word| node.take(word.text())) {
            match (&member.held, member.name.as_str()) {
                (Held::List { parts, .. }, "allOf") => {
                    for part in parts {
                        self.gather(run, node, *part, true)?;
                    }
                }
                (Held::List { parts, .. }, _) => self.join_branches(run, node, parts, member.at)?,
                _ => self.describe(run, &member, &mut node.notes)?,
            }
        }
        Ok(())
    }

    /// Every property of a branch becomes one of the object; required is what all branches require.
    fn join_branches(&mut self, run: &mut Run, node: &mut Node, parts: &[Part], at: At) -> Result<()> {
        self.tell(run, at, "no alternatives at the root: their properties were joined");
        let own = node.clone();
        let mut shared: Option<Vec<Value>> = None;
        for part in parts {
            let mut branch = Node::default();
            self.gather(run, &mut branch, *part, true)?;
            self.nested(run, part.at, |walker, run| walker.join_alternatives(run, &mut branch))?;
            let types = branch.types(run);
            if !types.is_empty() && !types.iter().any(|name| name == "object") {
                continue;
            }
            let required = branch.value("required").map(|list| names_of(run, list)).unwrap_or_default();
            shared = Some(match shared {
                None => required,
                Some(mut names) => {
                    names.retain(|name| required.iter().any(|other| run.store.same(*name, *other)));
                    names
                }
            });
            if let Some(Member { at, held: Held::Map { each, .. }, .. }) = branch.take("properties") {
                join_properties(node, &own, at, each);
            }
        }
        let shared = shared.filter(|names| !names.is_empty());
        if let Some(names) = shared {
            let list = run.array_of(&names);
            self.add(run, node, Member { name: "required".to_owned(), at, held: Held::Value(list) });
        }
        Ok(())
    }
}

/// Whether `additionalProperties` is `false`.
fn forbids(run: &Run, member: &Member) -> bool {
    match &member.held {
        Held::Schema { parts, .. } => {
            parts.iter().any(|part| run.store.kind(part.value) == Kind::Boolean && !run.store.boolean(part.value))
        }
        Held::Value(_) | Held::Map { .. } | Held::List { .. } => false,
    }
}

/// A property of one branch: beside that of another branch, unless the object has one of its own.
fn join_properties(node: &mut Node, own: &Node, at: At, each: Vec<Named>) {
    let own: Vec<String> = match own.get("properties").map(|member| &member.held) {
        Some(Held::Map { each, .. }) => each.iter().map(|named| named.name.clone()).collect(),
        Some(_) | None => Vec::new(),
    };
    if !node.has("properties") {
        let held = Held::Map { whole: None, each: Vec::new() };
        node.members.push(Member { name: "properties".to_owned(), at, held });
    }
    let Some(Member { held: Held::Map { whole, each: known }, .. }) = node.get_mut("properties") else { return };
    *whole = None;
    for named in each {
        if own.contains(&named.name) {
            continue;
        }
        match known.iter_mut().find(|known| known.name == named.name) {
            Some(known) if known.any || known.parts.len() == 1 => {
                known.any = true;
                known.parts.extend(named.parts);
            }
            Some(_) => {}
            None => known.push(named),
        }
    }
}
