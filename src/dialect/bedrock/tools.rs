//! Tool definitions and choices (WIRE §5.1, §5.2).

use super::cache_points;
use crate::dialect::shared::shapes::{Absent, DefinitionShape, Field, ToolField, put_definition, read_definition};
use crate::dialect::shared::tools::{put_list, put_tools};
use crate::model::{Definition, Metadata, Native, Request, Settings, Tool, ToolChoice};
use crate::run::{At, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

const LABELS: &DefinitionShape =
    &[(ToolField::Name, Word::name, Absent::Never), (ToolField::Description, Word::description, Absent::Omitted)];
const STRICT: &DefinitionShape = &[(ToolField::Strict, Word::strict, Absent::Omitted)];
/// The schema, in `inputSchema`.
const SCHEMA: Field = Field { key: Word::json, kind: Kind::Object, absent: Absent::EmptySchema };

pub fn read_tools(run: &mut Run, value: Value, at: At, _metadata: &mut Metadata) -> Result<Vec<Tool>> {
    let tools = run.each(value, at, read_tool)?;
    Ok(cache_points::attach(run, tools))
}

/// A tool with a schema is run by the client; only Bedrock understands all others, and cache points.
fn read_tool(run: &mut Run, value: Value, at: At) -> Result<Tool> {
    let mut reading = run.object(value, at)?;
    if !reading.holds(run, Word::toolSpec) {
        return Ok(Tool::Native(Native::of_source(run, value, at)));
    }
    let mut inner = reading.require_object(run, Word::toolSpec)?;
    let mut definition = read_definition(run, &mut inner, at, LABELS)?;
    definition.strict = read_definition(run, &mut inner, at, STRICT)?.strict;
    let mut schema = inner.require_object(run, Word::inputSchema)?;
    definition.parameters = SCHEMA.take(run, &mut schema)?;
    definition.metadata = reading.rest();
    schema.rest_into(run, Word::inputSchema, &mut definition.metadata);
    inner.rest_into(run, Word::toolSpec, &mut definition.metadata);
    Ok(Tool::Definition(definition))
}

pub fn read_config(run: &mut Run, reading: &mut Reading, request: &mut Request) -> Result<()> {
    let Some(mut inner) = reading.object(run, Word::toolConfig)? else { return Ok(()) };
    if let Some((value, at)) = inner.take_at(run, Word::tools) {
        let tools = read_tools(run, value, at, &mut request.metadata)?;
        // an empty list counts as absent (Q29)
        match tools.is_empty() {
            true => inner.note(Word::tools, value),
            false => request.tools = Some(tools),
        }
    }
    if let Some((value, at)) = inner.take_at(run, Word::toolChoice) {
        read_choice(run, value, at, request)?;
    }
    inner.rest_into(run, Word::toolConfig, &mut request.metadata);
    Ok(())
}

pub fn read_choice(run: &mut Run, value: Value, at: At, request: &mut Request) -> Result<()> {
    let members = run.object(value, at)?.rest();
    let only = match members.family_fields() {
        [only] => Some((only.key.word(), only.value)),
        _ => None,
    };
    let choice = match only {
        Some((Word::auto, inner)) if is_plain(run, inner) => ToolChoice::Auto,
        Some((Word::any, inner)) if is_plain(run, inner) => ToolChoice::Required,
        Some((Word::tool, inner)) if run.store.kind(inner) == Kind::Object => {
            let at = run.down(at, Word::tool);
            let mut inner = run.object(inner, at)?;
            let name = inner.require_string(run, Word::name)?;
            inner.rest_into(run, Word::toolChoice, &mut request.metadata);
            ToolChoice::Named(name)
        }
        _ => ToolChoice::Native { provider: run.route.source_provider(), value },
    };
    request.choice = Some((choice, at));
    Ok(())
}

fn is_plain(run: &mut Run, inner: Value) -> bool {
    run.store.kind(inner) == Kind::Object && run.is_void(inner)
}

pub fn write_tools(run: &mut Run, request: &Request) -> Result<()> {
    put_tools(run, request.tools.iter().flatten(), write_definition);
    Ok(())
}

fn write_definition(run: &mut Run, definition: &Definition) {
    let metadata = &definition.metadata;
    let mut object = run.begin();
    object.object_with_rest(run, metadata, Word::toolSpec, |run, inner| {
        put_definition(run, inner, definition, LABELS);
        inner.object_with_rest(run, metadata, Word::inputSchema, |run, schema| {
            SCHEMA.put(run, schema, definition.parameters.map(|(schema, _)| schema), metadata);
        });
        put_definition(run, inner, definition, STRICT);
    });
    object.skip(run, Word::inputSchema);
    cache_points::end(run, object, metadata, definition.at);
}

pub fn write_choice_alone(run: &mut Run, (choice, _): (&ToolChoice, At), _settings: &Settings) -> Result<()> {
    put_choice(run, choice, &Metadata::default());
    Ok(())
}

/// Writes the value of `toolChoice`. There is none that forbids calls.
fn put_choice(run: &mut Run, choice: &ToolChoice, metadata: &Metadata) {
    let mut object = match choice {
        ToolChoice::None => return run.store.put_null(),
        ToolChoice::Native { value, .. } => return run.store.put(*value),
        _ => run.begin(),
    };
    match choice {
        ToolChoice::Required | ToolChoice::Allowed { required: true, .. } => object.object(run, Word::any, |_, _| {}),
        ToolChoice::Named(name) => object.object_with_rest(run, metadata, Word::tool, |run, inner| {
            inner.put(run, Word::name, *name);
            inner.add_nested(run, metadata, Word::toolChoice);
        }),
        _ => object.object(run, Word::auto, |_, _| {}),
    }
    object.close(run);
}

pub fn write_config(run: &mut Run, object: &mut Writing, request: &Request) -> Result<()> {
    object.nested(run, &request.metadata, Word::toolConfig, |run, inner| {
        put_list(run, inner, request, write_definition);
        if let Some((choice, _)) = request.choice.as_ref().filter(|(choice, _)| !matches!(choice, ToolChoice::None)) {
            inner.key(run, Word::toolChoice);
            put_choice(run, choice, &request.metadata);
        }
    });
    object.skip(run, Word::toolChoice);
    Ok(())
}
