//! Fields of definitions, calls and results as rows of tables, for the reader and the writer of a dialect. Fields that are omitted, null or empty are
//! read, remembered and written here only.

use crate::model::{CARRIED_SIGNATURE, Definition, MADE_ID, Metadata};
use crate::run::{At, NO_FIELD, Reading, Result, Run, WarningCode, Writing};
use crate::value::text::split_around;
use crate::value::{Kind, Value, Word};

/// How a field without a value is usually written. If it came in another way, a form records that, and it is written in that way again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Absent {
    /// The field is required.
    Never,
    Omitted,
    /// Omitted, and so is `false`.
    OmittedIfFalse,
    Null,
    False,
    EmptyText,
    /// The field is required; no parameters are a schema without properties (Q1).
    EmptySchema,
}

/// A field of a wire object.
#[derive(Clone, Copy)]
pub struct Field {
    pub key: Word,
    pub kind: Kind,
    pub absent: Absent,
}

impl Field {
    /// Takes the value, with its position.
    pub fn take(&self, run: &mut Run, reading: &mut Reading) -> Result<Option<(Value, At)>> {
        let taken = match self.absent {
            Absent::Never | Absent::EmptySchema => Some(reading.require(run, self.key)?),
            Absent::Omitted | Absent::OmittedIfFalse | Absent::Null | Absent::False | Absent::EmptyText => {
                reading.take_at(run, self.key)
            }
        };
        let Some((value, at)) = taken else {
            if !matches!(self.absent, Absent::Omitted | Absent::OmittedIfFalse) {
                reading.note_omitted(run, self.key);
            }
            return Ok(None);
        };
        if run.store.kind(value) != self.kind {
            return run.wrong_type(value, at, self.kind.name());
        }
        match self.absent {
            Absent::OmittedIfFalse if !run.store.boolean(value) => reading.note(self.key, value),
            Absent::EmptyText if run.store.is_empty(value) => return Ok(None),
            _ => {}
        }
        Ok(Some((value, at)))
    }

    /// Writes the value. If there is none, the field is written as it came, or else in the usual way.
    pub fn put(&self, run: &mut Run, object: &mut Writing, value: Option<Value>, metadata: &Metadata) {
        match (value, object.form(run, metadata, self.key)) {
            (Some(value), _) => object.put(run, self.key, value),
            (None, Some(form)) if run.store.word(form) == Word::omitted => object.skip(run, self.key),
            (None, Some(form)) if run.is_void(form) => object.put(run, self.key, form),
            (None, _) => self.put_absent(run, object),
        }
    }

    /// Writes a boolean.
    pub fn put_flag(&self, run: &mut Run, object: &mut Writing, flag: Option<bool>, metadata: &Metadata) {
        match flag {
            Some(false) if self.absent == Absent::OmittedIfFalse => {
                let form = object.form(run, metadata, self.key);
                object.option(run, self.key, form);
            }
            Some(flag) => object.boolean(run, self.key, flag),
            None => self.put(run, object, None, metadata),
        }
    }

    /// Writes a text, for which an empty one counts as none.
    pub fn put_text(&self, run: &mut Run, object: &mut Writing, text: Value, metadata: &Metadata) {
        let text = Some(text).filter(|text| !run.store.is_empty(*text));
        self.put(run, object, text, metadata);
    }

    fn put_absent(&self, run: &mut Run, object: &mut Writing) {
        match self.absent {
            Absent::Never | Absent::Omitted | Absent::OmittedIfFalse => {}
            Absent::Null => object.null(run, self.key),
            Absent::False => object.boolean(run, self.key, false),
            Absent::EmptyText => object.text(run, self.key, ""),
            Absent::EmptySchema => {
                object.object(run, self.key, |run, schema| {
                    schema.word(run, Word::r#type, Word::object);
                    schema.object(run, Word::properties, |_, _| {});
                });
            }
        }
    }
}

/// What a field of a tool definition holds.
#[derive(Clone, Copy)]
pub enum ToolField {
    Name,
    Description,
    Parameters,
    Strict,
    Examples,
}

impl ToolField {
    fn kind(self) -> Kind {
        match self {
            ToolField::Name | ToolField::Description => Kind::String,
            ToolField::Parameters => Kind::Object,
            ToolField::Strict => Kind::Boolean,
            ToolField::Examples => Kind::Array,
        }
    }
}

/// The fields of a tool definition, in the order in which they are written.
pub type DefinitionShape = [(ToolField, Word, Absent)];

fn fields(shape: &DefinitionShape) -> impl Iterator<Item = (ToolField, Field)> {
    shape.iter().map(|(part, key, absent)| (*part, Field { key: *key, kind: part.kind(), absent: *absent }))
}

/// Reads the fields of a definition. The caller reads the metadata.
pub fn read_definition(run: &mut Run, reading: &mut Reading, at: At, shape: &DefinitionShape) -> Result<Definition> {
    let mut definition = Definition::new(at, run.store.string(""));
    for (part, field) in fields(shape) {
        // anything else is not taken
        let examples = reading.peek(field.key).filter(|_| matches!(part, ToolField::Examples));
        if examples.is_some_and(|examples| !are_objects(run, examples)) {
            continue;
        }
        let Some((value, at)) = field.take(run, reading)? else { continue };
        match part {
            ToolField::Name => definition.name = value,
            ToolField::Description => definition.description = Some(value),
            ToolField::Parameters => definition.parameters = Some((value, at)),
            ToolField::Strict => definition.strict = Some((run.store.boolean(value), at)),
            ToolField::Examples => definition.examples = Some((value, at)),
        }
    }
    Ok(definition)
}

/// Whether `value` is an array of objects, as example arguments must be.
fn are_objects(run: &mut Run, value: Value) -> bool {
    run.store.kind(value) == Kind::Array
        && run.list(value).into_iter().all(|example| run.store.kind(example) == Kind::Object)
}

/// Writes what [`read_definition`] reads.
pub fn put_definition(run: &mut Run, object: &mut Writing, definition: &Definition, shape: &DefinitionShape) {
    put_definition_as(run, object, definition, &definition.metadata, shape);
}

/// As [`put_definition`], with the fields that have no value as the forms in `metadata` state.
pub fn put_definition_as(
    run: &mut Run,
    object: &mut Writing,
    definition: &Definition,
    metadata: &Metadata,
    shape: &DefinitionShape,
) {
    let Definition { at: _, name, description, parameters, strict, examples, metadata: _ } = definition;
    for (part, field) in fields(shape) {
        let value = match part {
            ToolField::Name => Some(*name),
            ToolField::Description => *description,
            ToolField::Parameters => parameters.map(|(schema, _)| schema),
            ToolField::Strict => {
                field.put_flag(run, object, strict.map(|(strict, _)| strict), metadata);
                continue;
            }
            ToolField::Examples => examples.map(|(examples, _)| examples),
        };
        field.put(run, object, value, metadata);
    }
}

/// The most common shape of a definition.
pub const FUNCTION: &DefinitionShape = &[
    (ToolField::Name, Word::name, Absent::Never),
    (ToolField::Description, Word::description, Absent::Omitted),
    (ToolField::Parameters, Word::parameters, Absent::Omitted),
    (ToolField::Strict, Word::strict, Absent::Omitted),
];

/// The same where parameters are required.
pub const FUNCTION_WITH_PARAMETERS: &DefinitionShape = &[
    (ToolField::Name, Word::name, Absent::Never),
    (ToolField::Description, Word::description, Absent::Omitted),
    (ToolField::Parameters, Word::parameters, Absent::EmptySchema),
    (ToolField::Strict, Word::strict, Absent::Omitted),
];

/// The field that links a call with its result.
pub struct Id {
    pub key: Word,
    /// The key of the form that states that there was none.
    pub form: Word,
    pub presence: Presence,
}

/// Whether calls and results have ids.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    Required,
    /// They do; some servers leave them out.
    Usual,
    /// They may. An id that was generated here is not sent: the server has never seen it (Q175).
    Optional,
}

impl Id {
    /// Takes the id. One that is missing, null or empty is generated later (Q112).
    pub fn take(&self, run: &mut Run, reading: &mut Reading) -> Result<Value> {
        let given = match self.presence {
            Presence::Required => Some(reading.require_string(run, self.key)?),
            Presence::Usual | Presence::Optional => reading.take_any(self.key),
        };
        let at = run.down(reading.at(), self.key);
        if let Some(id) = given.filter(|id| run.store.kind(*id) != Kind::Null)
            && !run.store.is_empty(run.string(id, at)?)
        {
            return Ok(id);
        }
        match (given, self.presence) {
            (Some(empty), _) => reading.note(self.key, empty),
            (None, Presence::Usual) => reading.note(self.form, run.store.word_value(Word::omitted)),
            (None, Presence::Required | Presence::Optional) => {}
        }
        Ok(run.store.string(""))
    }

    /// Writes the id. Requests in which ids are usual must have them, whatever a response had.
    pub fn put(&self, run: &mut Run, object: &mut Writing, id: Value, metadata: &Metadata) {
        let is_optional = self.presence == Presence::Optional;
        let may_lack = is_optional || !run.route.is_new_request();
        let form = object.form(run, metadata, self.key).filter(|form| run.is_void(*form)).or(metadata.form(self.form));
        let came = !is_made(run, id) && !run.store.is_empty(id);
        match form.filter(|_| may_lack && run.route.restores_ids()) {
            Some(form) if run.store.word(form) == Word::omitted => object.skip(run, self.key),
            // an id that is known by now replaces an empty text
            Some(empty) if run.store.kind(empty) == Kind::Null || run.is_void(empty) && !came => {
                object.put(run, self.key, empty);
            }
            _ if came || !is_optional => object.put(run, self.key, id),
            _ => object.skip(run, self.key),
        }
    }
}

/// Whether an id was generated here.
fn is_made(run: &Run, id: Value) -> bool {
    let text = run.store.text(id);
    text.starts_with(MADE_ID) && split_around(&text, CARRIED_SIGNATURE).is_none()
}

/// Leaves out the number that a call has in a stream, which clients send back to other APIs: its place in the list states the same.
pub fn leave_number(run: &mut Run, metadata: &mut Metadata, at: At) {
    let number = metadata.family_field(Word::index).filter(|index| run.store.kind(*index) == Kind::Number);
    if number.is_some() && !run.route.is_response && !run.route.stays() && run.route.is_to_provider() {
        metadata.set_family_field(Word::index, None);
        let at = run.down(at, Word::index);
        run.warn(WarningCode::StateDropped, at, NO_FIELD);
    }
}
