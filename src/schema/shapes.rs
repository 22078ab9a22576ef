//! What keywords of JSON Schema are, whatever the target.

use crate::value::Word;

/// The shape of a keyword's value. The value of an unlisted keyword is not searched for schemas (Q19).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Schema,
    /// Schemas by name, of properties or definitions.
    Map,
    List,
    Value,
}

pub fn shape(keyword: Word) -> Shape {
    match keyword {
        Word::properties | Word::defs | Word::definitions | Word::patternProperties | Word::dependentSchemas => {
            Shape::Map
        }
        Word::items
        | Word::additionalProperties
        | Word::not
        | Word::r#if
        | Word::then
        | Word::r#else
        | Word::contains
        | Word::propertyNames
        | Word::unevaluatedItems
        | Word::unevaluatedProperties
        | Word::contentSchema
        | Word::additionalItems => Shape::Schema,
        Word::anyOf | Word::oneOf | Word::allOf | Word::prefixItems => Shape::List,
        _ => Shape::Value,
    }
}

/// Whether the value of a keyword is a list of schemas.
pub fn is_list_keyword(keyword: Word) -> bool {
    shape(keyword) == Shape::List
}

/// Keywords that describe a schema and do not constrain it. If two apply, the nearer one counts.
pub fn is_annotation(keyword: Word) -> bool {
    matches!(
        keyword,
        Word::title
            | Word::description
            | Word::default
            | Word::example
            | Word::examples
            | Word::deprecated
            | Word::readOnly
            | Word::writeOnly
            | Word::comment
            | Word::schema_uri
            | Word::schema_id
            | Word::anchor
            | Word::defs
            | Word::definitions
    )
}

/// The type that a keyword constrains, if there is exactly one.
pub fn type_of_keyword(keyword: Word) -> Option<Word> {
    match keyword {
        Word::properties
        | Word::required
        | Word::additionalProperties
        | Word::minProperties
        | Word::maxProperties
        | Word::propertyOrdering => Some(Word::object),
        Word::items | Word::prefixItems | Word::minItems | Word::maxItems => Some(Word::array),
        Word::minLength | Word::maxLength | Word::pattern => Some(Word::string),
        _ => None,
    }
}
