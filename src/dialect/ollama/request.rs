//! Whole requests (WIRE §8.10).

use super::{messages, think, tools, write_messages};
use crate::dialect::shared::settings::{self, is_effort_or_invalid};
use crate::model::{Metadata, Request, ResponseFormat, Setting, Settings};
use crate::run::{At, Key, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

pub fn read(run: &mut Run, body: Value) -> Result<Request> {
    let mut reading = run.object(body, At::ROOT)?;
    let mut request = Request::new(At::ROOT);
    settings::read_model(run, &mut reading, &mut request.settings)?;
    let (list, at) = reading.require(run, Word::messages)?;
    request.messages = messages::read_messages(run, list, at)?;
    tools::read_config(run, &mut reading, &mut request)?;
    read_stream(run, &mut reading, &mut request.settings)?;
    settings::read(run, &mut reading, &[], &mut request.settings, &mut request.metadata)?;
    if let Some((value, at)) = reading.take_at(run, Word::options) {
        read_options(run, value, at, &mut request)?;
    }
    if let Some((value, at)) = reading.take_if(run, Word::think, is_effort_or_invalid) {
        request.settings.reasoning = Some(think::read(run, value, at)?);
    }
    read_format(run, &mut reading, &mut request.settings)?;
    request.metadata.append(reading.rest());
    Ok(request)
}

/// Reads `stream`, which is true by default.
fn read_stream(run: &mut Run, reading: &mut Reading, settings: &mut Settings) -> Result<()> {
    let stated = reading.boolean_at(run, Word::stream)?;
    let at = run.down(reading.at(), Word::stream);
    if stated.is_none() {
        reading.note_omitted(run, Word::stream);
    }
    if stated.is_none_or(|(streams, _)| streams) {
        settings.set(Setting::Stream, run.store.boolean_value(true), at);
    }
    Ok(())
}

fn read_options(run: &mut Run, value: Value, at: At, request: &mut Request) -> Result<()> {
    let mut reading = run.object(value, at)?;
    // a negative value selects a mode instead of a limit
    let mode = reading
        .peek(Word::num_predict)
        .filter(|tokens| run.store.kind(*tokens) == Kind::Number && run.store.number(*tokens) < 0.0);
    if let Some(mode) = mode {
        reading.take_any(Word::num_predict);
        let mut returned = Metadata::default();
        let at = run.down(at, Word::num_predict);
        returned.add_at(Key::Word(Word::num_predict), mode, at);
        reading.give_back(returned);
    }
    settings::read(run, &mut reading, &[Word::options], &mut request.settings, &mut request.metadata)?;
    settings::read_stop(run, &mut reading, Word::stop, &mut request.settings)?;
    reading.rest_into(run, Word::options, &mut request.metadata);
    Ok(())
}

fn read_format(run: &mut Run, reading: &mut Reading, settings: &mut Settings) -> Result<()> {
    // an empty one has no effect
    if reading
        .peek(Word::format)
        .is_some_and(|format| run.store.kind(format) == Kind::String && run.store.is_empty(format))
    {
        return Ok(());
    }
    let Some((value, at)) = reading.take_at(run, Word::format) else { return Ok(()) };
    let format = match run.store.kind(value) {
        // always enforced: the server compiles the schema to a grammar
        Kind::Object => {
            ResponseFormat::Schema { name: None, description: None, schema: (value, at), strict: Some((true, at)) }
        }
        Kind::String if run.store.word(value) == Word::json => ResponseFormat::Json,
        _ => return run.wrong_word(value, at, "\"json\" or a schema"),
    };
    settings.response_format = Some((format, at));
    Ok(())
}

pub fn write(run: &mut Run, request: &Request) -> Result<()> {
    let Request { at, messages, tools: _, choice: _, parallel: _, settings, metadata } = request;
    let mut object = run.begin();
    object.option(run, Word::model, settings.get(Setting::Model).map(|(model, _)| model));
    object.key(run, Word::messages);
    write_messages::write_list(run, messages)?;
    tools::write_config(run, &mut object, request)?;
    write_settings(run, &mut object, settings, metadata);
    object.end(run, metadata, *at);
    Ok(())
}

pub fn write_messages(run: &mut Run, request: &Request) -> Result<()> {
    let mut object = run.begin();
    object.key(run, Word::messages);
    write_messages::write_list(run, &request.messages)?;
    object.close(run);
    Ok(())
}

fn write_settings(run: &mut Run, object: &mut Writing, settings: &Settings, metadata: &Metadata) {
    write_stream(run, object, settings, metadata);
    match &settings.response_format {
        None | Some((ResponseFormat::Text, _)) => {}
        Some((ResponseFormat::Json, _)) => object.word(run, Word::format, Word::json),
        Some((ResponseFormat::Schema { schema: (schema, _), .. }, _)) => object.put(run, Word::format, *schema),
    }
    think::write(run, object, settings);
    settings::write(run, object, &[], settings, metadata);
    object.nested(run, metadata, Word::options, |run, options| {
        settings::write(run, options, &[Word::options], settings, metadata);
        if let Some((stop, _)) = &settings.stop {
            options.list(run, Word::stop, stop);
        }
    });
}

fn write_stream(run: &mut Run, object: &mut Writing, settings: &Settings, metadata: &Metadata) {
    if run.route.lacks(Word::stream) {
        return;
    }
    let streams = settings.get(Setting::Stream).is_some_and(|(streams, _)| run.store.boolean(streams));
    match metadata.form(Word::stream) {
        Some(form) if streams && run.store.word(form) == Word::omitted => object.skip(run, Word::stream),
        Some(form) if streams && run.store.kind(form) == Kind::Null => object.null(run, Word::stream),
        _ => object.boolean(run, Word::stream, streams),
    }
}
