//! Whole requests of the canonical format.

use super::{end, end_reading, finish, messages, tools};
use crate::dialect::shared::settings::{self, read_effort, read_model};
use crate::format::{Layout, Shape};
use crate::model::{Metadata, ReasoningSettings, Request, Setting, Settings};
use crate::run::{At, Reading, Result, Run, Writing};
use crate::value::{Value, Word};

/// The types of response formats that are JSON, without and with a schema.
const FORMATS: [Word; 2] = [Word::json, Word::jsonSchema];

pub fn read(run: &mut Run, body: Value) -> Result<Request> {
    let mut reading = run.object(body, At::ROOT)?;
    let mut request = Request::new(At::ROOT);
    let (list, at) = reading.require(run, Word::messages)?;
    request.messages = messages::read_messages(run, list, at)?;
    tools::read_config(run, &mut reading, &mut request)?;
    request.settings = read_settings(run, &mut reading)?;
    request.metadata = end_reading(run, reading)?;
    Ok(request)
}

fn read_settings(run: &mut Run, reading: &mut Reading) -> Result<Settings> {
    let mut settings = Settings::default();
    read_model(run, reading, &mut settings)?;
    settings::read(run, reading, &[], &mut settings, &mut Metadata::default())?;
    for setting in Setting::ALL {
        if let (Shape::OneOf(words), Some((value, at))) = (setting.shape(), settings.get(*setting))
            && !words.contains(&run.store.word(value))
        {
            return run.wrong_word(value, at, &listed(words));
        }
    }
    settings.stop = reading.strings_at(run, Word::stop)?;
    if let Some((value, at)) = reading.take_at(run, Word::reasoning) {
        settings.reasoning = Some(read_reasoning(run, value, at)?);
    }
    if let Some((value, at)) = reading.take_at(run, Word::responseFormat) {
        let mut format = run.object(value, at)?;
        let read = Layout::Flat.read_format(run, &mut format, FORMATS, &mut Metadata::default())?;
        settings.response_format = Some((read, at));
        finish(run, format);
    }
    Ok(settings)
}

/// Words for an error: `"low", "medium" or "high"`.
fn listed(words: &[Word]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{}\"", word.text())).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

fn read_reasoning(run: &mut Run, value: Value, at: At) -> Result<ReasoningSettings> {
    let mut reading = run.object(value, at)?;
    let mut reasoning = ReasoningSettings::new();
    reasoning.effort = reading.read(run, Word::effort, read_effort)?;
    reasoning.budget = reading.number_at(run, Word::budgetTokens)?;
    reasoning.include = reading.boolean_at(run, Word::include)?;
    finish(run, reading);
    Ok(reasoning)
}

pub fn write(run: &mut Run, request: &Request) -> Result<()> {
    let Request { at: _, messages, tools: _, choice: _, parallel: _, settings, metadata } = request;
    let mut object = run.begin();
    object.option(run, Word::model, settings.get(Setting::Model).map(|(model, _)| model));
    object.key(run, Word::messages);
    messages::write_list(run, messages)?;
    tools::write_config(run, &mut object, request)?;
    write_settings(run, &mut object, settings);
    end(run, object, metadata);
    Ok(())
}

pub fn write_messages(run: &mut Run, request: &Request) -> Result<()> {
    messages::write_list(run, &request.messages)
}

fn write_settings(run: &mut Run, object: &mut Writing, settings: &Settings) {
    settings::write(run, object, &[], settings, &Metadata::default());
    if let Some((stop, _)) = &settings.stop {
        object.list(run, Word::stop, stop);
    }
    if let Some(reasoning) = &settings.reasoning {
        object.object(run, Word::reasoning, |run, inner| {
            if let Some((effort, _)) = reasoning.effort {
                inner.word(run, Word::effort, effort);
            }
            inner.option(run, Word::budgetTokens, reasoning.budget.map(|(budget, _)| budget));
            inner.flag(run, Word::include, reasoning.include);
        });
    }
    if let Some((format, _)) = &settings.response_format {
        object.key(run, Word::responseFormat);
        Layout::Flat.write_format(run, format, FORMATS, (&Metadata::default(), Word::responseFormat));
    }
}
