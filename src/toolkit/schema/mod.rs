//! JSON Schema 2020-12 and draft-07. A schema is compiled once, and then checks, completes and corrects values.

mod assertions;
mod coerce;
mod compile;
mod equal;
mod explain;
mod facets;
mod fields;
mod fix;
mod formats;
mod keywords;
mod messages;
mod metaschemas;
mod node;
mod number;
mod pattern;
mod pointer;
mod resources;
mod size;
mod unions;
mod uri;
mod validate;

use super::error::Result;
use super::problem::{Change, Problem};
use super::repair::{Expected, SchemaGuide};
use crate::json::{Map, Value};
pub use node::Types;
use node::{Id, Node};
pub use pointer::join;
pub use resources::Draft;
#[cfg(not(target_arch = "wasm32"))]
use serde::Serialize;
use std::sync::LazyLock;
use validate::Walk;

/// The options for compiling a schema.
#[derive(Clone, Debug, Default)]
pub struct SchemaOptions {
    /// The draft of schemas without `$schema`.
    pub draft: Draft,
    /// Other documents that the schema may refer to, by URI.
    pub documents: Map<String, Value>,
}

/// A compiled schema.
#[derive(Debug)]
pub struct Schema {
    nodes: compile::Nodes,
}

impl Schema {
    /// Compiles a schema.
    ///
    /// # Errors
    /// `invalid_schema` if the value of a keyword is malformed, a reference can't be resolved, or a pattern may take
    /// exponential time.
    pub fn new(schema: &Value, options: &SchemaOptions) -> Result<Self> {
        Ok(Self { nodes: compile::compile(schema, options.draft, &options.documents)? })
    }

    /// Whether a value is valid. `formats` is whether `format` is asserted.
    pub fn accepts(&self, value: &Value, formats: bool) -> bool {
        Walk::new(self, CheckOptions { formats, ..CheckOptions::NONE }).is_valid(value)
    }

    /// Completes a value with defaults, checks it, and corrects it if it is invalid.
    pub fn check(&self, mut value: Value, options: CheckOptions) -> Checked {
        let mut walk = Walk::new(self, options);
        let has_whole_float = size::of(&value).has_whole_float;
        let is_complete = !self.nodes.has_defaults && !has_whole_float;
        if is_complete && walk.is_valid(&value) {
            return Checked { value, problems: Vec::new(), changes: Vec::new() };
        }
        if options.defaults || options.coerce {
            walk.fix_all(&mut value);
        }
        if !walk.is_valid(&value) {
            if options.coerce || options.clamp {
                walk.corrects = true;
                walk.fix_all(&mut value);
            }
            walk.explain_all(&value);
        }
        Checked { value, problems: walk.problems, changes: walk.changes }
    }

    fn node(&self, id: Id) -> &Node {
        static NOTHING: LazyLock<Node> = LazyLock::new(Node::default);
        self.nodes.list.get(id).unwrap_or(&NOTHING)
    }
}

/// The index of the root node.
const ROOT: Id = 0;

impl Schema {
    /// The constraints at a place.
    #[inline(never)]
    fn facets_at(&self, place: usize) -> facets::Facets<'_> {
        Walk::new(self, CheckOptions::NONE).facets(place)
    }
}

impl SchemaGuide for Schema {
    fn root(&self) -> usize {
        ROOT
    }

    fn field(&self, place: usize, name: &str) -> Option<usize> {
        self.facets_at(place).properties().find(|(known, _)| *known == name).map(|(_, id)| id)
    }

    fn declares(&self, place: usize) -> bool {
        self.facets_at(place).properties().next().is_some()
    }

    fn item(&self, place: usize, index: usize) -> Option<usize> {
        self.facets_at(place).item(index)
    }

    fn expected(&self, place: usize) -> Expected {
        let Some(types) = self.facets_at(place).types() else { return Expected::default() };
        Expected {
            text: types.meets(Types::STRING),
            number: types.meets(Types::NUMBER.and(Types::INTEGER)),
            container: types.meets(Types::OBJECT.and(Types::ARRAY)),
        }
    }
}

/// The options for checking a value. Everything is on by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckOptions {
    /// If the value is invalid, converts parts of it to the types and spellings that the schema requires.
    pub coerce: bool,
    /// If the value is invalid, moves out-of-range numbers to the nearest bound.
    pub clamp: bool,
    /// Adds the defaults of absent fields. Removes nulls from optional fields that can't be null.
    pub defaults: bool,
    /// Whether `format` is asserted.
    pub formats: bool,
}

impl CheckOptions {
    pub(super) const NONE: Self = Self { coerce: false, clamp: false, defaults: false, formats: true };
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self { coerce: true, clamp: true, defaults: true, formats: true }
    }
}

/// The result of checking a value.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize))]
pub struct Checked {
    /// The value with all changes made.
    pub value: Value,
    /// Empty if the value is valid.
    pub problems: Vec<Problem>,
    pub changes: Vec<Change>,
}
