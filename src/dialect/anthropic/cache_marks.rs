//! Marks of what the API may cache, for clients that mark nothing (option `cache`): the tools, the system prompt and the last two turns of the user.
//! A turn that was marked when it was the last one is read from the cache by the next request, whose marks follow it.

use crate::fit::turns::leading_system;
use crate::model::{Block, Content, Message, Metadata, Prose, Request, Tool};
use crate::run::{Cache, Made, Run};
use crate::value::{Value, Word};

/// The API accepts four marks (WIRE §3.3): one for the tools, one for the system prompt.
const TURNS: usize = 2;

/// Adds the marks, if the option asks for them and the request has none of its own.
pub fn add(run: &mut Run, request: &mut Request) {
    if run.options.cache != Cache::Auto || request.settings.facts.cache_marks == Some(false) || has_marks(run, request)
    {
        return;
    }
    // the last one that is not loaded later: what a search loads has no place in the cache
    let tools = request.tools.iter_mut().flatten().rev().filter_map(|tool| match tool {
        Tool::Definition(definition) => Some(&mut definition.metadata),
        Tool::Native(_) => None,
    });
    for metadata in tools {
        if metadata.family_field(Word::defer_loading).is_none() {
            mark(metadata);
            break;
        }
    }
    let system = leading_system(&request.messages);
    let (front, turns) = request.messages.split_at_mut(system);
    for message in front.iter_mut().rev() {
        if let Message::System(prose) = message
            && mark_system(run, prose)
        {
            break;
        }
    }
    mark_turns(run, turns);
}

fn mark(metadata: &mut Metadata) {
    metadata.make(Word::cache_control, Made::Typed(Word::ephemeral));
}

/// Returns whether there was a text to mark.
fn mark_system(run: &Run, prose: &mut Prose) -> bool {
    match &mut prose.content {
        Content::Text(text, _) if is_markable(run, *text) => {
            // as a list of texts, because a string has no place for a mark
            prose.metadata.forget_form(Word::system);
            mark(&mut prose.metadata);
            true
        }
        Content::Text(..) => false,
        Content::Blocks(blocks) => mark_last(run, blocks),
    }
}

/// Marks the end of the last turns of the user. Results and what the user writes after them are one turn.
fn mark_turns(run: &Run, messages: &mut [Message]) {
    let mut marked = 0;
    let mut is_in_turn = false;
    for message in messages.iter_mut().rev() {
        to_blocks(run, message);
        let is_users = matches!(message, Message::User(_) | Message::Tool(_));
        if is_users && !is_in_turn && marked < TURNS {
            is_in_turn = mark_message(run, message);
            marked += usize::from(is_in_turn);
        }
        is_in_turn &= is_users;
    }
}

fn mark_message(run: &Run, message: &mut Message) -> bool {
    match message {
        Message::Tool(result) => {
            mark(&mut result.metadata);
            true
        }
        Message::User(Prose { content: Content::Blocks(blocks), .. }) => mark_last(run, blocks),
        Message::User(_) | Message::System(_) | Message::Assistant(_) => false,
    }
}

/// Makes a list of a user's text, marked or not, so that a turn has the same bytes after the marks have moved on.
fn to_blocks(run: &Run, message: &mut Message) {
    if let Message::User(prose) = message
        && let Content::Text(text, _) = prose.content
        && is_markable(run, text)
    {
        let content = std::mem::replace(&mut prose.content, Content::Blocks(Vec::new()));
        prose.content = Content::Blocks(content.into_blocks());
    }
}

/// Marks the last block that may have a mark. Returns whether there is one.
fn mark_last(run: &Run, blocks: &mut [Block]) -> bool {
    for block in blocks.iter_mut().rev() {
        let takes = match block {
            Block::Text { text, .. } => is_markable(run, *text),
            Block::Media(_) => true,
            Block::Refusal { .. } | Block::Data { .. } | Block::Reasoning(_) | Block::Native(_) | Block::Call(_) => {
                false
            }
        };
        if takes {
            mark(block.metadata_mut());
            return true;
        }
    }
    false
}

/// The API refuses a mark at a text that is empty.
fn is_markable(run: &Run, text: Value) -> bool {
    !run.is_blank(text)
}

/// Whether the client marks anything, in Anthropic's words or in OpenAI's.
fn has_marks(run: &mut Run, request: &Request) -> bool {
    if is_marked(run, &request.metadata) {
        return true;
    }
    for tool in request.tools.iter().flatten() {
        let marked = match tool {
            Tool::Definition(definition) => is_marked(run, &definition.metadata),
            Tool::Native(native) => run.field(native.value, Word::cache_control).is_some(),
        };
        if marked {
            return true;
        }
    }
    request.messages.iter().any(|message| {
        is_marked(run, message.metadata()) || message.blocks().iter().any(|block| is_block_marked(run, block))
    })
}

fn is_block_marked(run: &mut Run, block: &Block) -> bool {
    match block {
        Block::Native(native) => run.field(native.value, Word::cache_control).is_some(),
        _ => is_marked(run, block.metadata()),
    }
}

fn is_marked(run: &mut Run, metadata: &Metadata) -> bool {
    !metadata.is_empty()
        && [Word::cache_control, Word::prompt_cache_breakpoint]
            .iter()
            .any(|word| metadata.family_field(*word).is_some() || run.openai_field(metadata, *word).is_some())
}
