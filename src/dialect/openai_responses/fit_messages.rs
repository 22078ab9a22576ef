//! Which items the API accepts (WIRE §2.3–§2.5, §2.9).

use super::{items, reasoning};
use crate::fit::content::{self, AcceptedContent, Holder};
use crate::fit::media::{self, By};
use crate::fit::{empties, lost_reasoning, results};
use crate::model::{Assistant, Block, Content, MediaKind, Message, Native, Outcome, Reasoning, Request, Response};
use crate::run::{Result, Run};

const IMAGES: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp"];

/// The media that user messages and tool outputs accept.
const MEDIA: media::AcceptedMedia = media::AcceptedMedia {
    rows: &[
        (MediaKind::Image, By::Base64, IMAGES),
        (MediaKind::Image, By::WebUrl, IMAGES),
        (MediaKind::Image, By::File, &[]),
        (MediaKind::Document, By::Base64, &[]),
        (MediaKind::Document, By::WebUrl, &[]),
        (MediaKind::Document, By::File, &[]),
    ],
    types_urls: false,
};

const CONTENT: AcceptedContent = AcceptedContent {
    media: |run, media| media::fit(run, media, &MEDIA),
    media_in: &[Holder::System, Holder::User, Holder::Result, Holder::Error],
    data_in: &[],
    refusals: true,
    native: takes_native,
    reasoning: takes_reasoning,
};

fn takes_native(run: &mut Run, native: &Native, holder: Holder) -> bool {
    match items::place(run, native) {
        Some(items::Level::Item) => matches!(holder, Holder::System | Holder::User | Holder::Assistant),
        Some(items::Level::Part) => true,
        None => false,
    }
}

fn takes_reasoning(run: &mut Run, item: &[Reasoning], holder: Holder) -> bool {
    holder == Holder::Assistant && reasoning::is_sent(run, &item.iter().collect::<Vec<_>>())
}

pub fn messages(run: &mut Run, request: &mut Request) -> Result<()> {
    let messages = &mut request.messages;
    content::fit_messages(run, messages, &CONTENT, drop_stray)?;
    empties::fill(run, messages);
    for message in messages {
        if let Message::Tool(result) = message {
            results::state_error(run, result)?;
            if matches!(&result.outcome, Outcome::Multimodal { blocks, .. } if blocks.is_empty()) {
                result.outcome = Outcome::Text(run.store.string(""));
            }
        }
    }
    Ok(())
}

/// Drops reasoning without state at the end of a turn: OpenAI looks it up by its id, together with the item that followed it, and rejects it (Q206).
fn drop_stray(run: &mut Run, assistant: &mut Assistant) {
    let Content::Blocks(blocks) = &mut assistant.content else { return };
    if !assistant.calls.is_empty() {
        return;
    }
    let is_other = |block: &Block| !matches!(block, Block::Reasoning(_));
    let mut index = blocks.iter().rposition(is_other).map_or(0, |last| last + 1);
    while let Some(rest) = blocks.get(index..).filter(|rest| !rest.is_empty()) {
        let item = reasoning::item(rest);
        let length = item.len().max(1);
        if reasoning::has_state(&item) {
            index += length;
        } else {
            item.iter().for_each(|part| lost_reasoning::warn_block(run, part));
            blocks.drain(index..index + length);
        }
    }
}

pub fn response(run: &mut Run, response: &mut Response) -> Result<()> {
    content::fit_response(run, &mut response.message, &CONTENT)
}

/// A block of a streamed response.
pub fn block(run: &mut Run, block: Block) -> Result<Option<Block>> {
    content::fit_streamed(run, block, &CONTENT)
}
