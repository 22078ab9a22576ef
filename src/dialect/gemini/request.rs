//! Whole requests (WIRE §4.10), in the REST shape or in the flat shape of Google's SDK.

use super::parts::leave_default;
use super::{messages, schemas, thinking, tools};
use crate::dialect::shared::settings;
use crate::dialect::shared::turns::{SystemText, system_prompt, system_texts};
use crate::model::{Add, Content, Message, Metadata, Prose, Request, ResponseFormat, Setting};
use crate::run::{At, GeminiSchema, Reading, Result, Run, SchemaUse, Writing};
use crate::schema::openapi;
use crate::value::{Value, Word};

/// Where most settings are. Google's SDK has them in `config`.
const CONFIG: &[Word] = &[Word::generationConfig];

pub fn read(run: &mut Run, body: Value) -> Result<Request> {
    let mut reading = run.object(body, At::ROOT)?;
    let mut request = Request::new(At::ROOT);
    settings::read_model(run, &mut reading, &mut request.settings)?;
    if let Some((system, at)) = reading.take_at(run, Word::systemInstruction) {
        read_system(run, system, at, &mut request)?;
    }
    let (list, at) = reading.require(run, Word::contents)?;
    request.messages.extend(messages::read_messages(run, list, at)?);
    tools::read_config(run, &mut reading, &mut request)?;
    if let Some((value, at)) = reading.take_at(run, Word::generationConfig) {
        read_generation_config(run, value, at, &mut request)?;
    }
    request.metadata.append(reading.rest());
    Ok(request)
}

/// Each part becomes a system message.
fn read_system(run: &mut Run, value: Value, at: At, request: &mut Request) -> Result<()> {
    let mut reading = run.object(value, at)?;
    let (parts, parts_at) = reading.require(run, Word::parts)?;
    let elements = run.elements(parts, parts_at)?;
    if elements.is_empty() {
        reading.note(Word::parts, parts);
    }
    for (part, at) in elements {
        let mut part = run.object(part, at)?;
        leave_default(run, &mut part);
        let text = part.require_string(run, Word::text)?;
        let content = Content::Text(text, at);
        request.messages.add(Message::System(Prose { at, content, metadata: part.rest() }));
    }
    reading.rest_into(run, Word::systemInstruction, &mut request.metadata);
    Ok(())
}

fn read_generation_config(run: &mut Run, value: Value, at: At, request: &mut Request) -> Result<()> {
    let mut reading = run.object(value, at)?;
    settings::read(run, &mut reading, CONFIG, &mut request.settings, &mut request.metadata)?;
    settings::read_stop(run, &mut reading, Word::stopSequences, &mut request.settings)?;
    if let Some((value, at)) = reading.take_at(run, Word::thinkingConfig) {
        if run.is_void(value) {
            reading.note(Word::thinkingConfig, value);
        }
        request.settings.reasoning = Some(thinking::read(run, value, at, &mut request.metadata)?);
    }
    read_response_format(run, &mut reading, request)?;
    reading.rest_into(run, Word::generationConfig, &mut request.metadata);
    Ok(())
}

fn read_response_format(run: &mut Run, reading: &mut Reading, request: &mut Request) -> Result<()> {
    let kind = reading.peek(Word::responseMimeType).map(|kind| run.store.word(kind));
    let mut at = run.down(reading.at(), Word::responseMimeType);
    let format = match kind {
        Some(Word::application_json) => match reading.take_at(run, Word::responseJsonSchema) {
            Some(schema) => {
                at = schema.1;
                ResponseFormat::enforced(schema)
            }
            None => match reading.take_at(run, Word::responseSchema) {
                Some((schema, at)) => {
                    let read = openapi::read(run, schema, at)?;
                    reading.note(Word::responseSchema, schema);
                    ResponseFormat::enforced((read, at))
                }
                None => ResponseFormat::Json,
            },
        },
        Some(Word::text_plain) => ResponseFormat::Text,
        _ => return Ok(()),
    };
    reading.take_any(Word::responseMimeType);
    request.settings.response_format = Some((format, at));
    Ok(())
}

pub fn write(run: &mut Run, request: &Request) -> Result<()> {
    let Request { at, messages, tools: _, choice: _, parallel: _, settings, metadata } = request;
    let mut object = run.begin();
    object.option(run, Word::model, settings.get(Setting::Model).map(|(model, _)| model));
    object.key(run, Word::contents);
    messages::write_list(run, messages)?;
    if run.route.flat {
        object.key(run, Word::config);
        let mut config = run.begin();
        write_system(run, &mut config, request)?;
        tools::write_config(run, &mut config, request)?;
        write_generation_config(run, &mut config, request)?;
        config.add_rest(run, metadata.family_field(Word::generationConfig));
        config.skip(run, Word::generationConfig);
        config.skip(run, Word::thinkingConfig);
        config.end(run, metadata, *at);
        object.close(run);
        return Ok(());
    }
    write_system(run, &mut object, request)?;
    tools::write_config(run, &mut object, request)?;
    let config = run.try_build(|run| {
        let mut config = run.begin_inside(metadata, Word::generationConfig);
        let written = write_generation_config(run, &mut config, request);
        config.add_nested(run, metadata, Word::generationConfig);
        config.close(run);
        written
    })?;
    if !run.route.lacks(Word::generationConfig) {
        object.put_unless_void(run, Word::generationConfig, config);
    }
    object.skip(run, Word::thinkingConfig);
    object.end(run, metadata, *at);
    Ok(())
}

fn write_system(run: &mut Run, object: &mut Writing, request: &Request) -> Result<()> {
    let texts = system_texts(run, &system_prompt(&request.messages));
    object.merged(run, &request.metadata, Word::systemInstruction);
    if texts.is_empty() {
        object.nested(run, &request.metadata, Word::systemInstruction, |_, _| {});
        return Ok(());
    }
    object.object_with_rest(run, &request.metadata, Word::systemInstruction, |run, system| {
        system.key(run, Word::parts);
        run.store.begin_array();
        for SystemText { text, metadata, at } in texts {
            let mut part = run.begin();
            part.put(run, Word::text, text);
            part.end(run, metadata, at);
        }
        run.store.end_array();
    });
    Ok(())
}

fn write_generation_config(run: &mut Run, config: &mut Writing, request: &Request) -> Result<()> {
    let Request { settings, metadata, .. } = request;
    settings::write(run, config, CONFIG, settings, metadata);
    config.option_list(run, Word::stopSequences, settings.stop.as_ref());
    thinking::write(run, config, settings, metadata);
    match &settings.response_format {
        None => {}
        Some((ResponseFormat::Text, _)) => config.word(run, Word::responseMimeType, Word::text_plain),
        Some((ResponseFormat::Json, _)) => config.word(run, Word::responseMimeType, Word::application_json),
        Some((ResponseFormat::Schema { schema, .. }, _)) => {
            config.word(run, Word::responseMimeType, Word::application_json);
            write_response_schema(run, config, *schema, metadata)?;
        }
    }
    Ok(())
}

fn write_response_schema(
    run: &mut Run,
    config: &mut Writing,
    (schema, at): (Value, At),
    metadata: &Metadata,
) -> Result<()> {
    if let Some(form) = config.form(run, metadata, Word::responseSchema) {
        let read = openapi::read(run, form, at)?;
        if run.store.same(read, schema) {
            config.put(run, Word::responseSchema, form);
            return Ok(());
        }
    }
    let word = match run.options.gemini_schema {
        GeminiSchema::JsonSchema => Word::responseJsonSchema,
        GeminiSchema::OpenApi => Word::responseSchema,
    };
    let schema = schemas::write(run, schema, at, SchemaUse::Format)?;
    config.put(run, word, schema);
    Ok(())
}

pub fn write_messages(run: &mut Run, request: &Request) -> Result<()> {
    let mut object = run.begin();
    write_system(run, &mut object, request)?;
    object.key(run, Word::contents);
    messages::write_list(run, &request.messages)?;
    object.close(run);
    Ok(())
}
