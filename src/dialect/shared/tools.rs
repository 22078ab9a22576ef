//! Tool definitions and choices, as far as dialects read and write them alike.

use crate::model::{Definition, Metadata, Native, Request, Tool, ToolChoice};
use crate::run::{At, Reading, Result, Run, WarningCode, Writing};
use crate::value::{Keys, Kind, Value, Word};

type ReadTools = fn(&mut Run, Value, At, &mut Metadata) -> Result<Vec<Tool>>;

/// Takes `tools`. An empty list is none: some APIs refuse it (Q29).
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

/// Reads name, description, parameters and strict; the metadata are the caller's.
pub fn read_definition(run: &mut Run, reading: &mut Reading, at: At) -> Result<Definition> {
    let name = reading.require_string(run, Word::name)?;
    let description = reading.string(run, Word::description)?;
    let parameters = match reading.take_at(run, Word::parameters) {
        Some((schema, at)) => Some((run.plain_object(schema, at)?, at)),
        None => None,
    };
    let strict = reading.boolean_at(run, Word::strict)?;
    Ok(Definition { at, name, description, parameters, strict, examples: None, metadata: Metadata::default() })
}

/// Writes what [`read_definition`] reads.
pub fn put_definition(run: &mut Run, object: &mut Writing, definition: &Definition) {
    let Definition { at: _, name, description, parameters, strict, examples: _, metadata: _ } = definition;
    object.put(run, Word::name, *name);
    object.option(run, Word::description, *description);
    object.option(run, Word::parameters, parameters.map(|(schema, _)| schema));
    if let Some((strict, _)) = strict {
        object.boolean(run, Word::strict, *strict);
    }
}

/// Reads a function as most formats have it: what it is stands in an object below its type.
pub fn read_function(run: &mut Run, mut reading: Reading, at: At) -> Result<Tool> {
    reading.take(run, Word::r#type);
    let (function, function_at) = reading.require(run, Word::function)?;
    let mut function = run.object(function, function_at)?;
    let mut definition = read_definition(run, &mut function, at)?;
    definition.metadata = reading.rest();
    function.rest_into(run, Word::function, &mut definition.metadata);
    Ok(Tool::Definition(definition))
}

/// Writes what [`read_function`] reads, but for what the object itself says.
pub fn put_function(run: &mut Run, object: &mut Writing, definition: &Definition) {
    object.word(run, Word::r#type, Word::function);
    object.key(run, Word::function);
    let mut inner = run.begin();
    put_definition(run, &mut inner, definition);
    inner.add_nested(run, &definition.metadata, Word::function);
    inner.close(run);
}

/// Writes the array of tools; one that only another provider knows is left out.
pub fn put_tools<'a>(
    run: &mut Run,
    tools: impl IntoIterator<Item = &'a Tool>,
    write_definition: fn(&mut Run, &Definition),
) {
    run.store.begin_array();
    for tool in tools {
        match tool {
            Tool::Definition(definition) => write_definition(run, definition),
            Tool::Native(native) if run.takes_native(native) => run.store.put(native.value),
            Tool::Native(native) => run.warn_native_tool(native.at),
        }
    }
    run.store.end_array();
}

/// The array of tools as a value. Where nothing is in it there is none, and no place for a choice either.
pub fn list<'a>(
    run: &mut Run,
    request: &Request,
    tools: impl IntoIterator<Item = &'a Tool>,
    write_definition: fn(&mut Run, &Definition),
) -> Option<Value> {
    let list = run.build(|run| put_tools(run, tools, write_definition));
    if run.says_nothing(list) {
        run.warn_choice_without_tools(request);
        return None;
    }
    Some(list)
}

/// Whether the target gets the tool; one of another provider's is left out.
pub fn is_sent(run: &mut Run, tool: &Tool) -> bool {
    match tool {
        Tool::Definition(_) => true,
        Tool::Native(native) => run.takes_native(native),
    }
}

/// The name by which a choice can call a tool that only its provider knows.
pub fn native_name(run: &mut Run, native: &Native) -> Option<Value> {
    let name = run.member(native.value, Word::name)?;
    (run.store.kind(name) == Kind::String).then_some(name)
}

/// The names by which a choice can call what is in it: its own, or those of the functions in a namespace.
pub fn native_names(run: &mut Run, native: &Native) -> Vec<Value> {
    let mut names: Vec<Value> = native_name(run, native).into_iter().collect();
    let tools = run.member(native.value, Word::tools).filter(|_| run.type_of(native.value) == Word::namespace);
    if let Some(tools) = tools.filter(|tools| run.store.kind(*tools) == Kind::Array) {
        for tool in run.list(tools) {
            let name = if run.store.kind(tool) == Kind::Object { run.member(tool, Word::name) } else { None };
            names.extend(name.filter(|name| run.store.kind(*name) == Kind::String));
        }
    }
    names
}

/// Where there is no allow-list: the tools of these names; that others are left out is told of the choice at `at`.
pub fn only_named<'a>(run: &mut Run, tools: &'a [Tool], names: &[Value], at: At) -> Vec<&'a Tool> {
    let mut allowed = Keys::default();
    for name in names {
        allowed.add(run.store.text(*name).as_bytes());
    }
    let mut chosen = Vec::new();
    for tool in tools {
        let name = match tool {
            Tool::Definition(definition) => Some(definition.name),
            Tool::Native(native) => native_name(run, native),
        };
        if name.is_some_and(|name| allowed.has(run.store.text(name).as_bytes())) {
            chosen.push(tool);
        }
    }
    if chosen.len() < tools.len() {
        run.warn(WarningCode::ToolsFiltered, at, "the target has no allow-list: the other tools were left out");
    }
    chosen
}

/// Whether the choice leaves the model no answer without a call.
pub fn is_forced(choice: &ToolChoice) -> bool {
    match choice {
        ToolChoice::Required | ToolChoice::Named(_) | ToolChoice::Allowed { required: true, .. } => true,
        ToolChoice::Auto | ToolChoice::None | ToolChoice::Allowed { .. } | ToolChoice::Native { .. } => false,
    }
}

/// Whether the model must make a call.
pub fn forces_a_call(run: &mut Run, request: &Request) -> bool {
    let is_forced = request.choice.as_ref().is_some_and(|(choice, _)| is_forced(choice));
    is_forced && request.tools.iter().flatten().any(|tool| is_sent(run, tool))
}

/// A choice that is one word; none if it is an object.
pub fn read_choice_word(run: &Run, value: Value, at: At) -> Result<Option<ToolChoice>> {
    match run.store.word(value) {
        Word::auto => Ok(Some(ToolChoice::Auto)),
        Word::none => Ok(Some(ToolChoice::None)),
        Word::required => Ok(Some(ToolChoice::Required)),
        _ if run.store.kind(value) == Kind::Object => Ok(None),
        _ => run.wrong_word(value, at, "\"auto\", \"none\", \"required\" or an object"),
    }
}

/// Takes the `mode` of an allow-list: whether one of the tools must be called.
pub fn take_mode(run: &mut Run, reading: &mut Reading) -> Result<bool> {
    let Some((mode, at)) = reading.take_at(run, Word::mode) else { return Ok(false) };
    match run.store.word(mode) {
        Word::auto => Ok(false),
        Word::required => Ok(true),
        _ => run.wrong_word(mode, at, "\"auto\" or \"required\""),
    }
}
