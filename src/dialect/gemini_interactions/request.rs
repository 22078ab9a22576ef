//! Whole requests (WIRE §15.1).

use super::messages::read_input;
use super::tools;
use super::write_steps::{write_contents, write_list};
use crate::dialect::shared::settings;
use crate::dialect::shared::tools::take_tools;
use crate::dialect::shared::turns::{system_prompt, system_texts};
use crate::fit::reasoning::effort_of;
use crate::fit::turns::leading_system;
use crate::model::{Content, Message, Metadata, Prose, ReasoningSettings, Request, ResponseFormat, Setting};
use crate::run::{At, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

const CONFIG: &[Word] = &[Word::generation_config];
const LEVELS: &[Word] = &[Word::minimal, Word::low, Word::medium, Word::high, Word::xhigh];

pub fn read(run: &mut Run, body: Value) -> Result<Request> {
    let mut reading = run.object(body, At::ROOT)?;
    let mut request = Request::new(At::ROOT);
    settings::read_model(run, &mut reading, &mut request.settings)?;
    if let Some((text, at)) = reading.string_at(run, Word::system_instruction)? {
        let content = Content::Text(text, at);
        request.messages.push(Message::System(Prose { at, content, metadata: Metadata::default() }));
    }
    match reading.take_at(run, Word::input) {
        Some((input, at)) => {
            let messages = read_input(run, input, at)?;
            if messages.is_empty() {
                reading.note(Word::input, input);
            }
            request.messages.extend(messages);
        }
        // what is stored may replace it
        None => reading.note_omitted(run, Word::input),
    }
    take_tools(run, &mut reading, &mut request, tools::read_tools)?;
    read_settings(run, &mut reading, &mut request)?;
    request.metadata.append(reading.rest());
    Ok(request)
}

fn read_settings(run: &mut Run, reading: &mut Reading, request: &mut Request) -> Result<()> {
    settings::read(run, reading, &[], &mut request.settings, &mut request.metadata)?;
    if let Some(mut config) = reading.object(run, Word::generation_config)? {
        tools::take_choice(run, &mut config, request)?;
        settings::read(run, &mut config, CONFIG, &mut request.settings, &mut request.metadata)?;
        settings::read_stop(run, &mut config, Word::stop_sequences, &mut request.settings)?;
        let reasoning = read_thinking(run, &mut config);
        request.settings.reasoning = Some(reasoning).filter(|reasoning| !reasoning.is_empty());
        config.rest_into(run, Word::generation_config, &mut request.metadata);
    }
    read_format(run, reading, request)
}

fn read_thinking(run: &mut Run, config: &mut Reading) -> ReasoningSettings {
    let mut reasoning = ReasoningSettings::new();
    let at = config.at();
    let level = config.peek(Word::thinking_level).map(|level| run.store.word(level));
    if let Some(level) = level.filter(|level| LEVELS.contains(level)) {
        config.take_any(Word::thinking_level);
        reasoning.effort = Some((level, run.down(at, Word::thinking_level)));
    }
    let summaries = config.peek(Word::thinking_summaries).map(|summaries| run.store.word(summaries));
    if let Some(summaries) = summaries.filter(|word| matches!(word, Word::auto | Word::none)) {
        config.take_any(Word::thinking_summaries);
        reasoning.include = Some((summaries == Word::auto, run.down(at, Word::thinking_summaries)));
    }
    reasoning
}

/// One format for text is read; other formats, and lists of several, are kept.
fn read_format(run: &mut Run, reading: &mut Reading, request: &mut Request) -> Result<()> {
    let value = reading.peek(Word::response_format);
    let is_text = value.is_some_and(|value| run.store.kind(value) == Kind::Object && run.type_of(value) == Word::text);
    let (Some(value), true) = (value, is_text) else { return Ok(()) };
    let media_type = run.member(value, Word::mime_type).map(|media_type| run.store.word(media_type));
    let schema = run.member(value, Word::schema).filter(|schema| run.store.kind(*schema) == Kind::Object);
    let at = run.down(reading.at(), Word::response_format);
    let format = match (media_type, schema) {
        (Some(Word::application_json), Some(schema)) => ResponseFormat::enforced((schema, run.down(at, Word::schema))),
        (Some(Word::application_json), None) => ResponseFormat::Json,
        (Some(Word::text_plain), None) => ResponseFormat::Text,
        _ => return Ok(()),
    };
    let mut inner = reading.require_object(run, Word::response_format)?;
    inner.skip(&[Word::r#type, Word::mime_type]);
    if matches!(format, ResponseFormat::Schema { .. }) {
        inner.skip(&[Word::schema]);
    }
    inner.rest_into(run, Word::response_format, &mut request.metadata);
    request.settings.response_format = Some((format, at));
    Ok(())
}

pub fn write(run: &mut Run, request: &Request) -> Result<()> {
    let Request { at, messages: _, tools: _, choice: _, parallel: _, settings, metadata } = request;
    let mut object = run.begin();
    object.option(run, Word::model, settings.get(Setting::Model).map(|(model, _)| model));
    write_conversation(run, &mut object, request)?;
    tools::put_definitions(run, &mut object, request);
    object.nested(run, metadata, Word::generation_config, |run, config| {
        settings::write(run, config, CONFIG, settings, metadata);
        config.option_list(run, Word::stop_sequences, settings.stop.as_ref());
        write_thinking(run, config, request);
        tools::put_choice(run, config, request);
    });
    object.merged(run, metadata, Word::generation_config);
    write_format(run, &mut object, request);
    settings::write(run, &mut object, &[], settings, metadata);
    object.end(run, metadata, *at);
    Ok(())
}

fn write_thinking(run: &mut Run, config: &mut Writing, request: &Request) {
    let Some(asked) = &request.settings.reasoning else { return };
    if let Some(level) = effort_of(asked).filter(|level| LEVELS.contains(level)) {
        config.word(run, Word::thinking_level, level);
    }
    if let Some((include, _)) = asked.include {
        config.word(run, Word::thinking_summaries, if include { Word::auto } else { Word::none });
    }
}

fn write_format(run: &mut Run, object: &mut Writing, request: &Request) {
    let Some((format, _)) = &request.settings.response_format else { return };
    object.object_with_rest(run, &request.metadata, Word::response_format, |run, inner| {
        inner.word(run, Word::r#type, Word::text);
        let is_text = matches!(format, ResponseFormat::Text);
        inner.word(run, Word::mime_type, if is_text { Word::text_plain } else { Word::application_json });
        if let ResponseFormat::Schema { schema: (schema, _), .. } = format {
            inner.put(run, Word::schema, *schema);
        }
    });
}

fn write_conversation(run: &mut Run, object: &mut Writing, request: &Request) -> Result<()> {
    write_system(run, object, request);
    let rest = request.messages.get(leading_system(&request.messages)..).unwrap_or_default();
    match rest {
        [] if run.is_omitted(&request.metadata, Word::input) => object.skip(run, Word::input),
        [] => match request.metadata.form(Word::input) {
            Some(form) => object.put(run, Word::input, form),
            None => object.list(run, Word::input, &[]),
        },
        [Message::User(only)] if is_bare(only) => write_bare(run, object, only),
        rest => {
            object.key(run, Word::input);
            write_list(run, rest)?;
        }
    }
    Ok(())
}

/// Whether a message was the whole input, without a step around it.
fn is_bare(prose: &Prose) -> bool {
    prose.metadata.form(Word::input).is_some() && prose.metadata.family_fields().is_empty()
}

fn write_bare(run: &mut Run, object: &mut Writing, prose: &Prose) {
    let form = prose.metadata.form(Word::input).map(|form| run.store.word(form));
    match (&prose.content, form) {
        (Content::Text(text, _), Some(Word::text)) => object.put(run, Word::input, *text),
        (Content::Blocks(blocks), Some(Word::object)) if blocks.len() == 1 => {
            object.key(run, Word::input);
            write_contents(run, &prose.content);
        }
        (content, _) => object.array(run, Word::input, |run| write_contents(run, content)),
    }
}

/// The system prompt is one text. Several are separated by a blank line.
fn write_system(run: &mut Run, object: &mut Writing, request: &Request) {
    let texts = system_texts(run, &system_prompt(&request.messages));
    if texts.is_empty() {
        return;
    }
    let separator = run.store.string("\n\n");
    let mut pieces = Vec::new();
    for text in texts {
        if !pieces.is_empty() {
            pieces.push(separator);
        }
        run.warn_metadata(text.metadata, text.at);
        pieces.push(text.text);
    }
    object.joined(run, Word::system_instruction, &pieces);
}

pub fn write_messages(run: &mut Run, request: &Request) -> Result<()> {
    let mut object = run.begin();
    write_conversation(run, &mut object, request)?;
    object.close(run);
    Ok(())
}
