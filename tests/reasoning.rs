//! Reasoning settings: every combination of effort, budget and display, for every generation of models. The table below is
//! written from the providers' documentation, not from the package's own tables.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use serde_json::{Value, json};
use toolwire::{Dialect, Options, Subject, Warning, WarningCode, convert_text};

/// What a model accepts. A model without efforts and budgets does not reason.
struct Model {
    to: Dialect,
    name: &'static str,
    efforts: &'static [&'static str],
    budgets: Option<(f64, f64)>,
    off: bool,
    adaptive: bool,
    /// Whether effort and budget may be combined.
    both: bool,
    /// Whether it reasons without a setting.
    reasons_unasked: bool,
}

const NOTHING: Model = Model {
    to: Dialect::OpenAI,
    name: "",
    efforts: &[],
    budgets: None,
    off: false,
    adaptive: false,
    both: false,
    reasons_unasked: true,
};
const ALL: &[&str] = &["minimal", "low", "medium", "high", "xhigh", "max"];
const FOUR: &[&str] = &["minimal", "low", "medium", "high"];
const THREE: &[&str] = &["low", "medium", "high"];
const ANTHROPIC: &[&str] = &["low", "medium", "high", "xhigh", "max"];
const TOKENS: Option<(f64, f64)> = Some((1024.0, f64::INFINITY));

const fn chat(name: &'static str, efforts: &'static [&'static str], off: bool) -> Model {
    Model { to: Dialect::OpenAI, name, efforts, off, ..NOTHING }
}

const fn responses(name: &'static str, efforts: &'static [&'static str], off: bool) -> Model {
    Model { to: Dialect::OpenAIResponses, name, efforts, off, ..NOTHING }
}

const fn claude(name: &'static str) -> Model {
    asked_only(Model { to: Dialect::Anthropic, name, off: true, ..NOTHING })
}

const fn gemini(name: &'static str) -> Model {
    Model { to: Dialect::Gemini, name, ..NOTHING }
}

/// A model that does not reason unless it is asked to.
const fn asked_only(model: Model) -> Model {
    Model { reasons_unasked: false, ..model }
}

/// Gemini 3 accepts budgets for compatibility.
const LEGACY: Option<(f64, f64)> = Some((1.0, f64::INFINITY));

const MODELS: &[Model] = &[
    chat("some-model", ALL, true),
    asked_only(chat("gpt-4o-mini", &[], false)),
    // a fine-tune may be of any model
    chat("ft:gpt-4.1:org", ALL, true),
    asked_only(chat("gpt-3.5-turbo", &[], false)),
    chat("o3-mini", THREE, false),
    chat("openai/o4-mini", THREE, false),
    chat("gpt-5-nano", FOUR, false),
    asked_only(chat("gpt-5.1", THREE, true)),
    asked_only(chat("gpt-5.2-2025-12-11", &["low", "medium", "high", "xhigh"], true)),
    chat("gpt-oss-120b", ALL, true),
    asked_only(responses("gpt-4.1", &[], false)),
    responses("o3", THREE, false),
    responses("gpt-5", FOUR, false),
    responses("gpt-5-pro", &["high"], false),
    responses("gpt-5.6-terra", &["low", "medium", "high", "xhigh", "max"], true),
    responses("gpt-6-astra", &["low", "medium", "high", "xhigh", "max"], false),
    responses("gpt-6-luna", &["low", "medium", "high", "xhigh", "max"], true),
    // unknown: as the newest, GPT-6.1
    responses("gpt-7", &["low", "medium", "high", "xhigh", "max"], false),
    Model { efforts: ANTHROPIC, budgets: TOKENS, adaptive: true, both: true, ..claude("some-model") },
    Model { off: false, ..claude("claude-3-5-haiku-latest") },
    Model { off: false, ..claude("claude-3-haiku-20240307") },
    Model { off: false, ..claude("claude-3-opus-latest") },
    Model { off: false, ..claude("claude-2.1") },
    Model { budgets: TOKENS, ..claude("claude-3-7-sonnet-20250219") },
    Model { budgets: TOKENS, ..claude("us.anthropic.claude-3-7-sonnet-20250219-v1:0") },
    Model { budgets: TOKENS, ..claude("claude-sonnet-4-20250514") },
    Model { budgets: TOKENS, ..claude("claude-opus-4-1") },
    Model { budgets: TOKENS, ..claude("claude-haiku-4-5@20251001") },
    Model { efforts: THREE, budgets: TOKENS, both: true, ..claude("claude-opus-4-5") },
    Model {
        efforts: &["low", "medium", "high", "max"],
        budgets: TOKENS,
        adaptive: true,
        both: true,
        ..claude("claude-opus-4-6")
    },
    Model { efforts: ANTHROPIC, adaptive: true, both: true, ..claude("claude-opus-4-7") },
    Model { efforts: ANTHROPIC, adaptive: true, both: true, off: false, ..claude("claude-fable-5") },
    Model { efforts: ANTHROPIC, adaptive: true, both: true, off: false, ..claude("claude-opus-5-5") },
    Model { efforts: ANTHROPIC, adaptive: true, both: true, ..claude("claude-haiku-5-5") },
    Model { efforts: ANTHROPIC, adaptive: true, both: true, ..claude("claude-sonnet-5-5") },
    Model { efforts: FOUR, budgets: LEGACY, off: true, adaptive: true, ..gemini("some-model") },
    asked_only(gemini("gemini-1.5-pro")),
    asked_only(gemini("models/gemini-2.0-flash-001")),
    Model { budgets: Some((128.0, 32768.0)), adaptive: true, ..gemini("gemini-2.5-pro") },
    Model { budgets: Some((1.0, 24576.0)), off: true, adaptive: true, ..gemini("gemini-2.5-flash") },
    Model { budgets: Some((512.0, 24576.0)), off: true, adaptive: true, ..gemini("gemini-2.5-flash-lite") },
    Model { efforts: &["low", "high"], budgets: LEGACY, adaptive: true, ..gemini("gemini-3-pro-preview") },
    Model { efforts: THREE, budgets: LEGACY, adaptive: true, ..gemini("gemini-3.1-pro-preview") },
    Model { efforts: THREE, budgets: LEGACY, adaptive: true, ..gemini("gemini-pro-latest") },
    Model { efforts: FOUR, budgets: LEGACY, adaptive: true, ..gemini("gemini-3-flash-preview") },
    Model { efforts: FOUR, budgets: LEGACY, adaptive: true, ..gemini("gemini-3.5-flash-lite") },
    Model { efforts: THREE, budgets: LEGACY, adaptive: true, ..gemini("gemini-3.8-flash") },
    Model { efforts: THREE, budgets: LEGACY, adaptive: true, ..gemini("gemini-flash-latest") },
    Model { efforts: THREE, ..gemini("gemini-4-argon") },
    Model { efforts: &["low", "medium", "high", "xhigh"], ..gemini("gemini-4-hydrogen") },
    Model {
        to: Dialect::Ollama,
        name: "m",
        efforts: &["low", "medium", "high", "max"],
        off: true,
        adaptive: true,
        ..NOTHING
    },
];

/// The reasoning settings of a body.
#[derive(Debug, Default, PartialEq)]
struct Asked {
    off: bool,
    adaptive: bool,
    effort: Option<String>,
    budget: Option<f64>,
}

fn asked(to: Dialect, body: &Value) -> Asked {
    let text = |value: &Value| value.as_str().map(str::to_lowercase);
    let mut asked = Asked::default();
    match to.base() {
        Dialect::OpenAI => asked.effort = text(&body["reasoning_effort"]),
        Dialect::OpenAIResponses => asked.effort = text(&body["reasoning"]["effort"]),
        Dialect::Anthropic => {
            asked.effort = text(&body["output_config"]["effort"]);
            asked.off = matches!(body["thinking"]["type"].as_str(), Some("disabled" | "between_tools"));
            asked.adaptive = body["thinking"]["type"] == "adaptive";
            asked.budget = body["thinking"]["budget_tokens"].as_f64();
        }
        Dialect::Ollama => {
            asked.effort = text(&body["think"]);
            asked.off = body["think"] == false;
            asked.adaptive = body["think"] == true;
        }
        _ => {
            let config = &body["generationConfig"]["thinkingConfig"];
            asked.effort = text(&config["thinkingLevel"]);
            asked.budget = config["thinkingBudget"].as_f64();
        }
    }
    if asked.effort.as_deref() == Some("none") || asked.budget == Some(0.0) {
        asked.off = true;
        asked.effort.take_if(|effort| effort == "none");
        asked.budget.take_if(|budget| *budget == 0.0);
    }
    if asked.budget.is_some_and(|budget| budget < 0.0) {
        asked.adaptive = true;
        asked.budget = None;
    }
    asked
}

/// The reason why the model refuses the body, if it does.
fn refused(model: &Model, asked: &Asked, body: &Value) -> Option<&'static str> {
    let Model { to, efforts, budgets, off, adaptive, both, .. } = model;
    let in_range = |budget: f64| budgets.is_some_and(|(least, most)| (least..=most).contains(&budget));
    let has_thinking = asked.budget.is_some() || asked.adaptive || asked.off;
    if asked.effort.as_deref().is_some_and(|effort| !efforts.contains(&effort)) {
        Some("the effort")
    } else if asked.budget.is_some_and(|budget| !in_range(budget)) {
        Some("the budget")
    } else if asked.off && !off {
        Some("no thinking")
    } else if asked.adaptive && !adaptive {
        Some("adaptive thinking")
    } else if has_thinking && asked.effort.is_some() && !both {
        Some("an effort beside something else")
    } else if to.base() == Dialect::Anthropic
        && asked.budget.is_some_and(|budget| Some(budget) >= body["max_tokens"].as_f64())
    {
        Some("a budget of max_tokens or more")
    } else {
        None
    }
}

/// The settings without redundant ones: nothing besides "off", no "adaptive" besides an effort.
fn meant(reasoning: &Value, both: bool) -> Asked {
    let effort = reasoning["effort"].as_str();
    let budget = reasoning["budgetTokens"].as_f64();
    let off = effort == Some("none") || budget == Some(0.0);
    let effort = effort.filter(|effort| *effort != "none").map(str::to_owned);
    let adaptive = !off && budget.is_some_and(|budget| budget < 0.0) && (both || effort.is_none());
    Asked { off, adaptive, effort, budget: budget.filter(|budget| *budget > 0.0) }
}

fn check(model: &Model, reasoning: &Value, limit: Option<u32>) -> Result<(), String> {
    let mut request =
        json!({ "model": model.name, "messages": [{ "role": "user", "content": "Hi" }], "reasoning": reasoning });
    if let Some(limit) = limit {
        request["maxTokens"] = limit.into();
    }
    let bytes = request.to_string().into_bytes();
    let converted = convert_text(
        bytes,
        Subject::Request,
        Dialect::Canonical,
        model.to,
        Options { bookkeeping: true, ..Options::default() },
    )
    .map_err(|error| error.to_string())?;
    let body: Value = serde_json::from_slice(&converted.body).unwrap();
    let asked = asked(model.to, &body);
    let about = |place: &str| format!("/reasoning/{place}");
    let reasons = !model.efforts.is_empty() || model.budgets.is_some();
    // that a model decides by itself is bookkeeping where it is what it does without a setting, or if it never reasons
    let is_usual = model.reasons_unasked || !reasons;
    let reports = |warning: &Warning| warning.lossy() || is_usual && warning.code == WarningCode::StateDropped;
    let has_warning =
        |place: &str| converted.warnings.iter().any(|warning| warning.path == about(place) && reports(warning));
    let fail = |why: &str| Err(format!("{why}: {body}, warnings {:?}", converted.warnings));

    if let Some(what) = refused(model, &asked, &body) {
        return fail(&format!("the model refuses {what}"));
    }
    let meant = meant(reasoning, model.both);
    if meant.off && (asked.budget.is_some() || asked.adaptive) && model.off {
        return fail("reasoning that is off is on");
    }
    // a model that does not reason by default need not be turned off
    let keeps_off = asked.off == meant.off || meant.off && !reasons;
    // a model with levels only decides by itself without one
    let decides = model.to == Dialect::Gemini && reasons && model.budgets.is_none() && meant.adaptive;
    let keeps_budget = asked.budget == meant.budget && (asked.adaptive == meant.adaptive || decides);
    let keeps_effort = asked.effort == meant.effort;
    let documented = model.to == Dialect::Gemini && model.efforts.is_empty() && asked.budget.is_some();
    let warned = has_warning("effort") || has_warning("budgetTokens");
    if !(keeps_off && keeps_budget && keeps_effort || documented || warned || reasoning["include"] == true) {
        return fail("a change without a warning");
    }
    if !(reasoning["effort"] == "none" || meant.effort.is_none() || keeps_effort || has_warning("effort") || documented)
    {
        return fail("an effort is lost without a warning");
    }
    let takes_something = model.adaptive || reasons;
    if !meant.off && (meant.budget.is_some() || meant.effort.is_some()) && reasons && asked == Asked::default() {
        // a limit may leave no room for a budget
        if limit.is_none_or(|limit| limit >= 2048) && takes_something {
            return fail("nothing is left of the setting");
        }
    }
    let is_kept = keeps_off && keeps_budget && keeps_effort;
    if is_kept && has_warning("effort") && reasoning["effort"] != "none" && meant.effort.is_some() {
        return fail("a warning about an effort that was kept");
    }
    Ok(())
}

#[test]
fn every_combination_of_reasoning_settings_is_accepted_by_the_model() {
    let efforts =
        [None, Some("none"), Some("minimal"), Some("low"), Some("medium"), Some("high"), Some("xhigh"), Some("max")];
    let budgets = [None, Some(-1), Some(0), Some(100), Some(2048), Some(10_000), Some(100_000)];
    let mut failures = Vec::new();
    let mut checked = 0;
    for model in MODELS {
        for effort in efforts {
            for budget in budgets {
                for include in [None, Some(true), Some(false)] {
                    for limit in [None, Some(1000), Some(8000), Some(200_000)] {
                        let mut reasoning = json!({});
                        if let Some(effort) = effort {
                            reasoning["effort"] = effort.into();
                        }
                        if let Some(budget) = budget {
                            reasoning["budgetTokens"] = budget.into();
                        }
                        if let Some(include) = include {
                            reasoning["include"] = include.into();
                        }
                        checked += 1;
                        if let Err(why) = check(model, &reasoning, limit) {
                            failures.push(format!("{} {} {reasoning} {limit:?}: {why}", model.to.name(), model.name));
                        }
                    }
                }
            }
        }
    }
    println!("{checked} combinations");
    failures.sort_by_key(String::len);
    let shown: Vec<&String> = failures.iter().take(12).collect();
    assert!(failures.is_empty(), "{} of {checked} combinations fail:\n{shown:#?}", failures.len());
}
