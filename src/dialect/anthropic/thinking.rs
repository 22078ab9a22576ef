//! Thinking that is sent back (Q197–Q200).

use crate::model::Reasoning;
use crate::run::Run;
use crate::value::Word;

/// Whether thinking is sent back to Anthropic: what it signed or redacted, and unsigned thinking of a compatible server.
pub fn is_sent(run: &Run, reasoning: &Reasoning) -> bool {
    let Reasoning { signature, redacted, issuer, metadata, .. } = reasoning;
    let is_whole = redacted.is_some() || signature.is_some() || metadata.form(Word::signature).is_some();
    run.route.leads_to(*issuer) && is_whole
}
