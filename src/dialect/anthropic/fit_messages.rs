//! Which messages the API accepts (WIRE §3.3–§3.5, §3.9).

use super::thinking::is_sent;
use crate::fit::content::{self, AcceptedContent, Holder};
use crate::fit::empties::{self, Empties};
use crate::fit::media::{self, By};
use crate::fit::results::{self, Moved};
use crate::fit::turns;
use crate::model::{
    Assistant, Block, Content, MediaKind, Message, Metadata, Native, Outcome, Reasoning, Request, Response, ToolResult,
};
use crate::run::{At, MidSystem, Result, Run, WarningCode};
use crate::value::{Value, Word};

const IMAGES: &[&str] = &["image/jpeg", "image/png", "image/gif", "image/webp"];

/// The media that messages and results accept.
const MEDIA: media::AcceptedMedia = media::AcceptedMedia {
    rows: &[
        (MediaKind::Image, By::Base64, IMAGES),
        (MediaKind::Image, By::WebUrl, IMAGES),
        (MediaKind::Image, By::File, &[]),
        (MediaKind::Document, By::Base64, &["application/pdf"]),
        (MediaKind::Document, By::WebUrl, &["application/pdf"]),
        (MediaKind::Document, By::File, &[]),
        (MediaKind::Document, By::Text, &[]),
    ],
    types_urls: false,
};

const CONTENT: AcceptedContent = AcceptedContent {
    media: |run, media| media::fit(run, media, &MEDIA),
    media_in: &[Holder::User, Holder::Result, Holder::Error],
    data_in: &[],
    refusals: false,
    native: takes_native,
    reasoning: takes_reasoning,
};

fn takes_native(run: &mut Run, native: &Native, holder: Holder) -> bool {
    run.route.leads_to(native.provider) && !matches!(holder, Holder::System | Holder::Error)
}

fn takes_reasoning(run: &mut Run, item: &[Reasoning], holder: Holder) -> bool {
    holder != Holder::System
        && item.iter().all(|part| is_sent(run, part) || run.route.is_response && part.text.is_some())
}

/// Text blocks must not be empty, and not all of them may be blank (Q69, Q106, Q217).
const EMPTIES: Empties = Empties {
    rejects: |run, text, _, has_more| if has_more { run.store.is_empty(text) } else { run.is_blank(text) },
    keeps: |run, message| run.is_omitted(message.metadata(), Word::content),
};

pub fn messages(run: &mut Run, request: &mut Request) -> Result<()> {
    let messages = &mut request.messages;
    let begin = messages.first().map(Message::at);
    empties::drop_empty(run, messages, &EMPTIES, true);
    content::fit(run, messages, &CONTENT, Holder::User)?;
    empties::drop_empty(run, messages, &EMPTIES, false);
    results::move_media(run, messages, Moved::Beside, &|_, is_error, _| !is_error);
    for message in messages.iter_mut() {
        if let Message::Tool(result) = message {
            fit_result(run, result);
        }
    }
    let stays =
        if request.settings.facts.mid_system == Some(false) { |_: &Run, _: &[Message], _| false } else { stays_inline };
    turns::hoist_system(run, messages, &CONTENT, stays)?;
    empties::drop_blank_prompt(run, messages);
    let leading = turns::leading_system(messages);
    if leading == messages.len() {
        turns::make_turn(run, messages, leading, begin);
    }
    let last = messages.iter_mut().rfind(|message| !matches!(message, Message::System(_)));
    let Some(Message::Assistant(prefill)) = last else { return Ok(()) };
    trim(run, prefill);
    let continues = prefill.has_calls() || is_paused(prefill);
    if request.settings.facts.prefill == Some(false) && !continues && !run.route.stays_with_provider() {
        turns::end_with_user(run, request);
    }
    Ok(())
}

/// Whether a turn with server tools was paused (`pause_turn`): it is sent back as it is, and the model continues it (WIRE §3.6).
fn is_paused(turn: &Assistant) -> bool {
    turn.blocks().iter().any(|block| matches!(block, Block::Native(_)))
}

/// Whether a system message stays in place: it must follow a user turn and precede an assistant turn or the end.
fn stays_inline(run: &Run, messages: &[Message], index: usize) -> bool {
    let form = messages.get(index).and_then(|message| message.metadata().form(Word::system));
    let came_inline = form.is_some_and(|form| run.store.word(form) == Word::system);
    if !came_inline && run.options.mid_system == MidSystem::Hoist {
        return false;
    }
    let before = messages.get(..index).unwrap_or_default().last();
    matches!(before, Some(Message::User(_) | Message::Tool(_)))
        && matches!(messages.get(index + 1), None | Some(Message::Assistant(_)))
}

/// Text blocks of results must not be empty either, and an error must have a text.
fn fit_result(run: &mut Run, result: &mut ToolResult) {
    let ToolResult { at, outcome, metadata, .. } = result;
    match outcome {
        Outcome::Multimodal { blocks, is_error } => {
            empties::drop_blocks(run, blocks, EMPTIES.rejects);
            if *is_error && !blocks.iter().any(|block| matches!(block, Block::Text { .. })) {
                let text = error_word(run, *at);
                blocks.push(Block::Text { at: *at, text, metadata: Metadata::default() });
            }
        }
        Outcome::Error(text) if run.store.is_empty(*text) && metadata.form(Word::content).is_none() => {
            *text = error_word(run, *at);
        }
        Outcome::Error(_) | Outcome::Text(_) | Outcome::Data { .. } => {}
    }
}

fn error_word(run: &mut Run, at: At) -> Value {
    run.warn(WarningCode::FieldSupplied, at, "an error result must contain text");
    run.store.string("Error")
}

/// Removes trailing white space of the message that the model continues, which the API rejects (Q100, Q217).
fn trim(run: &mut Run, prefill: &mut Assistant) {
    if !prefill.calls.is_empty() {
        return;
    }
    match &mut prefill.content {
        Content::Text(text, at) => trim_end(run, text, *at),
        Content::Blocks(blocks) => {
            while let Some(Block::Text { at, text, .. }) = blocks.last_mut() {
                trim_end(run, text, *at);
                if !run.store.is_empty(*text) || blocks.len() == 1 {
                    break;
                }
                blocks.pop();
            }
        }
    }
}

fn trim_end(run: &mut Run, text: &mut Value, at: At) {
    let whole = run.store.text(*text);
    let kept = whole.trim_end();
    if kept.len() == whole.len() {
        return;
    }
    let kept = kept.to_owned();
    drop(whole);
    *text = run.store.string(&kept);
    run.warn(
        WarningCode::EmptyDropped,
        at,
        "the target does not accept white space at the end of the text that it continues",
    );
}

pub fn response(run: &mut Run, response: &mut Response) -> Result<()> {
    content::fit_response_without_empties(run, &mut response.message, &CONTENT)
}

/// A block of a streamed response.
pub fn block(run: &mut Run, block: Block) -> Result<Option<Block>> {
    content::fit_streamed_without_empties(run, block, &CONTENT)
}
