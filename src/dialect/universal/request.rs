//! A history of calls and results: `{messages}`, or one turn alone.

use super::messages::{self, holds_calls};
use crate::dialect::canonical::{finish, put_metadata, take_metadata};
use crate::dialect::shared::settings;
use crate::model::{Request, Setting, Settings, Tool};
use crate::run::{At, Result, Run, WarningCode};
use crate::value::{Value, Word};

pub fn read(run: &mut Run, body: Value) -> Result<Request> {
    let mut reading = run.object(body, At::ROOT)?;
    let mut request = Request::new(At::ROOT);
    let is_one_turn = !reading.has(Word::messages) && (holds_calls(&reading) || reading.has(Word::tool_results));
    if is_one_turn {
        messages::read_message(run, &mut reading, &mut request.messages)?;
    } else {
        let (list, at) = reading.require(run, Word::messages)?;
        request.messages = messages::read_messages(run, list, at)?;
        request.metadata = take_metadata(run, &mut reading, Word::raw_context)?;
    }
    finish(run, reading);
    Ok(request)
}

pub fn write(run: &mut Run, request: &Request) -> Result<()> {
    let Request { at, messages, tools, choice, parallel, settings, metadata } = request;
    let mut object = run.begin();
    object.key(run, Word::messages);
    messages::write_list(run, messages);
    let is_legacy = |tool: &Tool| matches!(tool, Tool::Definition(tool) if tool.metadata.form(Word::legacy).is_some());
    if let Some(first) = tools.as_ref().and_then(|tools| tools.first()) {
        let at = run.down(*at, if is_legacy(first) { Word::functions } else { Word::tools });
        run.warn(WarningCode::FieldDropped, at, "the target holds calls and results only");
    }
    if let Some((_, at)) = choice {
        run.warn(WarningCode::SettingDropped, *at, "the target does not have this setting");
    }
    if let Some((_, at)) = parallel {
        run.warn(WarningCode::ParallelDropped, *at, "the target has no control over parallel calls");
    }
    warn_settings(run, settings);
    put_metadata(run, metadata, None, Word::raw_context);
    object.close(run);
    Ok(())
}

fn warn_settings(run: &mut Run, settings: &Settings) {
    settings::drop(run, &Setting::ALL, settings);
    let reasoning = settings.reasoning.as_ref();
    let rest = [
        settings.stop.as_ref().map(|(_, at)| *at),
        reasoning.and_then(|reasoning| reasoning.effort).map(|(_, at)| at),
        reasoning.and_then(|reasoning| reasoning.budget).map(|(_, at)| at),
        reasoning.and_then(|reasoning| reasoning.include).map(|(_, at)| at),
        settings.response_format.as_ref().map(|(_, at)| *at),
    ];
    for at in rest.into_iter().flatten() {
        run.warn(WarningCode::SettingDropped, at, "the target does not have this setting");
    }
}

pub fn write_messages(run: &mut Run, request: &Request) -> Result<()> {
    let mut object = run.begin();
    object.key(run, Word::messages);
    messages::write_list(run, &request.messages);
    object.close(run);
    Ok(())
}
