//! What each target accepts of JSON Schema, as data (WIRE §10.6, Q2–Q25). The walker applies it.

use super::node::Member;
use super::shapes::Shape;
use crate::value::Word;
use crate::value::text::is_plain;

/// How a keyword is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Keep,
    /// Kept if its value is in the policy's `allowed` list; otherwise as [`Rule::Describe`].
    Only,
    /// A regular expression, kept unless it has lookaround, or anchors that the policy excludes; otherwise as [`Rule::Describe`].
    Pattern,
    /// Left out, with a warning.
    Drop,
    /// Left out, with a warning, and added to the description, where the model can read it.
    Describe,
    /// Left out without a warning: it does not constrain values.
    Omit,
    /// Strict mode can't express it, so it is given up. If there is no other mode, as [`Rule::Describe`].
    Refuse,
    /// `additionalProperties`: kept if `false`; otherwise as [`Rule::Refuse`].
    Closed,
    /// Written as a decimal string, as in Google's format (Q44).
    Size,
    /// Written as `anyOf`.
    AnyOf,
    /// Its members are merged into the schema.
    Merge,
    /// Written as an `enum` with one value, in Google's form.
    Enum,
    /// Written as an `enum` with one value.
    Single,
    /// A tuple: written as a list whose elements have any of its types.
    Items,
    /// Written as the nearest inclusive bound.
    Inclusive,
    /// The first value, written as `example`.
    Example,
    /// `nullable`, written as a second type.
    Null,
}

/// A keyword and its rule.
type Row = (Word, Rule);

/// Which references the target accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum References {
    Any,
    /// References, with no other keywords beside them than these and those that start with `$`.
    Alone(&'static [Word]),
    /// None: the target of the reference is inserted in its place.
    Inline,
}

/// Whether a schema must have a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typing {
    Free,
    /// Added if the other keywords imply it.
    Implied,
    /// Added if the other keywords imply it; otherwise the schema is rejected.
    Demanded,
}

/// Whether an object must require one of its properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SomeRequired {
    No,
    /// A root with properties must; otherwise it is rejected.
    AtRoot,
    /// Every object must: one that requires none gets all of them, with null for those that are absent.
    Everywhere,
}

/// The names that properties of a tool may have.
#[derive(Debug)]
pub struct Names {
    pub longest: usize,
    /// Allowed beside ASCII letters and digits.
    pub marks: &'static str,
    pub starts_with_letter: bool,
}

/// Keywords that break the rule for names. A property with such a name is kept all the same (Q19).
const KEYWORDS: &[Word] =
    &[Word::reference, Word::defs, Word::schema_uri, Word::schema_id, Word::anchor, Word::comment];

impl Names {
    pub fn allow(&self, word: Word, name: &str) -> bool {
        if KEYWORDS.contains(&word) {
            return true;
        }
        let starts = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        !name.is_empty()
            && name.len() <= self.longest
            && (starts || !self.starts_with_letter)
            && is_plain(name, self.marks)
    }
}

/// What one target accepts.
#[derive(Debug)]
pub struct Policy {
    /// Whether keywords below the root matter.
    pub deep: bool,
    /// If none of these words occurs in a schema, as a key or a value, nothing below the root must change.
    pub triggers: &'static [Word],
    pub keywords: &'static [&'static [Row]],
    /// The rule of unlisted keywords.
    pub others: Rule,
    /// The accepted values of keywords with [`Rule::Only`], as they are written.
    pub allowed: &'static [(Word, &'static [&'static str])],
    /// The root must have the type `object`.
    pub object_root: bool,
    /// The root must have `properties`, even if they are empty.
    pub root_properties: bool,
    /// The rule for names of properties at the root.
    pub names: Option<&'static Names>,
    /// Keywords that the root must not have: their content is merged into it, or described.
    pub not_at_root: &'static [Word],
    pub references: References,
    pub recursion: bool,
    pub typing: Typing,
    /// Google's types: in upper case, a single one, with `nullable`; enums of strings.
    pub google_types: bool,
    /// `anyOf` must not have other keywords beside it.
    pub lone_any_of: bool,
    /// Values of an `enum` must match the types beside it.
    pub typed_values: bool,
    /// An `enum` must not have a list of types beside it.
    pub lone_values: bool,
    /// An array must have `items`.
    pub needs_items: bool,
    /// Objects must have `additionalProperties: false`.
    pub closed: bool,
    pub all_required: bool,
    /// `required` must list declared properties only.
    pub declared_required: bool,
    pub some_required: SomeRequired,
    /// Patterns must not have `^` and `$`.
    pub no_anchors: bool,
    /// Empty `properties` and `required` are left out (Q2).
    pub omits_empty: bool,
    /// Whether the same API also accepts schemas without this policy (non-strict mode). Then strict mode is given up for schemas that it can't
    /// express.
    pub strict: bool,
}

const ANYTHING: Policy = Policy {
    deep: false,
    triggers: &[],
    keywords: &[],
    others: Rule::Keep,
    allowed: &[],
    object_root: true,
    root_properties: false,
    names: None,
    not_at_root: &[],
    references: References::Any,
    recursion: true,
    typing: Typing::Free,
    google_types: false,
    lone_any_of: false,
    typed_values: false,
    lone_values: false,
    needs_items: false,
    closed: false,
    all_required: false,
    declared_required: false,
    some_required: SomeRequired::No,
    no_anchors: false,
    omits_empty: false,
    strict: false,
};

/// What both OpenAI and Anthropic accept if they enforce a schema.
const STRICT: &[Row] = &[
    (Word::r#type, Rule::Keep),
    (Word::properties, Rule::Keep),
    (Word::required, Rule::Keep),
    (Word::items, Rule::Keep),
    (Word::additionalProperties, Rule::Closed),
    (Word::anyOf, Rule::Keep),
    (Word::oneOf, Rule::AnyOf),
    (Word::allOf, Rule::Merge),
    (Word::r#enum, Rule::Keep),
    (Word::r#const, Rule::Keep),
    (Word::nullable, Rule::Null),
    (Word::reference, Rule::Keep),
    (Word::defs, Rule::Keep),
    (Word::definitions, Rule::Keep),
    (Word::schema_id, Rule::Omit),
    (Word::anchor, Rule::Omit),
    (Word::dynamicAnchor, Rule::Omit),
    (Word::recursiveAnchor, Rule::Omit),
    (Word::comment, Rule::Omit),
    (Word::dynamicRef, Rule::Refuse),
    (Word::recursiveRef, Rule::Refuse),
    (Word::patternProperties, Rule::Refuse),
    (Word::prefixItems, Rule::Items),
    (Word::additionalItems, Rule::Drop),
    (Word::unevaluatedItems, Rule::Drop),
    (Word::unevaluatedProperties, Rule::Drop),
    (Word::title, Rule::Keep),
    (Word::description, Rule::Keep),
];

/// What is left out if references are inlined: definitions, and keywords that name a schema.
const INLINED: &[Row] = &[
    (Word::defs, Rule::Omit),
    (Word::definitions, Rule::Omit),
    (Word::schema_uri, Rule::Omit),
    (Word::schema_id, Rule::Omit),
    (Word::anchor, Rule::Omit),
    (Word::comment, Rule::Omit),
];

/// OpenAI, without `strict`: "schema must have type 'object' and not have 'oneOf'/'anyOf'/… at the top level", "array schema
/// missing items", "regex lookaround is not supported", "'propertyNames' is not permitted".
pub static OPENAI: Policy = Policy {
    deep: true,
    triggers: &[Word::array, Word::pattern, Word::propertyNames],
    keywords: &[&[(Word::pattern, Rule::Pattern), (Word::propertyNames, Rule::Describe)]],
    root_properties: true,
    not_at_root: &[Word::oneOf, Word::anyOf, Word::allOf, Word::r#enum, Word::r#const, Word::not],
    needs_items: true,
    ..ANYTHING
};

/// OpenAI with `strict: true` (Q8, Q11, Q23).
pub static OPENAI_STRICT: Policy = Policy {
    deep: true,
    keywords: &[
        STRICT,
        &[
            (Word::schema_uri, Rule::Keep),
            (Word::default, Rule::Keep),
            (Word::pattern, Rule::Pattern),
            (Word::minLength, Rule::Keep),
            (Word::maxLength, Rule::Keep),
            (Word::minimum, Rule::Keep),
            (Word::maximum, Rule::Keep),
            (Word::exclusiveMinimum, Rule::Keep),
            (Word::exclusiveMaximum, Rule::Keep),
            (Word::multipleOf, Rule::Keep),
            (Word::minItems, Rule::Keep),
            (Word::maxItems, Rule::Keep),
            (Word::format, Rule::Only),
        ],
    ],
    others: Rule::Describe,
    allowed: &[(Word::format, &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"])],
    root_properties: true,
    not_at_root: OPENAI.not_at_root,
    references: References::Alone(&[]),
    typing: Typing::Demanded,
    typed_values: true,
    needs_items: true,
    closed: true,
    all_required: true,
    declared_required: true,
    strict: true,
    ..ANYTHING
};

/// Cohere's tools without `strict_tools`: arrays need no type of their items.
pub static COHERE: Policy = Policy { root_properties: true, not_at_root: OPENAI.not_at_root, ..ANYTHING };

/// Cohere with `strict_tools`: the table of supported features in <https://docs.cohere.com/docs/structured-outputs>.
pub static COHERE_STRICT: Policy = Policy {
    deep: true,
    keywords: &[
        &[
            (Word::additionalProperties, Rule::Keep),
            (Word::pattern, Rule::Pattern),
            (Word::format, Rule::Only),
            (Word::schema_uri, Rule::Omit),
        ],
        STRICT,
    ],
    others: Rule::Describe,
    allowed: &[(Word::format, &["date-time", "uuid", "date", "time"])],
    some_required: SomeRequired::AtRoot,
    no_anchors: true,
    strict: true,
    ..COHERE
};

/// Cohere's `response_format`: always enforced, with a required property in every object (the same page).
pub static COHERE_FORMAT: Policy = Policy { some_required: SomeRequired::Everywhere, strict: false, ..COHERE_STRICT };

/// Anthropic's tools without `strict` (Q20, Q21): "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'".
pub static ANTHROPIC: Policy = Policy {
    names: Some(&Names { longest: 64, marks: "_.-", starts_with_letter: false }),
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

/// Anthropic's `output_config.format`: always enforced. "Enum value 'x' does not match declared type '['string', 'null']'".
pub static ANTHROPIC_FORMAT: Policy = Policy {
    deep: true,
    keywords: &[STRICT, &[(Word::minItems, Rule::Only), (Word::schema_uri, Rule::Omit), (Word::format, Rule::Only)]],
    others: Rule::Describe,
    allowed: &[
        (Word::minItems, &["0", "1"]),
        (Word::format, &["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"]),
    ],
    object_root: false,
    references: References::Alone(&[]),
    recursion: false,
    typed_values: true,
    lone_values: true,
    closed: true,
    ..ANYTHING
};

/// Gemini's `parametersJsonSchema` (Q7, Q8, Q44d).
pub static GOOGLE_JSON: Policy = Policy {
    deep: true,
    triggers: &[Word::exclusiveMinimum, Word::exclusiveMaximum, Word::reference],
    keywords: &[&[(Word::exclusiveMinimum, Rule::Inclusive), (Word::exclusiveMaximum, Rule::Inclusive)]],
    references: References::Alone(&[Word::description, Word::default]),
    ..ANYTHING
};

/// Gemini's `responseJsonSchema`: the same; any type at the root.
pub static GOOGLE_JSON_FORMAT: Policy = Policy { object_root: false, ..GOOGLE_JSON };

/// Gemini's `parameters`: a subset of OpenAPI (Q2–Q18).
pub static GOOGLE: Policy = Policy {
    deep: true,
    keywords: &[
        INLINED,
        &[
            (Word::r#type, Rule::Keep),
            (Word::format, Rule::Keep),
            (Word::title, Rule::Keep),
            (Word::description, Rule::Keep),
            (Word::nullable, Rule::Keep),
            (Word::r#enum, Rule::Keep),
            (Word::items, Rule::Keep),
            (Word::minItems, Rule::Size),
            (Word::maxItems, Rule::Size),
            (Word::properties, Rule::Keep),
            (Word::required, Rule::Keep),
            (Word::propertyOrdering, Rule::Keep),
            (Word::minProperties, Rule::Size),
            (Word::maxProperties, Rule::Size),
            (Word::minimum, Rule::Keep),
            (Word::maximum, Rule::Keep),
            (Word::minLength, Rule::Size),
            (Word::maxLength, Rule::Size),
            (Word::pattern, Rule::Keep),
            (Word::example, Rule::Keep),
            (Word::anyOf, Rule::Keep),
            (Word::default, Rule::Keep),
            (Word::oneOf, Rule::AnyOf),
            (Word::allOf, Rule::Merge),
            (Word::r#const, Rule::Enum),
            (Word::prefixItems, Rule::Items),
            (Word::exclusiveMinimum, Rule::Inclusive),
            (Word::exclusiveMaximum, Rule::Inclusive),
            (Word::examples, Rule::Example),
            (Word::reference, Rule::Drop),
        ],
    ],
    others: Rule::Drop,
    names: Some(&Names { longest: 64, marks: "_", starts_with_letter: true }),
    not_at_root: &[Word::oneOf, Word::anyOf, Word::allOf],
    references: References::Inline,
    recursion: false,
    typing: Typing::Implied,
    google_types: true,
    lone_any_of: true,
    needs_items: true,
    declared_required: true,
    omits_empty: true,
    ..ANYTHING
};

/// Gemini's `responseSchema`: the same; any type at the root.
pub static GOOGLE_FORMAT: Policy = Policy { object_root: false, names: None, not_at_root: &[], ..GOOGLE };

/// Ollama's tools: the server knows these keywords of a property, and drops all others before the model sees them (Q44b).
pub static OLLAMA: Policy = Policy {
    deep: true,
    keywords: &[
        INLINED,
        &[
            (Word::r#type, Rule::Keep),
            (Word::description, Rule::Keep),
            (Word::r#enum, Rule::Keep),
            (Word::items, Rule::Keep),
            (Word::properties, Rule::Keep),
            (Word::required, Rule::Keep),
            (Word::anyOf, Rule::Keep),
            (Word::oneOf, Rule::AnyOf),
            (Word::allOf, Rule::Merge),
            (Word::r#const, Rule::Single),
            (Word::nullable, Rule::Null),
            (Word::reference, Rule::Drop),
            (Word::additionalProperties, Rule::Drop),
            (Word::title, Rule::Omit),
        ],
    ],
    others: Rule::Describe,
    not_at_root: &[Word::oneOf, Word::anyOf, Word::allOf, Word::r#enum, Word::r#const],
    references: References::Inline,
    recursion: false,
    root_properties: true,
    ..ANYTHING
};

/// The schema of Ollama's responses: it is compiled to a grammar.
pub static OLLAMA_FORMAT: Policy = Policy { object_root: false, ..ANYTHING };

impl Policy {
    pub fn rule(&self, keyword: Word) -> Rule {
        let mut rows = self.keywords.iter().copied().flatten();
        rows.find(|(known, _)| *known == keyword).map_or(self.others, |(_, rule)| *rule)
    }

    /// Whether the keyword is a list of alternatives that may be beside another one: it is moved into the branches of that one.
    pub fn is_alternatives(&self, member: &Member) -> bool {
        let is_list = member.shape == Shape::List && matches!(member.key.word(), Word::anyOf | Word::oneOf);
        is_list && self.rule(Word::oneOf) == Rule::AnyOf
    }
}
