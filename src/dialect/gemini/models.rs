//! The `thinkingConfig` that certain models accept. They reject the whole request for anything else.
//!
//! Sources: <https://ai.google.dev/gemini-api/docs/thinking> and
//! <https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thinking>.

use crate::fit::reasoning::{Efforts, Takes};
use crate::model::{Setting, Settings};
use crate::run::Run;
use crate::value::Word;
use crate::value::text::split_around;

const ANY_BUDGET: Option<(f64, f64)> = Some((1.0, f64::INFINITY));
/// For models with all levels; "HIGH" is the highest.
const LEVELS: Efforts = [Word::minimal, Word::low, Word::medium, Word::high, Word::high, Word::high];
/// For models without "MINIMAL".
const FROM_LOW: Efforts = [Word::low, Word::low, Word::medium, Word::high, Word::high, Word::high];
/// For models with "LOW" and "HIGH" only. Google's endpoint for OpenAI clients maps "medium" to "HIGH" too.
const LOW_OR_HIGH: Efforts = [Word::low, Word::low, Word::high, Word::high, Word::high, Word::high];

/// An unknown model.
const ANY: Takes = Takes { efforts: Some(LEVELS), budgets: ANY_BUDGET, off: true, adaptive: true, ..Takes::NOTHING };
/// Gemini 3: levels, and budgets for compatibility. Thinking can't be turned off.
const GEMINI_3: Takes = Takes { off: false, ..ANY };
/// Gemini 2.5: budgets.
const FLASH_2_5: Takes = budgets(1.0, 24576.0);
const FLASH_LITE_2_5: Takes = budgets(512.0, 24576.0);
const PRO_2_5: Takes = Takes { off: false, ..budgets(128.0, 32768.0) };

const fn budgets(least: f64, most: f64) -> Takes {
    let budgets = Some((least, most));
    Takes { budgets, off: true, adaptive: true, maps_efforts: true, ..Takes::NOTHING }
}

/// The settings that the request's model accepts.
pub fn takes(run: &Run, settings: &Settings) -> Takes {
    settings.get(Setting::Model).map_or(ANY, |(model, _)| of_model(&run.store.text(model)))
}

fn of_model(model: &str) -> Takes {
    let Some((_, name)) = split_around(model, "gemini-") else { return ANY };
    let is = |kind: &str| split_around(name, kind).is_some();
    let Some(version) = version(name) else { return ANY };
    match version {
        (0..=1, _) | (2, 0..=4) => Takes::NOTHING,
        (2, _) if is("lite") => FLASH_LITE_2_5,
        (2, _) if is("pro") => PRO_2_5,
        (2, _) => FLASH_2_5,
        (3, 0) if is("pro") => Takes { efforts: Some(LOW_OR_HIGH), ..GEMINI_3 },
        _ if is("pro") || !is("lite") && version >= (3, 7) => Takes { efforts: Some(FROM_LOW), ..GEMINI_3 },
        _ => GEMINI_3,
    }
}

/// Major and minor version of a name without `gemini-`. `latest` is newer than all others.
pub fn version(name: &str) -> Option<(u32, u32)> {
    let version = name.split('-').next()?;
    if !version.starts_with(|first: char| first.is_ascii_digit()) {
        return name.ends_with("latest").then_some((u32::MAX, 0));
    }
    let mut numbers = version.split('.').map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next().unwrap_or(Some(0))?))
}
