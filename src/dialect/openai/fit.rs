//! What Chat Completions accepts (WIRE §1.10).

use super::details;
use super::reasoning as asked;
use super::write_messages::{is_content, is_native_call};
use super::write_parts::fit_media;
use crate::dialect::shared::openai_items::is_issued;
use crate::dialect::shared::turns::warn_order;
use crate::fit::content::{self, AcceptedContent, Holder};
use crate::fit::results::{self, Moved};
use crate::fit::tools::{self, ToolFields};
use crate::fit::{empties, models, native, reasoning, settings, turns};
use crate::model::{
    Assistant, Block, Content, Message, Native, Outcome, Prose, Reasoning, Request, Response, Setting, ToolResult,
};
use crate::run::{NO_SETTING, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word};

pub const HOST: Option<fn(&mut Run, &mut Request)> = Some(fit_server);

/// What the server of a request that stays in its format requires.
fn fit_server(run: &mut Run, request: &mut Request) {
    if run.route.has_target_facts() {
        fit_reasoning(run, request);
    }
}

/// Fits the settings. `top_k`, which only some servers have, stays if it came in this format.
fn fit_settings(run: &mut Run, request: &mut Request) {
    let Request { settings, metadata, .. } = request;
    let has_top_k = run.route.target_facts().top_k == Some(true) || metadata.form(Word::top_k).is_some();
    let top_k = settings.take(Setting::TopK);
    if let Some((value, at)) = top_k.filter(|_| !has_top_k) {
        settings.set(Setting::TopK, value, at);
    }
    settings::fit(run, settings);
    if let Some((value, at)) = top_k.filter(|_| has_top_k) {
        settings.set(Setting::TopK, value, at);
    }
}

fn fit_reasoning(run: &mut Run, request: &mut Request) {
    if asked::form(run, &request.settings, &request.metadata).is_none() {
        reasoning::fit_openai(run, &mut request.settings);
    }
}
pub const MODEL: Option<fn(&mut Run, &mut Request, ToolFields)> = None;

pub fn request(run: &mut Run, request: &mut Request) -> Result<()> {
    messages(run, request)?;
    tools(run, request, ToolFields::Both);
    fit_settings(run, request);
    fit_reasoning(run, request);
    let Request { at, settings, .. } = request;
    settings::name_schema(run, settings);
    if settings.expects_usage && !run.route.to.format().always_counts && run.route.lacks(Word::stream_options) {
        let at = run.down(*at, Word::stream_options);
        run.warn(WarningCode::SettingDropped, at, NO_SETTING);
    }
    models::warn_api(run, request);
    Ok(())
}

/// What messages contain. Results hold texts only, and responses nothing else (WIRE §1.3, §1.4, §1.9).
const CONTENT: AcceptedContent = AcceptedContent {
    media: fit_media,
    media_in: &[Holder::User, Holder::Result, Holder::Error],
    data_in: &[],
    refusals: true,
    native: takes_native,
    reasoning: takes_reasoning,
};

/// The same for Mistral, which has no refusals and takes its own reasoning only (WIRE §6.3).
const CHUNKS: AcceptedContent = AcceptedContent { refusals: false, reasoning: takes_thinking, ..CONTENT };

fn takes(run: &Run) -> &'static AcceptedContent {
    if run.route.to.format().chunks { &CHUNKS } else { &CONTENT }
}

pub fn messages(run: &mut Run, request: &mut Request) -> Result<()> {
    let messages = &mut request.messages;
    let takes = takes(run);
    content::fit_messages(run, messages, takes, |run, assistant| warn_order(run, assistant.blocks(), is_content))?;
    empties::fill(run, messages);
    if run.route.to.format().chunks {
        turns::hoist_system(run, messages, takes, may_be_system)?;
    }
    results::move_media(run, messages, Moved::Apart, &|_, _, _| false);
    for message in messages {
        match message {
            Message::Tool(result) => fit_result(run, result)?,
            Message::System(_) | Message::User(_) | Message::Assistant(_) => {}
        }
        for word in [Word::content, Word::tool_calls] {
            forget_array(run, message, word);
        }
    }
    Ok(())
}

/// Whether Mistral accepts a system message at this position: not after the assistant or a result (the validator of mistral-common, `validator.py`).
/// System messages between are moved, too.
fn may_be_system(_run: &Run, messages: &[Message], index: usize) -> bool {
    let before =
        messages.get(..index).unwrap_or_default().iter().rfind(|message| !matches!(message, Message::System(_)));
    !matches!(before, Some(Message::Assistant(_) | Message::Tool(_)))
}

/// Forgets that an empty field was an empty array, which requests must not contain.
fn forget_array(run: &mut Run, message: &mut Message, word: Word) {
    let is_array = |form: Value| run.store.kind(form) == Kind::Array;
    if message.metadata().form(word).is_some_and(is_array) && is_empty(run, message, word) {
        empties::warn_array(run, message.at(), word);
        message.metadata_mut().forget_form(word);
    }
}

fn is_empty(run: &Run, message: &Message, word: Word) -> bool {
    let content = match message {
        Message::Assistant(assistant) if word == Word::tool_calls => return !assistant.has_calls(),
        Message::Assistant(Assistant { content, .. })
        | Message::System(Prose { content, .. })
        | Message::User(Prose { content, .. }) => content,
        Message::Tool(result) => return matches!(result.outcome, Outcome::Text(text) if run.store.is_empty(text)),
    };
    match content {
        Content::Text(text, _) => run.store.is_empty(*text),
        Content::Blocks(blocks) => !blocks.iter().any(is_content),
    }
}

/// Errors are one text, and a result without blocks is an empty one.
fn fit_result(run: &mut Run, result: &mut ToolResult) -> Result<()> {
    let is_error = matches!(result.outcome, Outcome::Multimodal { is_error: true, .. });
    results::state_error(run, result)?;
    match &result.outcome {
        Outcome::Multimodal { blocks, .. } if blocks.is_empty() => result.outcome = Outcome::Text(run.store.string("")),
        Outcome::Multimodal { blocks, .. } if is_error => {
            if let [Block::Text { text, .. }] = blocks.as_slice() {
                result.outcome = Outcome::Text(*text);
            }
        }
        Outcome::Multimodal { .. } | Outcome::Text(_) | Outcome::Error(_) | Outcome::Data { .. } => {}
    }
    Ok(())
}

pub fn response(run: &mut Run, response: &mut Response) -> Result<()> {
    let takes = takes(run);
    content::fit_response(run, &mut response.message, takes)?;
    warn_order(run, response.message.blocks(), is_content);
    Ok(())
}

/// A block of a streamed response.
pub fn block(run: &mut Run, block: Block) -> Result<Option<Block>> {
    let takes = takes(run);
    content::fit_streamed(run, block, takes)
}

fn takes_native(run: &mut Run, native: &Native, holder: Holder) -> bool {
    let is_call = run.route.leads_to(native.provider) && is_native_call(native);
    is_call
        || !run.route.is_response
            && !matches!(holder, Holder::Result | Holder::Error)
            && native::is_accepted(run, native)
}

/// Requests take the reasoning of OpenAI-compatible servers. A response also shows signed reasoning, and a request what a client of Anthropic's format
/// returns unsigned (Q207).
fn takes_reasoning(run: &mut Run, item: &[Reasoning], holder: Holder) -> bool {
    holder == Holder::Assistant
        && item.iter().all(|part| {
            run.route.is_response && details::is_sealed(run, part)
                || part.text.is_some()
                    && match part.issuer {
                        issuer if issuer.has_openai_format() => {
                            run.route.is_response || run.route.leads_to(issuer) && !is_signed(run, part)
                        }
                        issuer if issuer.signs_reasoning() => !run.route.is_response && is_unsigned(run, part),
                        _ => false,
                    }
        })
}

/// A response shows all reasoning; a request has that of the provider.
fn takes_thinking(run: &mut Run, item: &[Reasoning], holder: Holder) -> bool {
    holder == Holder::Assistant && item.iter().all(|part| run.route.leads_to(part.issuer))
}

/// Whether reasoning from a client of Anthropic's format is not Anthropic's, whose reasoning is always signed.
fn is_unsigned(run: &Run, reasoning: &Reasoning) -> bool {
    reasoning.redacted.is_none() && reasoning.signature.is_none_or(|signature| run.store.is_empty(signature))
}

/// Whether reasoning is state of OpenAI Responses. Not if it came from a compatible server and was given the form of an item here, so that the client
/// can return it.
fn is_signed(run: &mut Run, reasoning: &Reasoning) -> bool {
    let Reasoning { signature, metadata, .. } = reasoning;
    // the item's fields are under `item`, or at the top level if the input is in the format of Responses
    let item = run.openai_field(metadata, Word::item);
    let item_id = item.map(|item| run.member(item, Word::id));
    let has_item = item_id.is_some_and(|id| id.is_none_or(|id| is_issued(run, id)));
    let is_issued_here = run.openai_field(metadata, Word::id).is_some_and(|id| is_issued(run, id));
    signature.is_some() || has_item || is_issued_here
}

pub fn tools(run: &mut Run, request: &mut Request, part: ToolFields) {
    tools::fit(run, request, part);
}
