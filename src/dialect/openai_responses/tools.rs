//! Tool definitions and choices (WIRE §2.1, §2.2).

use crate::dialect::shared::freeform;
use crate::dialect::shared::tools::{read_choice_word, read_definition, take_mode, take_tools};
use crate::model::{Definition, Metadata, Native, Request, Tool, ToolChoice};
use crate::run::{At, Key, Provider, Reading, Result, Run, WarningCode, Writing};
use crate::value::{Keys, Kind, Value, Word};

pub fn read_tools(run: &mut Run, value: Value, at: At, _metadata: &mut Metadata) -> Result<Vec<Tool>> {
    run.each(value, at, read_tool)
}

fn read_tool(run: &mut Run, value: Value, at: At) -> Result<Tool> {
    run.plain_object(value, at)?;
    match run.type_of(value) {
        Word::function => read_function(run, value, at),
        Word::custom => read_custom(run, value, at),
        _ => Ok(Tool::Native(Native { at, provider: Provider::OpenAI, value, metadata: Metadata::default() })),
    }
}

/// Functions that share a name and a description.
pub struct Namespace {
    pub name: Value,
    pub description: Option<Value>,
    pub tools: Vec<Tool>,
    pub rest: Metadata,
}

pub fn read_namespace(run: &mut Run, value: Value, at: At) -> Result<Namespace> {
    let mut reading = run.object(value, at)?;
    reading.take_any(Word::r#type);
    let name = reading.require_string(run, Word::name)?;
    let description = reading.string(run, Word::description)?;
    let (tools, tools_at) = reading.require(run, Word::tools)?;
    let tools = read_tools(run, tools, tools_at, &mut Metadata::default())?;
    Ok(Namespace { name, description, tools, rest: reading.rest() })
}

/// Left out is not false here: OpenAI then tries strict mode (Q22). That is a form; what is canonical means the same on every target.
fn read_function(run: &mut Run, value: Value, at: At) -> Result<Tool> {
    let mut reading = run.object(value, at)?;
    reading.take_any(Word::r#type);
    for word in [Word::strict, Word::parameters] {
        if !reading.has(word) {
            reading.note(word, run.word_value(Word::omitted));
        }
    }
    let mut definition = read_definition(run, &mut reading, at)?;
    definition.metadata = reading.rest();
    Ok(Tool::Definition(definition))
}

/// A freeform tool. Its format is marked as Chat has it, so that both formats understand it.
fn read_custom(run: &mut Run, value: Value, at: At) -> Result<Tool> {
    let mut reading = run.object(value, at)?;
    reading.take_any(Word::r#type);
    let name = reading.require_string(run, Word::name)?;
    let description = reading.string(run, Word::description)?;
    let (format, format_at) = match reading.take_at(run, Word::format) {
        Some((format, at)) => (Some(nested_format(run, format, at)?), at),
        None => (None, at),
    };
    let mut metadata = reading.rest();
    let mark = run.build(|run| {
        let mut mark = run.begin();
        mark.option(run, Word::format, format);
        mark.close(run);
    });
    metadata.add_at(Key::Word(Word::custom), mark, format_at);
    let parameters = Some((freeform::parameters(run), at));
    Ok(Tool::Definition(Definition { at, name, description, parameters, strict: None, metadata }))
}

/// `{type: "grammar", syntax, definition}` → `{type: "grammar", grammar: {syntax, definition}}`
fn nested_format(run: &mut Run, format: Value, at: At) -> Result<Value> {
    if run.type_of(run.plain_object(format, at)?) != Word::grammar {
        return Ok(format);
    }
    let mut reading = run.object(format, at)?;
    reading.take_any(Word::r#type);
    let grammar = run.family_object(&reading.rest());
    Ok(run.build(|run| {
        let mut object = run.begin();
        object.word(run, Word::r#type, Word::grammar);
        object.put(run, Word::grammar, grammar);
        object.close(run);
    }))
}

pub fn read_config(run: &mut Run, reading: &mut Reading, request: &mut Request) -> Result<()> {
    take_tools(run, reading, request, read_tools)?;
    if let Some((value, at)) = reading.take_at(run, Word::tool_choice) {
        read_choice(run, value, at, request)?;
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
    let kind = reading.take_any(Word::r#type).map_or(Word::Unknown, |kind| run.store.word(kind));
    let choice = match kind {
        Word::function | Word::custom => Some(ToolChoice::Named(reading.require_string(run, Word::name)?)),
        Word::allowed_tools => read_allowed(run, &mut reading)?,
        _ => None,
    };
    // a named choice says no more than the name
    let choice = choice.filter(|_| reading.is_empty());
    Ok(choice.unwrap_or(ToolChoice::Native { provider: Provider::OpenAI, value }))
}

/// An allow-list of functions; None if it names other tools too, which only the provider understands.
fn read_allowed(run: &mut Run, reading: &mut Reading) -> Result<Option<ToolChoice>> {
    let required = take_mode(run, reading)?;
    let (tools, tools_at) = reading.require(run, Word::tools)?;
    let mut names = Vec::new();
    for (tool, at) in run.elements(tools, tools_at)? {
        let mut tool = run.object(tool, at)?;
        let kind = tool.take_any(Word::r#type).map_or(Word::Unknown, |kind| run.store.word(kind));
        if !matches!(kind, Word::function | Word::custom) {
            return Ok(None);
        }
        names.push(tool.require_string(run, Word::name)?);
        if !tool.is_empty() {
            return Ok(None);
        }
    }
    Ok(Some(ToolChoice::Allowed { names, required }))
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
    let Definition { at, name, description, parameters, strict, metadata } = definition;
    let mut object = run.begin();
    if let Some(mark) = freeform::mark(metadata) {
        object.word(run, Word::r#type, Word::custom);
        object.put(run, Word::name, *name);
        object.option(run, Word::description, *description);
        write_format(run, &mut object, mark);
        object.skip(run, Word::custom);
    } else {
        object.word(run, Word::r#type, Word::function);
        object.put(run, Word::name, *name);
        object.option(run, Word::description, *description);
        // both keys are required (WIRE §2.1)
        match parameters {
            Some((schema, _)) => object.put(run, Word::parameters, *schema),
            None if is_omitted(run, metadata, Word::parameters) => {}
            None => object.null(run, Word::parameters),
        }
        match strict {
            Some((strict, _)) => object.boolean(run, Word::strict, *strict),
            None if is_omitted(run, metadata, Word::strict) => {}
            None if metadata.form(Word::strict).is_some() => object.null(run, Word::strict),
            None => object.boolean(run, Word::strict, false),
        }
    }
    object.end(run, metadata, *at);
}

fn is_omitted(run: &Run, metadata: &Metadata, word: Word) -> bool {
    metadata.form(word).is_some_and(|form| run.store.word(form) == Word::omitted)
}

/// What the mark of a freeform tool holds: its format, without the object around the grammar, and whatever else.
fn write_format(run: &mut Run, object: &mut Writing, mark: Value) {
    if run.store.kind(mark) != Kind::Object {
        return;
    }
    if let Some(format) = run.member(mark, Word::format) {
        let grammar = if run.type_of(format) == Word::grammar { run.member(format, Word::grammar) } else { None };
        match grammar.filter(|grammar| run.store.kind(*grammar) == Kind::Object) {
            Some(grammar) => {
                object.key(run, Word::format);
                let mut inner = run.begin();
                inner.word(run, Word::r#type, Word::grammar);
                inner.add_rest(run, Some(grammar));
                inner.close(run);
            }
            None => object.put(run, Word::format, format),
        }
    }
    object.add_rest(run, Some(mark));
}

pub fn write_choice_alone(run: &mut Run, choice: &ToolChoice, at: At) -> Result<()> {
    if !put_choice(run, choice, &[], at) {
        run.store.put_word(Word::auto);
    }
    Ok(())
}

/// Writes the value of `tool_choice`; false if it is a choice that this format does not know.
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
            object.word(run, Word::mode, if *required { Word::required } else { Word::auto });
            object.key(run, Word::tools);
            run.store.begin_array();
            for name in names {
                put_named(run, *name, &custom);
            }
            run.store.end_array();
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

/// Chat's choices hold an object below their type.
fn takes_choice(run: &mut Run, provider: Provider, value: Value) -> bool {
    run.takes_native_value(provider, value) && run.member(value, Word::allowed_tools).is_none()
}

fn put_named(run: &mut Run, name: Value, custom: &Keys) {
    let kind = if custom.has(run.store.text(name).as_bytes()) { Word::custom } else { Word::function };
    let mut object = run.begin();
    object.word(run, Word::r#type, kind);
    object.put(run, Word::name, name);
    object.close(run);
}

pub fn write_config(run: &mut Run, object: &mut Writing, request: &Request) -> Result<()> {
    let tools = request.tools.as_deref().unwrap_or_default();
    if tools.is_empty() {
        run.warn_choice_without_tools(request);
        return Ok(());
    }
    let list = run.try_build(|run| write_tools(run, tools))?;
    if run.says_nothing(list) {
        run.warn_choice_without_tools(request);
        return Ok(());
    }
    object.put(run, Word::tools, list);
    let form = request.metadata.form(Word::tool_choice).filter(|form| run.store.kind(*form) == Kind::Object);
    match (&request.choice, form) {
        (Some((ToolChoice::None, _)), Some(form)) => object.put(run, Word::tool_choice, form),
        (Some((choice, at)), _) => {
            let value = run.build_if(|run| put_choice(run, choice, tools, *at));
            object.option(run, Word::tool_choice, value);
        }
        (None, _) => {}
    }
    if let Some((parallel, _)) = request.parallel {
        object.boolean(run, Word::parallel_tool_calls, parallel);
    }
    Ok(())
}
