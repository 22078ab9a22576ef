//! Tool definitions and choices: what dialects have in common.

use super::shapes::{DefinitionShape, FUNCTION, FUNCTION_WITH_PARAMETERS, put_definition, read_definition};
use crate::model::{Definition, Metadata, Request, Tool, ToolChoice};
use crate::run::{At, Dialect, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

type ReadTools = fn(&mut Run, Value, At, &mut Metadata) -> Result<Vec<Tool>>;

/// Takes `tools`. An empty list counts as absent: some APIs reject it (Q29).
pub fn take_tools(run: &mut Run, reading: &mut Reading, request: &mut Request, read: ReadTools) -> Result<()> {
    let Some((value, at)) = reading.take_at(run, Word::tools) else { return Ok(()) };
    let tools = read(run, value, at, &mut request.metadata)?;
    if tools.is_empty() {
        request.metadata.add_form(Word::tools, value);
    } else {
        request.tools = Some(tools);
    }
    Ok(())
}

/// Reads a function in the most common form: nested in an object below its type.
pub fn read_function(run: &mut Run, mut reading: Reading, at: At) -> Result<Tool> {
    reading.take(run, Word::r#type);
    let mut function = reading.require_object(run, Word::function)?;
    let mut definition = read_definition(run, &mut function, at, shape(run.route.from))?;
    definition.metadata = reading.rest();
    function.rest_into(run, Word::function, &mut definition.metadata);
    Ok(Tool::Definition(definition))
}

fn shape(dialect: Dialect) -> &'static DefinitionShape {
    if dialect.format().limits.requires_parameters { FUNCTION_WITH_PARAMETERS } else { FUNCTION }
}

/// Writes what [`read_function`] reads, apart from the fields of the outer object.
pub fn put_function(run: &mut Run, object: &mut Writing, definition: &Definition) {
    object.word(run, Word::r#type, Word::function);
    object.object_with_rest(run, &definition.metadata, Word::function, |run, inner| {
        put_definition(run, inner, definition, shape(run.route.to))
    });
}

/// Writes the array of tools.
pub fn put_tools<'a>(
    run: &mut Run,
    tools: impl IntoIterator<Item = &'a Tool>,
    write_definition: fn(&mut Run, &Definition),
) {
    run.put_each(tools, |run, tool| match tool {
        Tool::Definition(definition) => write_definition(run, definition),
        Tool::Native(native) => run.store.put(native.value),
    });
}

/// Writes `tools`, if there are any.
pub fn put_list(run: &mut Run, object: &mut Writing, request: &Request, write: fn(&mut Run, &Definition)) {
    let tools = request.tools.as_deref().unwrap_or_default();
    if !tools.is_empty() {
        object.key(run, Word::tools);
        put_tools(run, tools, write);
    }
}

/// A choice that is a single word; None if it is an object. Servers have words of their own: "any" is Mistral's for "required".
pub fn read_choice_word(run: &Run, value: Value, at: At) -> Result<Option<ToolChoice>> {
    match run.route.from.format().meant(run.store.word(value)) {
        Word::auto => Ok(Some(ToolChoice::Auto)),
        Word::none => Ok(Some(ToolChoice::None)),
        Word::required => Ok(Some(ToolChoice::Required)),
        Word::any if run.route.from.provider().is_some() => Ok(Some(ToolChoice::Required)),
        _ => match (run.store.kind(value), run.route.from.provider()) {
            (Kind::Object, _) => Ok(None),
            (Kind::String, Some(provider)) => Ok(Some(ToolChoice::Native { provider, value })),
            _ => run.wrong_word(value, at, "\"auto\", \"none\", \"required\" or an object"),
        },
    }
}

/// Takes the `mode` of an allow-list. Returns whether a call is required.
pub fn take_mode(run: &mut Run, reading: &mut Reading) -> Result<bool> {
    let Some((mode, at)) = reading.take_at(run, Word::mode) else { return Ok(false) };
    match run.route.from.format().meant(run.store.word(mode)) {
        Word::auto => Ok(false),
        Word::required => Ok(true),
        _ => run.wrong_word(mode, at, "\"auto\" or \"required\""),
    }
}
