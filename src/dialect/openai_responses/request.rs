//! Whole requests (WIRE §2.10).

use super::outputs::{self, OutputSchemas};
use super::tools::LAYOUT;
use super::{messages, tools};
use crate::dialect::shared::openai_layout::is_other_format;
use crate::dialect::shared::settings;
use crate::fit::reasoning::{Thinking, effort_of};
use crate::model::{Add, Content, Message, Metadata, Prose, ReasoningSettings, Request, Setting, Settings};
use crate::run::{At, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

const FORMATS: [Word; 2] = [Word::json_object, Word::json_schema];
pub fn read(run: &mut Run, body: Value) -> Result<Request> {
    let mut reading = run.object(body, At::ROOT)?;
    let mut request = Request::new(At::ROOT);
    let mut forms = Metadata::default();
    settings::read_model(run, &mut reading, &mut request.settings)?;
    read_conversation(run, &mut reading, &mut request)?;
    tools::read_config(run, &mut reading, &mut request)?;
    outputs::read(run, &mut request);
    read_settings(run, &mut reading, &mut request.settings, &mut forms)?;
    request.metadata.append(reading.rest());
    request.metadata.append(forms);
    Ok(request)
}

/// `instructions` are the first system message; a plain string is a user message.
fn read_conversation(run: &mut Run, reading: &mut Reading, request: &mut Request) -> Result<()> {
    if let Some((instructions, at)) = reading.take_at(run, Word::instructions) {
        let mut metadata = Metadata::default();
        metadata.add_form(Word::instructions, run.store.boolean_value(true));
        let content = Content::Text(run.string(instructions, at)?, at);
        request.messages.add(Message::System(Prose { at, content, metadata }));
    }
    let Some((input, at)) = reading.take_at(run, Word::input) else {
        // a stored prompt or a previous response may replace the input
        reading.note_omitted(run, Word::input);
        return Ok(());
    };
    if run.store.kind(input) == Kind::String {
        let mut metadata = Metadata::default();
        metadata.add_form(Word::input, run.store.word_value(Word::text));
        request.messages.add(Message::User(Prose { at, content: Content::Text(input, at), metadata }));
    } else {
        request.messages.extend(messages::read_input(run, input, at)?);
    }
    Ok(())
}

fn read_settings(run: &mut Run, reading: &mut Reading, settings: &mut Settings, forms: &mut Metadata) -> Result<()> {
    settings::read(run, reading, &[], settings, forms)?;
    if settings.get(Setting::TopLogprobs).is_some() && !reading.has(Word::include) {
        forms.add_form(Word::include, run.store.word_value(Word::omitted));
    }
    if let Some((value, at)) = reading.take_at(run, Word::reasoning) {
        settings.reasoning = read_reasoning(run, value, at, forms)?;
    }
    if let Some((value, at)) = reading.take_at(run, Word::text) {
        let mut text = run.object(value, at)?;
        settings::read(run, &mut text, &[Word::text], settings, forms)?;
        let is_known = |run: &mut Run, format| !is_other_format(run, format, FORMATS);
        if let Some((format, at)) = text.take_if(run, Word::format, is_known) {
            let mut format = run.object(format, at)?;
            settings.response_format = Some((LAYOUT.read_format(run, &mut format, FORMATS, forms)?, at));
            format.rest_into(run, Word::format, forms);
        }
        text.rest_into(run, Word::text, forms);
    }
    Ok(())
}

fn read_reasoning(run: &mut Run, value: Value, at: At, forms: &mut Metadata) -> Result<Option<ReasoningSettings>> {
    let mut inner = run.object(value, at)?;
    let mut reasoning = ReasoningSettings::new();
    if let Some((effort, at)) = inner.take_if(run, Word::effort, settings::is_effort_or_invalid) {
        reasoning.effort = Some(settings::read_effort(run, effort, at)?);
    }
    let is_usual = |summary| run.store.kind(summary) != Kind::String || run.store.word(summary) == Word::auto;
    if inner.peek(Word::summary).is_none_or(is_usual) {
        reasoning.include = inner.string_at(run, Word::summary)?.map(|(_, at)| (true, at));
    } else {
        // only OpenAI understands how much is shown
        reasoning.include = Some((true, run.down(at, Word::summary)));
    }
    inner.rest_into(run, Word::reasoning, forms);
    Ok((!reasoning.is_empty()).then_some(reasoning))
}

pub fn write(run: &mut Run, request: &Request) -> Result<()> {
    let Request { at, messages: _, tools: _, choice: _, parallel: _, settings, metadata } = request;
    let mut object = run.begin();
    object.option(run, Word::model, settings.get(Setting::Model).map(|(model, _)| model));
    write_conversation(run, &mut object, request)?;
    tools::write_config(run, &mut object, request)?;
    write_settings(run, &mut object, settings, metadata);
    object.refuse(run, (metadata, *at), Word::tool_choice);
    object.merged(run, metadata, Word::reasoning);
    object.merged(run, metadata, Word::text);
    if settings.response_format.is_some() {
        object.merged(run, metadata, Word::format);
    }
    object.end(run, metadata, *at);
    Ok(())
}

pub fn write_messages(run: &mut Run, request: &Request) -> Result<()> {
    let mut object = run.begin();
    write_conversation(run, &mut object, request)?;
    object.close(run);
    Ok(())
}

fn write_conversation(run: &mut Run, object: &mut Writing, request: &Request) -> Result<()> {
    let mut messages: Vec<&Message> = request.messages.iter().collect();
    if let Some((text, at, metadata)) = messages.first().and_then(|first| instructions(first)) {
        object.put(run, Word::instructions, text);
        run.warn_metadata(metadata, at);
        messages.remove(0);
    }
    if let [only] = messages.as_slice()
        && let Some(text) = plain_input(run, only)
    {
        object.put(run, Word::input, text);
        return Ok(());
    }
    let form = request.metadata.form(Word::input);
    if let Some(form) = form.filter(|_| messages.is_empty()) {
        if run.store.word(form) == Word::omitted {
            object.skip(run, Word::input);
        }
        return Ok(());
    }
    object.key(run, Word::input);
    let schemas = OutputSchemas::of(run, request);
    messages::write_list(run, &messages, &schemas)
}

/// The text of a system message that came from `instructions`.
fn instructions(message: &Message) -> Option<(Value, At, &Metadata)> {
    match message {
        Message::System(Prose { at, content: Content::Text(text, _), metadata }) => {
            metadata.form(Word::instructions).map(|_| (*text, *at, metadata))
        }
        _ => None,
    }
}

/// The text of a message that was the whole input.
fn plain_input(run: &Run, message: &Message) -> Option<Value> {
    match message {
        Message::User(Prose { content: Content::Text(text, _), metadata, .. }) => {
            let form = metadata.form(Word::input).filter(|form| run.store.word(*form) == Word::text);
            form.filter(|_| metadata.family_fields().is_empty()).map(|_| *text)
        }
        _ => None,
    }
}

fn write_settings(run: &mut Run, object: &mut Writing, settings: &Settings, metadata: &Metadata) {
    settings::write(run, object, &[], settings, metadata);
    write_reasoning(run, object, settings, metadata);
    write_text(run, object, settings, metadata);
    let is_void = metadata.family_field(Word::include).is_none() && metadata.form(Word::include).is_none();
    if settings.get(Setting::TopLogprobs).is_some() && is_void {
        // log probabilities must be requested explicitly
        object.each(run, Word::include, [Word::message_logprobs], |run, word| run.store.put_word(word));
    }
}

fn write_reasoning(run: &mut Run, object: &mut Writing, settings: &Settings, metadata: &Metadata) {
    let asked = settings.reasoning.as_ref();
    let is_off = asked.is_some_and(|asked| Thinking::of(run, asked) == Some(Thinking::Off));
    let effort = if is_off { Some(Word::none) } else { asked.and_then(effort_of) };
    let summary = asked.and_then(|asked| asked.include).is_some_and(|(include, _)| include);
    object.nested(run, metadata, Word::reasoning, |run, inner| {
        if let Some(effort) = effort {
            inner.word(run, Word::effort, effort);
        }
        let kept = metadata.own_field(Word::reasoning);
        let is_detailed = kept.and_then(|kept| run.member(kept, Word::summary)).is_some();
        match (summary, is_detailed) {
            (true, false) => inner.word(run, Word::summary, Word::auto),
            (false, true) => inner.skip(run, Word::summary),
            (true, true) | (false, false) => {}
        }
    });
}

fn write_text(run: &mut Run, object: &mut Writing, settings: &Settings, metadata: &Metadata) {
    object.nested(run, metadata, Word::text, |run, text| {
        if let Some((format, _)) = &settings.response_format {
            text.key(run, Word::format);
            LAYOUT.write_format(run, format, FORMATS, (metadata, Word::format));
        }
        settings::write(run, text, &[Word::text], settings, metadata);
    });
}
