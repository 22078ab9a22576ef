//! Whole requests (WIRE §1.10).

use super::tools::LAYOUT;
use super::{messages, reasoning, tools};
use crate::dialect::shared::openai_layout::is_other_format;
use crate::dialect::shared::settings;
use crate::model::{Metadata, Request, Setting, Settings};
use crate::run::{At, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

const FORMATS: [Word; 2] = [Word::json_object, Word::json_schema];

pub fn read(run: &mut Run, body: Value) -> Result<Request> {
    let mut reading = run.object(body, At::ROOT)?;
    let mut request = Request::new(At::ROOT);
    let mut forms = Metadata::default();
    settings::read_model(run, &mut reading, &mut request.settings)?;
    let (list, at) = reading.require(run, Word::messages)?;
    request.messages = messages::read_messages(run, list, at)?;
    tools::read_config(run, &mut reading, &mut request)?;
    read_settings(run, &mut reading, &mut request.settings, &mut forms)?;
    request.metadata.append(reading.rest());
    request.metadata.append(forms);
    Ok(request)
}

fn read_settings(run: &mut Run, reading: &mut Reading, settings: &mut Settings, forms: &mut Metadata) -> Result<()> {
    settings::read(run, reading, &[], settings, forms)?;
    read_stream_options(run, reading, settings, forms);
    if settings.get(Setting::MaxTokens).is_none()
        && let Some((value, at)) = reading.take_at(run, Word::max_tokens)
    {
        run.number(value, at)?;
        settings.set(Setting::MaxTokens, value, at);
        forms.add_form(Word::max_tokens, run.store.boolean_value(true));
    }
    if reading.peek(Word::stop).is_some_and(|stop| run.store.kind(stop) == Kind::String) {
        if let Some((stop, at)) = reading.take_at(run, Word::stop) {
            forms.add_form(Word::stop, stop);
            settings.stop = Some((vec![stop], at));
        }
    } else {
        settings::read_stop(run, reading, Word::stop, settings)?;
    }
    if let Some((value, at)) = reading.take_at(run, Word::top_k) {
        run.number(value, at)?;
        settings.set(Setting::TopK, value, at);
        forms.add_form(Word::top_k, run.store.boolean_value(true));
    }
    settings.reasoning = reasoning::take(run, reading, forms)?;
    let is_known = |run: &mut Run, format| !is_other_format(run, format, FORMATS);
    if let Some((value, at)) = reading.take_if(run, Word::response_format, is_known) {
        let mut format = run.object(value, at)?;
        settings.response_format = Some((LAYOUT.read_format(run, &mut format, FORMATS, forms)?, at));
        format.rest_into(run, Word::response_format, forms);
    }
    Ok(())
}

/// Other formats always send the usage at the end of a stream, and so the model assumes it (Q141).
fn read_stream_options(run: &mut Run, reading: &mut Reading, settings: &mut Settings, forms: &mut Metadata) {
    if !is_streamed(run, settings) || run.route.from.format().always_counts {
        return;
    }
    let Some(options) = reading.peek(Word::stream_options) else {
        forms.add_form(Word::stream_options, run.store.word_value(Word::omitted));
        return;
    };
    if run.store.kind(options) != Kind::Object {
        return;
    }
    let asked = run.member(options, Word::include_usage);
    settings.expects_usage = asked.is_some_and(|asked| run.store.boolean(asked));
    if settings.expects_usage && run.members(options).len() == 1 {
        reading.take_any(Word::stream_options);
    }
}

fn is_streamed(run: &Run, settings: &Settings) -> bool {
    settings.get(Setting::Stream).is_some_and(|(stream, _)| run.store.boolean(stream))
}

/// Remaining members of these objects are not reported on their own.
const PARTLY_MODELLED: &[Word] = &[Word::response_format, Word::tool_choice, Word::function_call];

pub fn write(run: &mut Run, request: &Request) -> Result<()> {
    let Request { at, messages, tools: _, choice: _, parallel: _, settings, metadata } = request;
    let mut object = run.begin();
    object.option(run, Word::model, settings.get(Setting::Model).map(|(model, _)| model));
    object.key(run, Word::messages);
    messages::write_list(run, messages)?;
    tools::write_config(run, &mut object, request)?;
    write_settings(run, &mut object, settings, metadata);
    for word in PARTLY_MODELLED {
        if object.has(run, *word) {
            object.merged(run, metadata, *word);
        } else if metadata.own_field(*word).is_some_and(|rest| !is_other_format(run, rest, FORMATS)) {
            object.refuse(run, (metadata, *at), *word);
            object.skip(run, *word);
        }
    }
    object.end(run, metadata, *at);
    Ok(())
}

pub fn write_messages(run: &mut Run, request: &Request) -> Result<()> {
    let mut object = run.begin();
    object.key(run, Word::messages);
    messages::write_list(run, &request.messages)?;
    object.close(run);
    Ok(())
}

fn write_settings(run: &mut Run, object: &mut Writing, settings: &Settings, metadata: &Metadata) {
    let is_deprecated = metadata.form(Word::max_tokens).is_some() && !run.route.lacks(Word::max_tokens);
    for (setting, word, values) in run.route.to.format().settings_in(&[]) {
        let word = if setting == Setting::MaxTokens && is_deprecated { Word::max_tokens } else { word };
        settings::put(run, object, (setting, word, values), settings, metadata);
    }
    // what is left of it was fitted to the server
    object.option(run, Word::top_k, settings.get(Setting::TopK).map(|(value, _)| value));
    let is_asked =
        metadata.family_field(Word::stream_options).is_some() || metadata.form(Word::stream_options).is_some();
    let has_options =
        !run.route.to.format().is_foreign(Word::stream_options) && !run.route.refuses(Word::stream_options);
    if is_streamed(run, settings) && !is_asked && has_options {
        object.object(run, Word::stream_options, |run, options| options.boolean(run, Word::include_usage, true));
    }
    if let Some((stop, _)) = &settings.stop {
        object.key(run, Word::stop);
        match (stop.as_slice(), metadata.form(Word::stop)) {
            ([one], Some(form)) if run.store.same(*one, form) => run.store.put(*one),
            _ => run.store.put_array(stop),
        }
    }
    reasoning::write(run, object, settings, metadata);
    if let Some((format, _)) = &settings.response_format {
        object.key(run, Word::response_format);
        LAYOUT.write_format(run, format, FORMATS, (metadata, Word::response_format));
    }
}
