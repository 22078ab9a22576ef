//! Which contents Google's APIs accept (WIRE §4.3–§4.5, §4.9).

use super::{accepted, gemma, generation};
use crate::fit::content::{self, AcceptedContent, Holder};
use crate::fit::empties::{self, Empties};
use crate::fit::media;
use crate::fit::results::{self, Moved};
use crate::fit::turns;
use crate::model::{Assistant, Block, Call, Content, Message, Metadata, Native, Reasoning, Request, Response, Source};
use crate::run::{Result, Run};
use crate::value::Word;

const IMAGES: &[&str] = &["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"];

/// The media that contents accept.
const MEDIA: media::AcceptedMedia = media::AcceptedMedia { rows: &accepted::media(IMAGES), types_urls: true };

const CONTENT: AcceptedContent = AcceptedContent {
    media: |run, media| media::fit(run, media, &MEDIA),
    media_in: &[Holder::User, Holder::Assistant, Holder::Result, Holder::Error],
    data_in: &[Holder::Result, Holder::Error],
    refusals: false,
    native: takes_native,
    reasoning: takes_reasoning,
};

fn takes_native(run: &mut Run, native: &Native, holder: Holder) -> bool {
    run.route.leads_to(native.provider) && matches!(holder, Holder::User | Holder::Assistant)
}

fn takes_reasoning(run: &mut Run, item: &[Reasoning], holder: Holder) -> bool {
    matches!(holder, Holder::User | Holder::Assistant) && accepted::are_own_thoughts(run, item)
}

/// An empty text is left out, unless it carries a signature or was in the input.
const EMPTIES: Empties = Empties {
    rejects: |run, text, metadata, _| {
        run.store.is_empty(text) && metadata.thought_signature().is_none() && metadata.form(Word::text).is_none()
    },
    keeps: |_, message| has_own(message.metadata()),
};

fn has_own(metadata: &Metadata) -> bool {
    !metadata.own_fields().is_empty() || !metadata.forms().is_empty()
}

pub fn messages(run: &mut Run, request: &mut Request) -> Result<()> {
    gemma::move_system(run, request);
    let takes_media = generation::takes_media_in_results(&request.settings);
    let messages = &mut request.messages;
    let begin = messages.first().map(Message::at);
    turns::hoist_system(run, messages, &CONTENT, |_, _, _| false)?;
    empties::drop_empty(run, messages, &EMPTIES, true);
    content::fit(run, messages, &CONTENT, Holder::User)?;
    empties::drop_empty(run, messages, &EMPTIES, false);
    empties::drop_blank_prompt(run, messages);
    // since Gemini 3, results may contain media, but only as bytes (WIRE §13); media that were inside a result stay there
    results::move_media(run, messages, Moved::BesideUnnamed, &|_, _, media| {
        let is_address = matches!(media.source, Source::Url(_)) && media.metadata.form(Word::parts).is_none();
        takes_media && !is_address
    });
    join_calls(run, messages);
    let leading = turns::leading_system(messages);
    let begins = match messages.get(leading) {
        Some(Message::Assistant(first)) => !first.has_calls(),
        Some(_) => true,
        None => false,
    };
    if !begins {
        turns::make_turn(run, messages, leading, begin);
    }
    Ok(())
}

/// A model turn with calls must not follow another model turn, so they are joined (Q102, Q107).
fn join_calls(run: &mut Run, messages: &mut Vec<Message>) {
    let mut joined: Vec<Message> = Vec::with_capacity(messages.len());
    // the first of the assistant's messages at the end of `joined`
    let mut first = 0;
    for message in std::mem::take(messages) {
        let Message::Assistant(assistant) = message else {
            joined.push(message);
            first = joined.len();
            continue;
        };
        let earlier = if assistant.has_calls() { joined.split_off(first) } else { Vec::new() };
        joined.push(Message::Assistant(assistant));
        for message in earlier.into_iter().rev() {
            join(run, message, joined.last_mut());
        }
    }
    *messages = joined;
}

/// Puts a message of the assistant before the content of the next one.
fn join(run: &mut Run, before: Message, message: Option<&mut Message>) {
    let (Message::Assistant(before), Some(Message::Assistant(assistant))) = (before, message) else { return };
    run.warn_metadata(&assistant.metadata, assistant.at);
    let next =
        std::mem::replace(assistant, Assistant { content: Content::Blocks(Vec::new()), calls: Vec::new(), ..before });
    let mut blocks = in_order(run, before.content, before.calls);
    blocks.extend(in_order(run, next.content, next.calls));
    assistant.content = Content::Blocks(blocks);
}

fn in_order(run: &Run, content: Content, calls: Vec<Call>) -> Vec<Block> {
    let mut blocks = match content {
        Content::Text(text, _) if run.store.is_empty(text) => Vec::new(),
        content => content.into_blocks(),
    };
    blocks.extend(calls.into_iter().map(Block::Call));
    blocks
}

pub fn response(run: &mut Run, response: &mut Response) -> Result<()> {
    content::fit_assistant(run, &mut response.message, &CONTENT)
}

/// A block of a streamed response.
pub fn block(run: &mut Run, block: Block) -> Result<Option<Block>> {
    content::fit_streamed(run, block, &CONTENT)
}
