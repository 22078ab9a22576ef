//! What the Messages API accepts (WIRE §3.0, §3.10).

pub use super::fit_messages::{block, messages, response};
use super::fit_thinking;
use super::request::SAMPLING;
use super::{adopted, cache_marks, platform};
use crate::fit::reasoning::Thinking;
use crate::fit::tools::{self as fit, ToolFields};
use crate::fit::{models, settings};
use crate::model::{Request, ResponseFormat, Setting, Settings, ToolChoice};
use crate::models::ModelFacts;
use crate::models::facts::SettingNames;
use crate::number::javascript;
use crate::run::{At, Result, Run, WarningCode};
use crate::value::{Value, Word};

/// `max_tokens` of a request without one, for an unknown model: the API requires it (Q111).
const USUAL_LIMIT: f64 = 4096.0;
/// The greatest default. Anthropic's SDK refuses more than 21,333 tokens unless the response is streamed.
const GREATEST_STREAMED: f64 = 32_000.0;
const GREATEST_WHOLE: f64 = 21_333.0;
/// The least `top_p` beside thinking (Q210).
const LEAST_TOP_P: f64 = 0.95;

/// What any model refuses.
const ANY_MODEL: ModelFacts = ModelFacts {
    refused_with_reasoning: Some(SettingNames::of(&[Setting::Temperature, Setting::TopP, Setting::TopK])),
    ..ModelFacts::NONE
};

/// The version of the API.
pub const HOST: Option<fn(&mut Run, &mut Request)> = Some(host);
pub const MODEL: Option<fn(&mut Run, &mut Request, ToolFields)> = None;

fn host(run: &mut Run, request: &mut Request) {
    drop_unsupported_sampling(run, request);
    cache_marks::add(run, request);
}

pub fn request(run: &mut Run, request: &mut Request) -> Result<()> {
    messages(run, request)?;
    fit_thinking::fit(run, request);
    require_limit(run, request);
    tools(run, request, ToolFields::Both);
    drop_unsupported_sampling(run, request);
    settings::fit(run, &mut request.settings);
    request.settings.facts = request.settings.facts.over(ANY_MODEL);
    models::fit_reasoning(run, &mut request.settings, LEAST_TOP_P);
    fit_one_of_sampling(run, &mut request.settings);
    fit_user(run, request);
    fit_format(run, request);
    cache_marks::add(run, request);
    Ok(())
}

fn require_limit(run: &mut Run, request: &mut Request) {
    if request.settings.get(Setting::MaxTokens).is_some() || !run.route.to.format().has(Setting::MaxTokens) {
        return;
    }
    // thinking counts too, so the limit must allow a response beside it
    let budget = match thinking(run, request) {
        Some(Thinking::Budget(budget)) => run.store.number(budget),
        Some(Thinking::Off | Thinking::Adaptive) | None => 0.0,
    };
    let default = default_limit(run, &request.settings);
    let limit = if budget < default { default } else { budget + USUAL_LIMIT };
    let at = request.at;
    // the limit of an unknown model may cut responses off
    let is_known = request.settings.facts.max_output.is_some() || run.options.default_max_tokens.is_some();
    let code = if is_known { WarningCode::FieldSupplied } else { WarningCode::DefaultUsed };
    run.warn(code, at, &format!("max_tokens is required: {} is used", javascript(limit)));
    request.settings.set(Setting::MaxTokens, run.build(|run| run.store.put_number(limit)), at);
}

/// `max_tokens` of a request without one.
fn default_limit(run: &Run, settings: &Settings) -> f64 {
    if let Some(tokens) = run.options.default_max_tokens {
        return tokens as f64;
    }
    let is_streamed = settings.get(Setting::Stream).is_some_and(|(stream, _)| run.store.boolean(stream));
    let greatest = if is_streamed { GREATEST_STREAMED } else { GREATEST_WHOLE };
    settings.facts.max_output.map_or(USUAL_LIMIT, |most| f64::from(most).min(greatest))
}

fn thinking(run: &Run, request: &Request) -> Option<Thinking> {
    request.settings.reasoning.as_ref().and_then(|reasoning| Thinking::of(run, reasoning))
}

/// Drops sampling settings if the version of the API has none.
fn drop_unsupported_sampling(run: &mut Run, request: &mut Request) {
    if platform::takes_sampling(run, &request.metadata) {
        return;
    }
    for setting in SAMPLING {
        let is_default = settings::has_default(run, &request.settings, setting);
        if let Some((_, at)) = request.settings.take(setting).filter(|_| !is_default) {
            run.warn(WarningCode::SettingDropped, at, "API version 2026-10-21 does not accept sampling settings");
        }
    }
}

/// Some models accept only one of the two.
fn fit_one_of_sampling(run: &mut Run, settings: &mut Settings) {
    if settings.facts.one_of_sampling == Some(true)
        && settings.get(Setting::Temperature).is_some()
        && let Some((_, at)) = settings.take(Setting::TopP)
    {
        let message = "the model accepts only one of temperature and top_p";
        models::warn(run, settings, WarningCode::SettingDropped, at, "oneOfSampling", message);
    }
}

/// The API rejects long user ids and e-mail addresses (Q97i).
fn fit_user(run: &mut Run, request: &mut Request) {
    match request.settings.get(Setting::UserId) {
        Some((user, at)) if !is_user(run, user) => {
            run.warn(
                WarningCode::SettingDropped,
                at,
                "the target does not accept a user id that is an e-mail address or longer than 512 characters",
            );
            request.settings.clear(Setting::UserId);
        }
        Some(_) => {}
        None => {
            if let Some((identifier, rest)) = adopted::safety_identifier(run, &request.metadata)
                && is_user(run, identifier)
            {
                request.settings.set(Setting::UserId, identifier, request.at);
                request.metadata = rest;
            }
        }
    }
}

fn is_user(run: &Run, user: Value) -> bool {
    const LONGEST: usize = 512;
    let text = run.store.text(user);
    let is_address = text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
    !is_address && text.chars().count() <= LONGEST
}

fn fit_format(run: &mut Run, request: &mut Request) {
    if let Some((ResponseFormat::Json, at)) = request.settings.response_format {
        run.warn(WarningCode::SettingDropped, at, "the target supports JSON only with a schema");
        request.settings.response_format = None;
    }
    settings::drop_schema_labels(run, &mut request.settings);
}

/// Fits the choice, and the tools that it leaves: the API has no allow-list (Q53).
pub fn tools(run: &mut Run, request: &mut Request, part: ToolFields) {
    let Some((choice, at)) = request.choice.clone() else { return fit::fit(run, request, part) };
    let is_forced = fit::is_forced(&choice) && (part == ToolFields::Choice || fit::forces_a_call(run, request));
    let is_unforced = is_forced && models::refuses_forced_calls(&request.settings);
    if is_unforced {
        let message = "the model can't be made to call a tool: the choice is left to it";
        models::warn(run, &request.settings, WarningCode::SettingDropped, at, "forcedCalls", message);
    }
    let simpler = match &choice {
        ToolChoice::Allowed { names, required } => {
            fit::keep_named(run, request, names, at);
            Some(if *required && !is_unforced { ToolChoice::Required } else { ToolChoice::Auto })
        }
        ToolChoice::Named(name) if is_unforced => {
            fit::keep_named(run, request, &[*name], at);
            Some(ToolChoice::Auto)
        }
        _ => is_unforced.then_some(ToolChoice::Auto),
    };
    fit::fit(run, request, part);
    if let (Some((choice, _)), Some(simpler)) = (&mut request.choice, simpler) {
        *choice = simpler;
    }
    if let Some((ToolChoice::Native { value, .. }, _)) = request.choice {
        warn_native_parallel(run, value, request.parallel);
    }
}

/// Warns about parallel control beside a native choice, whose fields are unknown.
fn warn_native_parallel(run: &mut Run, choice: Value, parallel: Option<(bool, At)>) {
    let Some((false, at)) = parallel else { return };
    if !run.member(choice, Word::disable_parallel_tool_use).is_some_and(|disabled| run.store.boolean(disabled)) {
        run.warn(WarningCode::ParallelDropped, at, "parallel calls can't be controlled with this choice");
    }
}
