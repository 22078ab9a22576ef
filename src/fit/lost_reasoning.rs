//! Warnings for reasoning that is left out. Losing only the state of its issuer is not lossy, and empty reasoning is not reported.

use crate::model::Reasoning;
use crate::run::{At, Run, WarningCode};

/// Warns about a block.
pub fn warn_block(run: &mut Run, reasoning: &Reasoning) {
    let Reasoning { at, text, signature, redacted, issuer: _, scope: _, metadata } = reasoning;
    if redacted.is_some() || text.is_some_and(|text| !run.store.is_empty(text)) {
        warn_text(run, *at);
    } else if signature.is_some_and(|signature| !run.store.is_empty(signature)) {
        warn_state(run, *at);
    } else {
        return run.warn_metadata(metadata, *at);
    }
    let mark = run.report.mark();
    run.warn_metadata(metadata, *at);
    run.report.keep_lossy_after(mark);
}

/// Warns about the end of streamed reasoning; its text was reported when it arrived.
pub fn warn_end(run: &mut Run, reasoning: &Reasoning) {
    let Reasoning { at, signature, redacted, ref metadata, .. } = *reasoning;
    if redacted.is_some() {
        warn_text(run, at);
    } else if signature.is_some() {
        warn_state(run, at);
    }
    run.warn_metadata(metadata, at);
}

fn warn_text(run: &mut Run, at: At) {
    let message = "reasoning is sent only to its issuer, with the signature that the issuer requires";
    run.warn(WarningCode::ReasoningDropped, at, message);
}

fn warn_state(run: &mut Run, at: At) {
    run.warn(WarningCode::StateDropped, at, "the state of reasoning is sent only to its issuer");
}
