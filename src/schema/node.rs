//! A schema split into its keywords, together with those of all schemas that it is a conjunction of (`allOf`, an inlined `$ref`).

use super::shapes::{Shape, is_annotation, shape};
use super::values::those_in;
use crate::run::{At, Key, Result, Run};
use crate::value::text::lowercase;
use crate::value::{Fields, Keyed, Keys, Kind, Value, Word};

/// The references that led to a schema: an index into the walker's list; 0 if there are none.
pub type Trail = usize;

/// A schema in the input.
#[derive(Clone, Copy, Debug)]
pub struct InputSchema {
    pub value: Value,
    pub at: At,
    pub trail: Trail,
}

impl InputSchema {
    pub fn new(value: Value, at: At) -> InputSchema {
        InputSchema { value, at, trail: 0 }
    }
}

/// A schema below a keyword: the conjunction of its parts, or with `any` their disjunction.
#[derive(Clone, Debug)]
pub struct Below {
    /// The name of the property or definition; otherwise the keyword.
    pub key: Key,
    pub at: At,
    pub parts: Vec<InputSchema>,
    pub any: bool,
}

impl Below {
    fn new(key: Key, part: InputSchema) -> Below {
        Below { key, at: part.at, parts: vec![part], any: false }
    }
}

/// A keyword and its value.
#[derive(Clone, Debug)]
pub struct Member {
    pub key: Key,
    pub at: At,
    pub shape: Shape,
    /// The original value, as long as it is unchanged.
    pub whole: Option<Value>,
    pub schemas: Vec<Below>,
}

impl Member {
    pub fn new(word: Word, at: At, value: Value) -> Member {
        Member { key: Key::Word(word), at, shape: Shape::Value, whole: Some(value), schemas: Vec::new() }
    }

    /// A keyword whose value is a list of schemas.
    pub fn list(word: Word, at: At, parts: &[InputSchema]) -> Member {
        let key = Key::Word(word);
        let schemas = parts.iter().map(|part| Below::new(key, *part)).collect();
        Member { key, at, shape: Shape::List, whole: None, schemas }
    }

    /// The value, if it is not a schema.
    pub fn value(&self) -> Option<Value> {
        self.whole.filter(|_| self.shape == Shape::Value)
    }

    pub fn parts(&self) -> Vec<InputSchema> {
        let mut parts = Vec::with_capacity(self.schemas.len());
        for below in &self.schemas {
            parts.extend_from_slice(&below.parts);
        }
        parts
    }

    /// The `false` schema that it is, or that is one of its parts.
    pub fn forbidding(&self, run: &Run) -> Option<Value> {
        let forbids =
            |part: &&InputSchema| run.store.kind(part.value) == Kind::Boolean && !run.store.boolean(part.value);
        let below = self.schemas.first().filter(|_| self.shape == Shape::Schema)?;
        below.parts.iter().find(forbids).map(|part| part.value)
    }
}

impl Shape {
    /// The value of a keyword of this shape with these schemas.
    pub fn holding(self, run: &mut Run, schemas: &[(Key, Value)]) -> Value {
        match (self, schemas) {
            (Shape::Schema, [(_, only)]) => *only,
            (Shape::Map, _) => object_of(run, schemas),
            _ => run.build(|run| {
                run.store.begin_array();
                for (_, schema) in schemas {
                    run.store.put(*schema);
                }
                run.store.end_array();
            }),
        }
    }
}

#[derive(Default)]
pub struct SchemaNode {
    pub members: Vec<Member>,
    /// The values of unknown keywords, by key: there may be many.
    pub unknown: Keyed<Value>,
    /// Whether null is allowed too.
    pub nullable: bool,
    /// Constraints that the target has no keywords for, as text for the description.
    pub notes: Vec<String>,
    /// The trail of the schema that contains the `$ref`.
    pub trail: Trail,
    /// Where additional properties are forbidden, and the number of properties declared beside that.
    pub closings: Vec<(At, usize)>,
}

impl SchemaNode {
    #[inline(never)]
    pub fn get(&self, word: Word) -> Option<&Member> {
        self.members.iter().find(|member| member.key.word() == word)
    }

    pub fn get_mut(&mut self, word: Word) -> Option<&mut Member> {
        self.members.iter_mut().find(|member| member.key.word() == word)
    }

    pub fn has(&self, word: Word) -> bool {
        self.get(word).is_some()
    }

    pub fn take(&mut self, word: Word) -> Option<Member> {
        let index = self.members.iter().position(|member| member.key.word() == word)?;
        Some(self.members.remove(index))
    }

    pub fn take_all(&mut self) -> Vec<Member> {
        self.unknown.clear();
        std::mem::take(&mut self.members)
    }

    pub fn value(&self, word: Word) -> Option<Value> {
        self.get(word)?.value()
    }

    /// The list of schemas under `word`.
    pub fn list(&self, word: Word) -> Option<(At, Vec<InputSchema>)> {
        let member = self.get(word).filter(|member| member.shape == Shape::List)?;
        Some((member.at, member.parts()))
    }

    /// Replaces the keyword `word`, or adds the new one at the end.
    pub fn put_at(&mut self, word: Word, new: Member) {
        match self.get_mut(word) {
            Some(member) => *member = new,
            None => self.members.push(new),
        }
    }

    /// Replaces the value of `word`, or adds it at the end.
    pub fn put(&mut self, word: Word, at: At, value: Value) {
        let at = self.get(word).map_or(at, |member| member.at);
        self.put_at(word, Member::new(word, at, value));
    }

    /// The types in lower case; empty if there is no `type`.
    pub fn types(&self, run: &mut Run) -> Vec<Key> {
        type_names(run, self.value(Word::r#type))
    }
}

/// The types in a `type` keyword, in lower case.
pub fn type_names(run: &mut Run, value: Option<Value>) -> Vec<Key> {
    let names = match value {
        Some(value) if run.store.kind(value) == Kind::String => vec![value],
        value => names_of(run, value),
    };
    let mut types = Vec::with_capacity(names.len());
    for name in names {
        let name = lowercase(&run.store.text(name));
        let word = Word::of(name.as_bytes());
        types.push(if word == Word::Unknown { Key::Text(run.store.string(&name)) } else { Key::Word(word) });
    }
    types
}

#[inline(never)]
pub fn has_type(types: &[Key], word: Word) -> bool {
    types.iter().any(|known| known.word() == word)
}

pub fn without(types: &[Key], words: &[Word]) -> Vec<Key> {
    let mut left = Vec::new();
    for name in types {
        if !words.contains(&name.word()) {
            left.push(*name);
        }
    }
    left
}

/// The value of a `type` keyword with these names.
pub fn type_value(run: &mut Run, types: &[Key]) -> Value {
    let mut names = Vec::with_capacity(types.len());
    for name in types {
        names.push(run.key_value(*name));
    }
    if let [only] = names.as_slice() { *only } else { run.store.array_of(&names) }
}

pub fn of_type(run: &mut Run, name: Key) -> Value {
    let name = run.key_value(name);
    object_of(run, &[(Key::Word(Word::r#type), name)])
}

/// The JSON types of values.
pub fn types_of(run: &mut Run, values: &[Value]) -> Vec<Key> {
    let mut types = Vec::new();
    for value in values {
        let word = match run.store.kind(*value) {
            Kind::Null => Word::null,
            Kind::Boolean => Word::boolean,
            Kind::Number if run.store.number(*value).fract() == 0.0 => Word::integer,
            Kind::Number => Word::number,
            Kind::String => Word::string,
            Kind::Array => Word::array,
            Kind::Object | Kind::Other => Word::object,
        };
        if !has_type(&types, word) {
            types.push(Key::Word(word));
        }
    }
    types
}

/// The elements of a value that may not be a list.
pub fn list_of(run: &mut Run, value: Value) -> Vec<Value> {
    if run.store.kind(value) == Kind::Array { run.list(value) } else { Vec::new() }
}

/// The strings of a list; other elements are not names.
pub fn names_of(run: &mut Run, list: Option<Value>) -> Vec<Value> {
    let mut names = Vec::new();
    for name in list.map(|list| list_of(run, list)).unwrap_or_default() {
        if run.store.kind(name) == Kind::String {
            names.push(name);
        }
    }
    names
}

/// Whether the value is a type or a list of types.
pub fn is_type(run: &mut Run, value: Value) -> bool {
    match run.store.kind(value) {
        Kind::Array => run.list(value).iter().all(|name| run.store.kind(*name) == Kind::String),
        kind => kind == Kind::String,
    }
}

/// The members of a value that may not be an object.
pub fn fields_of(run: &mut Run, value: Value) -> Fields {
    if run.store.kind(value) == Kind::Object { run.members(value) } else { Fields::default() }
}

/// The members as pairs, for writing.
#[inline(never)]
pub fn pairs_of(run: &mut Run, value: Value) -> Vec<(Key, Value)> {
    fields_of(run, value).into_iter().map(|field| (Key::from(field), field.value)).collect()
}

/// A member of a value that may not be an object.
pub fn member_of(run: &mut Run, value: Value, key: Key) -> Option<Value> {
    fields_of(run, value).into_iter().find(|field| run.is_same_key(Key::from(*field), key)).map(|field| field.value)
}

/// The indices of the schemas below a keyword, by key.
pub fn places(run: &Run, schemas: &[Below]) -> Keys {
    let mut places = Keys::default();
    for below in schemas {
        places.add(run.key_text(below.key).as_bytes());
    }
    places
}

pub fn object_of(run: &mut Run, members: &[(Key, Value)]) -> Value {
    run.build(|run| {
        run.store.begin_object();
        for (key, value) in members {
            run.put_key(*key);
            run.store.put(*value);
        }
        run.store.end_object();
    })
}

/// The keywords of an object, each with its shape.
pub fn open(run: &mut Run, part: InputSchema) -> Result<Vec<Member>> {
    let fields = run.fields(part.value, part.at)?;
    open_fields(run, part, fields)
}

/// The same for Google's own format, where keywords may be in snake case.
pub fn open_respelt(run: &mut Run, part: InputSchema) -> Result<Vec<Member>> {
    let mut fields = run.fields(part.value, part.at)?;
    run.read_snake_case(&mut fields, part.at);
    open_fields(run, part, fields)
}

fn open_fields(run: &mut Run, part: InputSchema, fields: Fields) -> Result<Vec<Member>> {
    let mut members = Vec::with_capacity(fields.len());
    for field in fields {
        let key = Key::from(field);
        let at = run.down_key(part.at, key);
        members.push(take_apart(run, key, InputSchema { value: field.value, at, ..part })?);
    }
    Ok(members)
}

fn take_apart(run: &mut Run, key: Key, part: InputSchema) -> Result<Member> {
    let InputSchema { value, at, .. } = part;
    let shape = match (shape(key.word()), run.store.kind(value)) {
        (Shape::Schema, Kind::Object | Kind::Boolean) => Shape::Schema,
        (Shape::Map, Kind::Object) => Shape::Map,
        // an empty map, as PHP and other languages write it (Q44b)
        (Shape::Map, Kind::Array) if run.is_void(value) => {
            return Ok(Member { key, at, shape: Shape::Map, whole: None, schemas: Vec::new() });
        }
        // `items` may be a list: a tuple
        (Shape::List | Shape::Schema, Kind::Array) => Shape::List,
        _ => Shape::Value,
    };
    let mut schemas = Vec::new();
    match shape {
        Shape::Value => {}
        Shape::Schema => schemas.push(Below::new(key, part)),
        Shape::Map => {
            for field in run.fields(value, at)? {
                let key = Key::from(field);
                let at = run.down_key(at, key);
                schemas.push(Below::new(key, InputSchema { value: field.value, at, ..part }));
            }
        }
        Shape::List => {
            for (value, at) in run.elements(value, at)? {
                schemas.push(Below::new(key, InputSchema { value, at, ..part }));
            }
        }
    }
    Ok(Member { key, at, shape, whole: Some(value), schemas })
}

/// Adds a keyword to a schema that may have it already: the result is the conjunction. False if it can't be expressed.
pub fn add(run: &mut Run, node: &mut SchemaNode, new: Member) -> bool {
    let word = new.key.word();
    if let (Word::Unknown, Some(value)) = (word, new.whole) {
        let key = run.key_text(new.key).into_owned();
        if let Some(known) = node.unknown.get(key.as_bytes()) {
            return run.store.same(*known, value);
        }
        node.unknown.insert(key.as_bytes(), value);
        node.members.push(new);
        return true;
    }
    let Some(known) = node.get_mut(word) else {
        node.members.push(new);
        return true;
    };
    match (known.shape, new.shape) {
        (Shape::List, Shape::List) if word == Word::allOf => {
            known.whole = None;
            known.schemas.extend(new.schemas);
            true
        }
        (Shape::Value, Shape::Value) => {
            let (Some(left), Some(right)) = (known.whole, new.whole) else { return false };
            let joined = both(run, word, left, right);
            known.whole = joined.or(known.whole);
            joined.is_some() || is_annotation(word)
        }
        (Shape::Map, Shape::Map) => {
            known.whole = None;
            join(run, &mut known.schemas, new.schemas, word == Word::properties)
        }
        (Shape::Schema, Shape::Schema) => join(run, &mut known.schemas, new.schemas, true),
        _ => false,
    }
}

/// Joins two sets of schemas by key: with `both`, schemas of one key become a conjunction; definitions of one key are the same schema.
fn join(run: &mut Run, known: &mut Vec<Below>, more: Vec<Below>, both: bool) -> bool {
    let mut places = places(run, known);
    for below in more {
        match known.get_mut(places.place_or_add(run.key_text(below.key).as_bytes())) {
            Some(_) if !both => {}
            Some(known) if !known.any && !below.any => known.parts.extend(below.parts),
            Some(_) => return false,
            None => known.push(below),
        }
    }
    true
}

/// The conjunction of two values of a keyword.
fn both(run: &mut Run, word: Word, left: Value, right: Value) -> Option<Value> {
    if run.store.same(left, right) {
        return Some(left);
    }
    match (word, run.store.kind(left), run.store.kind(right)) {
        (Word::r#type, _, _) => {
            let (left, right) = (type_names(run, Some(left)), type_names(run, Some(right)));
            let mut shared: Vec<Key> = Vec::with_capacity(left.len());
            for name in left {
                let name = shared_type(run, name, &right);
                shared.extend(name.filter(|name| !shared.iter().any(|known| run.is_same_key(*known, *name))));
            }
            (!shared.is_empty()).then(|| type_value(run, &shared))
        }
        (Word::required, Kind::Array, Kind::Array) => {
            let mut names = run.list(left);
            let more = run.list(right);
            names.extend(those_in(run, &more, &names, false));
            Some(run.store.array_of(&names))
        }
        (Word::r#enum, Kind::Array, Kind::Array) => {
            let (left, right) = (run.list(left), run.list(right));
            let shared = those_in(run, &left, &right, true);
            (!shared.is_empty()).then(|| run.store.array_of(&shared))
        }
        (_, Kind::Number, Kind::Number) => {
            let is_less = run.store.number(left) < run.store.number(right);
            let is_least = match word {
                Word::minimum | Word::minLength | Word::minItems | Word::minProperties | Word::exclusiveMinimum => true,
                Word::maximum | Word::maxLength | Word::maxItems | Word::maxProperties | Word::exclusiveMaximum => {
                    false
                }
                _ => return None,
            };
            Some(if is_less == is_least { right } else { left })
        }
        _ => None,
    }
}

/// The intersection of a type with others: an integer is a number.
pub fn shared_type(run: &mut Run, name: Key, others: &[Key]) -> Option<Key> {
    match name.word() {
        Word::number if has_type(others, Word::integer) && !has_type(others, Word::number) => {
            Some(Key::Word(Word::integer))
        }
        Word::integer if has_type(others, Word::number) => Some(name),
        _ => others.iter().any(|other| run.is_same_key(name, *other)).then_some(name),
    }
}
