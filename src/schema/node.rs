//! One schema taken apart: its keywords, with those of all that it is the conjunction of (`allOf`, an inlined `$ref`).

use super::policy::{Shape, is_annotation, shape};
use crate::run::{At, Key, Result, Run};
use crate::value::text::lowercase;
use crate::value::{Kind, Value, Word};

/// The references that were followed to come to a schema: an index into the walker's list; 0 is none.
pub type Trail = usize;

/// A schema as it stands in the input.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub value: Value,
    pub at: At,
    pub trail: Trail,
}

/// A property or a definition: all of its parts hold, or any.
#[derive(Clone, Debug)]
pub struct Named {
    pub key: Value,
    pub name: String,
    pub at: At,
    pub parts: Vec<Part>,
    pub any: bool,
}

#[derive(Clone, Debug)]
pub enum Held {
    Value(Value),
    Schema {
        parts: Vec<Part>,
        any: bool,
    },
    /// `whole` is the object while it stands as it came.
    Map {
        whole: Option<Value>,
        each: Vec<Named>,
    },
    List {
        whole: Option<Value>,
        parts: Vec<Part>,
    },
}

#[derive(Clone, Debug)]
pub struct Member {
    pub name: String,
    pub at: At,
    pub held: Held,
}

#[derive(Clone, Debug, Default)]
pub struct Node {
    pub members: Vec<Member>,
    /// Null is a value, too.
    pub nullable: bool,
    /// What the target can't be told in keywords.
    pub notes: Vec<String>,
    /// How the schema was come to whose `$ref` stands here.
    pub trail: Trail,
}

impl Node {
    pub fn get(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.name == name)
    }

    pub fn get_mut(&mut self, name: &str) -> Option<&mut Member> {
        self.members.iter_mut().find(|member| member.name == name)
    }

    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub fn take(&mut self, name: &str) -> Option<Member> {
        let index = self.members.iter().position(|member| member.name == name)?;
        Some(self.members.remove(index))
    }

    pub fn value(&self, name: &str) -> Option<Value> {
        match &self.get(name)?.held {
            Held::Value(value) => Some(*value),
            Held::Schema { .. } | Held::Map { .. } | Held::List { .. } => None,
        }
    }

    /// Puts a value in the place of what stands under `name`, or at the end.
    pub fn put(&mut self, name: &str, at: At, value: Value) {
        match self.get_mut(name) {
            Some(member) => member.held = Held::Value(value),
            None => self.members.push(Member { name: name.to_owned(), at, held: Held::Value(value) }),
        }
    }

    /// Its types in lower case; none if it says none.
    pub fn types(&self, run: &mut Run) -> Vec<String> {
        self.value("type").map(|value| type_names(run, value)).unwrap_or_default()
    }
}

/// The types that stand under `type`, in lower case.
pub fn type_names(run: &mut Run, value: Value) -> Vec<String> {
    match run.store.kind(value) {
        Kind::String => vec![lowercase(&run.store.text(value))],
        Kind::Array => {
            let names = run.list(value);
            names.into_iter().map(|name| lowercase(&run.store.text(name))).collect()
        }
        Kind::Null | Kind::Boolean | Kind::Number | Kind::Object | Kind::Other => Vec::new(),
    }
}

/// The strings of a list; what else it holds is no name.
pub fn names_of(run: &mut Run, list: Value) -> Vec<Value> {
    let is_list = run.store.kind(list) == Kind::Array;
    let names = if is_list { run.list(list) } else { Vec::new() };
    names.into_iter().filter(|name| run.store.kind(*name) == Kind::String).collect()
}

/// A member of an object by a key that need not be a control word.
pub fn member_of(run: &mut Run, object: Value, key: &str) -> Option<(Value, Key)> {
    if run.store.kind(object) != Kind::Object {
        return None;
    }
    let fields = run.members(object);
    let field = fields.into_iter().find(|field| run.store.text(field.key) == key)?;
    Some((field.value, Key::from(field)))
}

/// The keywords of one object, taken apart by what they hold.
pub fn open(run: &mut Run, part: Part) -> Result<Vec<Member>> {
    let Part { value, at, trail } = part;
    let fields = run.store.fields(value, &mut Vec::new()).map_err(|fault| run.fault(fault, at))?;
    let mut members = Vec::with_capacity(fields.len());
    for field in fields {
        let name = run.store.owned_text(field.key);
        let at = run.down_key(at, Key::from(field));
        let held = take_apart(run, &name, Part { value: field.value, at, trail })?;
        members.push(Member { name, at, held });
    }
    Ok(members)
}

fn take_apart(run: &mut Run, name: &str, part: Part) -> Result<Held> {
    let Part { value, at, trail } = part;
    Ok(match (shape(name), run.store.kind(value)) {
        (Shape::Schema, Kind::Object | Kind::Boolean) => Held::Schema { parts: vec![part], any: false },
        (Shape::Map, Kind::Object) => {
            let fields = run.store.fields(value, &mut Vec::new()).map_err(|fault| run.fault(fault, at))?;
            let mut each = Vec::with_capacity(fields.len());
            for field in fields {
                let at = run.down_key(at, Key::from(field));
                let name = run.store.owned_text(field.key);
                let parts = vec![Part { value: field.value, at, trail }];
                each.push(Named { key: field.key, name, at, parts, any: false });
            }
            Held::Map { whole: Some(value), each }
        }
        // an empty map, as some languages write it (Q44b)
        (Shape::Map, Kind::Array) if run.says_nothing(value) => Held::Map { whole: None, each: Vec::new() },
        // `items` may be a list: a tuple
        (Shape::List | Shape::Schema, Kind::Array) => {
            let elements = run.elements(value, at)?;
            let parts = elements.into_iter().map(|(value, at)| Part { value, at, trail }).collect();
            Held::List { whole: Some(value), parts }
        }
        _ => Held::Value(value),
    })
}

/// Adds a keyword to a schema that may have it already: both hold. False if that can't be said.
pub fn add(run: &mut Run, node: &mut Node, new: Member) -> bool {
    let Some(index) = node.members.iter().position(|member| member.name == new.name) else {
        node.members.push(new);
        return true;
    };
    let Some(known) = node.members.get_mut(index) else { return false };
    let Member { name, at: _, held } = new;
    match (&mut known.held, held) {
        (Held::Map { whole, each }, Held::Map { each: more, .. }) => {
            *whole = None;
            for named in more {
                match each.iter_mut().find(|known| known.name == named.name) {
                    // a definition is the same wherever it is reached from
                    Some(_) if name != "properties" => {}
                    Some(known) if !known.any && !named.any => known.parts.extend(named.parts),
                    Some(_) => return false,
                    None => each.push(named),
                }
            }
            true
        }
        (Held::Schema { parts, any: false }, Held::Schema { parts: more, any: false }) => {
            parts.extend(more);
            true
        }
        (Held::Value(known), Held::Value(new)) => match both(run, &name, *known, new) {
            Some(value) => {
                *known = value;
                true
            }
            None => is_annotation(&name),
        },
        _ => false,
    }
}

/// The value of a keyword that says what two values of it say.
fn both(run: &mut Run, name: &str, left: Value, right: Value) -> Option<Value> {
    if run.store.same(left, right) {
        return Some(left);
    }
    let kinds = (run.store.kind(left), run.store.kind(right));
    match (name, kinds) {
        ("required", (Kind::Array, Kind::Array)) => {
            let mut names = run.list(left);
            for name in run.list(right) {
                if !names.iter().any(|known| run.store.same(*known, name)) {
                    names.push(name);
                }
            }
            Some(run.array_of(&names))
        }
        ("type", _) => {
            let (left, right) = (type_names(run, left), type_names(run, right));
            let shared: Vec<String> = left.iter().filter_map(|name| shared_type(name, &right)).collect();
            (!shared.is_empty()).then(|| type_value(run, &shared))
        }
        ("enum", (Kind::Array, Kind::Array)) => {
            let others = run.list(right);
            let mut shared = run.list(left);
            shared.retain(|value| others.iter().any(|other| run.store.same(*value, *other)));
            (!shared.is_empty()).then(|| run.array_of(&shared))
        }
        ("minimum" | "minLength" | "minItems" | "minProperties" | "exclusiveMinimum", (Kind::Number, Kind::Number)) => {
            Some(if run.store.number(left) < run.store.number(right) { right } else { left })
        }
        ("maximum" | "maxLength" | "maxItems" | "maxProperties" | "exclusiveMaximum", (Kind::Number, Kind::Number)) => {
            Some(if run.store.number(left) > run.store.number(right) { right } else { left })
        }
        _ => None,
    }
}

/// A whole number is a number.
fn shared_type(name: &str, others: &[String]) -> Option<String> {
    let has = |wanted: &str| others.iter().any(|other| other == wanted);
    match name {
        "number" if !has("number") && has("integer") => Some("integer".to_owned()),
        "integer" if has("number") => Some("integer".to_owned()),
        name => has(name).then(|| name.to_owned()),
    }
}

/// What stands under `type` for these names.
pub fn type_value(run: &mut Run, names: &[String]) -> Value {
    match names {
        [one] => run.store.string(one),
        many => run.build(|run| {
            run.store.begin_array();
            many.iter().for_each(|name| run.store.put_text(name));
            run.store.end_array();
        }),
    }
}

/// Writes a key that may be a control word.
pub fn put_name(run: &mut Run, name: &str) {
    let word = Word::of(name.as_bytes());
    if word == Word::Unknown {
        let key = run.store.string(name);
        run.store.key_of(key);
    } else {
        run.store.key(word);
    }
}
