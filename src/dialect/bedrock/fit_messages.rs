//! Which messages Converse accepts (WIRE §5.3–§5.5, §5.9).

use super::fit_documents;
use crate::fit::content::{self, AcceptedContent, Holder};
use crate::fit::empties::{self, Empties};
use crate::fit::media::{self, By};
use crate::fit::results::{self, Moved};
use crate::fit::turns;
use crate::model::{
    Assistant, Block, Content, Media, MediaKind, Message, Metadata, Native, Reasoning, Request, Response, Setting,
    Source,
};
use crate::run::{Result, Run, WarningCode};
use crate::value::Word;

const IMAGES: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp"];
const DOCUMENTS: &[&str] = &[
    "application/pdf",
    "text/plain",
    "text/csv",
    "text/html",
    "text/markdown",
    "application/msword",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.ms-excel",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
];
const VIDEOS: &[&str] = &[
    "video/mp4",
    "video/quicktime",
    "video/x-matroska",
    "video/webm",
    "video/x-flv",
    "video/mpeg",
    "video/x-ms-wmv",
    "video/3gpp",
];
const AUDIO: &[&str] = &[
    "audio/wav",
    "audio/mpeg",
    "audio/flac",
    "audio/ogg",
    "audio/opus",
    "audio/aac",
    "audio/mp4",
    "audio/webm",
    "audio/x-matroska",
    "audio/pcm",
];

/// Bytes, and objects in S3.
const MEDIA: media::AcceptedMedia = media::AcceptedMedia {
    rows: &[
        (MediaKind::Image, By::Base64, IMAGES),
        (MediaKind::Image, By::Uri, IMAGES),
        (MediaKind::Document, By::Base64, DOCUMENTS),
        (MediaKind::Document, By::Uri, DOCUMENTS),
        (MediaKind::Document, By::Text, &["text/plain"]),
        (MediaKind::Video, By::Base64, VIDEOS),
        (MediaKind::Video, By::Uri, VIDEOS),
        (MediaKind::Audio, By::Base64, AUDIO),
        (MediaKind::Audio, By::Uri, AUDIO),
    ],
    types_urls: true,
};

const CONTENT: AcceptedContent = AcceptedContent {
    media: fit_media,
    media_in: &[Holder::User, Holder::Assistant, Holder::Result, Holder::Error],
    data_in: &[Holder::Result, Holder::Error],
    refusals: false,
    native: |run, native: &Native, _| run.route.leads_to(native.provider),
    reasoning: |run, item: &[Reasoning], holder| holder != Holder::System && item.iter().all(|part| is_sent(run, part)),
};

/// What only the issuer can read is written in another way in its own format.
fn is_sent(run: &Run, part: &Reasoning) -> bool {
    run.route.leads_to(part.issuer)
        || !run.route.is_response && part.redacted.is_none() && run.route.leads_to_signer(part.issuer)
}

/// The only URLs are those of objects in S3.
fn fit_media(run: &mut Run, media: &Media) -> Option<Media> {
    if let Source::Url(url) = media.source
        && !run.route.stays_in_family()
    {
        let start = run.store.head(url, 5).to_ascii_lowercase();
        if !start.starts_with("s3://") && start != "data:" {
            run.warn(WarningCode::MediaDropped, media.at, "the target takes bytes, and no URLs but those of S3");
            return None;
        }
    }
    media::fit(run, media, &MEDIA)
}

/// Texts must not be blank (Q106).
const EMPTIES: Empties = Empties { rejects: |run, text, _, _| run.is_blank(text), keeps: |_, _| false };

pub fn messages(run: &mut Run, request: &mut Request) -> Result<()> {
    run.note_signer(request.settings.get(Setting::Model).map(|(model, _)| model));
    let messages = &mut request.messages;
    let begin = messages.first().map(Message::at);
    empties::drop_empty(run, messages, &EMPTIES, true);
    content::fit(run, messages, &CONTENT, Holder::User)?;
    if request.settings.facts.media_in_results == Some(false) {
        results::move_media(run, messages, Moved::Beside, &|_, _, _| false);
    }
    empties::drop_empty(run, messages, &EMPTIES, false);
    turns::hoist_system(run, messages, &CONTENT, stays_inline)?;
    empties::drop_blank_prompt(run, messages);
    join_turns(run, messages);
    let leading = turns::leading_system(messages);
    if !matches!(messages.get(leading), Some(Message::User(_) | Message::Tool(_))) {
        turns::make_turn(run, messages, leading, begin);
    }
    fit_documents::fit(run, messages);
    let last = messages.iter_mut().rfind(|message| !matches!(message, Message::System(_)));
    let Some(Message::Assistant(prefill)) = last else { return Ok(()) };
    let continues = prefill.has_calls();
    trim(run, prefill);
    if request.settings.facts.prefill == Some(false) && !continues {
        turns::end_with_user(run, request);
    }
    Ok(())
}

/// Whether a system message stays where it is: one that came in this format.
fn stays_inline(run: &Run, messages: &[Message], index: usize) -> bool {
    let form = messages.get(index).and_then(|message| message.metadata().form(Word::system));
    form.is_some_and(|form| run.store.word(form) == Word::system)
}

/// The turns of the user and of the model must alternate (Q99): consecutive ones share a wire message.
fn join_turns(run: &mut Run, messages: &mut Vec<Message>) {
    let mut joined: Vec<Message> = Vec::with_capacity(messages.len());
    for message in std::mem::take(messages) {
        match (joined.last_mut(), message) {
            (Some(Message::Assistant(turn)), Message::Assistant(mut next)) => {
                run.warn_metadata(&next.metadata, next.at);
                next.metadata = Metadata::default();
                join(turn, next);
            }
            (Some(Message::User(_) | Message::Tool(_)), Message::User(mut next)) => {
                next.metadata.set_continues();
                joined.push(Message::User(next));
            }
            (Some(Message::User(_)), Message::Tool(mut next)) => {
                next.metadata.set_continues();
                joined.push(Message::Tool(next));
            }
            (_, message) => joined.push(message),
        }
    }
    *messages = joined;
}

/// Appends the content of a message, with its calls after that of the first.
fn join(turn: &mut Assistant, next: Assistant) {
    let calls = std::mem::take(&mut turn.calls);
    let own = std::mem::replace(&mut turn.content, Content::Blocks(Vec::new()));
    let mut blocks = own.into_blocks();
    blocks.extend(calls.into_iter().map(Block::Call));
    turn.content = Content::Blocks(blocks);
    turn.join(next);
}

/// Removes trailing white space of the message that the model continues, which the API rejects (Q100).
fn trim(run: &mut Run, prefill: &mut Assistant) {
    if !prefill.calls.is_empty() {
        return;
    }
    let (text, at) = match &mut prefill.content {
        Content::Text(text, at) => (text, *at),
        Content::Blocks(blocks) => match blocks.last_mut() {
            Some(Block::Text { at, text, .. }) => (text, *at),
            _ => return,
        },
    };
    let whole = run.store.owned_text(*text);
    let kept = whole.trim_end();
    if kept.len() < whole.len() {
        *text = run.store.string(kept);
        let why = "the target does not accept white space at the end of the text that it continues";
        run.warn(WarningCode::EmptyDropped, at, why);
    }
}

pub fn response(run: &mut Run, response: &mut Response) -> Result<()> {
    content::fit_response_without_empties(run, &mut response.message, &CONTENT)
}

/// A block of a streamed response.
pub fn block(run: &mut Run, block: Block) -> Result<Option<Block>> {
    content::fit_streamed_without_empties(run, block, &CONTENT)
}
