//! What Converse accepts (WIRE §5.2, §5.5, §5.10).

pub use super::fit_messages::{block, messages, response};
use crate::fit::reasoning::{self, ADAPTIVE, ALL_EFFORTS, AcceptedReasoning};
use crate::fit::tools::{self as fit, ToolFields};
use crate::fit::{models, settings};
use crate::model::{Definition, Message, Request, ResponseFormat, Setting, Tool, ToolChoice};
use crate::models::facts::{ForcedCalls, Thinking};
use crate::run::{At, Result, Run, WarningCode};
use crate::value::{Keys, Word};

pub const HOST: Option<fn(&mut Run, &mut Request)> = None;
pub const MODEL: Option<fn(&mut Run, &mut Request, ToolFields)> = None;

/// For an unknown model. A budget must also be less than the token limit.
const ANY: AcceptedReasoning = AcceptedReasoning {
    efforts: Some(ALL_EFFORTS),
    budgets: Some((1024.0, f64::INFINITY)),
    off: true,
    adaptive: true,
    both: true,
    maps_efforts: false,
    within_limit: true,
};

pub fn request(run: &mut Run, request: &mut Request) -> Result<()> {
    messages(run, request)?;
    fit_thinking(run, request);
    tools(run, request, ToolFields::Both);
    if supply_tools(run, request) {
        // with tools, the model may accept less
        models::fit(run, request);
    }
    if let Some((ResponseFormat::Json, at)) = request.settings.response_format {
        run.warn(WarningCode::SettingDropped, at, "the target supports JSON only with a schema");
        request.settings.response_format = None;
    }
    settings::fit(run, &mut request.settings);
    models::fit_reasoning(run, &mut request.settings, f64::INFINITY);
    fit_one_of_sampling(run, request);
    Ok(())
}

fn fit_thinking(run: &mut Run, request: &mut Request) {
    let facts = request.settings.facts;
    let takes = AcceptedReasoning { adaptive: facts.effort_field.is_none(), ..ANY };
    let takes = takes.limited_by(&facts).within(run.route.to.format());
    exclude(run, request, &takes);
    reasoning::fit(run, &mut request.settings, &takes);
    let Some(asked) = &mut request.settings.reasoning else { return };
    let chooses = matches!(facts.thinking, Some(Thinking::Adaptive | Thinking::AdaptiveOrBudget));
    if let Some((true, at)) = asked.include.filter(|_| chooses && asked.budget.is_none()) {
        asked.budget = Some((run.build(|run| run.store.put_number(ADAPTIVE)), at));
    }
    let is_off = |run: &Run| reasoning::Thinking::of(run, asked).is_none();
    if is_off(run)
        && let Some((_, at)) = asked.include.take()
    {
        run.warn(WarningCode::StateDropped, at, "the target has this setting only beside thinking");
    }
}

/// Drops a budget that excludes the call that is required, as the call matters more (Q55).
fn exclude(run: &mut Run, request: &mut Request, takes: &AcceptedReasoning) {
    let Some(asked) = &request.settings.reasoning else { return };
    if !reasoning::needs_budget(run, asked, takes) || !fit::forces_a_call(run, request) {
        return;
    }
    let Some(asked) = &mut request.settings.reasoning else { return };
    let at = asked.budget.take().map(|(_, at)| at);
    let effort = if takes.efforts.is_none() { asked.effort.take().map(|(_, at)| at) } else { None };
    for at in at.into_iter().chain(effort) {
        run.warn(WarningCode::SettingDropped, at, "thinking can't be combined with a forced call");
    }
}

/// Some models accept only one of the two.
fn fit_one_of_sampling(run: &mut Run, request: &mut Request) {
    let settings = &mut request.settings;
    if settings.facts.one_of_sampling == Some(true)
        && settings.get(Setting::Temperature).is_some()
        && let Some((_, at)) = settings.take(Setting::TopP)
    {
        let message = "the model accepts only one of temperature and top_p";
        models::warn(run, settings, WarningCode::SettingDropped, at, "oneOfSampling", message);
    }
}

/// Fits the choice, and the tools that it leaves: the API has no allow-list, and no choice that forbids calls (Q49, Q53).
pub fn tools(run: &mut Run, request: &mut Request, part: ToolFields) {
    drop_blank_descriptions(run, request);
    let Some((choice, at)) = request.choice.clone() else { return fit::fit(run, request, part) };
    let is_forced = fit::is_forced(&choice);
    let has_names = request.settings.facts.forced_calls != Some(ForcedCalls::Any);
    let is_unforced = is_forced && models::refuses_forced_calls(&request.settings);
    if is_unforced {
        let message = "the model can't be made to call a tool: the choice is left to it";
        models::warn(run, &request.settings, WarningCode::SettingDropped, at, "forcedCalls", message);
    }
    let simpler = match &choice {
        ToolChoice::None => {
            forbid_calls(run, request, at, part);
            None
        }
        ToolChoice::Allowed { names, required } => {
            fit::keep_named(run, request, names, at);
            Some(if *required && !is_unforced { ToolChoice::Required } else { ToolChoice::Auto })
        }
        ToolChoice::Named(name) if is_unforced => {
            fit::keep_named(run, request, &[*name], at);
            Some(ToolChoice::Auto)
        }
        // of one tool, any is the same
        ToolChoice::Named(name) if !has_names => {
            fit::keep_named(run, request, &[*name], at);
            Some(ToolChoice::Required)
        }
        _ => is_unforced.then_some(ToolChoice::Auto),
    };
    fit::fit(run, request, part);
    if let (Some((choice, _)), Some(simpler)) = (&mut request.choice, simpler) {
        *choice = simpler;
    }
}

/// A request without calls must have no tools. Tools are required beside calls of earlier turns, and then calls can't be forbidden.
fn forbid_calls(run: &mut Run, request: &mut Request, at: At, part: ToolFields) {
    if part == ToolFields::Choice {
        run.warn(WarningCode::SettingDropped, at, "the target has no choice that forbids calls");
        return;
    }
    request.choice = None;
    if has_calls(request) {
        run.warn(WarningCode::SettingDropped, at, "beside earlier calls, the target can't forbid calls");
    } else {
        fit::keep_named(run, request, &[], at);
    }
}

fn has_calls(request: &Request) -> bool {
    request.messages.iter().any(|message| match message {
        Message::Assistant(assistant) => assistant.has_calls(),
        Message::Tool(_) => true,
        Message::System(_) | Message::User(_) => false,
    })
}

/// Defines the tools that earlier turns called, if the request defines none: the API requires tools beside calls (Q50). Returns whether it did.
fn supply_tools(run: &mut Run, request: &mut Request) -> bool {
    if run.route.is_piece || fit::are_sent(run, request) || !has_calls(request) {
        return false;
    }
    let mut known = Keys::default();
    let mut tools = Vec::new();
    for message in &request.messages {
        let Message::Assistant(assistant) = message else { continue };
        for call in assistant.calls() {
            if known.add(run.store.text(call.name).as_bytes()) {
                tools.push(Tool::Definition(Definition::new(call.at, call.name)));
            }
        }
    }
    let is_supplied = !tools.is_empty();
    if is_supplied {
        let message = "tools are required beside calls: those that were called are defined";
        run.warn(WarningCode::DefaultUsed, request.at, message);
        request.tools = Some(tools);
    }
    is_supplied
}

/// A description must not be empty (Q26).
fn drop_blank_descriptions(run: &mut Run, request: &mut Request) {
    for tool in request.tools.iter_mut().flatten() {
        let Tool::Definition(definition) = tool else { continue };
        if definition.description.is_some_and(|description| run.store.is_empty(description)) {
            let at = run.down(definition.at, Word::description);
            run.warn(WarningCode::EmptyDropped, at, "the target does not accept an empty description");
            definition.description = None;
        }
    }
}
