//! What the Interactions API accepts (WIRE §15).

use super::{contents, thoughts};
use crate::dialect::gemini::{accepted, generation};
use crate::fit::content::{self, AcceptedContent, Holder};
use crate::fit::empties::{self, Empties};
use crate::fit::media;
use crate::fit::reasoning::{self, Thinking};
use crate::fit::tools::{self as fit, ToolFields};
use crate::fit::{models, native, settings, turns};
use crate::model::{Block, Content, Definition, Message, Native, Reasoning, Request, Response, Tool, ToolChoice};
use crate::models::Effort;
use crate::models::facts::Efforts;
use crate::run::{Result, Run, WarningCode};
use crate::value::{Kind, Word};

pub const HOST: Option<fn(&mut Run, &mut Request)> = None;
pub const MODEL: Option<fn(&mut Run, &mut Request, ToolFields)> = None;

const MEDIA: media::AcceptedMedia = media::AcceptedMedia { rows: &accepted::media(IMAGES), types_urls: true };
const IMAGES: &[&str] =
    &["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif", "image/gif", "image/bmp", "image/tiff"];

const CONTENT: AcceptedContent = AcceptedContent {
    media: |run, media| media::fit(run, media, &MEDIA),
    media_in: &[Holder::User, Holder::Assistant, Holder::Result, Holder::Error],
    data_in: &[Holder::Result, Holder::Error],
    refusals: false,
    native: takes_native,
    reasoning: takes_reasoning,
};

fn takes_native(run: &mut Run, native: &Native, holder: Holder) -> bool {
    match contents::place(run, native) {
        Some(contents::Level::Step) => holder == Holder::Assistant,
        Some(contents::Level::Content) => holder != Holder::System,
        None => false,
    }
}

fn takes_reasoning(run: &mut Run, item: &[Reasoning], holder: Holder) -> bool {
    holder == Holder::Assistant && accepted::are_own_thoughts(run, item)
}

const EMPTIES: Empties = Empties {
    // the signature of an empty text becomes a thought
    rejects: |run, text, metadata, _| run.store.is_empty(text) && thoughts::signature(run, metadata).is_none(),
    // a turn of the model is its steps
    keeps: |_, message| match message {
        Message::Assistant(_) => false,
        _ => !message.metadata().own_fields().is_empty() || !message.metadata().forms().is_empty(),
    },
};

pub fn request(run: &mut Run, request: &mut Request) -> Result<()> {
    messages(run, request)?;
    tools(run, request, ToolFields::Both);
    fit_thinking(run, request);
    let settings = &mut request.settings;
    settings::fit(run, settings);
    settings::drop_schema_labels(run, settings);
    models::fit_reasoning(run, settings, f64::INFINITY);
    Ok(())
}

/// Levels only: no budgets, and thinking can't be turned off.
const THINKING: reasoning::AcceptedReasoning = reasoning::AcceptedReasoning {
    efforts: Some(Efforts::of(&[Effort::Minimal, Effort::Low, Effort::Medium, Effort::High])),
    ..reasoning::AcceptedReasoning::NOTHING
};

fn fit_thinking(run: &mut Run, request: &mut Request) {
    let settings = &mut request.settings;
    let takes = THINKING.limited_by(&settings.facts).within(run.route.to.format());
    let asked = settings.reasoning.as_ref().and_then(|asked| Thinking::of(run, asked));
    reasoning::fit(run, settings, &takes);
    // of reasoning that is off, nothing is shown
    if let Some(reasoning) = &mut settings.reasoning
        && matches!(asked, Some(Thinking::Off))
        && reasoning.effort.is_none()
    {
        reasoning.include = None;
    }
}

pub fn messages(run: &mut Run, request: &mut Request) -> Result<()> {
    generation::drop_malformed(run, request);
    let messages = &mut request.messages;
    let begin = messages.first().map(Message::at);
    turns::hoist_system(run, messages, &CONTENT, |_, _, _| false)?;
    empties::drop_empty(run, messages, &EMPTIES, true);
    content::fit(run, messages, &CONTENT, Holder::User)?;
    empties::drop_empty(run, messages, &EMPTIES, false);
    empties::drop_blank_prompt(run, messages);
    // what is stored may replace the input
    let leading = turns::leading_system(messages);
    if leading == messages.len() && request.metadata.form(Word::input).is_none() {
        turns::make_turn(run, messages, leading, begin);
    }
    Ok(())
}

/// Tools of the provider's other format do not state a type.
pub fn tools(run: &mut Run, request: &mut Request, part: ToolFields) {
    if let Some(tools) = &mut request.tools {
        tools.retain(|tool| match tool {
            Tool::Native(native) if run.member(native.value, Word::r#type).is_none() => {
                native::warn_tool(run, native.at);
                false
            }
            Tool::Native(_) | Tool::Definition(_) => true,
        });
    }
    drop_other_choice(run, request);
    warn_strict(run, request);
    fit::fit(run, request, part);
}

/// Drops a choice that only the provider's other format has.
fn drop_other_choice(run: &mut Run, request: &mut Request) {
    if let Some((ToolChoice::Native { value, .. }, at)) = request.choice
        && run.store.kind(value) == Kind::Object
        && run.member(value, Word::allowed_tools).is_none()
    {
        request.choice = None;
        run.warn(WarningCode::SettingDropped, at, "the target does not have this choice");
    }
}

/// Strict mode is part of the choice.
fn warn_strict(run: &mut Run, request: &mut Request) {
    for tool in request.tools.iter_mut().flatten() {
        if let Tool::Definition(Definition { strict, .. }) = tool
            && let Some((true, at)) = strict.take()
        {
            let why = "in the target, strict mode applies to the whole request, not to one tool";
            run.warn(WarningCode::StrictDropped, at, why);
        }
    }
}

pub fn response(run: &mut Run, response: &mut Response) -> Result<()> {
    content::fit_assistant(run, &mut response.message, &CONTENT)?;
    if let Content::Blocks(blocks) = &mut response.message.content {
        empties::drop_blocks(run, blocks, EMPTIES.rejects);
    }
    Ok(())
}

/// A block of a streamed response.
pub fn block(run: &mut Run, block: Block) -> Result<Option<Block>> {
    let mut blocks: Vec<Block> = content::fit_streamed(run, block, &CONTENT)?.into_iter().collect();
    empties::drop_blocks(run, &mut blocks, EMPTIES.rejects);
    Ok(blocks.pop())
}
