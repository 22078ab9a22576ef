//! Whole requests (WIRE §5.10).

use super::{messages, system, tools};
use crate::dialect::shared::{settings, thinking};
use crate::fit::reasoning::{Thinking, effort_of};
use crate::fit::turns::leading_system;
use crate::model::{Metadata, ReasoningSettings, Request, ResponseFormat, Setting, Settings};
use crate::models::Model;
use crate::models::facts::EffortField;
use crate::run::{At, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

const INFERENCE: &[Word] = &[Word::inferenceConfig];
/// What a family of models takes beside the settings of all.
const MORE: &[Word] = &[Word::additionalModelRequestFields];

pub fn read(run: &mut Run, body: Value) -> Result<Request> {
    let mut reading = run.object(body, At::ROOT)?;
    let mut request = Request::new(At::ROOT);
    if let Some((model, at)) = reading.string_at(run, Word::modelId)? {
        request.settings.set(Setting::Model, model, at);
        run.note_signer(Some(model));
    }
    if let Some((value, at)) = reading.take_at(run, Word::system) {
        system::read(run, value, at, &mut request.messages)?;
        if run.is_void(value) {
            reading.note(Word::system, value);
        }
    }
    if let Some((list, at)) = reading.take_at(run, Word::messages) {
        request.messages.extend(messages::read_messages(run, list, at)?);
    } else {
        reading.note_omitted(run, Word::messages);
    }
    tools::read_config(run, &mut reading, &mut request)?;
    read_settings(run, &mut reading, &mut request)?;
    request.metadata.append(reading.rest());
    Ok(request)
}

fn read_settings(run: &mut Run, reading: &mut Reading, request: &mut Request) -> Result<()> {
    let mut reasoning = ReasoningSettings::new();
    if let Some(mut inner) = reading.object(run, Word::inferenceConfig)? {
        settings::read(run, &mut inner, INFERENCE, &mut request.settings, &mut request.metadata)?;
        settings::read_stop(run, &mut inner, Word::stopSequences, &mut request.settings)?;
        inner.rest_into(run, Word::inferenceConfig, &mut request.metadata);
    }
    // any JSON
    let more = reading.peek(Word::additionalModelRequestFields);
    if more.is_some_and(|more| run.store.kind(more) == Kind::Object) {
        let mut inner = reading.require_object(run, Word::additionalModelRequestFields)?;
        read_more(run, &mut inner, &mut reasoning, request)?;
        inner.rest_into(run, Word::additionalModelRequestFields, &mut request.metadata);
    }
    if let Some(mut inner) = reading.object(run, Word::outputConfig)? {
        read_output(run, &mut inner, &mut reasoning, request)?;
        inner.rest_into(run, Word::outputConfig, &mut request.metadata);
    }
    if !reasoning.is_empty() {
        request.settings.reasoning = Some(reasoning);
    }
    Ok(())
}

/// The fields of models of a provider: `thinking` and `top_k` of Anthropic's, and the efforts of OpenAI's and Amazon's.
fn read_more(
    run: &mut Run,
    inner: &mut Reading,
    reasoning: &mut ReasoningSettings,
    request: &mut Request,
) -> Result<()> {
    let is_count = inner.peek(Word::top_k).is_some_and(|count| run.store.kind(count) == Kind::Number);
    if is_count {
        settings::read(run, inner, MORE, &mut request.settings, &mut request.metadata)?;
    }
    let thinking = inner.peek(Word::thinking).filter(|value| run.store.kind(*value) == Kind::Object);
    if thinking.is_some_and(|thinking| thinking::is_known(run, thinking))
        && let Some((value, at)) = inner.take_at(run, Word::thinking)
    {
        thinking::read(run, value, at, reasoning, &mut request.metadata)?;
    }
    read_effort(run, inner, reasoning, request)
}

/// The fields that ask for an effort, its key in them, and whether they state that reasoning is on.
const EFFORT_FIELDS: &[(EffortField, Word, Word, bool)] = &[
    (EffortField::Reasoning, Word::reasoning, Word::effort, false),
    (EffortField::ReasoningConfig, Word::reasoningConfig, Word::maxReasoningEffort, true),
];

/// Reads the effort of the fields that state one, or that reasoning is off.
fn read_effort(
    run: &mut Run,
    inner: &mut Reading,
    reasoning: &mut ReasoningSettings,
    request: &mut Request,
) -> Result<()> {
    for (_, field, key, has_type) in EFFORT_FIELDS {
        let Some(value) = inner.peek(*field).filter(|value| run.store.kind(*value) == Kind::Object) else { continue };
        let kind = run.type_of(value);
        let effort = run.member(value, *key).map(|effort| run.store.word(effort));
        let is_off = if *has_type { kind == Word::disabled && effort.is_none() } else { effort == Some(Word::none) };
        let is_on = effort.is_some_and(|effort| EFFORTS.contains(&effort)) && (!has_type || kind == Word::enabled);
        if reasoning.effort.is_some() || !is_off && !is_on {
            continue;
        }
        request.metadata.add_form(*field, value);
        let mut config = inner.require_object(run, *field)?;
        let at = config.at();
        config.take_any(Word::r#type);
        let effort_at = config.take_at(run, *key).map_or(at, |(_, at)| at);
        reasoning.effort = Some((effort.filter(|_| is_on).unwrap_or(Word::none), effort_at));
        config.rest_into(run, *field, &mut request.metadata);
    }
    Ok(())
}

const EFFORTS: &[Word] = &[Word::minimal, Word::low, Word::medium, Word::high, Word::xhigh, Word::max];

fn read_output(
    run: &mut Run,
    inner: &mut Reading,
    reasoning: &mut ReasoningSettings,
    request: &mut Request,
) -> Result<()> {
    let effort = inner.peek(Word::effort).map(|effort| run.store.word(effort));
    // to other models, the field here means nothing
    let has_own = effort_field(&request.settings, &request.metadata).is_some() || states_effort_apart(run, request);
    if let Some(effort) = effort.filter(|effort| EFFORTS.contains(effort) && !has_own)
        && let Some((_, at)) = inner.take_at(run, Word::effort)
        && let Some((_, off_at)) = reasoning.effort.replace((effort, at))
    {
        // reasoning is off, whatever the effort for the response
        reasoning.budget = Some((run.build(|run| run.store.put_number(0.0)), off_at));
    }
    let text = inner.peek(Word::textFormat);
    if let Some(schema) = text.and_then(|format| schema_of(run, format)) {
        read_format(run, inner, schema, request)?;
    }
    Ok(())
}

/// The schema of `textFormat`, which is JSON in a string; None for a format of another shape, which is kept.
fn schema_of(run: &mut Run, format: Value) -> Option<Value> {
    let is_schema = run.store.kind(format) == Kind::Object && run.type_of(format) == Word::json_schema;
    let structure = run.member(format, Word::structure).filter(|_| is_schema)?;
    let definition = run.field(structure, Word::jsonSchema)?;
    let text = run.field(definition, Word::schema).filter(|text| run.store.kind(*text) == Kind::String)?;
    let parsed = run.store.parse(text).ok();
    run.store.take_notices().clear();
    parsed.filter(|parsed| run.store.kind(*parsed) == Kind::Object)
}

fn read_format(run: &mut Run, inner: &mut Reading, schema: Value, request: &mut Request) -> Result<()> {
    let mut format = inner.require_object(run, Word::textFormat)?;
    let format_at = format.at();
    format.take_any(Word::r#type);
    let mut structure = format.require_object(run, Word::structure)?;
    let mut definition = structure.require_object(run, Word::jsonSchema)?;
    let (text, at) = definition.require(run, Word::schema)?;
    if !run.store.stringify(schema).is_ok_and(|usual| run.store.same(usual, text)) {
        definition.note(Word::schema, text);
    }
    let [name, description] = [definition.string_at(run, Word::name)?, definition.string_at(run, Word::description)?];
    let read = ResponseFormat::Schema { name, description, schema: (schema, at), strict: Some((true, at)) };
    request.settings.response_format = Some((read, format_at));
    definition.rest_into(run, Word::jsonSchema, &mut request.metadata);
    structure.rest_into(run, Word::structure, &mut request.metadata);
    format.rest_into(run, Word::textFormat, &mut request.metadata);
    Ok(())
}

pub fn write(run: &mut Run, request: &Request) -> Result<()> {
    let Request { at, messages: _, tools: _, choice: _, parallel: _, settings, metadata } = request;
    let mut object = run.begin();
    object.option(run, Word::modelId, settings.get(Setting::Model).map(|(model, _)| model));
    write_conversation(run, &mut object, request)?;
    tools::write_config(run, &mut object, request)?;
    object.nested(run, metadata, Word::inferenceConfig, |run, inner| {
        settings::write(run, inner, INFERENCE, settings, metadata);
        inner.option_list(run, Word::stopSequences, settings.stop.as_ref());
    });
    write_more(run, &mut object, request);
    write_output(run, &mut object, request)?;
    for word in [Word::thinking, Word::textFormat, Word::structure, Word::jsonSchema] {
        object.skip(run, word);
    }
    object.end(run, metadata, *at);
    Ok(())
}

fn write_conversation(run: &mut Run, object: &mut Writing, request: &Request) -> Result<()> {
    let Request { messages, metadata, .. } = request;
    system::write(run, object, messages);
    if let Some(form) = metadata.form(Word::messages).filter(|_| leading_system(messages) == messages.len()) {
        match run.is_omitted(metadata, Word::messages) {
            true => object.skip(run, Word::messages),
            false => object.put(run, Word::messages, form),
        }
        return Ok(());
    }
    object.key(run, Word::messages);
    messages::write_list(run, messages)
}

fn write_more(run: &mut Run, object: &mut Writing, request: &Request) {
    let Request { settings, metadata, .. } = request;
    object.nested(run, metadata, Word::additionalModelRequestFields, |run, inner| {
        settings::write(run, inner, MORE, settings, metadata);
        let Some(reasoning) = &settings.reasoning else { return };
        match effort_field(settings, metadata) {
            Some(fields) => write_effort(run, inner, fields, reasoning, metadata),
            None => thinking::write(run, inner, reasoning, metadata),
        }
    });
}

/// The field that asks the model for an effort, if it has one of its own: the one that the request had, or that of the model.
fn effort_field(settings: &Settings, metadata: &Metadata) -> Option<&'static (EffortField, Word, Word, bool)> {
    let given = EFFORT_FIELDS.iter().find(|(_, field, ..)| metadata.form(*field).is_some());
    given.or_else(|| EFFORT_FIELDS.iter().find(|(known, ..)| Some(*known) == settings.facts.effort_field))
}

/// Whether the model of a request takes its effort in a field of its own.
fn states_effort_apart(run: &Run, request: &Request) -> bool {
    let name = request.settings.get(Setting::Model).map(|(model, _)| run.store.text(model));
    let model = name.and_then(|name| Model::named(&name));
    model.is_some_and(|model| model.facts(run.source_host()).effort_field.is_some())
}

fn write_effort(
    run: &mut Run,
    inner: &mut Writing,
    (_, field, key, has_type): &(EffortField, Word, Word, bool),
    reasoning: &ReasoningSettings,
    metadata: &Metadata,
) {
    let is_off = Thinking::of(run, reasoning) == Some(Thinking::Off);
    let Some(effort) = (if is_off { Some(Word::none) } else { effort_of(reasoning) }) else { return };
    inner.object_with_rest(run, metadata, *field, |run, inner| {
        if *has_type {
            inner.word(run, Word::r#type, if effort == Word::none { Word::disabled } else { Word::enabled });
        }
        if effort != Word::none || !has_type {
            inner.word(run, *key, effort);
        }
    });
}

fn write_output(run: &mut Run, object: &mut Writing, request: &Request) -> Result<()> {
    let Request { settings, metadata, .. } = request;
    let format = match &settings.response_format {
        Some((ResponseFormat::Schema { schema, .. }, _)) => Some(schema_text(run, *schema, metadata)?),
        Some((ResponseFormat::Json | ResponseFormat::Text, _)) | None => None,
    };
    object.nested(run, metadata, Word::outputConfig, |run, inner| {
        if let Some(text) = format {
            inner.object_with_rest(run, metadata, Word::textFormat, |run, inner| {
                write_format(run, inner, text, request);
            });
        }
        let effort = settings.reasoning.as_ref().and_then(effort_of);
        if let Some(effort) = effort.filter(|_| effort_field(settings, metadata).is_none()) {
            inner.word(run, Word::effort, effort);
        }
    });
    Ok(())
}

/// The schema as text: the original one, if it is unchanged.
fn schema_text(run: &mut Run, (schema, at): (Value, At), metadata: &Metadata) -> Result<Value> {
    let form = metadata.form(Word::schema).filter(|form| run.store.kind(*form) == Kind::String);
    let known = form.and_then(|form| run.store.parse(form).ok());
    run.store.take_notices().clear();
    match (form, known) {
        (Some(form), Some(known)) if run.store.same(known, schema) => Ok(form),
        _ => run.json_text(schema, at),
    }
}

fn write_format(run: &mut Run, inner: &mut Writing, text: Value, request: &Request) {
    let Request { settings, metadata, .. } = request;
    inner.word(run, Word::r#type, Word::json_schema);
    inner.object_with_rest(run, metadata, Word::structure, |run, inner| {
        inner.object_with_rest(run, metadata, Word::jsonSchema, |run, inner| {
            inner.put(run, Word::schema, text);
            if let Some((ResponseFormat::Schema { name, description, .. }, _)) = &settings.response_format {
                inner.option(run, Word::name, name.map(|(name, _)| name));
                inner.option(run, Word::description, description.map(|(description, _)| description));
            }
        });
    });
}

pub fn write_messages(run: &mut Run, request: &Request) -> Result<()> {
    let mut object = run.begin();
    write_conversation(run, &mut object, request)?;
    object.close(run);
    Ok(())
}
