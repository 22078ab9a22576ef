//! What Gemini models require of calls and results (WIRE §4.3, §4.4).

use super::fields::is_for_vertex;
use crate::model::{Block, Content, MADE_ID, Message, Metadata, Request, Setting, Settings};
use crate::run::{At, Run, WarningCode};
use crate::value::Value;
use crate::value::text::base64;

/// Whether results may contain media. Without a model, the newest one is assumed.
pub fn takes_media_in_results(settings: &Settings) -> bool {
    settings.get(Setting::Model).is_none() || settings.facts.media_in_results == Some(true)
}

/// The signature that Google documents for calls that none of its models made.
pub const PLACEHOLDER: &str = "skip_thought_signature_validator";

/// Drops malformed signatures, and signs what the model requires. The provider's own client signs its calls by itself, unless one of its signatures
/// was dropped.
pub fn fit_signatures(run: &mut Run, request: &mut Request) {
    let has_dropped = drop_malformed(run, request);
    if has_dropped || !run.route.stays_with_provider() {
        sign(run, request);
    }
}

/// Drops signatures that are not base64, which the API refuses: it takes bytes (WIRE §4.3). Whether there were any.
pub fn drop_malformed(run: &mut Run, request: &mut Request) -> bool {
    let mut has_dropped = false;
    for message in &mut request.messages {
        let Message::Assistant(assistant) = message else { continue };
        if let Content::Blocks(blocks) = &mut assistant.content {
            blocks.iter_mut().for_each(|block| has_dropped |= drop_malformed_in(run, block));
        }
        assistant.calls.iter_mut().for_each(|call| has_dropped |= drop_own(run, &mut call.metadata, call.at));
    }
    has_dropped
}

fn drop_malformed_in(run: &mut Run, block: &mut Block) -> bool {
    let mut has_dropped = false;
    let at = block.at();
    if let Block::Reasoning(part) = block
        && run.route.leads_to(part.issuer)
        && part.signature.is_some_and(|signature| !is_base64(run, signature))
    {
        warn_malformed(run, at);
        part.signature = None;
        has_dropped = true;
    }
    drop_own(run, block.metadata_mut(), at) | has_dropped
}

/// Drops the signature that is a field of a part.
fn drop_own(run: &mut Run, metadata: &mut Metadata, at: At) -> bool {
    let is_malformed = metadata.thought_signature().is_some_and(|signature| !is_base64(run, signature));
    if is_malformed {
        warn_malformed(run, at);
        metadata.forget_thought_signature();
    }
    is_malformed
}

fn is_base64(run: &Run, signature: Value) -> bool {
    base64::decode(&run.store.text(signature)).is_some()
}

fn warn_malformed(run: &mut Run, at: At) {
    run.warn(WarningCode::FieldDropped, at, "the signature is not base64: the target would refuse the request");
}

/// Signs the first call of each step, if the model requires that (Q201, Q202). Only the first of parallel calls is signed.
fn sign(run: &mut Run, request: &mut Request) {
    if request.settings.facts.thought_signatures != Some(true) {
        return;
    }
    for message in &mut request.messages {
        let Message::Assistant(assistant) = message else { continue };
        let is_signed = assistant.calls().any(|call| call.metadata.thought_signature().is_some());
        if let Some(call) = assistant.calls_mut().next().filter(|_| !is_signed) {
            let message = "the model requires a signature: the documented placeholder is used";
            run.warn(WarningCode::FieldSupplied, call.at, message);
            call.metadata.set_thought_signature(run.store.string(PLACEHOLDER));
        }
    }
}

/// Drops ids for models before the third generation on Vertex AI, which reject them: calls and results are matched by name and order (Q73).
pub fn drop_ids(run: &mut Run, request: &mut Request) {
    if !is_for_vertex(run) || request.settings.facts.call_ids != Some(false) {
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
