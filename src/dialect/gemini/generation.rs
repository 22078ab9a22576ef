//! Generations of Gemini models, and the requirements of the third (WIRE §4.3, §4.4).

use super::fields::is_for_vertex;
use super::models;
use crate::model::{MADE_ID, Message, Request, Setting, Settings};
use crate::run::{Run, WarningCode};
use crate::value::text::split_around;

/// The generation of a request's model, if its name states it.
pub fn generation(run: &Run, settings: &Settings) -> Option<u32> {
    let (model, _) = settings.get(Setting::Model)?;
    let model = run.store.text(model);
    let (_, name) = split_around(&model, "gemini-")?;
    models::version(name).map(|(major, _)| major)
}

/// From this generation on, results may contain media, calls are signed, and calls have ids.
pub const GEMINI_3: u32 = 3;

/// Whether the model is known to be of an earlier generation.
pub fn is_before_third(run: &Run, settings: &Settings) -> bool {
    generation(run, settings).is_some_and(|generation| generation < GEMINI_3)
}

/// Whether results may contain media. Without a model, the newest one is assumed.
pub fn takes_media_in_results(run: &Run, settings: &Settings) -> bool {
    settings.get(Setting::Model).is_none() || generation(run, settings).is_some_and(|generation| generation >= GEMINI_3)
}

/// The signature that Google documents for calls that none of its models made.
const PLACEHOLDER: &str = "skip_thought_signature_validator";

/// Signs the first call of each step, if the model requires that (Q201, Q202). Only the first of parallel calls is signed.
pub fn sign(run: &mut Run, request: &mut Request) {
    if generation(run, &request.settings).is_none_or(|generation| generation < GEMINI_3) {
        return;
    }
    for message in &mut request.messages {
        let Message::Assistant(assistant) = message else { continue };
        let is_signed = assistant.calls().any(|call| call.metadata.thought_signature().is_some());
        if let Some(call) = assistant.calls_mut().next().filter(|_| !is_signed) {
            let message = "the model requires a signature: the documented placeholder is used";
            run.warn(WarningCode::DefaultUsed, call.at, message);
            call.metadata.set_thought_signature(run.store.string(PLACEHOLDER));
        }
    }
}

/// Drops ids for models before the third generation on Vertex AI, which reject them: calls and results are matched by name and order (Q73).
pub fn drop_ids(run: &mut Run, request: &mut Request) {
    if !is_for_vertex(run) || !is_before_third(run, &request.settings) {
        return;
    }
    let none = run.store.string("");
    for message in &mut request.messages {
        match message {
            Message::Assistant(assistant) => {
                for call in assistant.calls_mut() {
                    if !run.store.text(call.id).starts_with(MADE_ID) {
                        run.warn(
                            WarningCode::IdRewritten,
                            call.at,
                            "the model does not accept ids: it matches results by their order",
                        );
                    }
                    call.id = none;
                }
            }
            Message::Tool(result) => result.id = none,
            Message::System(_) | Message::User(_) => {}
        }
    }
}
