//! Tool definitions and choices (WIRE §1.1, §1.2).

use crate::dialect::shared::freeform;
use crate::dialect::shared::shapes::{FUNCTION, put_definition, read_definition};
use crate::dialect::shared::tools::{self, put_function, put_tools, read_function, take_tools};
use crate::format::Layout;
use crate::model::{Definition, Metadata, Native, Request, Settings, Tool, ToolChoice};
use crate::run::{At, Key, Reading, Result, Run, WarningCode, Writing};
use crate::value::{Kind, Value, Word};

pub const LAYOUT: Layout = Layout::Nested;

pub fn read_tools(run: &mut Run, value: Value, at: At, _metadata: &mut Metadata) -> Result<Vec<Tool>> {
    run.each(value, at, read_tool)
}

fn read_tool(run: &mut Run, value: Value, at: At) -> Result<Tool> {
    let mut reading = run.object(value, at)?;
    let kind = reading.peek(Word::r#type).map_or(Word::function, |kind| run.store.word(kind));
    match kind {
        Word::function => read_function(run, reading, at),
        Word::custom => {
            reading.take(run, Word::r#type);
            let (custom, custom_at) = reading.require(run, Word::custom)?;
            let mut custom = run.object(custom, custom_at)?;
            let mut definition = read_definition(run, &mut custom, at, freeform::DEFINITION)?;
            definition.parameters = Some((freeform::parameters(run), custom_at));
            definition.metadata = reading.rest();
            // marks a freeform tool, with the remaining members, such as its format
            let rest = custom.rest();
            if rest.family_fields().is_empty() {
                definition.metadata.add(Key::Word(Word::custom), run.store.empty_object());
            }
            run.nest_whole(Word::custom, &rest, custom_at, &mut definition.metadata);
            Ok(Tool::Definition(definition))
        }
        _ => Ok(Tool::Native(Native::of_source(run, value, at))),
    }
}

/// One of the deprecated `functions` (Q43).
fn read_legacy(run: &mut Run, value: Value, at: At) -> Result<Tool> {
    let mut function = run.object(value, at)?;
    let mut definition = read_definition(run, &mut function, at, FUNCTION)?;
    definition.metadata = function.rest();
    definition.metadata.add_form(Word::legacy, run.store.boolean_value(true));
    Ok(Tool::Definition(definition))
}

pub fn read_config(run: &mut Run, reading: &mut Reading, request: &mut Request) -> Result<()> {
    take_tools(run, reading, request, read_tools)?;
    if let Some((value, at)) = reading.take_at(run, Word::functions) {
        let functions = run.each(value, at, read_legacy)?;
        if functions.is_empty() {
            reading.note(Word::functions, value);
        } else {
            request.tools.get_or_insert_default().extend(functions);
        }
    }
    if let Some((value, at)) = reading.take_at(run, Word::tool_choice) {
        read_choice(run, value, at, request)?;
        if let Some((_, at)) = reading.take_at(run, Word::function_call) {
            run.warn(WarningCode::FieldDropped, at, "tool_choice is used instead");
        }
    } else if let Some((value, at)) = reading.take_at(run, Word::function_call) {
        request.choice = Some((read_legacy_choice(run, value, at, &mut request.metadata)?, at));
        request.metadata.add_form(Word::legacy, run.store.boolean_value(true));
    }
    request.parallel = reading.boolean_at(run, Word::parallel_tool_calls)?;
    Ok(())
}

pub fn read_choice(run: &mut Run, value: Value, at: At, request: &mut Request) -> Result<()> {
    LAYOUT.read_choice(run, value, at, request)
}

/// The deprecated `function_call` of a request.
fn read_legacy_choice(run: &mut Run, value: Value, at: At, metadata: &mut Metadata) -> Result<ToolChoice> {
    if run.store.kind(value) != Kind::Object {
        return LAYOUT.choice_of(run, value, at, metadata);
    }
    let mut reading = run.object(value, at)?;
    let name = reading.require_string(run, Word::name)?;
    reading.rest_into(run, Word::function_call, metadata);
    Ok(ToolChoice::Named(name))
}

pub fn write_tools(run: &mut Run, request: &Request) -> Result<()> {
    put_tools(run, request.tools.iter().flatten(), write_definition);
    Ok(())
}

fn write_definition(run: &mut Run, definition: &Definition) {
    let Definition { at, metadata, .. } = definition;
    let mut object = run.begin();
    if let Some(custom) = freeform::mark(metadata) {
        object.word(run, Word::r#type, Word::custom);
        object.object_with_rest(run, metadata, Word::custom, |run, inner| {
            put_definition(run, inner, definition, freeform::DEFINITION);
            inner.add_rest(run, Some(custom));
        });
    } else {
        put_function(run, &mut object, definition);
    }
    object.end(run, metadata, *at);
}

pub fn write_choice_alone(run: &mut Run, (choice, _): (&ToolChoice, At), _settings: &Settings) -> Result<()> {
    LAYOUT.write_choice_alone(run, choice);
    Ok(())
}

pub fn write_config(run: &mut Run, object: &mut Writing, request: &Request) -> Result<()> {
    let tools = request.tools.as_deref().unwrap_or_default();
    let is_former = |tool: &Tool| tool.as_definition().is_some_and(|tool| tool.metadata.form(Word::legacy).is_some());
    // the deprecated form does not support all choices, and not all servers support it
    let has_new_choice = matches!(request.choice, Some((ToolChoice::Required | ToolChoice::Allowed { .. }, _)));
    let is_lacking = || run.route.lacks(Word::functions) || run.route.lacks(Word::function_call);
    let is_former_choice = request.metadata.form(Word::legacy).is_some();
    let is_written_so = (!tools.is_empty() || is_former_choice) && tools.iter().all(is_former);
    let is_legacy = is_written_so && !has_new_choice && !is_lacking();
    if is_legacy && !tools.is_empty() {
        let functions = tools.iter().filter_map(Tool::as_definition);
        object.each(run, Word::functions, functions, |run, definition| {
            let mut function = run.begin();
            put_definition(run, &mut function, definition, FUNCTION);
            function.end(run, &definition.metadata, definition.at);
        });
    } else {
        tools::put_list(run, object, request, write_definition);
    }
    match &request.choice {
        Some((ToolChoice::Named(name), _)) if is_legacy => {
            object.object_with_rest(run, &request.metadata, Word::function_call, |run, inner| {
                inner.put(run, Word::name, *name)
            });
        }
        Some((choice, _)) if is_legacy && request.metadata.form(Word::tool_choice).is_none() => {
            object.key(run, Word::function_call);
            LAYOUT.put_choice(run, choice, tools, None);
        }
        _ => LAYOUT.write_choice(run, object, request, tools),
    }
    object.flag(run, Word::parallel_tool_calls, request.parallel);
    Ok(())
}
