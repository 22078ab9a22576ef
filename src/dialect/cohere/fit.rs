//! What Cohere's chat API accepts (WIRE §7.2, §7.4, §7.10).

use super::tools::definitions;
use crate::dialect::shared::turns::warn_order;
use crate::fit::content::{self, AcceptedContent, Holder};
use crate::fit::media::{self, By};
use crate::fit::reasoning::{self, AcceptedReasoning};
use crate::fit::results::{self, Moved};
use crate::fit::tools::{self as fit, ToolFields};
use crate::fit::{empties, native, settings};
use crate::model::{
    Block, MediaKind, Message, Native, Outcome, Reasoning, Request, Response, ResponseFormat, Tool, ToolChoice,
};
use crate::run::{Result, Run, WarningCode};
use crate::value::Kind;

pub const HOST: Option<fn(&mut Run, &mut Request)> = None;
pub const MODEL: Option<fn(&mut Run, &mut Request, ToolFields)> = None;

/// `thinking`: a budget, as the model decides, or off.
const THINKING: AcceptedReasoning =
    AcceptedReasoning { budgets: Some((1.0, f64::INFINITY)), off: true, adaptive: true, ..AcceptedReasoning::NOTHING };

pub fn request(run: &mut Run, request: &mut Request) -> Result<()> {
    messages(run, request)?;
    tools(run, request, ToolFields::Both);
    keep_tools(run, request);
    let settings = &mut request.settings;
    settings::drop_schema_labels(run, settings);
    reasoning::fit(run, settings, &THINKING);
    settings::fit(run, settings);
    Ok(())
}

const IMAGES: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp"];
const MEDIA: media::AcceptedMedia = media::AcceptedMedia {
    rows: &[(MediaKind::Image, By::Base64, IMAGES), (MediaKind::Image, By::WebUrl, IMAGES)],
    types_urls: false,
};

/// Results have texts and documents: their media become a message of the user (WIRE §7.4, §7.9).
const CONTENT: AcceptedContent = AcceptedContent {
    media: |run, media| media::fit(run, media, &MEDIA),
    media_in: &[Holder::User, Holder::Result, Holder::Error],
    data_in: &[Holder::Result],
    refusals: false,
    native: |run, native: &Native, _| native::is_accepted(run, native),
    reasoning: |run, item, holder| holder == Holder::Assistant && item.iter().all(|part| is_own(run, part)),
};

fn is_own(run: &Run, part: &Reasoning) -> bool {
    run.route.leads_to(part.issuer) && part.text.is_some()
}

pub fn messages(run: &mut Run, request: &mut Request) -> Result<()> {
    let messages = &mut request.messages;
    content::fit_messages(run, messages, &CONTENT, |run, assistant| warn_order(run, assistant.blocks(), is_content))?;
    empties::fill(run, messages);
    results::move_media(run, messages, Moved::Apart, &|_, _, _| false);
    for message in messages {
        if let Message::Tool(result) = message {
            results::state_error(run, result)?;
            match &mut result.outcome {
                Outcome::Multimodal { blocks, .. } if blocks.is_empty() => {
                    result.outcome = Outcome::Text(run.store.string(""));
                }
                Outcome::Multimodal { blocks, .. } => blocks.iter_mut().try_for_each(|block| state_data(run, block))?,
                Outcome::Text(_) | Outcome::Error(_) | Outcome::Data { .. } => {}
            }
        }
    }
    Ok(())
}

/// A document is an object; other data are texts.
fn state_data(run: &mut Run, block: &mut Block) -> Result<()> {
    if let Block::Data { at, value, metadata } = block
        && run.store.kind(*value) != Kind::Object
    {
        let text = run.data_text(*value, *at)?;
        *block = Block::Text { at: *at, text, metadata: std::mem::take(metadata) };
    }
    Ok(())
}

pub fn response(run: &mut Run, response: &mut Response) -> Result<()> {
    content::fit_response(run, &mut response.message, &CONTENT)?;
    warn_order(run, response.message.blocks(), is_content);
    Ok(())
}

/// A block of a streamed response.
pub fn block(run: &mut Run, block: Block) -> Result<Option<Block>> {
    content::fit_streamed(run, block, &CONTENT)
}

fn is_content(block: &Block) -> bool {
    matches!(block, Block::Text { .. } | Block::Media(_) | Block::Native(_))
}

/// A named tool is the only one that is left, and required (Q52).
pub fn tools(run: &mut Run, request: &mut Request, part: ToolFields) {
    agree_on_strict(run, request);
    if let Some((ToolChoice::Named(name), at)) = request.choice.clone() {
        if part == ToolFields::Choice {
            run.warn(WarningCode::SettingDropped, at, "the target can't require a certain tool: it requires any");
        } else {
            fit::keep_named(run, request, &[name], at);
        }
        request.choice = Some((ToolChoice::Required, at));
    }
    fit::fit(run, request, part);
}

/// JSON and tools exclude each other (the comments of `ResponseFormatV2`): the tools stay.
fn keep_tools(run: &mut Run, request: &mut Request) {
    let Some((ResponseFormat::Json | ResponseFormat::Schema { .. }, at)) = request.settings.response_format else {
        return;
    };
    if fit::are_sent(run, request) && !run.route.stays_with_provider() {
        run.warn(WarningCode::SettingDropped, at, "the target accepts tools or JSON, not both");
        request.settings.response_format = None;
    }
}

/// One field states it for all tools: they are strict if each of them is.
fn agree_on_strict(run: &mut Run, request: &mut Request) {
    let flags: Vec<Option<bool>> =
        definitions(request).map(|definition| definition.strict.map(|(strict, _)| strict)).collect();
    if flags.windows(2).all(|pair| pair.first() == pair.last()) {
        return;
    }
    for tool in request.tools.iter_mut().flatten() {
        let Tool::Definition(definition) = tool else { continue };
        if let Some((true, at)) = definition.strict.take() {
            run.warn(WarningCode::SettingDropped, at, "on the target, all tools are strict or none");
        }
    }
}
