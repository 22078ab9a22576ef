//! Thinking: on with a budget, left to the model, or off (WIRE §3.10).

use super::models::{self, Asked};
use super::prefill::is_silent;
use super::tools;
use crate::model::{Block, Message, Metadata, Reasoning, ReasoningSettings, Request, Setting, Settings};
use crate::run::{At, Provider, Result, Run, WarningCode, Writing};
use crate::value::text::number::javascript;
use crate::value::{Value, Word};
use std::borrow::Cow;

/// A request without a limit gets this one: the API demands one (Q111).
const USUAL_LIMIT: f64 = 4096.0;
/// The least budget; a budget is also less than `max_tokens`.
const LEAST_BUDGET: f64 = 1024.0;

/// `thinking`: on with a budget, or off; its other modes only Anthropic knows.
pub fn read(
    run: &mut Run,
    value: Value,
    at: At,
    reasoning: &mut ReasoningSettings,
    metadata: &mut Metadata,
) -> Result<()> {
    let mut inner = run.object(value, at)?;
    let (kind, kind_at) = inner.require(run, Word::r#type)?;
    match run.store.word(kind) {
        Word::enabled => {
            let (budget, at) = inner.require(run, Word::budget_tokens)?;
            run.number(budget, at)?;
            reasoning.budget = Some((budget, at));
        }
        Word::disabled => reasoning.effort = Some((Word::none, kind_at)),
        Word::adaptive
            if inner.peek(Word::display).is_some_and(|display| run.store.word(display) == Word::summarized) => {}
        _ => {
            metadata.add(crate::run::Key::Word(Word::thinking), value);
            return Ok(());
        }
    }
    // other ways to show it stay with Anthropic
    let display = inner.peek(Word::display).map(|display| run.store.word(display));
    if let Some(display @ (Word::summarized | Word::omitted)) = display {
        reasoning.include = Some((display == Word::summarized, run.down(at, Word::display)));
        inner.take_any(Word::display);
    }
    inner.rest_into(run, Word::thinking, metadata);
    Ok(())
}

/// The settings without thinking, where a call is forced: the API refuses both together, and the call is what is asked for (Q55).
pub fn beside_choice<'a>(run: &mut Run, request: &'a Request) -> Cow<'a, Settings> {
    let settings = &request.settings;
    let thinks = settings.reasoning.as_ref().and_then(|reasoning| thinks_at(run, reasoning));
    let Some(at) = thinks.filter(|_| run.from != run.to && tools::forces_a_call(run, request)) else {
        return Cow::Borrowed(settings);
    };
    let why = "a forced call and thinking exclude each other";
    run.warn(WarningCode::SettingDropped, at, why);
    let mut settings = settings.clone();
    if let Some(reasoning) = &mut settings.reasoning {
        let budgeted = reasoning.budget.take().is_some();
        if let Some((true, at)) = reasoning.include.take().filter(|_| budgeted) {
            run.warn(WarningCode::SettingDropped, at, why);
        }
    }
    Cow::Owned(settings)
}

/// Where thinking is asked for, if it is.
fn thinks_at(run: &Run, reasoning: &ReasoningSettings) -> Option<At> {
    match reasoning {
        ReasoningSettings { effort: Some((Word::none, _)), .. } => None,
        ReasoningSettings { budget: Some((budget, at)), .. } => (run.store.number(*budget) != 0.0).then_some(*at),
        ReasoningSettings { include: Some((true, at)), .. } => Some(*at),
        ReasoningSettings { effort: _, budget: None, include: Some((false, _)) | None } => None,
    }
}

/// How much is thought.
#[derive(Clone, Copy, PartialEq)]
pub enum Thinking {
    Off,
    /// As the model sees fit.
    Adaptive,
    Budget(Value),
}

/// The limit of a request that came without one: thinking counts, so there must be room for an answer beside it.
pub fn usual_limit(run: &Run, settings: &Settings) -> f64 {
    let budget = settings.reasoning.as_ref().and_then(|reasoning| reasoning.budget);
    let budget = budget.map_or(0.0, |(budget, _)| run.store.number(budget));
    if budget < USUAL_LIMIT { USUAL_LIMIT } else { budget + USUAL_LIMIT }
}

/// What the request asks for, as the API takes it; None where it says nothing.
pub fn fitting(run: &mut Run, settings: &Settings, messages: &[Message]) -> Option<Thinking> {
    let ReasoningSettings { effort, budget, include } = settings.reasoning.as_ref()?;
    if effort.is_some_and(|(effort, _)| effort == Word::none) {
        // else the least effort says it
        return (!models::refuses(run, settings, Asked::ThinkingOff)).then_some(Thinking::Off);
    }
    let budgeted = budget.and_then(|(budget, at)| fitting_budget(run, settings, messages, (budget, at)));
    match include {
        Some((true, at)) if budgeted.is_none() => known(run, settings, Thinking::Adaptive, *at),
        _ => budgeted,
    }
}

/// A way to think without a budget, if the model knows it.
fn known(run: &mut Run, settings: &Settings, thinking: Thinking, at: At) -> Option<Thinking> {
    let asked = if thinking == Thinking::Off { Asked::ThinkingOff } else { Asked::AdaptiveThinking };
    (!models::drops(run, settings, asked, at)).then_some(thinking)
}

pub fn write(run: &mut Run, object: &mut Writing, thinking: Thinking, settings: &Settings, metadata: &Metadata) {
    object.key(run, Word::thinking);
    let mut inner = run.begin();
    match thinking {
        Thinking::Off => inner.word(run, Word::r#type, Word::disabled),
        Thinking::Adaptive => inner.word(run, Word::r#type, Word::adaptive),
        Thinking::Budget(budget) => {
            inner.word(run, Word::r#type, Word::enabled);
            inner.put(run, Word::budget_tokens, budget);
        }
    }
    let include = settings.reasoning.as_ref().and_then(|reasoning| reasoning.include);
    if let Some((include, _)) = include.filter(|_| thinking != Thinking::Off) {
        inner.word(run, Word::display, if include { Word::summarized } else { Word::omitted });
    }
    inner.add_nested(run, metadata, Word::thinking);
    inner.close(run);
}

/// The budget as the API takes it. Elsewhere none is 0, and a negative one leaves it to the model (WIRE §4.10).
fn fitting_budget(
    run: &mut Run,
    settings: &Settings,
    messages: &[Message],
    (budget, at): (Value, At),
) -> Option<Thinking> {
    let given = run.store.number(budget);
    let has_effort = settings.reasoning.as_ref().is_some_and(|reasoning| reasoning.effort.is_some());
    if run.from == run.to && !(given == 0.0 && has_effort) {
        return Some(Thinking::Budget(budget));
    }
    let limit = settings.get(Setting::MaxTokens).map_or(f64::INFINITY, |(limit, _)| run.store.number(limit));
    if given == 0.0 {
        return known(run, settings, Thinking::Off, at);
    }
    if given < 0.0 {
        return known(run, settings, Thinking::Adaptive, at);
    }
    if models::refuses(run, settings, Asked::ThinkingBudget) {
        run.warn(WarningCode::SettingChanged, at, "the model takes no budget");
        return Some(Thinking::Adaptive);
    }
    if !leads_the_turn(run, messages) {
        run.warn(WarningCode::SettingDropped, at, "with a budget thinking must lead the turn under way, and none does");
        return None;
    }
    if limit <= LEAST_BUDGET {
        let message = "a budget is at least 1024 tokens, and max_tokens more";
        run.warn(WarningCode::SettingDropped, at, message);
        return None;
    }
    let fitting = given.floor().min(limit - 1.0).max(LEAST_BUDGET);
    if fitting == given {
        return Some(Thinking::Budget(budget));
    }
    let message =
        format!("a budget is at least 1024 tokens, and less than max_tokens: {} were taken", javascript(fitting));
    run.warn(WarningCode::SettingChanged, at, &message);
    Some(Thinking::Budget(run.build(|run| run.store.put_number(fitting))))
}

/// Whether the turn under way, if one is, begins with thinking that will be sent: a budget demands it (Q197).
fn leads_the_turn(run: &mut Run, messages: &[Message]) -> bool {
    let is_assistant = |message: &&Message| matches!(message, Message::Assistant(_));
    let is_result = |message: &&Message| matches!(message, Message::Tool(_));
    // what is hoisted or left out is in nobody's turn
    let is_said = |message: &&Message| !matches!(message, Message::System(_)) && !is_silent(run, message);
    let messages: Vec<&Message> = messages.iter().filter(is_said).collect();
    let Some(last) = messages.iter().rposition(is_assistant) else { return true };
    let (until, after) = messages.split_at(last + 1);
    if !after.is_empty() && !after.iter().any(is_result) {
        return true;
    }
    let turn = until.iter().rev().take_while(|message| is_assistant(message) || is_result(message));
    match turn.filter(|message| is_assistant(message)).last() {
        Some(Message::Assistant(first)) => match first.blocks().first() {
            Some(Block::Reasoning(reasoning)) => is_sent(reasoning),
            _ => false,
        },
        _ => true,
    }
}

/// Whether a client gets reasoning of OpenAI, or of a server like it, as thinking without a signature. Servers like it demand it back
/// (Q207), and take it from there.
pub fn is_carried(run: &Run, reasoning: &Reasoning) -> bool {
    let has_text = reasoning.text.is_some_and(|text| !run.store.is_empty(text));
    run.is_answer && reasoning.issuer == Provider::OpenAI && has_text
}

/// Whether thinking goes back to Anthropic: what it signed or redacted, and what a server like it did not sign.
pub fn is_sent(reasoning: &Reasoning) -> bool {
    let Reasoning { signature, redacted, issuer, metadata, .. } = reasoning;
    let is_whole = redacted.is_some() || signature.is_some() || metadata.form(Word::signature).is_some();
    *issuer == Provider::Anthropic && is_whole
}
