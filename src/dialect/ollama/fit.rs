//! What Ollama's server accepts (WIRE §8.10). It has no tool choice: tools that the choice excludes are left out, and anything more is reported (WIRE
//! §8.2, Q46, Q53).

use super::think;
use crate::dialect::shared::turns::warn_order;
use crate::fit::content::{self, Holder};
use crate::fit::media::{self, By};
use crate::fit::tools::{self as fit, ToolFields};
use crate::fit::{results, settings};
use crate::model::{Block, MediaKind, Message, Reasoning, Request, Response};
use crate::run::{Result, Run};

pub const HOST: Option<fn(&mut Run, &mut Request)> = None;
pub const MODEL: Option<fn(&mut Run, &mut Request, ToolFields)> = None;

pub fn request(run: &mut Run, request: &mut Request) -> Result<()> {
    messages(run, request)?;
    tools(run, request, ToolFields::Both);
    let settings = &mut request.settings;
    settings::drop_schema_labels(run, settings);
    think::fit(run, settings);
    settings::fit(run, settings);
    Ok(())
}

/// Bytes of images, without their type (WIRE §8.9).
const MEDIA: media::AcceptedMedia =
    media::AcceptedMedia { rows: &[(MediaKind::Image, By::Base64, IMAGES)], types_urls: false };
/// The types that the server's decoders support.
const IMAGES: &[&str] = &["image/png", "image/jpeg", "image/webp", "image/gif", "image/bmp"];

const CONTENT: content::AcceptedContent = content::AcceptedContent {
    media: |run, media| media::fit(run, media, &MEDIA),
    media_in: &[Holder::User, Holder::Assistant, Holder::Result, Holder::Error],
    data_in: &[],
    refusals: false,
    native: |_, _, _| false,
    reasoning: |run, item, holder| holder == Holder::Assistant && item.iter().all(|part| is_own(run, part)),
};

fn is_own(run: &Run, part: &Reasoning) -> bool {
    run.route.leads_to(part.issuer) && part.text.is_some()
}

pub fn messages(run: &mut Run, request: &mut Request) -> Result<()> {
    let messages = &mut request.messages;
    content::fit_messages(run, messages, &CONTENT, |run, assistant| warn_order(run, assistant.blocks(), is_content))?;
    for message in messages {
        if let Message::Tool(result) = message {
            results::state_error(run, result)?;
        }
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
    matches!(block, Block::Text { .. } | Block::Media(_))
}

pub fn tools(run: &mut Run, request: &mut Request, part: ToolFields) {
    fit::fit(run, request, part);
}
