//! The rows of `docs/round-trips.md` about settings.

use crate::normalise::{GOOGLE, OPENAI, remove};
use serde_json::{Value, json};
use toolwire::{Dialect, Options};

/// A budget that is left to the model is redundant besides an effort, except on Anthropic; there it is redundant where
/// reasoning is included.
pub fn adaptive_thinking(request: &mut Value, to: Dialect, _: &Options) {
    let Some(reasoning) = request.get_mut("reasoning") else { return };
    let is_adaptive = reasoning["budgetTokens"].as_f64().is_some_and(|budget| budget < 0.0);
    let has_effort = reasoning.get("effort").is_some_and(|effort| effort != "none");
    if to != Dialect::Anthropic && is_adaptive && has_effort {
        remove(reasoning, "budgetTokens");
    }
    if to == Dialect::Anthropic && reasoning["include"] == true && is_adaptive {
        remove(reasoning, "budgetTokens");
    }
}

/// The schema of a response has no name and no description, and is always enforced.
pub fn response_format_is_a_bare_schema(request: &mut Value, _: Dialect, _: &Options) {
    if request["responseFormat"]["type"] == "jsonSchema" {
        remove(&mut request["responseFormat"], "name");
        remove(&mut request["responseFormat"], "description");
        request["responseFormat"]["strict"] = true.into();
    }
}

/// Text is the default format of responses.
pub fn response_format_text_is_omitted(request: &mut Value, _: Dialect, _: &Options) {
    if request["responseFormat"]["type"] == "text" {
        remove(request, "responseFormat");
    }
}

pub fn empty_settings(request: &mut Value, _: Dialect, _: &Options) {
    if request["stop"] == json!([]) {
        remove(request, "stop");
    }
}

/// A setting with the value that it has without being stated. Cohere's `p` has another one, and can't be 1.
pub fn defaults_are_omitted(request: &mut Value, to: Dialect, _: &Options) {
    let numbers = [
        ("temperature", 1.0),
        ("topP", 1.0),
        ("presencePenalty", 0.0),
        ("frequencyPenalty", 0.0),
        ("candidateCount", 1.0),
        ("topLogprobs", 0.0),
    ];
    for (key, default) in numbers.into_iter().filter(|(key, _)| to != Dialect::Cohere || *key != "topP") {
        if request[key].as_f64() == Some(default) {
            remove(request, key);
        }
    }
    if request["verbosity"] == "medium" {
        remove(request, "verbosity");
    }
}

pub fn stream_in_the_path(request: &mut Value, to: Dialect, options: &Options) {
    if to != Dialect::Anthropic || options.platform == Some(toolwire::Platform::Bedrock) {
        remove(request, "stream");
    }
}

/// Ollama streams by default.
pub fn stream_false_is_the_default(request: &mut Value, _: Dialect, _: &Options) {
    if request["stream"] == false {
        remove(request, "stream");
    }
}

pub fn model_in_the_path(request: &mut Value, _: Dialect, options: &Options) {
    if options.platform.is_some() {
        remove(request, "model");
    }
}

/// Models before Gemini 3 have budgets instead of efforts; with budget 0 there is no effort. A budget that is left to the
/// model is redundant besides an effort.
pub fn effort_is_a_budget(request: &mut Value, _: Dialect, _: &Options) {
    let model = request.get("model").and_then(Value::as_str);
    let knows_no_levels = model.is_some_and(|model| model.contains("gemini-2.5"));
    let Some(reasoning) = request.get_mut("reasoning") else { return };
    let budget = match reasoning.get("effort").and_then(Value::as_str) {
        Some("minimal" | "low") => 1024,
        Some("medium") => 8192,
        Some("high" | "xhigh" | "max") => 24576,
        _ => return,
    };
    let given = reasoning.get("budgetTokens").and_then(Value::as_f64);
    let is_free = given.is_none_or(|given| given < 0.0);
    if given == Some(0.0) || is_free && knows_no_levels {
        remove(reasoning, "effort");
    }
    if is_free && knows_no_levels {
        reasoning["budgetTokens"] = budget.into();
    }
}

/// The effort `none` is the budget 0, whatever effort is set besides it (except on Anthropic); without reasoning none
/// is included.
pub fn no_thinking(request: &mut Value, to: Dialect, _: &Options) {
    let model = request.get("model").and_then(Value::as_str);
    let has_levels_only = to == Dialect::GeminiInteractions;
    // Bedrock hosts models of all providers
    let [is_google, is_openai] = [GOOGLE, OPENAI].map(|own| own.contains(&to) || to == Dialect::Bedrock);
    let is_google = is_google || has_levels_only;
    let never_thinks = is_google && model.is_some_and(|model| model.contains("gemini-2.0"));
    // of both, these models of Google take the budget, and those of OpenAI the effort
    let has_budgets_only = model.is_some_and(|model| model.contains("gemini-2."));
    // these models can't turn reasoning off, and levels alone do not
    let least = match model {
        Some("gemini-3-pro") if is_google => Some("low"),
        Some("gpt-5") if is_openai => Some("minimal"),
        _ if has_levels_only && !has_budgets_only => Some("minimal"),
        _ => None,
    };
    let reasoning = &mut request["reasoning"];
    let budget = reasoning["budgetTokens"].as_f64();
    let is_none = reasoning["effort"] == "none";
    let has_both = to == Dialect::Anthropic || to == Dialect::Bedrock && !has_budgets_only;
    let is_lone = !has_both || reasoning.get("effort").is_none();
    let is_off = budget == Some(0.0) && is_lone || is_none && budget.is_none_or(|budget| budget == 0.0);
    if let Some(least) = least.filter(|_| is_off || is_none) {
        remove(reasoning, "budgetTokens");
        reasoning["effort"] = least.into();
        if reasoning["include"] != true {
            remove(reasoning, "include");
        }
        return;
    }
    // without a level, nothing can be sent: a warning is at what was given
    let is_reported = has_levels_only && !never_thinks && !is_none;
    if is_off && !is_reported {
        *reasoning = json!({ "effort": "none" });
    }
    if is_none || reasoning["include"] != true || budget == Some(0.0) {
        remove(reasoning, "include");
    }
    if never_thinks && reasoning["effort"] == "none" {
        remove(reasoning, "effort");
    }
    if request["reasoning"].is_null() {
        remove(request, "reasoning");
    }
}

/// Ollama includes reasoning whenever it is on; the model decides how much, unless there is an effort.
pub fn ollama_thinking_includes_reasoning(request: &mut Value, _: Dialect, _: &Options) {
    let Some(reasoning) = request.get_mut("reasoning") else { return };
    let has = |key: &str| reasoning.get(key).is_some();
    if reasoning["effort"] == "none" || !(has("effort") || has("budgetTokens") || has("include")) {
        return;
    }
    reasoning["include"] = true.into();
    if reasoning.get("effort").is_none() && reasoning.get("budgetTokens").is_none() {
        reasoning["budgetTokens"] = (-1).into();
    }
}
