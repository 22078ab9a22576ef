//! Fields that only one of Google's two APIs has (WIRE §4.11). The other one rejects them, so they are left out, with a warning.

use crate::model::{Assistant, Block, Content, Message, Metadata, Native, Outcome, Request, Tool, ToolChoice};
use crate::run::{At, Platform, Provider, Run, WarningCode, is_hint};
use crate::value::{Kind, Value, Word};

/// What only one API has. A path leads through nested objects to the field.
struct Alone {
    request: &'static [&'static [Word]],
    /// Fields of parts, in messages and in results.
    part: &'static [&'static [Word]],
    /// Native parts, by their key.
    native_part: &'static [Word],
    /// Tools, by their key.
    tool: &'static [Word],
    /// Fields of a native choice.
    choice: &'static [&'static [Word]],
    /// Contents without a role are accepted.
    roleless: bool,
}

const DEVELOPER: Alone = Alone {
    request: &[&[Word::store], &[Word::toolConfig, Word::includeServerSideToolInvocations]],
    part: &[&[Word::partMetadata], &[Word::mediaProcessing], &[Word::functionResponse, Word::willContinue]],
    native_part: &[Word::toolCall, Word::toolResponse],
    tool: &[Word::fileSearch, Word::mcpServers],
    choice: &[],
    roleless: true,
};

const VERTEX: Alone = Alone {
    request: &[
        &[Word::modelArmorConfig],
        &[Word::outputConfig],
        &[Word::generationOutputConfig],
        &[Word::generationConfig, Word::routingConfig],
        &[Word::generationConfig, Word::modelConfig],
        &[Word::generationConfig, Word::modelSelectionConfig],
        &[Word::generationConfig, Word::audioTimestamp],
        &[Word::toolConfig, Word::functionCallingConfig, Word::streamFunctionCallArguments],
    ],
    part: &[&[Word::functionCall, Word::partialArgs], &[Word::functionCall, Word::willContinue]],
    native_part: &[],
    tool: &[Word::retrieval, Word::enterpriseWebSearch, Word::parallelAiSearch, Word::exaAiSearch],
    choice: &[&[Word::streamFunctionCallArguments]],
    roleless: false,
};

/// Whether the target is Vertex AI: by its format, or as the platform that the options name.
pub fn is_for_vertex(run: &Run) -> bool {
    run.route.to.format().is_vertex || run.options.platform == Some(Platform::Vertex)
}

/// Fits a request in the format of the target to the API that the options name, if that is the other one.
pub fn fit_host(run: &mut Run, request: &mut Request) {
    if is_for_vertex(run) != run.route.to.format().is_vertex {
        fit(run, request);
    }
}

/// Drops what the target does not have.
pub fn fit(run: &mut Run, request: &mut Request) {
    let refused = if is_for_vertex(run) { &DEVELOPER } else { &VERTEX };
    for message in &mut request.messages {
        if refused.roleless {
            give_role(run, message);
        }
        match message {
            Message::System(prose) | Message::User(prose) => fit_content(run, refused, &mut prose.content),
            Message::Assistant(assistant) => fit_assistant(run, refused, assistant),
            Message::Tool(result) => {
                fit_metadata(run, &mut result.metadata, result.at, refused.part);
                if let Outcome::Multimodal { blocks, .. } = &mut result.outcome {
                    fit_blocks(run, refused, blocks);
                }
            }
        }
    }
    if let Some(tools) = &mut request.tools {
        fit_tools(run, refused, tools);
    }
    if let Some((ToolChoice::Native { provider: Provider::Google, value }, at)) = &mut request.choice {
        let at = run.canonical_or(*at, Word::native);
        for path in refused.choice {
            *value = without(run, *value, at, path).unwrap_or(*value);
        }
    }
    fit_metadata(run, &mut request.metadata, request.at, refused.request);
}

/// States the role of a content that had none.
fn give_role(run: &mut Run, message: &mut Message) {
    if run.is_omitted(message.metadata(), Word::role) {
        run.warn(WarningCode::DefaultUsed, message.at(), "the target requires a role");
        message.metadata_mut().forget_form(Word::role);
    }
}

fn fit_assistant(run: &mut Run, refused: &Alone, assistant: &mut Assistant) {
    fit_content(run, refused, &mut assistant.content);
    for call in &mut assistant.calls {
        fit_metadata(run, &mut call.metadata, call.at, refused.part);
    }
}

fn fit_content(run: &mut Run, refused: &Alone, content: &mut Content) {
    if let Content::Blocks(blocks) = content {
        fit_blocks(run, refused, blocks);
    }
}

fn fit_blocks(run: &mut Run, refused: &Alone, blocks: &mut Vec<Block>) {
    blocks.retain_mut(|block| match block {
        Block::Native(native) if native.provider == Provider::Google => fit_native(run, refused, native),
        Block::Native(_) => true,
        block => {
            let at = block.at();
            fit_metadata(run, block.metadata_mut(), at, refused.part);
            true
        }
    });
}

/// Removes rejected fields from a native part. Returns whether anything is left of it.
fn fit_native(run: &mut Run, refused: &Alone, native: &mut Native) -> bool {
    if refused.native_part.iter().any(|word| run.member(native.value, *word).is_some()) {
        run.warn(WarningCode::NativeDropped, native.at, "only the other Google API supports this part");
        return false;
    }
    let at = run.canonical_or(native.at, Word::value);
    for path in refused.part {
        native.value = without(run, native.value, at, path).unwrap_or(native.value);
    }
    true
}

fn fit_tools(run: &mut Run, refused: &Alone, tools: &mut Vec<Tool>) {
    tools.retain_mut(|tool| match tool {
        Tool::Native(native) if native.provider == Provider::Google => fit_tool(run, refused, native),
        Tool::Native(_) | Tool::Definition(_) => true,
    });
}

/// Removes rejected tools from an entry, which may contain several, each with its own key. Returns whether anything is left of it.
fn fit_tool(run: &mut Run, refused: &Alone, native: &mut Native) -> bool {
    let mut value = native.value;
    for word in refused.tool {
        if let Some(rest) = copy_without(run, value, *word) {
            run.warn(WarningCode::NativeDropped, native.at, &format!("the target has no tool {}", word.text()));
            value = rest;
        }
    }
    let is_gone = value != native.value && run.is_void(value);
    native.value = value;
    !is_gone
}

/// Removes what is at one of `paths` from the metadata.
fn fit_metadata(run: &mut Run, metadata: &mut Metadata, at: At, paths: &[&[Word]]) {
    for path in paths {
        let Some((first, rest)) = path.split_first() else { continue };
        let Some(value) = metadata.own_field(*first) else { continue };
        let at = run.family_at(at);
        let at = run.down(at, *first);
        if rest.is_empty() {
            warn(run, *first, value, at);
            metadata.set_family_field(*first, None);
        } else if let Some(value) = without(run, value, at, rest) {
            metadata.set_family_field(*first, Some(value).filter(|value| !run.is_void(*value)));
        }
    }
}

/// The value without the field at `path`; None if there is no such field.
fn without(run: &mut Run, value: Value, at: At, path: &[Word]) -> Option<Value> {
    let (first, rest) = path.split_first()?;
    if run.store.kind(value) != Kind::Object {
        return None;
    }
    let inner = run.member(value, *first)?;
    let at = run.down(at, *first);
    if rest.is_empty() {
        warn(run, *first, inner, at);
        return copy_without(run, value, *first);
    }
    let inner = without(run, inner, at, rest)?;
    let outer = copy_without(run, value, *first)?;
    Some(run.build_object(|run, object| {
        if !run.is_void(inner) {
            object.put(run, *first, inner);
        }
        object.add_rest(run, Some(outer));
    }))
}

fn warn(run: &mut Run, word: Word, value: Value, at: At) {
    if !run.is_void(value) {
        let code = if is_hint(word) { WarningCode::StateDropped } else { WarningCode::FieldDropped };
        run.warn(code, at, "only the other Google API has this field");
    }
}

/// The object without one of its members; None if it does not have it.
fn copy_without(run: &mut Run, value: Value, word: Word) -> Option<Value> {
    run.member(value, word)?;
    Some(run.build_object(|run, object| {
        object.skip(run, word);
        object.add_rest(run, Some(value));
    }))
}
