//! The one walker that makes a schema what a target takes. It reads one level at a time; what need not change is passed on
//! as it stands.

use super::node::{Held, Member, Named, Node, Part, Trail, add, open, put_name};
use super::policy::{Policy, References, Rule};
use super::tree::DEEPEST;
use crate::run::{At, Key, Result, Run, WarningCode};
use crate::value::{Fault, Keyed, Keys, Kind, Value};
use std::cell::RefCell;

/// What comes out may hold no more schemas: a few definitions can unfold to more than any machine holds.
const MOST_SCHEMAS: usize = 50_000;

/// Members of one object, by their keys.
pub type Members = Keyed<(Value, Key)>;

pub struct Walker {
    pub policy: &'static Policy,
    pub root: Part,
    /// References followed so far, each with the trail before it.
    pub trails: Vec<(Trail, String)>,
    /// References that were looked through, and whether each comes back to itself.
    pub known: Keys,
    pub are_recursive: Vec<bool>,
    /// The members of objects that references lead through.
    pub members: RefCell<Keyed<Members>>,
    told: Keys,
    /// Why the policy's strict mode can't be had.
    pub refused: Option<(At, &'static str)>,
    depth: usize,
    schemas: usize,
}

/// What was written of one schema.
#[derive(Default)]
pub struct Out {
    pub members: Vec<(String, Value)>,
    pub properties: Vec<(String, At)>,
    pub notes: Vec<String>,
}

impl Out {
    pub fn get(&self, name: &str) -> Option<Value> {
        self.members.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    pub fn set(&mut self, name: &str, value: Value) {
        match self.members.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value,
            None => self.members.push((name.to_owned(), value)),
        }
    }

    /// Moves a keyword right after another one, or to the end: what is read back is written in one order.
    fn put_after(&mut self, name: &str, other: &str) {
        let place = |members: &[(String, Value)], wanted: &str| members.iter().position(|(known, _)| known == wanted);
        let Some(from) = place(&self.members, name) else { return };
        let moved = self.members.remove(from);
        let to = place(&self.members, other).map_or(self.members.len(), |before| before + 1);
        self.members.insert(to, moved);
    }
}

impl Walker {
    pub fn new(policy: &'static Policy, schema: Value, at: At) -> Walker {
        Walker {
            policy,
            root: Part { value: schema, at, trail: 0 },
            trails: Vec::new(),
            known: Keys::default(),
            are_recursive: Vec::new(),
            members: RefCell::default(),
            told: Keys::default(),
            refused: None,
            depth: 0,
            schemas: 0,
        }
    }

    /// Warns once about each place, however often a definition that it stands in is used.
    pub fn tell(&mut self, run: &mut Run, at: At, message: &str) {
        if self.told.add(run.pointer(at).as_bytes()) {
            run.warn(WarningCode::SchemaChanged, at, message);
        }
    }

    /// Strict mode can't express what stands here; where there is no other mode, that is a loss.
    pub fn refuse(&mut self, run: &mut Run, at: At, why: &'static str) {
        if self.policy.strict {
            self.refused.get_or_insert((at, why));
        } else {
            self.tell(run, at, why);
        }
    }

    /// The whole schema as the target takes it.
    pub fn walk(&mut self, run: &mut Run) -> Result<Value> {
        let root = self.root;
        self.all_of(run, &[root], true)
    }

    /// Whether nothing is changed where nothing must be.
    fn is_lax(&self) -> bool {
        self.policy.others == Rule::Keep
    }

    /// One schema that says what all the parts say.
    fn all_of(&mut self, run: &mut Run, parts: &[Part], is_root: bool) -> Result<Value> {
        let [first, rest @ ..] = parts else { return Ok(run.empty_object()) };
        let single = rest.is_empty().then_some(first.value);
        if let Some(value) = single {
            let passes = match run.store.kind(value) {
                Kind::Object => !self.policy.deep && !is_root,
                Kind::Boolean | Kind::Null | Kind::Number | Kind::String | Kind::Array | Kind::Other => self.is_lax(),
            };
            if passes || self.schemas > MOST_SCHEMAS {
                return Ok(value);
            }
        }
        if self.depth >= DEEPEST {
            return match single {
                Some(value) if self.is_lax() => Ok(value),
                _ => Err(run.fault(Fault::Depth { limit: DEEPEST }, first.at)),
            };
        }
        self.depth += 1;
        self.schemas += 1;
        let mut node = Node::default();
        let inline = self.policy.references == References::Inline;
        for part in parts {
            self.gather(run, &mut node, *part, inline)?;
        }
        let written = self.write(run, node, single, first.at, is_root);
        self.depth -= 1;
        written
    }

    /// One schema that allows what any of the parts allows.
    fn any_of(&mut self, run: &mut Run, parts: &[Part], at: At) -> Result<Value> {
        let mut distinct: Vec<Part> = Vec::new();
        for part in parts {
            if !distinct.iter().any(|known| run.store.same(known.value, part.value)) {
                distinct.push(*part);
            }
        }
        if distinct.len() < 2 {
            return self.all_of(run, &distinct, false);
        }
        let mut node = Node::default();
        let held = Held::List { whole: None, parts: distinct };
        node.members.push(Member { name: "anyOf".to_owned(), at, held });
        self.write(run, node, None, at, false)
    }

    /// Adds the keywords of a schema, of what it refers to if `inline`, and of what it is the conjunction of.
    pub fn gather(&mut self, run: &mut Run, node: &mut Node, part: Part, inline: bool) -> Result<()> {
        match run.store.kind(part.value) {
            Kind::Object => {}
            Kind::Boolean if !run.store.boolean(part.value) => {
                self.refuse(run, part.at, "the target can't forbid a value");
                return Ok(());
            }
            // `true` allows everything (Q17)
            Kind::Boolean => return Ok(()),
            Kind::Null | Kind::Number | Kind::String | Kind::Array | Kind::Other => {
                self.tell(run, part.at, "this is no schema");
                return Ok(());
            }
        }
        let mut reference = None;
        let mut conjunction = None;
        let merges = self.policy.rule("allOf") == Rule::Merge;
        for member in open(run, part)? {
            match (member.name.as_str(), &member.held) {
                ("$ref", Held::Value(value)) if inline && run.store.kind(*value) == Kind::String => {
                    reference = Some((*value, member.at));
                }
                ("$ref", Held::Value(value)) if run.store.kind(*value) != Kind::String => {
                    self.tell(run, member.at, "this is no reference");
                }
                ("allOf", Held::List { parts, .. }) if merges => conjunction = Some(parts.clone()),
                _ => {
                    if member.name == "$ref" {
                        node.trail = part.trail;
                    }
                    self.add(run, node, member);
                }
            }
        }
        for part in conjunction.into_iter().flatten() {
            self.nested(run, part.at, |walker, run| walker.gather(run, node, part, true))?;
        }
        if let Some((value, at)) = reference {
            self.follow(run, node, value, at, part.trail)?;
        }
        Ok(())
    }

    /// Goes one level down; not deeper than every stack holds.
    pub fn nested<T>(&mut self, run: &mut Run, at: At, go: impl FnOnce(&mut Self, &mut Run) -> Result<T>) -> Result<T> {
        if self.depth >= DEEPEST {
            return Err(run.fault(Fault::Depth { limit: DEEPEST }, at));
        }
        self.depth += 1;
        let gone = go(self, run);
        self.depth -= 1;
        gone
    }

    pub fn add(&mut self, run: &mut Run, node: &mut Node, member: Member) {
        let at = member.at;
        if !add(run, node, member) {
            self.tell(run, at, "what else the schema says can't be joined with this");
        }
    }

    /// Writes what was gathered; gives `original` again where that says the same.
    pub fn write(
        &mut self,
        run: &mut Run,
        mut node: Node,
        original: Option<Value>,
        at: At,
        is_root: bool,
    ) -> Result<Value> {
        if is_root {
            self.fit_root(run, &mut node, at)?;
        }
        if self.policy.deep {
            self.fit_reference(run, &mut node)?;
            self.fit_unions(run, &mut node, at)?;
            self.fit_tuple(run, &mut node);
            self.fit_bounds(run, &mut node);
            if self.distributes(&node) {
                return self.nested(run, at, |walker, run| walker.distribute(run, node, at));
            }
        }
        let mut out = Out { notes: std::mem::take(&mut node.notes), ..Out::default() };
        let nullable = node.nullable;
        let types = node.types(run);
        for member in node.members {
            self.keyword(run, member, &types, &mut out)?;
        }
        self.finish(run, &mut out, at, is_root);
        if nullable && is_root && self.policy.object_root {
            self.tell(run, at, "the root is an object and nothing else");
        } else if nullable {
            self.allow_null(run, &mut out);
        }
        if self.policy.google_types {
            out.put_after("nullable", "type");
        }
        Ok(built(run, &out, original))
    }

    /// The value of a keyword, with the schemas in it as the target takes them.
    pub fn fitted(&mut self, run: &mut Run, member: &Member) -> Result<Value> {
        match &member.held {
            Held::Value(value) => Ok(*value),
            Held::Schema { parts, any: false } => self.all_of(run, parts, false),
            Held::Schema { parts, any: true } => self.any_of(run, parts, member.at),
            Held::List { whole, parts } => {
                let mut values = Vec::with_capacity(parts.len());
                for part in parts {
                    values.push(self.all_of(run, &[*part], false)?);
                }
                let unchanged = parts.iter().zip(&values).all(|(part, value)| part.value == *value);
                match whole {
                    Some(whole) if unchanged => Ok(*whole),
                    _ => Ok(run.array_of(&values)),
                }
            }
            Held::Map { whole, each } => self.fitted_map(run, *whole, each),
        }
    }

    fn fitted_map(&mut self, run: &mut Run, whole: Option<Value>, each: &[Named]) -> Result<Value> {
        let mut values = Vec::with_capacity(each.len());
        for named in each {
            values.push(match named.any {
                true => self.any_of(run, &named.parts, named.at)?,
                false => self.all_of(run, &named.parts, false)?,
            });
        }
        let is_same =
            |(named, value): (&Named, &Value)| matches!(named.parts.as_slice(), [part] if part.value == *value);
        if let Some(whole) = whole.filter(|_| each.iter().zip(&values).all(is_same)) {
            return Ok(whole);
        }
        Ok(run.build(|run| {
            run.store.begin_object();
            for (named, value) in each.iter().zip(&values) {
                run.store.key_of(named.key);
                run.store.put(*value);
            }
            run.store.end_object();
        }))
    }
}

fn built(run: &mut Run, out: &Out, original: Option<Value>) -> Value {
    if let Some(original) = original.filter(|original| run.store.kind(*original) == Kind::Object) {
        let fields = run.members(original);
        let same = |(field, (name, value)): (&crate::value::Field, &(String, Value))| {
            field.value == *value && run.store.text(field.key) == *name
        };
        if fields.len() == out.members.len() && fields.iter().zip(&out.members).all(same) {
            return original;
        }
    }
    object_of(run, &out.members)
}

pub fn object_of(run: &mut Run, members: &[(String, Value)]) -> Value {
    run.build(|run| {
        run.store.begin_object();
        for (name, value) in members {
            put_name(run, name);
            run.store.put(*value);
        }
        run.store.end_object();
    })
}
