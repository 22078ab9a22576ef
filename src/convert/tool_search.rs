//! Tool search that the client runs. OpenAI Responses has a tool and items of its own for it; other targets get a function, its calls and its results,
//! and the tools that were found. References to tools in results become their names.

use crate::fit::native;
use crate::model::{
    Arguments, Assistant, Block, Call, Content, Definition, Message, Metadata, Native, Outcome, Request, Tool,
    ToolResult,
};
use crate::run::{At, Result, Run};
use crate::value::{Kind, Value, Word};

/// The name of the function that stands for the search.
pub const NAME: &str = "tool_search";

/// Makes the search a function, with its calls and results. Returns whether there is one, and the items that contain the tools that were found.
pub fn take(run: &mut Run, request: &mut Request) -> Result<(bool, Vec<Native>)> {
    let mut found = Vec::new();
    let has_tool = request.tools.iter().flatten().any(|tool| is_tool(run, tool));
    let is_used = has_tool || request.messages.iter().any(|message| has_searches(run, message.blocks()));
    let mut definitions = request.tools.iter().flatten().filter_map(Tool::as_definition);
    if !is_used || definitions.any(|tool| run.store.text(tool.name) == NAME) {
        return Ok((false, found));
    }
    for tool in request.tools.iter_mut().flatten() {
        if let Tool::Native(native) = tool
            && is_by_client(run, native, Word::tool_search)
        {
            *tool = Tool::Definition(definition(run, native)?);
        }
    }
    for message in std::mem::take(&mut request.messages) {
        match message {
            Message::Assistant(assistant) if has_searches(run, assistant.blocks()) => {
                split(run, assistant, &mut request.messages, &mut found)?;
            }
            message => request.messages.push(message),
        }
    }
    Ok((has_tool, found))
}

fn is_tool(run: &mut Run, tool: &Tool) -> bool {
    matches!(tool, Tool::Native(native) if is_by_client(run, native, Word::tool_search))
}

fn has_searches(run: &mut Run, blocks: &[Block]) -> bool {
    blocks.iter().any(|block| match block {
        Block::Native(native) => {
            is_by_client(run, native, Word::tool_search_call) || is_by_client(run, native, Word::tool_search_output)
        }
        _ => false,
    })
}

fn is_by_client(run: &mut Run, native: &Native, kind: Word) -> bool {
    native.provider.has_openai_format()
        && run.type_of(native.value) == kind
        && run.member(native.value, Word::execution).is_some_and(|execution| run.store.word(execution) == Word::client)
}

fn definition(run: &mut Run, native: &Native) -> Result<Definition> {
    let place = run.canonical_or(native.at, Word::value);
    let mut reading = run.object(native.value, place)?;
    reading.skip(&[Word::r#type, Word::execution]);
    let mut definition = Definition::new(native.at, run.store.string(NAME));
    definition.description = reading.string(run, Word::description)?;
    definition.parameters = reading.take_at(run, Word::parameters);
    run.warn_fields(&reading.rest(), place);
    Ok(definition)
}

/// Makes the searches among the items of a turn calls, and their outputs results, which end the turn.
fn split(run: &mut Run, mut assistant: Assistant, messages: &mut Vec<Message>, found: &mut Vec<Native>) -> Result<()> {
    let mut turn = Vec::new();
    for block in std::mem::replace(&mut assistant.content, Content::Blocks(Vec::new())).into_blocks() {
        match block {
            Block::Native(native) if is_by_client(run, &native, Word::tool_search_call) => {
                turn.push(Block::Call(call(run, &native)?));
            }
            Block::Native(native) if is_by_client(run, &native, Word::tool_search_output) => {
                if !turn.is_empty() {
                    messages.push(part(native.at, std::mem::take(&mut turn)));
                }
                messages.push(Message::Tool(result(run, &native)?));
                found.push(native);
            }
            block => turn.push(block),
        }
    }
    if !turn.is_empty() || !assistant.calls.is_empty() {
        assistant.content = Content::Blocks(turn);
        messages.push(Message::Assistant(assistant));
    }
    Ok(())
}

fn part(at: At, blocks: Vec<Block>) -> Message {
    Message::Assistant(Assistant {
        at,
        content: Content::Blocks(blocks),
        calls: Vec::new(),
        metadata: Metadata::default(),
    })
}

fn call(run: &mut Run, native: &Native) -> Result<Call> {
    let place = run.canonical_or(native.at, Word::value);
    let mut reading = run.object(native.value, place)?;
    reading.skip(&[Word::r#type, Word::execution, Word::status, Word::id]);
    let id = reading.require_string(run, Word::call_id)?;
    let arguments = reading.take_any(Word::arguments).filter(|value| run.store.kind(*value) == Kind::Object);
    let value = arguments.unwrap_or_else(|| run.store.empty_object());
    run.warn_fields(&reading.rest(), place);
    let arguments = Arguments::Object { value, raw: None };
    Ok(Call { at: native.at, id, name: run.store.string(NAME), arguments, metadata: Metadata::default() })
}

fn result(run: &mut Run, native: &Native) -> Result<ToolResult> {
    let place = run.canonical_or(native.at, Word::value);
    let id = run.member(native.value, Word::call_id);
    let at = run.down(place, Word::call_id);
    let id = run.string(run.present(id, at)?, at)?;
    let names = names(run, native.value);
    let outcome = Outcome::Data { value: list(run, &names), is_error: false };
    Ok(ToolResult { at: native.at, id, name: run.store.string(NAME), outcome, metadata: Metadata::default() })
}

/// The names of the tools in an output, as other targets get them.
fn names(run: &mut Run, output: Value) -> Vec<Value> {
    let mut names = Vec::new();
    for tool in tools_of(run, output) {
        let Some(name) = run.field(tool, Word::name).filter(|name| run.store.kind(*name) == Kind::String) else {
            continue;
        };
        if run.type_of(tool) != Word::namespace {
            names.push(name);
            continue;
        }
        for inner in tools_of(run, tool) {
            if let Some(own) = run.field(inner, Word::name).filter(|own| run.store.kind(*own) == Kind::String) {
                let between = run.store.string("__");
                names.push(run.store.join(&[name, between, own]));
            }
        }
    }
    names
}

fn tools_of(run: &mut Run, holder: Value) -> Vec<Value> {
    match run.field(holder, Word::tools) {
        Some(list) if run.store.kind(list) == Kind::Array => run.list(list),
        _ => Vec::new(),
    }
}

fn list(run: &mut Run, names: &[Value]) -> Value {
    run.build_object(|run, object| object.list(run, Word::tools, names))
}

/// Makes references to tools in results, which only their own provider understands, the names of the tools.
pub fn name_references(run: &mut Run, messages: &mut [Message]) {
    for message in messages {
        let Message::Tool(result) = message else { continue };
        let Outcome::Multimodal { blocks, is_error } = &mut result.outcome else { continue };
        let references: Vec<Option<Value>> = blocks.iter().map(|block| reference(run, block)).collect();
        if references.iter().all(Option::is_none) {
            continue;
        }
        let mut kept = Vec::new();
        let mut names = Vec::new();
        for (block, name) in std::mem::take(blocks).into_iter().zip(references) {
            match name {
                Some(name) => names.push((name, block.at())),
                None => {
                    add_names(run, &mut kept, &mut names);
                    kept.push(block);
                }
            }
        }
        add_names(run, &mut kept, &mut names);
        let is_error = *is_error;
        result.outcome = match kept.as_slice() {
            [Block::Data { value, .. }] => Outcome::Data { value: *value, is_error },
            _ => Outcome::Multimodal { blocks: kept, is_error },
        };
    }
}

fn add_names(run: &mut Run, blocks: &mut Vec<Block>, names: &mut Vec<(Value, At)>) {
    let Some((_, at)) = names.first().copied() else { return };
    let taken: Vec<Value> = std::mem::take(names).into_iter().map(|(name, _)| name).collect();
    blocks.push(Block::Data { at, value: list(run, &taken), metadata: Metadata::default() });
}

/// The name of the tool, if the block refers to one and has nothing else.
fn reference(run: &mut Run, block: &Block) -> Option<Value> {
    let Block::Native(native) = block else { return None };
    let is_one = run.type_of(native.value) == Word::tool_reference && !native::is_accepted(run, native);
    let name = run.field(native.value, Word::tool_name).filter(|_| is_one)?;
    let cache_mark = usize::from(run.member(native.value, Word::cache_control).is_some());
    let is_alone = run.members(native.value).len() == 2 + cache_mark && native.metadata.is_empty();
    (is_alone && run.store.kind(name) == Kind::String).then_some(name)
}
