//! Tool definitions and choices (WIRE §4.1, §4.2).

use super::schemas;
use crate::dialect::shared::shapes::{Absent, DefinitionShape, Field, ToolField, read_definition};
use crate::dialect::shared::tools::take_tools;
use crate::model::{Definition, Metadata, Native, Request, Settings, Tool, ToolChoice};
use crate::run::{At, GeminiSchema, Reading, Result, Run, SchemaUse, Writing};
use crate::schema::openapi;
use crate::value::{Kind, Value, Word};

/// Flattens the entries. An unusual grouping is recorded as a form.
pub fn read_tools(run: &mut Run, value: Value, at: At, metadata: &mut Metadata) -> Result<Vec<Tool>> {
    let mut tools = Vec::new();
    let mut groups = Vec::new();
    for (entry, at) in run.elements(value, at)? {
        let before = tools.len();
        read_entry(run, entry, at, &mut tools)?;
        groups.push(tools.len() - before);
    }
    if !usual_entries(&tools).iter().map(Vec::len).eq(groups.iter().copied()) {
        let groups = run.build(|run| {
            run.put_each(groups, |run, group| run.store.put_number(group as f64));
        });
        metadata.add_form(Word::tools, groups);
    }
    Ok(tools)
}

fn read_entry(run: &mut Run, value: Value, at: At, tools: &mut Vec<Tool>) -> Result<()> {
    let mut reading = run.object(value, at)?;
    let Some((declarations, declarations_at)) = reading.take_at(run, Word::functionDeclarations) else {
        let value = run.spelled(value, at);
        tools.push(Tool::Native(Native::of_source(run, value, at)));
        return Ok(());
    };
    let elements = run.elements(declarations, declarations_at)?;
    if elements.is_empty() && run.route.keeps_family() {
        let value = run.spelled(value, at);
        tools.push(Tool::Native(Native::of_source(run, value, at)));
        return Ok(());
    }
    for (declaration, at) in elements {
        tools.push(Tool::Definition(read_declaration(run, declaration, at)?));
    }
    let rest: Metadata = reading.rest();
    if !rest.family_fields().is_empty() {
        let value = run.family_object(&rest);
        tools.push(Tool::Native(Native::of_source(run, value, at)));
    }
    Ok(())
}

/// The usual entries: all declarations in one, at the position of the first; every other tool in its own (Q28).
fn usual_entries<'a>(tools: &'a [Tool]) -> Vec<Vec<&'a Tool>> {
    let mut declarations: Vec<&Tool> = tools.iter().filter(|tool| matches!(tool, Tool::Definition(_))).collect();
    let entry = |tool: &'a Tool| match tool {
        Tool::Native(_) => vec![tool],
        Tool::Definition(_) => std::mem::take(&mut declarations),
    };
    tools.iter().map(entry).filter(|entry| !entry.is_empty()).collect()
}

/// The description is required by the API's own description (Q26).
const DESCRIPTION: Field = Field { key: Word::description, kind: Kind::String, absent: Absent::EmptyText };
/// What is read; parameters are written in two ways.
const DECLARATION: &DefinitionShape = &[
    (ToolField::Name, Word::name, Absent::Never),
    (ToolField::Description, DESCRIPTION.key, DESCRIPTION.absent),
    (ToolField::Parameters, Word::parametersJsonSchema, Absent::Omitted),
];

fn read_declaration(run: &mut Run, value: Value, at: At) -> Result<Definition> {
    let mut reading = run.object(value, at)?;
    let mut definition = read_definition(run, &mut reading, at, DECLARATION)?;
    if definition.parameters.is_none() {
        definition.parameters = read_parameters(run, &mut reading)?;
    }
    definition.metadata = reading.rest();
    Ok(definition)
}

/// Converts the OpenAPI form to JSON Schema. A form keeps the original if that can't restore it (Q21, Q44).
fn read_parameters(run: &mut Run, reading: &mut Reading) -> Result<Option<(Value, At)>> {
    let Some((schema, at)) = reading.take_at(run, Word::parameters) else { return Ok(None) };
    run.plain_object(schema, at)?;
    let read = openapi::read(run, schema, at)?;
    let form = openapi::form(run, read, schema);
    reading.note(Word::parameters, form);
    Ok(Some((read, at)))
}

pub fn read_config(run: &mut Run, reading: &mut Reading, request: &mut Request) -> Result<()> {
    take_tools(run, reading, request, read_tools)?;
    if let Some((value, at)) = reading.take_at(run, Word::toolConfig) {
        read_choice(run, value, at, request)?;
    }
    Ok(())
}

pub fn read_choice(run: &mut Run, value: Value, at: At, request: &mut Request) -> Result<()> {
    let mut config = run.object(value, at)?;
    if let Some((calling, calling_at)) = config.take_at(run, Word::functionCallingConfig) {
        let mut reading = run.object(calling, calling_at)?;
        let mode = reading.string(run, Word::mode)?.map(|mode| run.store.word(mode));
        let names = match reading.take_at(run, Word::allowedFunctionNames) {
            Some((list, at)) => {
                let names = run.strings(list, at)?;
                if names.is_empty() {
                    reading.note(Word::allowedFunctionNames, list);
                }
                names
            }
            None => Vec::new(),
        };
        if reading.is_empty() && names.is_empty() && matches!(mode, None | Some(Word::MODE_UNSPECIFIED)) {
            // it is empty
            config.note(Word::functionCallingConfig, run.spelled(calling, calling_at));
            config.rest_into(run, Word::toolConfig, &mut request.metadata);
            return Ok(());
        }
        let choice = match (mode.unwrap_or(Word::Unknown), names.as_slice()) {
            (Word::AUTO, []) => ToolChoice::Auto,
            (Word::VALIDATED, []) => {
                request.metadata.add_form(Word::mode, run.store.word_value(Word::VALIDATED));
                ToolChoice::Auto
            }
            (Word::NONE, []) => ToolChoice::None,
            (Word::ANY, []) => ToolChoice::Required,
            (Word::ANY, [name]) => ToolChoice::Named(*name),
            (Word::ANY, _) => ToolChoice::Allowed { names, required: true },
            (Word::VALIDATED, _) => ToolChoice::Allowed { names, required: false },
            _ => ToolChoice::Native { provider: run.route.source_provider(), value: run.spelled(calling, calling_at) },
        };
        if !matches!(choice, ToolChoice::Native { .. }) {
            config.give_back_rest(run, Word::functionCallingConfig, reading);
        }
        request.choice = Some((choice, calling_at));
    }
    config.rest_into(run, Word::toolConfig, &mut request.metadata);
    Ok(())
}

pub fn write_tools(run: &mut Run, request: &Request) -> Result<()> {
    run.try_put_each(usual_entries(request.tools.as_deref().unwrap_or_default()), write_entry)
}

/// Writes one entry: its declarations, and other tools that were in it.
fn write_entry(run: &mut Run, tools: Vec<&Tool>) -> Result<()> {
    if let [Tool::Native(native)] = tools.as_slice() {
        run.store.put(native.value);
        return Ok(());
    }
    let mut object = run.begin();
    object.key(run, Word::functionDeclarations);
    let declarations = tools.iter().filter_map(|tool| match tool {
        Tool::Definition(definition) => Some(definition),
        Tool::Native(_) => None,
    });
    run.try_put_each(declarations, write_declaration)?;
    for tool in tools {
        if let Tool::Native(native) = tool {
            object.add_rest(run, Some(native.value));
        }
    }
    object.close(run);
    Ok(())
}

fn write_declaration(run: &mut Run, definition: &Definition) -> Result<()> {
    let Definition { at, name, description, parameters, strict: _, examples: _, metadata } = definition;
    let mut object = run.begin();
    object.put(run, Word::name, *name);
    let written = match parameters {
        Some(parameters) => written_parameters(run, *parameters, metadata)?,
        None => Parameters::Nothing { description: None },
    };
    let described = match written {
        Parameters::Nothing { description: Some(note) } => Some(joined(run, *description, note)),
        _ => *description,
    };
    DESCRIPTION.put(run, &mut object, described, metadata);
    match written {
        Parameters::JsonSchema(schema) => object.put(run, Word::parametersJsonSchema, schema),
        Parameters::OpenApi(schema) => object.put(run, Word::parameters, schema),
        Parameters::Nothing { .. } => {}
    }
    object.end(run, metadata, *at);
    Ok(())
}

/// How a declaration states its parameters.
#[derive(Clone, Copy)]
enum Parameters {
    JsonSchema(Value),
    OpenApi(Value),
    /// The API rejects an object without properties, and no parameters mean the same (Q2). Its description is added to that of the declaration.
    Nothing {
        description: Option<Value>,
    },
}

fn written_parameters(run: &mut Run, (parameters, at): (Value, At), metadata: &Metadata) -> Result<Parameters> {
    let form = metadata.form(Word::parameters);
    if form.is_none() && run.options.gemini_schema == GeminiSchema::JsonSchema {
        return Ok(Parameters::JsonSchema(schemas::write(run, parameters, at, SchemaUse::Tool)?));
    }
    if let Some(form) = form.filter(|form| run.store.kind(*form) == Kind::Object) {
        let read = openapi::read(run, form, at)?;
        if run.store.same(read, parameters) {
            return Ok(Parameters::OpenApi(form));
        }
    }
    let schema = openapi::write(run, parameters, at)?;
    if openapi::has_parameters(run, schema) {
        return Ok(Parameters::OpenApi(schema));
    }
    let description = run.member(schema, Word::description).filter(|text| run.store.kind(*text) == Kind::String);
    Ok(Parameters::Nothing { description: description.filter(|text| !run.is_blank(*text)) })
}

/// The description of a tool, with that of its parameters as another paragraph.
fn joined(run: &mut Run, description: Option<Value>, note: Value) -> Value {
    let Some(description) = description.filter(|text| !run.is_blank(*text)) else { return note };
    let text = format!("{}\n\n{}", run.store.text(description), run.store.text(note));
    run.store.string(&text)
}

pub fn write_choice_alone(run: &mut Run, (choice, _): (&ToolChoice, At), _settings: &Settings) -> Result<()> {
    let mut object = run.begin();
    write_calling_config(run, &mut object, Some(choice), Word::AUTO, (&Metadata::default(), None));
    object.close(run);
    Ok(())
}

/// Writes `functionCallingConfig`. `auto` is the mode that lets the model choose.
fn write_calling_config(
    run: &mut Run,
    object: &mut Writing,
    choice: Option<&ToolChoice>,
    auto: Word,
    (metadata, rest): (&Metadata, Option<Value>),
) {
    let (mode, names): (Word, &[Value]) = match choice {
        None | Some(ToolChoice::Auto) => (auto, &[]),
        Some(ToolChoice::None) => (Word::NONE, &[]),
        Some(ToolChoice::Required) => (Word::ANY, &[]),
        Some(ToolChoice::Named(name)) => (Word::ANY, std::slice::from_ref(name)),
        Some(ToolChoice::Allowed { names, required: true }) => (Word::ANY, names),
        Some(ToolChoice::Allowed { names, required: false }) => (Word::VALIDATED, names),
        Some(ToolChoice::Native { value, .. }) => return object.put(run, Word::functionCallingConfig, *value),
    };
    object.object_with_rest(run, metadata, Word::functionCallingConfig, |run, inner| {
        inner.word(run, Word::mode, mode);
        if !names.is_empty() {
            inner.list(run, Word::allowedFunctionNames, names);
        }
        inner.add_rest(run, rest);
    });
}

pub fn write_config(run: &mut Run, object: &mut Writing, request: &Request) -> Result<()> {
    let metadata = &request.metadata;
    let tools = request.tools.as_deref().unwrap_or_default();
    let has_tools = !tools.is_empty();
    if has_tools {
        object.key(run, Word::tools);
        let entries = entries(run, metadata, tools);
        run.try_put_each(entries, write_entry)?;
    }
    let is_strict = |tool: &Tool| matches!(tool, Tool::Definition(Definition { strict: Some((true, _)), .. }));
    let validated = tools.iter().any(is_strict) || metadata.form(Word::mode).is_some();
    let auto = if validated { Word::VALIDATED } else { Word::AUTO };
    let choice = request.choice.as_ref().map(|(choice, _)| choice);
    let config_rest = metadata.own_field(Word::toolConfig);
    let calling_rest = config_rest.and_then(|rest| run.member(rest, Word::functionCallingConfig));
    let is_lacking = run.route.lacks(Word::functionCallingConfig);
    let wants_calling = choice.is_some() || has_tools && tools.iter().any(is_strict) || calling_rest.is_some();
    object.nested(run, metadata, Word::toolConfig, |run, config| {
        if wants_calling && !is_lacking {
            write_calling_config(run, config, choice, auto, (metadata, calling_rest));
        } else {
            config.option(run, Word::functionCallingConfig, metadata.form(Word::functionCallingConfig));
        }
    });
    Ok(())
}

/// The original entries, if the tools still fill them; otherwise the usual ones.
fn entries<'a>(run: &mut Run, metadata: &Metadata, tools: &'a [Tool]) -> Vec<Vec<&'a Tool>> {
    let form = metadata.form(Word::tools).filter(|form| run.store.kind(*form) == Kind::Array);
    let Some(form) = form else { return usual_entries(tools) };
    let mut entries: Vec<Vec<&Tool>> = Vec::new();
    let mut rest = tools;
    for count in run.list(form) {
        let count = run.store.number(count) as usize;
        let Some((entry, more)) = rest.split_at_checked(count) else { return usual_entries(tools) };
        entries.push(entry.iter().collect());
        rest = more;
    }
    if rest.is_empty() { entries } else { usual_entries(tools) }
}
