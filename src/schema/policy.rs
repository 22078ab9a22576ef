//! What each target takes of JSON Schema, as data (WIRE §10.6, Q2–Q25); the walker enforces it.

use crate::value::Word;

/// What becomes of a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Keep,
    /// Kept with one of these values; else as [`Rule::Describe`].
    Only(&'static [&'static str]),
    /// Left out, with a warning.
    Drop,
    /// Left out, with a warning, and told in the description: the model still reads it.
    Describe,
    /// Left out: it says nothing about values.
    Omit,
    /// Strict mode has no way to say it. Where there is no other mode, as [`Rule::Describe`].
    Refuse,
    /// An object holds nothing else: `false`, or [`Rule::Refuse`].
    Closed,
    /// A decimal string on Google's wire (Q44).
    Size,
    /// Written as `anyOf`.
    AnyOf,
    /// Its members are merged into the schema.
    Merge,
    /// Written as an `enum` of one, as Google writes enums.
    Enum,
    /// Written as an `enum` of one.
    Single,
    /// A tuple: written as a list whose elements are any of its types.
    Items,
    /// Written as the inclusive bound next to it.
    Inclusive,
    /// The first of its values, as `example`.
    Example,
    /// A second type.
    Null,
}

/// A keyword, and what becomes of it.
type Row = (&'static str, Rule);

/// How references may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum References {
    Any,
    /// With no other keywords beside them than these, and those that start with `$`.
    Alone(&'static [&'static str]),
    /// Not at all: the target stands in their place.
    Inline,
}

/// Whether a schema says its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typing {
    Free,
    /// Added where the other keywords tell it.
    Told,
    /// The same; and a schema that nothing tells it of is refused.
    Demanded,
}

/// What the properties of a tool may be called.
#[derive(Debug)]
pub struct Names {
    pub longest: usize,
    /// Beside letters and digits of ASCII.
    pub punctuation: &'static str,
    pub starts_with_letter: bool,
}

/// Keywords that are no names by any such rule; a property called so stays all the same (Q19).
const KEYWORDS: &[&str] = &["$ref", "$defs", "$schema", "$id", "$anchor", "$comment"];

impl Names {
    pub fn allow(&self, name: &str) -> bool {
        if KEYWORDS.contains(&name) {
            return true;
        }
        let starts = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        !name.is_empty()
            && name.len() <= self.longest
            && (starts || !self.starts_with_letter)
            && name
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || self.punctuation.chars().any(|other| other == letter))
    }
}

/// What one target takes.
#[derive(Debug)]
pub struct Policy {
    /// Whether keywords below the root matter at all.
    pub deep: bool,
    /// Without any of these in it, as a key or a value, nothing below the root of a schema needs a look.
    pub triggers: &'static [Word],
    pub keywords: &'static [&'static [Row]],
    /// For those that are not listed.
    pub others: Rule,
    /// The root is an object, and says so.
    pub object_root: bool,
    /// The root says what it holds, be it nothing.
    pub root_properties: bool,
    /// Of the properties at the root.
    pub names: Option<&'static Names>,
    /// Not at the root: what they hold is merged into it, or described.
    pub not_at_root: &'static [Word],
    pub references: References,
    pub recursion: bool,
    pub typing: Typing,
    /// Google's own types: in upper case, one only, with `nullable`; enums of strings.
    pub google_types: bool,
    /// Nothing stands beside `anyOf`.
    pub lone_any_of: bool,
    /// A list says what it holds.
    pub needs_items: bool,
    /// Objects hold nothing that they don't declare, and say so.
    pub closed: bool,
    pub all_required: bool,
    /// Only declared properties are required.
    pub declared_required: bool,
    /// Empty `properties` and `required` are left out (Q2).
    pub omits_empty: bool,
    /// Whether the same API takes schemas without this policy: what can't be said is then refused.
    pub strict: bool,
}

const ANYTHING: Policy = Policy {
    deep: false,
    triggers: &[],
    keywords: &[],
    others: Rule::Keep,
    object_root: true,
    root_properties: false,
    names: None,
    not_at_root: &[],
    references: References::Any,
    recursion: true,
    typing: Typing::Free,
    google_types: false,
    lone_any_of: false,
    needs_items: false,
    closed: false,
    all_required: false,
    declared_required: false,
    omits_empty: false,
    strict: false,
};

/// What OpenAI and Anthropic take alike where they enforce a schema.
const STRICT: &[Row] = &[
    ("type", Rule::Keep),
    ("properties", Rule::Keep),
    ("required", Rule::Keep),
    ("items", Rule::Keep),
    ("additionalProperties", Rule::Closed),
    ("anyOf", Rule::Keep),
    ("oneOf", Rule::AnyOf),
    ("allOf", Rule::Merge),
    ("enum", Rule::Keep),
    ("const", Rule::Keep),
    ("nullable", Rule::Null),
    ("$ref", Rule::Keep),
    ("$defs", Rule::Keep),
    ("definitions", Rule::Keep),
    ("$id", Rule::Omit),
    ("$anchor", Rule::Omit),
    ("$dynamicAnchor", Rule::Omit),
    ("$recursiveAnchor", Rule::Omit),
    ("$comment", Rule::Omit),
    ("$dynamicRef", Rule::Refuse),
    ("$recursiveRef", Rule::Refuse),
    ("patternProperties", Rule::Refuse),
    ("prefixItems", Rule::Items),
    ("additionalItems", Rule::Drop),
    ("unevaluatedItems", Rule::Drop),
    ("unevaluatedProperties", Rule::Drop),
    ("title", Rule::Keep),
    ("description", Rule::Keep),
];

/// What is left out where references are inlined: definitions, and what names a schema.
const INLINED: &[Row] = &[
    ("$defs", Rule::Omit),
    ("definitions", Rule::Omit),
    ("$schema", Rule::Omit),
    ("$id", Rule::Omit),
    ("$anchor", Rule::Omit),
    ("$comment", Rule::Omit),
];

/// OpenAI, without `strict`: "schema must have type 'object' and not have 'oneOf'/'anyOf'/… at the top level", "array schema
/// missing items".
pub static OPENAI: Policy = Policy {
    deep: true,
    triggers: &[Word::array],
    root_properties: true,
    not_at_root: &[Word::oneOf, Word::anyOf, Word::allOf, Word::r#enum, Word::r#const, Word::not],
    needs_items: true,
    ..ANYTHING
};

/// OpenAI with `strict: true` (Q8, Q11, Q23).
pub static OPENAI_STRICT: Policy = Policy {
    deep: true,
    triggers: &[],
    keywords: &[
        STRICT,
        &[
            ("$schema", Rule::Keep),
            ("default", Rule::Keep),
            ("pattern", Rule::Keep),
            ("minLength", Rule::Keep),
            ("maxLength", Rule::Keep),
            ("minimum", Rule::Keep),
            ("maximum", Rule::Keep),
            ("exclusiveMinimum", Rule::Keep),
            ("exclusiveMaximum", Rule::Keep),
            ("multipleOf", Rule::Keep),
            ("minItems", Rule::Keep),
            ("maxItems", Rule::Keep),
            (
                "format",
                Rule::Only(&["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]),
            ),
        ],
    ],
    others: Rule::Describe,
    object_root: true,
    root_properties: true,
    names: None,
    not_at_root: OPENAI.not_at_root,
    references: References::Alone(&[]),
    recursion: true,
    typing: Typing::Demanded,
    google_types: false,
    lone_any_of: false,
    needs_items: true,
    closed: true,
    all_required: true,
    declared_required: true,
    omits_empty: false,
    strict: true,
};

/// Anthropic's tools without `strict` (Q20, Q21): "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'".
pub static ANTHROPIC: Policy = Policy {
    names: Some(&Names { longest: 64, punctuation: "_.-", starts_with_letter: false }),
    not_at_root: &[Word::oneOf, Word::anyOf, Word::allOf],
    ..ANYTHING
};

/// Anthropic's tools with `strict: true` (Q23, Q25).
pub static ANTHROPIC_STRICT: Policy = Policy {
    object_root: true,
    names: ANTHROPIC.names,
    not_at_root: ANTHROPIC.not_at_root,
    strict: true,
    ..ANTHROPIC_FORMAT
};

/// Anthropic's `output_config.format`: always enforced.
pub static ANTHROPIC_FORMAT: Policy = Policy {
    deep: true,
    triggers: &[],
    keywords: &[
        STRICT,
        &[
            ("minItems", Rule::Only(&["0", "1"])),
            ("$schema", Rule::Omit),
            (
                "format",
                Rule::Only(&[
                    "date-time",
                    "time",
                    "date",
                    "duration",
                    "email",
                    "hostname",
                    "uri",
                    "ipv4",
                    "ipv6",
                    "uuid",
                ]),
            ),
        ],
    ],
    others: Rule::Describe,
    object_root: false,
    root_properties: false,
    names: None,
    not_at_root: &[],
    references: References::Alone(&[]),
    recursion: false,
    typing: Typing::Free,
    google_types: false,
    lone_any_of: false,
    needs_items: false,
    closed: true,
    all_required: false,
    declared_required: false,
    omits_empty: false,
    strict: false,
};

/// Gemini's `parametersJsonSchema` (Q7, Q8, Q44d).
pub static GOOGLE_JSON: Policy = Policy {
    deep: true,
    triggers: &[Word::exclusiveMinimum, Word::exclusiveMaximum, Word::reference],
    keywords: &[&[("exclusiveMinimum", Rule::Inclusive), ("exclusiveMaximum", Rule::Inclusive)]],
    references: References::Alone(&["description", "default"]),
    ..ANYTHING
};

/// Gemini's `responseJsonSchema`: the same; any type at the root.
pub static GOOGLE_JSON_FORMAT: Policy = Policy { object_root: false, ..GOOGLE_JSON };

/// Gemini's `parameters`: a subset of OpenAPI (Q2–Q18).
pub static GOOGLE: Policy = Policy {
    deep: true,
    triggers: &[],
    keywords: &[
        INLINED,
        &[
            ("type", Rule::Keep),
            ("format", Rule::Keep),
            ("title", Rule::Keep),
            ("description", Rule::Keep),
            ("nullable", Rule::Keep),
            ("enum", Rule::Keep),
            ("items", Rule::Keep),
            ("minItems", Rule::Size),
            ("maxItems", Rule::Size),
            ("properties", Rule::Keep),
            ("required", Rule::Keep),
            ("propertyOrdering", Rule::Keep),
            ("minProperties", Rule::Size),
            ("maxProperties", Rule::Size),
            ("minimum", Rule::Keep),
            ("maximum", Rule::Keep),
            ("minLength", Rule::Size),
            ("maxLength", Rule::Size),
            ("pattern", Rule::Keep),
            ("example", Rule::Keep),
            ("anyOf", Rule::Keep),
            ("default", Rule::Keep),
            ("oneOf", Rule::AnyOf),
            ("allOf", Rule::Merge),
            ("const", Rule::Enum),
            ("prefixItems", Rule::Items),
            ("exclusiveMinimum", Rule::Inclusive),
            ("exclusiveMaximum", Rule::Inclusive),
            ("examples", Rule::Example),
            ("$ref", Rule::Drop),
        ],
    ],
    others: Rule::Drop,
    object_root: true,
    root_properties: false,
    names: Some(&Names { longest: 64, punctuation: "_", starts_with_letter: true }),
    not_at_root: &[Word::oneOf, Word::anyOf, Word::allOf],
    references: References::Inline,
    recursion: false,
    typing: Typing::Told,
    google_types: true,
    lone_any_of: true,
    needs_items: true,
    closed: false,
    all_required: false,
    declared_required: true,
    omits_empty: true,
    strict: false,
};

/// Gemini's `responseSchema`: the same; any type at the root.
pub static GOOGLE_FORMAT: Policy = Policy { object_root: false, names: None, not_at_root: &[], ..GOOGLE };

/// Ollama's tools: its server knows these keywords of a property, and forgets all others before the model sees them (Q44b).
pub static OLLAMA: Policy = Policy {
    deep: true,
    keywords: &[
        INLINED,
        &[
            ("type", Rule::Keep),
            ("description", Rule::Keep),
            ("enum", Rule::Keep),
            ("items", Rule::Keep),
            ("properties", Rule::Keep),
            ("required", Rule::Keep),
            ("anyOf", Rule::Keep),
            ("oneOf", Rule::AnyOf),
            ("allOf", Rule::Merge),
            ("const", Rule::Single),
            ("nullable", Rule::Null),
            ("$ref", Rule::Drop),
            ("additionalProperties", Rule::Drop),
            ("title", Rule::Omit),
        ],
    ],
    others: Rule::Describe,
    not_at_root: &[Word::oneOf, Word::anyOf, Word::allOf, Word::r#enum, Word::r#const],
    references: References::Inline,
    recursion: false,
    root_properties: true,
    ..ANYTHING
};

/// The schema of its answers: a grammar is made of it.
pub static OLLAMA_FORMAT: Policy = Policy { object_root: false, ..ANYTHING };

impl Policy {
    pub fn rule(&self, keyword: &str) -> Rule {
        let mut rows = self.keywords.iter().copied().flatten();
        rows.find(|(known, _)| *known == keyword).map_or(self.others, |(_, rule)| *rule)
    }
}

/// What a keyword holds. Everything that is not listed is a value: no schema is sought in it (Q19).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Schema,
    /// Schemas by the names of properties or definitions.
    Map,
    List,
    Value,
}

pub fn shape(keyword: &str) -> Shape {
    match keyword {
        "properties" | "$defs" | "definitions" | "patternProperties" | "dependentSchemas" => Shape::Map,
        "items"
        | "additionalProperties"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contains"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "contentSchema"
        | "additionalItems" => Shape::Schema,
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => Shape::List,
        _ => Shape::Value,
    }
}

/// Keywords that describe and don't constrain: where two stand for one schema, the nearer one counts.
pub fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "title"
            | "description"
            | "default"
            | "example"
            | "examples"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "$comment"
            | "$schema"
            | "$id"
            | "$anchor"
            | "$defs"
            | "definitions"
    )
}

/// The one type that a keyword constrains, if it is one only.
pub fn type_of_keyword(keyword: &str) -> Option<&'static str> {
    match keyword {
        "properties" | "required" | "additionalProperties" | "minProperties" | "maxProperties" | "propertyOrdering" => {
            Some("object")
        }
        "items" | "prefixItems" | "minItems" | "maxItems" => Some("array"),
        "minLength" | "maxLength" | "pattern" => Some("string"),
        _ => None,
    }
}
