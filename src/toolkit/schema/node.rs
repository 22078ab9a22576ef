//! A compiled schema: a list with one node per subschema.

use super::pattern::Pattern;
use crate::json::{Number, Value};
use crate::table::Table;

/// The index of a node.
pub type Id = usize;
/// The index of a schema resource, which is a schema with its own base URI.
pub type ResourceId = usize;

/// A set of JSON types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Types(pub u8);

impl Types {
    pub const NULL: Self = Self(1);
    pub const BOOLEAN: Self = Self(2);
    pub const INTEGER: Self = Self(4);
    pub const NUMBER: Self = Self(8);
    pub const STRING: Self = Self(16);
    pub const ARRAY: Self = Self(32);
    pub const OBJECT: Self = Self(64);
    pub const NAMES: [(&'static str, Self); 7] = [
        ("null", Self::NULL),
        ("boolean", Self::BOOLEAN),
        ("integer", Self::INTEGER),
        ("number", Self::NUMBER),
        ("string", Self::STRING),
        ("array", Self::ARRAY),
        ("object", Self::OBJECT),
    ];

    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, types)| *types)
    }

    pub fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if super::number::is_integer(number) => Self(Self::INTEGER.0 | Self::NUMBER.0),
            Value::Number(_) => Self::NUMBER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub fn common(self, other: Self) -> Self {
        // Integers are numbers as well.
        let widened = |types: Self| if types.meets(Self::NUMBER) { types.and(Self::INTEGER) } else { types };
        Self(widened(self).0 & widened(other).0)
    }

    /// Whether the sets have a type in common.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.iter().filter(move |(_, types)| self.meets(*types)).map(|(name, _)| *name)
    }
}

#[derive(Debug, Default)]
pub struct Node {
    /// The location of the subschema in its document.
    pub pointer: String,
    pub resource: ResourceId,
    /// The result of the boolean schemas `true` and `false`.
    pub verdict: Option<bool>,
    pub reference: Option<Id>,
    pub dynamic: Option<Dynamic>,
    pub types: Option<Types>,
    pub values: Option<Vec<Value>>,
    pub constant: Option<Value>,
    pub numbers: Option<Box<Numbers>>,
    pub strings: Option<Box<Strings>>,
    pub arrays: Option<Box<Arrays>>,
    pub objects: Option<Box<Objects>>,
    pub all: Vec<Id>,
    pub any: Vec<Id>,
    pub one: Vec<Id>,
    pub not: Option<Id>,
    pub condition: Option<Condition>,
    pub default: Option<Value>,
}

/// `$dynamicRef`. The target applies unless a resource in the dynamic scope has a `$dynamicAnchor` of this name.
#[derive(Debug)]
pub struct Dynamic {
    pub target: Id,
    pub name: String,
}

#[derive(Debug, Default)]
pub struct Numbers {
    pub minimum: Option<Number>,
    pub maximum: Option<Number>,
    pub above: Option<Number>,
    pub below: Option<Number>,
    pub multiple: Option<Number>,
}

#[derive(Debug, Default)]
pub struct Strings {
    pub min: Option<u64>,
    pub max: Option<u64>,
    pub pattern: Option<Pattern>,
    pub format: Option<String>,
}

#[derive(Debug, Default)]
pub struct Arrays {
    pub min: Option<u64>,
    pub max: Option<u64>,
    pub unique: bool,
    pub prefix: Vec<Id>,
    pub items: Option<Id>,
    pub contains: Option<Contains>,
    pub unevaluated: Option<Id>,
}

#[derive(Debug)]
pub struct Contains {
    pub schema: Id,
    pub min: u64,
    pub max: Option<u64>,
    /// Whether matched items count as evaluated, as in 2020-12.
    pub evaluates: bool,
}

#[derive(Debug, Default)]
pub struct Objects {
    pub min: Option<u64>,
    pub max: Option<u64>,
    pub required: Vec<String>,
    pub properties: Table<String, Id>,
    pub patterns: Vec<(Pattern, Id)>,
    pub additional: Option<Id>,
    pub names: Option<Id>,
    pub dependent_required: Vec<(String, Vec<String>)>,
    pub dependent_schemas: Vec<(String, Id)>,
    pub unevaluated: Option<Id>,
}

#[derive(Debug)]
pub struct Condition {
    pub schema: Id,
    pub then: Option<Id>,
    pub otherwise: Option<Id>,
}
