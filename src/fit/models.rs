//! What the model of a request refuses, by the facts about it ([`crate::models`]). A provider's own client knows what its models accept, so requests
//! between formats of one provider are not fitted, except for the API.

use super::settings::take;
use super::tools;
use crate::fit::reasoning::{Thinking, effort_of, known_effort};
use crate::model::{Request, ResponseFormat, Setting, Settings, Tool};
use crate::models::facts::{ForcedCalls, SettingNames, StructuredOutput, Thinking as Asked, ToolsApi};
use crate::models::{self, Effort, ModelFacts};
use crate::run::{At, Run, WarningCode};

/// Looks up the facts of the request's model: those that the options state, then those of the table.
pub fn look_up(run: &Run, settings: &mut Settings) {
    let given = run.options.model_facts.unwrap_or_default();
    let host = run.host();
    settings.facts = match given.like {
        Some(model) => given.over(model.facts(host)),
        None => match settings.get(Setting::Model) {
            Some((name, _)) => given.over(known(run, &run.store.text(name))),
            None => given,
        },
    };
}

/// The facts of a model with an API of the target's family, or on a host of many providers' models. Those of other providers' models are the business of
/// the server that offers them.
fn known(run: &Run, name: &str) -> ModelFacts {
    let provider = run.route.to.base().provider();
    let is_hosted = run.route.to.format().hosts_models;
    let model = models::Model::named(name).filter(|model| is_hosted || provider == Some(model.provider()));
    model.map_or(ModelFacts::NONE, |model| model.facts(run.host()))
}

/// Reports what follows from a fact about the model.
pub fn warn(run: &mut Run, settings: &Settings, code: WarningCode, at: At, fact: &str, message: &str) {
    let because = because(run, settings, fact);
    run.warn(code, at, &[message, &because].concat());
}

/// The model and the fact, in parentheses.
pub fn because(run: &Run, settings: &Settings, fact: &str) -> String {
    match settings.get(Setting::Model) {
        Some((name, _)) => [" (", &run.store.text(name), ": ", fact, ")"].concat(),
        None => [" (", fact, ")"].concat(),
    }
}

/// Drops what the model always refuses, before anything else is fitted.
pub fn fit(run: &mut Run, request: &mut Request) {
    let facts = request.settings.facts;
    drop_settings(run, &mut request.settings, (facts.refused, "refused"), USUAL_TOP_P);
    if facts.strict_tools == Some(false) {
        drop_strict(run, request);
    }
    if facts.parallel_calls == Some(false)
        && let Some((true, at)) = request.parallel.take()
    {
        let message = "the model makes one call in a turn";
        warn(run, &request.settings, WarningCode::ParallelDropped, at, "parallelCalls", message);
    }
    fit_format(run, request);
}

fn drop_strict(run: &mut Run, request: &mut Request) {
    for tool in request.tools.iter_mut().flatten() {
        if let Tool::Definition(definition) = tool
            && let Some((true, at)) = definition.strict.take()
        {
            warn(
                run,
                &request.settings,
                WarningCode::StrictDropped,
                at,
                "strictTools",
                "the model has no strict tools",
            );
        }
    }
}

fn fit_format(run: &mut Run, request: &mut Request) {
    let Some((ResponseFormat::Json | ResponseFormat::Schema { .. }, at)) = request.settings.response_format else {
        return;
    };
    let why = match request.settings.facts.structured_output {
        Some(StructuredOutput::No) => "the model has no structured output",
        Some(StructuredOutput::WithoutTools) if tools::are_sent(run, request) => {
            "the model accepts tools or JSON, not both"
        }
        Some(StructuredOutput::WithoutForcedCalls) if tools::forces_a_call(run, request) => {
            "the model accepts a required call or JSON, not both"
        }
        Some(_) | None => return,
    };
    warn(run, &request.settings, WarningCode::SettingDropped, at, "structuredOutput", why);
    request.settings.response_format = None;
}

/// Drops what the model refuses while it reasons. The reasoning was fitted before. `top_p`: the least value that is accepted nevertheless.
pub fn fit_reasoning(run: &mut Run, settings: &mut Settings, top_p: f64) {
    if reasons(run, settings) && reaches(settings) {
        drop_settings(run, settings, (settings.facts.refused_with_reasoning, "refusedWithReasoning"), top_p);
    }
}

/// Whether the effort is one at which the model refuses settings.
fn reaches(settings: &Settings) -> bool {
    let effort = settings.reasoning.as_ref().and_then(effort_of).and_then(known_effort);
    settings.facts.refused_from_effort.is_none_or(|least| effort.is_some_and(|effort| effort as i32 >= least as i32))
}

/// Whether the model will reason.
pub fn reasons(run: &Run, settings: &Settings) -> bool {
    let facts = settings.facts;
    let by_effort = matches!(facts.thinking, Some(Asked::Effort | Asked::Level));
    let asked = settings.reasoning.as_ref();
    match asked.and_then(|asked| Thinking::of(run, asked)) {
        Some(Thinking::Off) => false,
        Some(Thinking::Adaptive | Thinking::Budget(_)) => true,
        None if asked.is_some_and(|asked| asked.effort.is_some()) => by_effort,
        None => by_effort && facts.default_effort.is_some_and(|effort| effort != Effort::None),
    }
}

/// The least `top_p` that is as good as none.
const USUAL_TOP_P: f64 = 0.99;

/// Drops refused settings. Those with their usual values stay, as providers accept them, and a `top_p` of at least `least_top_p`.
fn drop_settings(
    run: &mut Run,
    settings: &mut Settings,
    (refused, fact): (Option<SettingNames>, &str),
    least_top_p: f64,
) {
    for setting in refused.iter().flat_map(|refused| refused.words()) {
        let value = settings.get(setting).map_or(f64::NAN, |(value, _)| run.store.number(value));
        let is_kept = match setting {
            Setting::Temperature | Setting::CandidateCount => value == 1.0,
            Setting::PresencePenalty | Setting::FrequencyPenalty => value == 0.0,
            Setting::TopP => value >= least_top_p,
            _ => false,
        };
        if is_kept {
            continue;
        }
        for at in take(settings, setting).into_iter().flatten() {
            warn(run, settings, WarningCode::SettingDropped, at, fact, "the model refuses this setting");
        }
    }
}

/// Whether the model refuses a choice that requires a call.
pub fn refuses_forced_calls(settings: &Settings) -> bool {
    settings.facts.forced_calls == Some(ForcedCalls::No)
}

/// Reports that Chat Completions refuses tools for this model.
pub fn warn_api(run: &mut Run, request: &mut Request) {
    let settings = &request.settings;
    let is_refused = match settings.facts.tools_api {
        Some(ToolsApi::Responses) => true,
        Some(ToolsApi::ResponsesIfReasoning) => reasons(run, settings),
        Some(ToolsApi::Any) | None => false,
    };
    if !is_refused || !tools::are_sent(run, request) {
        return;
    }
    let or =
        if request.settings.facts.tools_api == Some(ToolsApi::Responses) { "" } else { ", or the effort \"none\"" };
    let message = format!("Chat Completions refuses tools for this model: convert to \"openai-responses\"{or}");
    warn(run, &request.settings, WarningCode::ApiRefused, request.at, "toolsApi", &message);
}
