//! Whole requests (WIRE §7.10).

use super::{messages, tools, write_messages};
use crate::dialect::shared::settings;
use crate::fit::reasoning::{ADAPTIVE, Thinking};
use crate::model::{Metadata, ReasoningSettings, Request, ResponseFormat, Setting, Settings};
use crate::run::{At, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

pub fn read(run: &mut Run, body: Value) -> Result<Request> {
    let mut reading = run.object(body, At::ROOT)?;
    let mut request = Request::new(At::ROOT);
    settings::read_model(run, &mut reading, &mut request.settings)?;
    let (list, at) = reading.require(run, Word::messages)?;
    request.messages = messages::read_messages(run, list, at)?;
    tools::read_config(run, &mut reading, &mut request)?;
    let Request { settings, metadata, .. } = &mut request;
    settings::read(run, &mut reading, &[], settings, metadata)?;
    settings::read_stop(run, &mut reading, Word::stop_sequences, settings)?;
    read_thinking(run, &mut reading, settings, metadata)?;
    read_format(run, &mut reading, settings, metadata)?;
    request.metadata.append(reading.rest());
    Ok(request)
}

/// Reads `thinking`: on, with or without a budget, or off. Anything else is kept whole.
fn read_thinking(run: &mut Run, reading: &mut Reading, settings: &mut Settings, metadata: &mut Metadata) -> Result<()> {
    let thinking = reading.peek(Word::thinking).filter(|thinking| run.store.kind(*thinking) == Kind::Object);
    let Some(thinking) = thinking.filter(|thinking| is_known(run, *thinking)) else { return Ok(()) };
    let is_on = run.type_of(thinking) == Word::enabled;
    let mut inner = reading.require_object(run, Word::thinking)?;
    let (_, at) = inner.require(run, Word::r#type)?;
    let mut asked = ReasoningSettings::new();
    if is_on {
        let budget = inner.number_at(run, Word::token_budget)?;
        asked.budget = budget.or_else(|| Some((run.build(|run| run.store.put_number(ADAPTIVE)), at)));
    } else {
        asked.effort = Some((Word::none, at));
    }
    settings.reasoning = Some(asked);
    inner.rest_into(run, Word::thinking, metadata);
    Ok(())
}

fn is_known(run: &mut Run, thinking: Value) -> bool {
    let budget = run.member(thinking, Word::token_budget).filter(|budget| run.store.kind(*budget) != Kind::Null);
    let is_count = |budget: Value| run.store.kind(budget) == Kind::Number && run.store.number(budget) > 0.0;
    let is_fitting = budget.is_none_or(is_count);
    match run.type_of(thinking) {
        Word::enabled => is_fitting,
        Word::disabled => true,
        _ => false,
    }
}

fn read_format(run: &mut Run, reading: &mut Reading, settings: &mut Settings, metadata: &mut Metadata) -> Result<()> {
    let Some(mut inner) = reading.object(run, Word::response_format)? else { return Ok(()) };
    let at = inner.at();
    let (kind, kind_at) = inner.require(run, Word::r#type)?;
    let format = match run.store.word(kind) {
        Word::text => ResponseFormat::Text,
        Word::json_object => match inner.take_at(run, Word::json_schema) {
            // the schema is always enforced
            Some((schema, at)) => ResponseFormat::Schema {
                name: None,
                description: None,
                schema: (run.plain_object(schema, at)?, at),
                strict: Some((true, at)),
            },
            None => ResponseFormat::Json,
        },
        _ => return run.wrong_word(kind, kind_at, "\"text\" or \"json_object\""),
    };
    settings.response_format = Some((format, at));
    inner.rest_into(run, Word::response_format, metadata);
    Ok(())
}

pub fn write(run: &mut Run, request: &Request) -> Result<()> {
    let Request { at, messages, tools: _, choice: _, parallel: _, settings, metadata } = request;
    let mut object = run.begin();
    object.option(run, Word::model, settings.get(Setting::Model).map(|(model, _)| model));
    object.key(run, Word::messages);
    write_messages::write_list(run, messages)?;
    tools::write_config(run, &mut object, request)?;
    settings::write(run, &mut object, &[], settings, metadata);
    object.option_list(run, Word::stop_sequences, settings.stop.as_ref());
    write_thinking(run, &mut object, settings, metadata);
    write_format(run, &mut object, settings, metadata);
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

fn write_thinking(run: &mut Run, object: &mut Writing, settings: &Settings, metadata: &Metadata) {
    let Some(thinking) = settings.reasoning.as_ref().and_then(|asked| Thinking::of(run, asked)) else { return };
    object.object_with_rest(run, metadata, Word::thinking, |run, inner| {
        inner.word(run, Word::r#type, if thinking == Thinking::Off { Word::disabled } else { Word::enabled });
        if let Thinking::Budget(budget) = thinking {
            inner.put(run, Word::token_budget, budget);
        }
    });
}

fn write_format(run: &mut Run, object: &mut Writing, settings: &Settings, metadata: &Metadata) {
    let Some((format, _)) = &settings.response_format else { return };
    object.object_with_rest(run, metadata, Word::response_format, |run, inner| {
        let is_text = matches!(format, ResponseFormat::Text);
        inner.word(run, Word::r#type, if is_text { Word::text } else { Word::json_object });
        if let ResponseFormat::Schema { schema: (schema, _), .. } = format {
            inner.put(run, Word::json_schema, *schema);
        }
    });
}
