//! Which keywords of JSON Schema each syntax can express.

/// What becomes of schemas in one syntax.
#[derive(Debug)]
pub(super) struct Policy {
    /// Further keywords that are enforced, besides [`ENFORCED`].
    pub more: &'static [&'static str],
    /// Formats that are enforced, besides those with a pattern.
    pub formats: &'static [&'static str],
    /// The syntax has JSON Schema built in.
    pub native: bool,
    /// The engine takes what is not declared for forbidden, and patterns for whole strings.
    pub closed: bool,
    /// There are no rules, and so no recursion: references are replaced by what they refer to.
    pub flat: bool,
}

/// GBNF: everything is written as rules.
pub(super) static RULES: Policy = Policy { more: &[], formats: &[], native: false, closed: false, flat: false };
pub(super) static REGEX: Policy = Policy { flat: true, ..RULES };
/// llguidance.
pub(super) static LARK: Policy = Policy {
    more: &["patternProperties", "minProperties", "maxProperties", "multipleOf"],
    formats: &["duration", "email", "hostname", "ipv6", "uri"],
    native: true,
    closed: false,
    flat: false,
};
/// XGrammar.
pub(super) static TAGS: Policy = Policy { more: &[], formats: &[], native: true, closed: true, flat: false };

/// What every syntax enforces.
pub(super) const ENFORCED: &[&str] = &[
    "type",
    "enum",
    "const",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
];

/// What else restricts values. All other keywords are annotations.
pub(super) const OTHERS: &[&str] = &[
    "not",
    "if",
    "then",
    "else",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "minContains",
    "maxContains",
    "uniqueItems",
    "multipleOf",
    "$dynamicRef",
    "$recursiveRef",
];

/// The type that a keyword is about.
pub(super) fn subject(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
        "minLength" | "maxLength" | "pattern" | "format" => "string",
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => "number",
        "items" | "prefixItems" | "minItems" | "maxItems" | "contains" | "minContains" | "maxContains"
        | "uniqueItems" | "unevaluatedItems" => "array",
        "properties"
        | "required"
        | "additionalProperties"
        | "patternProperties"
        | "propertyNames"
        | "minProperties"
        | "maxProperties"
        | "dependentRequired"
        | "dependentSchemas"
        | "dependencies"
        | "unevaluatedProperties" => "object",
        _ => return None,
    })
}
