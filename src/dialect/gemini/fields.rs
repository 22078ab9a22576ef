//! Fields that only one of Google's two APIs has (WIRE §4.11). The other one rejects them, so they are left out, with a warning.

use crate::model::{Block, Content, Message, Metadata, Native, Outcome, Request, Tool, ToolChoice};
use crate::run::{At, Platform, Run, WarningCode, is_hint};
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
    /// Contents without a role are accepted.
    roleless: bool,
}

const DEVELOPER: Alone = Alone {
    request: &[&[Word::store], &[Word::toolConfig, Word::includeServerSideToolInvocations]],
    part: &[&[Word::partMetadata], &[Word::mediaProcessing], &[Word::functionResponse, Word::willContinue]],
    native_part: &[Word::toolCall, Word::toolResponse],
    tool: &[Word::fileSearch, Word::mcpServers],
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
            Message::Assistant(assistant) => {
                fit_content(run, refused, &mut assistant.content);
                for call in &mut assistant.calls {
                    fit_metadata(run, &mut call.metadata, call.at, refused.part);
                }
            }
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
    if let Some((ToolChoice::Native { provider, value }, at)) = &mut request.choice
        && run.route.leads_to(*provider)
    {
        let at = run.canonical_or(*at, Word::native);
        for path in refused.request {
            if let [Word::toolConfig, Word::functionCallingConfig, path @ ..] = path {
                *value = without(run, *value, at, path).unwrap_or(*value);
            }
        }
    }
    fit_metadata(run, &mut request.metadata, request.at, refused.request);
}

/// States the role of a content that had none.
fn give_role(run: &mut Run, message: &mut Message) {
    if run.is_omitted(message.metadata(), Word::role) {
        run.warn(WarningCode::FieldSupplied, message.at(), "the target requires a role");
        message.metadata_mut().forget_form(Word::role);
    }
}

fn fit_content(run: &mut Run, refused: &Alone, content: &mut Content) {
    if let Content::Blocks(blocks) = content {
        fit_blocks(run, refused, blocks);
    }
}

fn fit_blocks(run: &mut Run, refused: &Alone, blocks: &mut Vec<Block>) {
    blocks.retain_mut(|block| match block {
        Block::Native(native) if run.route.leads_to(native.provider) => fit_native(run, refused, native),
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

/// Removes rejected tools from the entries, each of which may contain several, under their keys.
fn fit_tools(run: &mut Run, refused: &Alone, tools: &mut Vec<Tool>) {
    tools.retain_mut(|tool| {
        let Tool::Native(native) = tool else { return true };
        if !run.route.leads_to(native.provider) {
            return true;
        }
        let mut is_changed = false;
        for word in refused.tool {
            if run.member(native.value, *word).is_some() {
                run.warn(WarningCode::NativeDropped, native.at, &format!("the target has no tool {}", word.text()));
                native.value = copy_with(run, native.value, *word, None);
                is_changed = true;
            }
        }
        !(is_changed && run.is_void(native.value))
    });
}

/// Removes what is at one of `paths` from the metadata.
fn fit_metadata(run: &mut Run, metadata: &mut Metadata, at: At, paths: &[&[Word]]) {
    for path in paths {
        let Some((word, path)) = path.split_first() else { continue };
        let Some(value) = metadata.own_field(*word) else { continue };
        let at = run.family_at(at);
        if let Some(left) = left_of(run, (*word, value), at, path) {
            metadata.set_family_field(*word, left);
        }
    }
}

/// The value without the field at `path`; None if there is no such field.
fn without(run: &mut Run, value: Value, at: At, path: &[Word]) -> Option<Value> {
    let (word, path) = path.split_first()?;
    if run.store.kind(value) != Kind::Object {
        return None;
    }
    let inner = run.member(value, *word)?;
    let left = left_of(run, (*word, inner), at, path)?;
    Some(copy_with(run, value, *word, left))
}

/// What is left of a field of the object at `at` without what is at `path` inside the field. None if there is no such thing.
fn left_of(run: &mut Run, (word, value): (Word, Value), at: At, path: &[Word]) -> Option<Option<Value>> {
    let at = run.down(at, word);
    if !path.is_empty() {
        let left = without(run, value, at, path)?;
        return Some(Some(left).filter(|left| !run.is_void(*left)));
    }
    if !run.is_void(value) {
        let code = if is_hint(word) { WarningCode::StateDropped } else { WarningCode::FieldDropped };
        run.warn(code, at, "only the other Google API has this field");
    }
    Some(None)
}

/// The object with another value of one of its fields, or without it.
fn copy_with(run: &mut Run, object: Value, word: Word, value: Option<Value>) -> Value {
    run.build_object(|run, copy| {
        copy.skip(run, word);
        copy.option(run, word, value);
        copy.add_rest(run, Some(object));
    })
}
