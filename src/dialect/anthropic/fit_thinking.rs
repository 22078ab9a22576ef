//! Which thinking settings a request may have.

use super::thinking::is_sent;
use crate::fit::reasoning::{self, ADAPTIVE, AcceptedReasoning};
use crate::fit::{models, tools};
use crate::model::{Block, Message, ReasoningSettings, Request};
use crate::models::Effort;
use crate::models::facts::{Efforts, ForcedCalls, Off, Thinking};
use crate::run::{At, Run, WarningCode};
use crate::value::Word;

/// For an unknown model. A budget must also be less than `max_tokens`.
const ANY: AcceptedReasoning = AcceptedReasoning {
    efforts: Some(Efforts::of(&[Effort::Low, Effort::Medium, Effort::High, Effort::Xhigh, Effort::Max])),
    budgets: Some((1024.0, f64::INFINITY)),
    off: true,
    adaptive: true,
    both: true,
    maps_efforts: false,
    within_limit: true,
};

pub fn fit(run: &mut Run, request: &mut Request) {
    if request.settings.reasoning.is_none() {
        return;
    }
    let facts = request.settings.facts;
    let adaptive = !matches!(facts.thinking, Some(Thinking::Budget | Thinking::None));
    let takes = AcceptedReasoning { adaptive, ..ANY.limited_by(&facts) }.within(run.route.to.format());
    exclude(run, request, &takes);
    reasoning::fit(run, &mut request.settings, &takes);
    spell_off(run, request);
    let Some(asked) = &mut request.settings.reasoning else { return };
    if let Some((true, at)) = asked.include.filter(|_| asked.budget.is_none()) {
        if takes.adaptive {
            asked.budget = Some((run.build(|run| run.store.put_number(ADAPTIVE)), at));
        } else {
            let message = "the model can't choose by itself how much it thinks";
            models::warn(run, &request.settings, WarningCode::SettingDropped, at, "thinking", message);
        }
    }
}

/// How the model wants thinking turned off: a form, as for requests that come in this format.
fn spell_off(run: &mut Run, request: &mut Request) {
    let asked = request.settings.reasoning.as_ref();
    let is_off = asked.is_some_and(|asked| reasoning::Thinking::of(run, asked) == Some(reasoning::Thinking::Off));
    match request.settings.facts.off {
        Some(Off::BetweenTools) if is_off => {
            let form = run.store.word_value(Word::between_tools);
            request.metadata.forget_form(Word::thinking);
            request.metadata.add_form(Word::thinking, form);
        }
        Some(_) if is_off => request.metadata.forget_form(Word::thinking),
        _ => {}
    }
}

/// Drops thinking settings that the API rejects beside the rest of the request: those that a forced call excludes, as the call matters more (Q55), and
/// a budget if the current turn does not begin with thinking.
fn exclude(run: &mut Run, request: &mut Request, takes: &AcceptedReasoning) {
    let Some(asked) = &request.settings.reasoning else { return };
    let needs_budget = reasoning::needs_budget(run, asked, takes);
    let Some(at) = thinks_at(run, asked, needs_budget) else { return };
    let forced = request.settings.facts.forced_calls;
    let is_forced = forced != Some(ForcedCalls::No) && tools::forces_a_call(run, request);
    let is_excluded = is_forced && (needs_budget || forced != Some(ForcedCalls::Yes));
    if !(is_excluded || needs_budget && !leads_the_turn(run, &request.messages)) {
        return;
    }
    let why = if is_excluded {
        "thinking can't be combined with a forced call"
    } else {
        "with a budget, the current turn must begin with thinking, and it does not"
    };
    run.warn(WarningCode::SettingDropped, at, why);
    if let Some(asked) = &mut request.settings.reasoning {
        let had_budget = asked.budget.take().is_some();
        if takes.efforts.is_none() {
            asked.effort = None;
        }
        if is_excluded && let Some((true, at)) = asked.include.take().filter(|_| had_budget) {
            run.warn(WarningCode::SettingDropped, at, why);
        }
    }
    if is_excluded && let Some(rest) = request.metadata.family_field(Word::thinking) {
        if !run.is_all_void(rest) {
            let at = run.family_at(request.at);
            let at = run.down(at, Word::thinking);
            run.warn(WarningCode::FieldDropped, at, why);
        }
        request.metadata.set_family_field(Word::thinking, None);
    }
}

/// The position of the setting that asks for thinking, if any.
fn thinks_at(run: &Run, reasoning: &ReasoningSettings, needs_budget: bool) -> Option<At> {
    match reasoning {
        ReasoningSettings { effort: Some((Word::none, _)), .. } => None,
        ReasoningSettings { budget: Some((budget, at)), .. } => (run.store.number(*budget) != 0.0).then_some(*at),
        ReasoningSettings { effort: Some((_, at)), .. } if needs_budget => Some(*at),
        ReasoningSettings { include: Some((true, at)), .. } => Some(*at),
        ReasoningSettings { effort: _, budget: None, include: Some((false, _)) | None } => None,
    }
}

/// Whether the current turn, if there is one, begins with thinking that will be sent. The API requires that with a budget (Q197).
fn leads_the_turn(run: &Run, messages: &[Message]) -> bool {
    let is_assistant = |message: &&Message| matches!(message, Message::Assistant(_));
    let is_result = |message: &&Message| matches!(message, Message::Tool(_));
    let is_turn = |message: &&Message| !matches!(message, Message::System(_));
    let messages: Vec<&Message> = messages.iter().filter(is_turn).collect();
    let Some(last) = messages.iter().rposition(is_assistant) else { return true };
    let (until, after) = messages.split_at(last + 1);
    if !after.is_empty() && !after.iter().any(is_result) {
        return true;
    }
    let turn = until.iter().rev().take_while(|message| is_assistant(message) || is_result(message));
    match turn.filter(|message| is_assistant(message)).last() {
        Some(Message::Assistant(first)) => match first.blocks().first() {
            Some(Block::Reasoning(reasoning)) => is_sent(run, reasoning),
            _ => false,
        },
        _ => true,
    }
}
