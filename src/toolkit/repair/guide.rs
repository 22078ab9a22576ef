//! Provides what the schema states about the value that is being read.

use super::super::schema::{Schema, SchemaPlace, Types};

/// The location in the schema. `None` if it is unknown.
#[derive(Clone, Copy, Default)]
pub struct Guide<'s>(Option<(&'s Schema, SchemaPlace)>);

impl<'s> Guide<'s> {
    pub fn new(schema: Option<&'s Schema>) -> Self {
        Self(schema.map(|schema| (schema, Schema::ROOT)))
    }

    pub fn field(self, name: &str) -> Self {
        Self(self.0.and_then(|(schema, place)| Some((schema, schema.field(place, name)?))))
    }

    pub fn item(self, index: usize) -> Self {
        Self(self.0.and_then(|(schema, place)| Some((schema, schema.item(place, index)?))))
    }

    fn types(self) -> Option<Types> {
        self.0.and_then(|(schema, place)| schema.types(place))
    }

    pub fn wants_text(self) -> bool {
        self.types().is_some_and(|types| types.meets(Types::STRING))
    }

    pub fn wants_number(self) -> bool {
        self.types().is_some_and(|types| types.meets(Types::NUMBER.and(Types::INTEGER)) && !types.meets(Types::STRING))
    }

    pub fn wants_container(self) -> bool {
        self.types().is_some_and(|types| types.meets(Types::OBJECT.and(Types::ARRAY)) && !types.meets(Types::STRING))
    }
}
