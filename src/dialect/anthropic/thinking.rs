//! Thinking: on with a budget, left to the model, or off (WIRE §3.10).

use super::prefill::is_silent;
use super::{models, tools};
use crate::dialect::shared::reasoning::{self, Fitted, Takes, Thinking};
use crate::model::{Block, Message, Metadata, Reasoning, ReasoningSettings, Request, Settings};
use crate::run::{At, Provider, Result, Run, WarningCode, Writing};
use crate::value::{Value, Word};
use std::borrow::Cow;

/// A request without a limit gets this one: the API demands one (Q111).
const USUAL_LIMIT: f64 = 4096.0;

/// The budget of a model that decides by itself.
const ADAPTIVE: f64 = -1.0;

/// `thinking`: on with a budget, left to the model, or off; its other modes only Anthropic knows.
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
        Word::adaptive => reasoning.budget = Some((run.build(|run| run.store.put_number(ADAPTIVE)), kind_at)),
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

/// What the request asks for, as the API takes it.
pub struct Fitting {
    pub effort: Option<Word>,
    pub thinking: Option<Thinking>,
    /// Thinking was left out, as a forced call excludes it.
    pub is_excluded: bool,
}

impl Fitting {
    pub fn thinks(&self) -> bool {
        matches!(self.thinking, Some(Thinking::Adaptive | Thinking::Budget(_)))
    }

    /// The limit of a request that came without one: thinking counts, so there must be room for an answer beside it.
    pub fn usual_limit(&self, run: &Run) -> f64 {
        let budget = match self.thinking {
            Some(Thinking::Budget(budget)) => run.store.number(budget),
            Some(Thinking::Off | Thinking::Adaptive) | None => 0.0,
        };
        if budget < USUAL_LIMIT { USUAL_LIMIT } else { budget + USUAL_LIMIT }
    }
}

pub fn fitting(run: &mut Run, request: &Request) -> Fitting {
    let takes = models::takes(run, &request.settings);
    let mut settings = Cow::Borrowed(&request.settings);
    let is_excluded = exclude(run, request, &takes, &mut settings);
    let Fitted { effort, thinking } = reasoning::fit(run, &settings, &takes);
    let mut thinking = thinking.map(|(thinking, _)| thinking);
    let include = settings.reasoning.as_ref().and_then(|reasoning| reasoning.include);
    if let Some((true, at)) = include.filter(|_| thinking.is_none()) {
        if takes.adaptive {
            thinking = Some(Thinking::Adaptive);
        } else {
            models::tell_dropped(run, at);
        }
    }
    Fitting { effort: effort.map(|(effort, _)| effort), thinking, is_excluded }
}

/// Leaves out what the API refuses beside the rest of the request: thinking where a call is forced (the call is what is asked
/// for, Q55), a budget where no thinking leads the turn under way. Whether a forced call was the reason.
fn exclude(run: &mut Run, request: &Request, takes: &Takes, settings: &mut Cow<Settings>) -> bool {
    let Some(asked) = request.settings.reasoning.as_ref().filter(|_| run.from != run.to) else { return false };
    let needs_budget = reasoning::needs_budget(run, asked, takes);
    let Some(at) = thinks_at(run, asked, needs_budget) else { return false };
    let is_forced = tools::forces_a_call(run, request);
    if !(is_forced || needs_budget && !leads_the_turn(run, &request.messages)) {
        return false;
    }
    let why = if is_forced {
        "a forced call and thinking exclude each other"
    } else {
        "with a budget, thinking must lead the turn under way, and none does"
    };
    run.warn(WarningCode::SettingDropped, at, why);
    if let Some(asked) = &mut settings.to_mut().reasoning {
        let had_budget = asked.budget.take().is_some();
        if takes.efforts.is_none() {
            asked.effort = None;
        }
        if is_forced && let Some((true, at)) = asked.include.take().filter(|_| had_budget) {
            run.warn(WarningCode::SettingDropped, at, why);
        }
    }
    is_forced
}

/// Where thinking is asked for, if it is.
fn thinks_at(run: &Run, reasoning: &ReasoningSettings, needs_budget: bool) -> Option<At> {
    match reasoning {
        ReasoningSettings { effort: Some((Word::none, _)), .. } => None,
        ReasoningSettings { budget: Some((budget, at)), .. } => (run.store.number(*budget) != 0.0).then_some(*at),
        ReasoningSettings { effort: Some((_, at)), .. } if needs_budget => Some(*at),
        ReasoningSettings { include: Some((true, at)), .. } => Some(*at),
        ReasoningSettings { effort: _, budget: None, include: Some((false, _)) | None } => None,
    }
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
