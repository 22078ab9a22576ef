//! Whole requests (WIRE §3.10).

use super::messages;
use super::{adopted, platform, tools};
use crate::dialect::shared::openai_layout::is_other_format;
use crate::dialect::shared::settings::{self, is_effort_or_invalid};
use crate::dialect::shared::thinking;
use crate::dialect::shared::turns::{SystemText, system_prompt, system_texts};
use crate::fit::reasoning::effort_of;
use crate::model::{Add, Content, Message, Metadata, Prose, ReasoningSettings, Request, ResponseFormat, Setting};
use crate::run::{At, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

/// Removed in version 2026-10-21 (WIRE §3.0).
pub(super) const SAMPLING: [Setting; 3] = [Setting::Temperature, Setting::TopP, Setting::TopK];

pub fn read(run: &mut Run, body: Value) -> Result<Request> {
    let mut reading = run.object(body, At::ROOT)?;
    let mut request = Request::new(At::ROOT);
    settings::read_model(run, &mut reading, &mut request.settings)?;
    if let Some((system, at)) = reading.take_at(run, Word::system) {
        read_system(run, system, at, &mut request.messages)?;
        if run.is_void(system) {
            reading.note(Word::system, system);
        }
    }
    let (list, at) = reading.require(run, Word::messages)?;
    request.messages.extend(messages::read_messages(run, list, at)?);
    tools::read_config(run, &mut reading, &mut request)?;
    read_settings(run, &mut reading, &mut request)?;
    request.metadata.append(reading.rest());
    Ok(request)
}

/// `system`: a string, or text blocks, each of which becomes a message.
fn read_system(run: &mut Run, value: Value, at: At, messages: &mut Vec<Message>) -> Result<()> {
    if run.store.kind(value) == Kind::String {
        let mut metadata = Metadata::default();
        metadata.add_form(Word::system, run.store.boolean_value(true));
        messages.add(Message::System(Prose { at, content: Content::Text(value, at), metadata }));
        return Ok(());
    }
    for (block, at) in run.elements(value, at)? {
        let mut reading = run.object(block, at)?;
        if let Some(kind) = reading.take_any(Word::r#type).filter(|kind| run.store.word(*kind) != Word::text) {
            let at = run.down(at, Word::r#type);
            return run.wrong_word(kind, at, "\"text\"");
        }
        let text = reading.require_string(run, Word::text)?;
        messages.add(Message::System(Prose { at, content: Content::Text(text, at), metadata: reading.rest() }));
    }
    Ok(())
}

fn read_settings(run: &mut Run, reading: &mut Reading, request: &mut Request) -> Result<()> {
    settings::read(run, reading, &[], &mut request.settings, &mut request.metadata)?;
    settings::read_stop(run, reading, Word::stop_sequences, &mut request.settings)?;
    if let Some((value, at)) = reading.take_at(run, Word::metadata) {
        let mut inner = run.object(value, at)?;
        if let Some((user, at)) = inner.take_at(run, Word::user_id) {
            request.settings.set(Setting::UserId, run.string(user, at)?, at);
        }
        inner.rest_into(run, Word::metadata, &mut request.metadata);
    }
    let mut reasoning = ReasoningSettings::new();
    if let Some((value, at)) = reading.take_at(run, Word::thinking) {
        thinking::read(run, value, at, &mut reasoning, &mut request.metadata)?;
    }
    if let Some((value, at)) = reading.take_at(run, Word::output_config) {
        read_output_config(run, value, at, &mut reasoning, request)?;
    }
    // the name of `output_config.format` during its beta
    if request.settings.response_format.is_none()
        && let Some(format) = reading.take_at(run, Word::output_format)
    {
        read_format(run, format, request)?;
        request.metadata.add_form(Word::output_format, run.store.boolean_value(true));
    }
    if !reasoning.is_empty() {
        request.settings.reasoning = Some(reasoning);
    }
    Ok(())
}

fn read_output_config(
    run: &mut Run,
    value: Value,
    at: At,
    reasoning: &mut ReasoningSettings,
    request: &mut Request,
) -> Result<()> {
    let mut inner = run.object(value, at)?;
    if let Some((effort, at)) = inner.take_if(run, Word::effort, is_level_or_invalid) {
        run.string(effort, at)?;
        let word = run.store.word(effort);
        if let Some((_, off_at)) = reasoning.effort.replace((word, at)) {
            // thinking is off, whatever the effort for the response
            reasoning.budget = Some((run.build(|run| run.store.put_number(0.0)), off_at));
        }
    }
    let is_known = |run: &mut Run, format| !is_other_format(run, format, [Word::json_schema; 2]);
    if let Some(format) = inner.take_if(run, Word::format, is_known) {
        read_format(run, format, request)?;
    }
    inner.rest_into(run, Word::output_config, &mut request.metadata);
    Ok(())
}

fn read_format(run: &mut Run, (format, at): (Value, At), request: &mut Request) -> Result<()> {
    let mut format = run.object(format, at)?;
    let (kind, kind_at) = format.require(run, Word::r#type)?;
    if run.store.word(kind) != Word::json_schema {
        return run.wrong_word(kind, kind_at, "\"json_schema\"");
    }
    let schema = format.require(run, Word::schema)?;
    request.settings.response_format = Some((ResponseFormat::enforced(schema), at));
    format.rest_into(run, Word::format, &mut request.metadata);
    Ok(())
}

/// Of the efforts, "none" is not known to turn reasoning off here.
fn is_level_or_invalid(run: &mut Run, effort: Value) -> bool {
    run.store.word(effort) != Word::none && is_effort_or_invalid(run, effort)
}

pub fn write(run: &mut Run, request: &Request) -> Result<()> {
    let Request { at, messages: _, tools: _, choice: _, parallel: _, settings, metadata } = request;
    let mut object = run.begin();
    platform::write(run, &mut object, settings, metadata, *at);
    settings::write_those(run, &mut object, &[Setting::MaxTokens], settings, metadata);
    write_conversation(run, &mut object, request)?;
    tools::write_config(run, &mut object, request)?;
    write_settings(run, &mut object, request);
    object.skip(run, Word::format);
    adopted::end(run, object, metadata, *at);
    Ok(())
}

fn write_conversation(run: &mut Run, object: &mut Writing, request: &Request) -> Result<()> {
    let messages = &request.messages;
    let front = system_prompt(messages);
    match front.as_slice() {
        [] => {}
        [Prose { content: Content::Text(text, _), metadata, .. }] if is_string_form(run, metadata) => {
            object.put(run, Word::system, *text);
        }
        front => write_system(run, object, front),
    }
    object.key(run, Word::messages);
    messages::write_list(run, messages)
}

fn is_string_form(run: &Run, metadata: &Metadata) -> bool {
    metadata.form(Word::system).is_some_and(|form| run.store.kind(form) == Kind::Boolean)
}

fn write_system(run: &mut Run, object: &mut Writing, system: &[&Prose]) {
    object.key(run, Word::system);
    run.store.begin_array();
    for SystemText { text, metadata, at } in system_texts(run, system) {
        let mut block = run.begin();
        block.word(run, Word::r#type, Word::text);
        block.put(run, Word::text, text);
        adopted::end(run, block, metadata, at);
    }
    run.store.end_array();
}

fn write_settings(run: &mut Run, object: &mut Writing, request: &Request) {
    let Request { settings, metadata, .. } = request;
    settings::write_those(run, object, &SAMPLING, settings, metadata);
    object.option_list(run, Word::stop_sequences, settings.stop.as_ref());
    if platform::takes_stream(run) {
        settings::write_those(run, object, &[Setting::Stream], settings, metadata);
    }
    object.nested(run, metadata, Word::metadata, |run, inner| {
        inner.option(run, Word::user_id, settings.get(Setting::UserId).map(|(user, _)| user));
    });
    let reasoning = settings.reasoning.as_ref();
    if let Some(reasoning) = reasoning {
        thinking::write(run, object, reasoning, metadata);
    }
    if let Some(kept) = metadata.own_field(Word::thinking)
        && !object.has(run, Word::thinking)
        && !run.route.lacks(Word::thinking)
    {
        object.put(run, Word::thinking, kept);
    }
    write_output_config(run, object, request, reasoning.and_then(effort_of));
}

fn write_output_config(run: &mut Run, object: &mut Writing, request: &Request, effort: Option<Word>) {
    let Request { settings, metadata, .. } = request;
    let schema = match &settings.response_format {
        Some((ResponseFormat::Schema { schema: (schema, _), .. }, _)) => Some(*schema),
        Some((ResponseFormat::Json | ResponseFormat::Text, _)) | None => None,
    };
    let is_former = metadata.form(Word::output_format).is_some();
    if let Some(schema) = schema.filter(|_| is_former) {
        object.key(run, Word::output_format);
        write_format(run, schema, metadata);
    }
    object.nested(run, metadata, Word::output_config, |run, inner| {
        if let Some(effort) = effort {
            inner.word(run, Word::effort, effort);
        }
        if let Some(schema) = schema.filter(|_| !is_former) {
            inner.key(run, Word::format);
            write_format(run, schema, metadata);
        }
    });
}

fn write_format(run: &mut Run, schema: Value, metadata: &Metadata) {
    let mut format = run.begin();
    format.word(run, Word::r#type, Word::json_schema);
    format.put(run, Word::schema, schema);
    format.add_nested(run, metadata, Word::format);
    format.close(run);
}

pub fn write_messages(run: &mut Run, request: &Request) -> Result<()> {
    let mut object = run.begin();
    write_conversation(run, &mut object, request)?;
    object.close(run);
    Ok(())
}
