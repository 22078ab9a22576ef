//! Tool definitions and choices (WIRE §2.1, §2.2).

use crate::dialect::shared::freeform;
use crate::dialect::shared::shapes::{Absent, DefinitionShape, ToolField, put_definition, read_definition};
use crate::dialect::shared::tools::{self, put_tools, take_tools};
use crate::format::Layout;
use crate::model::{Definition, Metadata, Native, Request, Settings, Tool, ToolChoice};
use crate::run::{At, Key, Member, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

pub const LAYOUT: Layout = Layout::Flat;

pub fn read_tools(run: &mut Run, value: Value, at: At, _metadata: &mut Metadata) -> Result<Vec<Tool>> {
    run.each(value, at, read_tool)
}

fn read_tool(run: &mut Run, value: Value, at: At) -> Result<Tool> {
    run.plain_object(value, at)?;
    match run.type_of(value) {
        Word::function => read_function(run, value, at),
        Word::custom => read_custom(run, value, at),
        _ => Ok(Tool::Native(Native::of_source(run, value, at))),
    }
}

/// A group of functions with a name and a description.
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

/// `parameters` and `strict` are required. An absent `strict` does not mean false: OpenAI then tries strict mode (Q22). A form records it, as the
/// canonical value means the same for every target.
const FUNCTION: &DefinitionShape = &[
    (ToolField::Name, Word::name, Absent::Never),
    (ToolField::Description, Word::description, Absent::Omitted),
    (ToolField::Parameters, Word::parameters, Absent::Null),
    (ToolField::Strict, Word::strict, Absent::False),
];

fn read_function(run: &mut Run, value: Value, at: At) -> Result<Tool> {
    let mut reading = run.object(value, at)?;
    reading.take_any(Word::r#type);
    let mut definition = read_definition(run, &mut reading, at, FUNCTION)?;
    definition.metadata = reading.rest();
    Ok(Tool::Definition(definition))
}

/// A freeform tool. The mark has its format as in Chat Completions, so that both formats understand it.
fn read_custom(run: &mut Run, value: Value, at: At) -> Result<Tool> {
    let mut reading = run.object(value, at)?;
    reading.take_any(Word::r#type);
    let mut definition = read_definition(run, &mut reading, at, freeform::DEFINITION)?;
    let (format, format_at) = match reading.take_at(run, Word::format) {
        Some((format, at)) => (Some(nested_format(run, format, at)?), at),
        None => (None, at),
    };
    definition.metadata = reading.rest();
    let mark = run.build_object(|run, mark| {
        mark.option(run, Word::format, format);
    });
    definition.metadata.add_at(Key::Word(Word::custom), mark, format_at);
    definition.parameters = Some((freeform::parameters(run), at));
    Ok(Tool::Definition(definition))
}

/// `{type: "grammar", syntax, definition}` → `{type: "grammar", grammar: {syntax, definition}}`
fn nested_format(run: &mut Run, format: Value, at: At) -> Result<Value> {
    if run.type_of(run.plain_object(format, at)?) != Word::grammar {
        return Ok(format);
    }
    let mut reading = run.object(format, at)?;
    reading.take_any(Word::r#type);
    let grammar = run.family_object(&reading.rest());
    Ok(run.build_object(|run, object| {
        object.word(run, Word::r#type, Word::grammar);
        object.put(run, Word::grammar, grammar);
    }))
}

pub fn read_config(run: &mut Run, reading: &mut Reading, request: &mut Request) -> Result<()> {
    take_tools(run, reading, request, read_tools)?;
    if let Some((value, at)) = reading.take_at(run, Word::tool_choice) {
        read_choice(run, value, at, request)?;
    }
    request.parallel = reading.boolean_at(run, Word::parallel_tool_calls)?;
    Ok(())
}

pub fn read_choice(run: &mut Run, value: Value, at: At, request: &mut Request) -> Result<()> {
    LAYOUT.read_choice(run, value, at, request)
}

pub fn write_tools(run: &mut Run, request: &Request) -> Result<()> {
    put_tools(run, request.tools.iter().flatten(), write_definition);
    Ok(())
}

fn write_definition(run: &mut Run, definition: &Definition) {
    let Definition { at, metadata, .. } = definition;
    let mut object = run.begin();
    if let Some(mark) = freeform::mark(metadata) {
        object.word(run, Word::r#type, Word::custom);
        put_definition(run, &mut object, definition, freeform::DEFINITION);
        let own = metadata.family_fields().iter().find(|member| member.key.word() == Word::custom);
        let parent = run.family_at(*at);
        let mark_at = own.and_then(|member| member.at).unwrap_or_else(|| run.down(parent, Word::custom));
        write_format(run, &mut object, (mark, mark_at));
        object.skip(run, Word::custom);
    } else {
        object.word(run, Word::r#type, Word::function);
        put_definition(run, &mut object, definition, FUNCTION);
    }
    object.end(run, metadata, *at);
}

/// Writes the mark of a freeform tool: its format, without the object around the grammar, and any other fields.
fn write_format(run: &mut Run, object: &mut Writing, (mark, at): (Value, At)) {
    if run.store.kind(mark) != Kind::Object {
        return;
    }
    if let Some(format) = run.member(mark, Word::format) {
        let grammar = if run.type_of(format) == Word::grammar { run.member(format, Word::grammar) } else { None };
        match grammar.filter(|grammar| run.store.kind(*grammar) == Kind::Object) {
            Some(grammar) => {
                let at = run.down(at, Word::format);
                object.object(run, Word::format, |run, inner| write_flat(run, inner, grammar, (format, at)));
            }
            None => object.put(run, Word::format, format),
        }
    }
    object.add_rest(run, Some(mark));
}

/// Writes the fields of a grammar and of the format around it into one object. Two of the same name can't both be written.
fn write_flat(run: &mut Run, object: &mut Writing, grammar: Value, (format, at): (Value, At)) {
    object.word(run, Word::r#type, Word::grammar);
    let inner = run.members(grammar);
    if let Some(kind) = inner.iter().find(|field| field.word == Word::r#type) {
        let parent = run.down(at, Word::grammar);
        run.warn_member(Member { key: Key::from(*kind), value: kind.value, at: None }, parent);
    }
    object.add_rest(run, Some(grammar));
    for field in run.members(format) {
        let key = Key::from(field);
        if matches!(field.word, Word::r#type | Word::grammar) {
            continue;
        }
        if inner.iter().any(|other| run.key_text(Key::from(*other)) == run.key_text(key)) {
            run.warn_member(Member { key, value: field.value, at: None }, at);
        } else {
            run.put_key(key);
            run.store.put(field.value);
        }
    }
}

pub fn write_choice_alone(run: &mut Run, (choice, _): (&ToolChoice, At), _settings: &Settings) -> Result<()> {
    LAYOUT.write_choice_alone(run, choice);
    Ok(())
}

pub fn write_config(run: &mut Run, object: &mut Writing, request: &Request) -> Result<()> {
    tools::put_list(run, object, request, write_definition);
    LAYOUT.write_choice(run, object, request, request.tools.as_deref().unwrap_or_default());
    object.flag(run, Word::parallel_tool_calls, request.parallel);
    Ok(())
}
