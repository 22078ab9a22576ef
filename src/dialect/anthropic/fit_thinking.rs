//! Which thinking settings a request may have.

use super::models::{self, Asked};
use super::thinking::is_sent;
use crate::fit::reasoning::{self, ADAPTIVE, Takes};
use crate::fit::tools;
use crate::model::{Block, Message, ReasoningSettings, Request};
use crate::run::{At, Run, WarningCode};
use crate::value::Word;

pub fn fit(run: &mut Run, request: &mut Request) {
    let takes = models::takes(run, &request.settings).within(run.route.to.format());
    exclude(run, request, &takes);
    reasoning::fit(run, &mut request.settings, &takes);
    let Some(asked) = &mut request.settings.reasoning else { return };
    if let Some((true, at)) = asked.include.filter(|_| asked.budget.is_none()) {
        if takes.adaptive {
            asked.budget = Some((run.build(|run| run.store.put_number(ADAPTIVE)), at));
        } else {
            models::warn_refused(run, at);
        }
    }
}

/// Drops thinking settings that the API rejects beside the rest of the request: all of them if a call is forced, as the call matters more (Q55), and
/// a budget if the current turn does not begin with thinking.
fn exclude(run: &mut Run, request: &mut Request, takes: &Takes) {
    let Some(asked) = &request.settings.reasoning else { return };
    let needs_budget = reasoning::needs_budget(run, asked, takes);
    let Some(at) = thinks_at(run, asked, needs_budget) else { return };
    let is_forced = tools::forces_a_call(run, request) && !models::refuses(run, &request.settings, Asked::ForcedCall);
    if !(is_forced || needs_budget && !leads_the_turn(run, &request.messages)) {
        return;
    }
    let why = if is_forced {
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
        if is_forced && let Some((true, at)) = asked.include.take().filter(|_| had_budget) {
            run.warn(WarningCode::SettingDropped, at, why);
        }
    }
    if is_forced && let Some(rest) = request.metadata.family_field(Word::thinking) {
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
