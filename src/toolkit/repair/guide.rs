//! Provides what the schema states about the value that is being read.

/// What a repair asks of a schema. [`Schema`](crate::toolkit::Schema) implements it. Schemas themselves use repairs, so repairs must not depend on
/// them. A place is a number that the schema assigns to a subschema.
pub trait SchemaGuide {
    /// The place of the root.
    fn root(&self) -> usize;
    /// The place of a field's schema.
    fn field(&self, place: usize, name: &str) -> Option<usize>;
    /// Whether the schema declares fields.
    fn declares(&self, place: usize) -> bool;
    /// The place of an item's schema.
    fn item(&self, place: usize, index: usize) -> Option<usize>;
    /// The types of values that the schema mentions.
    fn expected(&self, place: usize) -> Expected;
}

/// Which types a schema mentions. All are false if it does not restrict types.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expected {
    pub text: bool,
    pub number: bool,
    /// An object or an array.
    pub container: bool,
}

/// The location in the schema. `None` if it is unknown.
#[derive(Clone, Copy, Default)]
pub struct Guide<'s>(Option<(&'s dyn SchemaGuide, usize)>);

impl<'s> Guide<'s> {
    pub fn new(schema: Option<&'s dyn SchemaGuide>) -> Self {
        Self(schema.map(|schema| (schema, schema.root())))
    }

    pub fn field(self, name: &str) -> Self {
        Self(self.0.and_then(|(schema, place)| Some((schema, schema.field(place, name)?))))
    }

    /// Whether the schema declares the fields of the object.
    pub fn declares(self) -> bool {
        self.0.is_some_and(|(schema, place)| schema.declares(place))
    }

    /// Whether a field of this name is not declared.
    pub fn lacks(self, name: &str) -> bool {
        self.0.is_some_and(|(schema, place)| schema.field(place, name).is_none())
    }

    pub fn item(self, index: usize) -> Self {
        Self(self.0.and_then(|(schema, place)| Some((schema, schema.item(place, index)?))))
    }

    fn expected(self) -> Expected {
        self.0.map(|(schema, place)| schema.expected(place)).unwrap_or_default()
    }

    pub fn wants_text(self) -> bool {
        self.expected().text
    }

    pub fn wants_only_text(self) -> bool {
        let expected = self.expected();
        expected.text && !expected.number
    }

    pub fn wants_number(self) -> bool {
        let expected = self.expected();
        expected.number && !expected.text
    }

    pub fn wants_container(self) -> bool {
        let expected = self.expected();
        expected.container && !expected.text
    }
}
