//! The keywords of JSON Schema that each syntax can express.

use crate::json::{Map, Value};

/// How one syntax treats schemas.
#[derive(Debug)]
pub(super) struct Policy {
    /// Keywords that are enforced in addition to [`ENFORCED`].
    pub more: &'static [&'static str],
    /// Formats that are enforced in addition to those with a pattern.
    pub formats: &'static [&'static str],
    /// Whether the syntax has JSON Schema built in.
    pub native: bool,
    /// Whether the engine forbids undeclared properties and matches patterns against whole strings.
    pub closed: bool,
    /// Whether the syntax has no rules, and so no recursion: references are replaced by their targets.
    pub flat: bool,
    /// Whether reasoning may precede the calls. It does not in the input of a tool.
    pub reasons: bool,
    /// Whether patterns are written out for an engine that puts them between the quotes of JSON strings, and reads no class escapes.
    pub rewrites: bool,
    /// Whether a keyword with this value, in this schema, is not enforced although [`ENFORCED`] has it.
    pub drops: fn(&str, &Value, &Map<String, Value>) -> bool,
}

/// GBNF: schemas are written out as rules.
pub(super) static RULES: Policy = Policy {
    more: &[],
    formats: &[],
    native: false,
    closed: false,
    flat: false,
    reasons: true,
    rewrites: false,
    drops: |_, _, _| false,
};
pub(super) static REGEX: Policy = Policy { flat: true, ..RULES };
pub(super) static OPENAI: Policy = Policy { reasons: false, ..RULES };
/// llguidance.
pub(super) static LARK: Policy = Policy {
    more: &["patternProperties", "minProperties", "maxProperties", "multipleOf"],
    formats: &["duration", "email", "hostname", "ipv6", "uri"],
    native: true,
    ..RULES
};
/// XGrammar.
pub(super) static TAGS: Policy = Policy { native: true, closed: true, ..RULES };

/// The keywords that every syntax enforces.
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

/// Other keywords that restrict values. All remaining keywords are annotations.
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

/// The type that a keyword applies to.
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
