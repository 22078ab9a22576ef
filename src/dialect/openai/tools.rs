//! Tool definitions and choices (WIRE §1.1, §1.2).

use crate::dialect::shared::freeform;
use crate::dialect::shared::tools::{put_definition, read_choice_word, read_definition, take_mode, take_tools};
use crate::model::{Definition, Metadata, Native, Request, Tool, ToolChoice};
use crate::run::{At, Provider, Reading, Result, Run, WarningCode, Writing};
use crate::value::{Keys, Kind, Value, Word};

pub fn read_tools(run: &mut Run, value: Value, at: At, _metadata: &mut Metadata) -> Result<Vec<Tool>> {
    run.each(value, at, read_tool)
}

fn read_tool(run: &mut Run, value: Value, at: At) -> Result<Tool> {
    let mut reading = run.object(value, at)?;
    let kind = reading.peek(Word::r#type).map_or(Word::function, |kind| run.store.word(kind));
    match kind {
        Word::function => {
            reading.take(run, Word::r#type);
            let (function, function_at) = reading.require(run, Word::function)?;
            let mut function = run.object(function, function_at)?;
            let mut definition = read_definition(run, &mut function, at)?;
            definition.metadata = reading.rest();
            function.rest_into(run, Word::function, &mut definition.metadata);
            Ok(Tool::Definition(definition))
        }
        Word::custom => {
            reading.take(run, Word::r#type);
            let (custom, custom_at) = reading.require(run, Word::custom)?;
            let mut custom = run.object(custom, custom_at)?;
            let name = custom.require_string(run, Word::name)?;
            let description = custom.string(run, Word::description)?;
            let parameters = Some((freeform::parameters(run), custom_at));
            let mut metadata = reading.rest();
            keep_custom(run, custom, &mut metadata);
            Ok(Tool::Definition(Definition { at, name, description, parameters, strict: None, metadata }))
        }
        _ => Ok(Tool::Native(Native { at, provider: Provider::OpenAI, value, metadata: Metadata::default() })),
    }
}

/// One of the deprecated `functions` (Q43).
fn read_function(run: &mut Run, value: Value, at: At) -> Result<Tool> {
    let mut function = run.object(value, at)?;
    let mut definition = read_definition(run, &mut function, at)?;
    definition.metadata = function.rest();
    definition.metadata.add_form(Word::legacy, run.boolean_value(true));
    Ok(Tool::Definition(definition))
}

/// Marks a freeform tool; what else its `custom` object held (its format) is the mark's content.
fn keep_custom(run: &mut Run, custom: Reading, metadata: &mut Metadata) {
    let rest: Metadata = custom.rest();
    let value = run.family_object(&rest);
    metadata.add(crate::run::Key::Word(Word::custom), value);
}

pub fn read_config(run: &mut Run, reading: &mut Reading, request: &mut Request) -> Result<()> {
    take_tools(run, reading, request, read_tools)?;
    if let Some((value, at)) = reading.take_at(run, Word::functions) {
        let functions = run.each(value, at, read_function)?;
        request.tools.get_or_insert_default().extend(functions);
    }
    if let Some((value, at)) = reading.take_at(run, Word::tool_choice) {
        read_choice(run, value, at, request)?;
    } else if let Some((value, at)) = reading.take_at(run, Word::function_call) {
        request.choice = Some((read_legacy_choice(run, value, at)?, at));
        request.metadata.add_form(Word::legacy, run.boolean_value(true));
    }
    if let Some((value, at)) = reading.take_at(run, Word::parallel_tool_calls) {
        request.parallel = Some((run.boolean(value, at)?, at));
    }
    Ok(())
}

pub fn read_choice(run: &mut Run, value: Value, at: At, request: &mut Request) -> Result<()> {
    let choice = match choice_of(run, value, at)? {
        ToolChoice::Allowed { names, .. } if names.is_empty() => {
            request.metadata.add_form(Word::tool_choice, value);
            ToolChoice::None
        }
        choice => choice,
    };
    request.choice = Some((choice, at));
    Ok(())
}

fn choice_of(run: &mut Run, value: Value, at: At) -> Result<ToolChoice> {
    if let Some(choice) = read_choice_word(run, value, at)? {
        return Ok(choice);
    }
    let mut reading = run.object(value, at)?;
    let kind = reading.take_any(Word::r#type).map_or(Word::function, |kind| run.store.word(kind));
    let choice = match kind {
        Word::function | Word::custom => {
            let (inner, inner_at) = reading.require(run, kind)?;
            Some(ToolChoice::Named(run.object(inner, inner_at)?.require_string(run, Word::name)?))
        }
        Word::allowed_tools => read_allowed(run, &mut reading)?,
        _ => None,
    };
    Ok(choice.unwrap_or(ToolChoice::Native { provider: Provider::OpenAI, value }))
}

/// An allow-list of functions; None if it names other tools too, which only the provider understands.
fn read_allowed(run: &mut Run, reading: &mut Reading) -> Result<Option<ToolChoice>> {
    let (inner, at) = reading.require(run, Word::allowed_tools)?;
    let mut inner = run.object(inner, at)?;
    let required = take_mode(run, &mut inner)?;
    let (tools, tools_at) = inner.require(run, Word::tools)?;
    let mut names = Vec::new();
    for (tool, at) in run.elements(tools, tools_at)? {
        let mut tool = run.object(tool, at)?;
        let kind = tool.take_any(Word::r#type).map_or(Word::function, |kind| run.store.word(kind));
        if !matches!(kind, Word::function | Word::custom) {
            return Ok(None);
        }
        let (inner, inner_at) = tool.require(run, kind)?;
        names.push(run.object(inner, inner_at)?.require_string(run, Word::name)?);
    }
    Ok(Some(ToolChoice::Allowed { names, required }))
}

/// The deprecated `function_call` of a request.
fn read_legacy_choice(run: &mut Run, value: Value, at: At) -> Result<ToolChoice> {
    if run.store.kind(value) == Kind::Object {
        return Ok(ToolChoice::Named(run.object(value, at)?.require_string(run, Word::name)?));
    }
    choice_of(run, value, at)
}

pub fn write_tools(run: &mut Run, tools: &[Tool]) -> Result<()> {
    run.store.begin_array();
    for tool in tools {
        match tool {
            Tool::Definition(definition) => write_definition(run, definition),
            Tool::Native(native) if run.takes_native(native) => run.store.put(native.value),
            Tool::Native(native) => run.warn_native_tool(native.at),
        }
    }
    run.store.end_array();
    Ok(())
}

fn write_definition(run: &mut Run, definition: &Definition) {
    let Definition { at, name, description, parameters: _, strict: _, metadata } = definition;
    let mut object = run.begin();
    if let Some(custom) = freeform::mark(metadata) {
        object.word(run, Word::r#type, Word::custom);
        object.key(run, Word::custom);
        let mut inner = run.begin();
        inner.put(run, Word::name, *name);
        inner.option(run, Word::description, *description);
        if run.store.kind(custom) == Kind::Object {
            inner.add_rest(run, Some(custom));
        }
        inner.close(run);
    } else {
        object.word(run, Word::r#type, Word::function);
        object.key(run, Word::function);
        let mut inner = run.begin();
        put_definition(run, &mut inner, definition);
        inner.add_nested(run, metadata, Word::function);
        inner.close(run);
    }
    object.end(run, metadata, *at);
}

pub fn write_choice_alone(run: &mut Run, choice: &ToolChoice, at: At) -> Result<()> {
    if !put_choice(run, choice, &[], at) {
        run.store.put_word(Word::auto);
    }
    Ok(())
}

/// Writes the value of `tool_choice`; false if it is a choice that only another provider knows.
fn put_choice(run: &mut Run, choice: &ToolChoice, tools: &[Tool], at: At) -> bool {
    match choice {
        ToolChoice::Auto => run.store.put_word(Word::auto),
        ToolChoice::None => run.store.put_word(Word::none),
        ToolChoice::Required => run.store.put_word(Word::required),
        ToolChoice::Named(name) => {
            let custom = freeform::names(run, tools);
            put_named(run, *name, &custom);
        }
        ToolChoice::Allowed { names, required } => {
            let custom = freeform::names(run, tools);
            let mut object = run.begin();
            object.word(run, Word::r#type, Word::allowed_tools);
            object.key(run, Word::allowed_tools);
            let mut inner = run.begin();
            inner.word(run, Word::mode, if *required { Word::required } else { Word::auto });
            inner.key(run, Word::tools);
            run.store.begin_array();
            for name in names {
                put_named(run, *name, &custom);
            }
            run.store.end_array();
            inner.close(run);
            object.close(run);
        }
        ToolChoice::Native { provider, value } if takes_choice(run, *provider, *value) => run.store.put(*value),
        ToolChoice::Native { .. } => {
            run.warn(WarningCode::NativeDropped, at, "only its own provider knows this choice");
            return false;
        }
    }
    true
}

/// An allow-list holds an object below its type here: that of Responses does not.
fn takes_choice(run: &mut Run, provider: Provider, value: Value) -> bool {
    let is_other = run.type_of(value) == Word::allowed_tools && run.member(value, Word::allowed_tools).is_none();
    run.takes_native_value(provider, value) && !is_other
}

fn put_named(run: &mut Run, name: Value, custom: &Keys) {
    let kind = if custom.has(run.store.text(name).as_bytes()) { Word::custom } else { Word::function };
    let mut object = run.begin();
    object.word(run, Word::r#type, kind);
    object.key(run, kind);
    let mut inner = run.begin();
    inner.put(run, Word::name, name);
    inner.close(run);
    object.close(run);
}

pub fn write_config(run: &mut Run, object: &mut Writing, request: &Request) -> Result<()> {
    let tools = request.tools.as_deref().unwrap_or_default();
    if tools.is_empty() {
        run.warn_choice_without_tools(request);
        return Ok(());
    }
    let legacy = |tool: &Tool| match tool {
        Tool::Definition(definition) => definition.metadata.form(Word::legacy).is_some(),
        Tool::Native(_) => false,
    };
    let legacy_choice = match &request.choice {
        None | Some((ToolChoice::Auto | ToolChoice::None | ToolChoice::Named(_) | ToolChoice::Native { .. }, _)) => {
            true
        }
        Some((ToolChoice::Required | ToolChoice::Allowed { .. }, _)) => false,
    };
    // the deprecated form has not all choices
    let is_legacy = legacy_choice && tools.iter().all(legacy);
    if is_legacy {
        object.key(run, Word::functions);
        write_functions(run, tools);
    } else {
        let list = run.try_build(|run| write_tools(run, tools))?;
        if run.says_nothing(list) {
            run.warn_choice_without_tools(request);
            return Ok(());
        }
        object.put(run, Word::tools, list);
    }
    let form = request.metadata.form(Word::tool_choice).filter(|form| run.store.kind(*form) == Kind::Object);
    if let (Some((ToolChoice::None, _)), Some(form)) = (&request.choice, form) {
        object.put(run, Word::tool_choice, form);
    } else if let Some((choice, at)) = &request.choice {
        write_choice(run, object, (choice, *at), tools, is_legacy);
    }
    if let Some((parallel, _)) = request.parallel {
        object.boolean(run, Word::parallel_tool_calls, parallel);
    }
    Ok(())
}

fn write_functions(run: &mut Run, tools: &[Tool]) {
    run.store.begin_array();
    for tool in tools {
        if let Tool::Definition(definition) = tool {
            let mut function = run.begin();
            put_definition(run, &mut function, definition);
            function.end(run, &definition.metadata, definition.at);
        }
    }
    run.store.end_array();
}

fn write_choice(run: &mut Run, object: &mut Writing, (choice, at): (&ToolChoice, At), tools: &[Tool], is_legacy: bool) {
    let value = run.build_if(|run| match choice {
        ToolChoice::Named(name) if is_legacy => {
            let mut inner = run.begin();
            inner.put(run, Word::name, *name);
            inner.close(run);
            true
        }
        choice => put_choice(run, choice, tools, at),
    });
    object.option(run, if is_legacy { Word::function_call } else { Word::tool_choice }, value);
}
