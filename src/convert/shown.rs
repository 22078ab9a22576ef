//! Shows reasoning to clients. A response is read by a client, which gets the reasoning text of any issuer in the way of its own format. Requests are
//! read by providers, which get their own reasoning only (`src/fit/content.rs`).

use crate::model::{Assistant, Block, Content, Event, Metadata, Reasoning};
use crate::run::{At, Provider, Run, WarningCode};
use crate::value::Value;

/// Gives a whole response's reasoning of other issuers the form of the target's own.
pub fn show(run: &mut Run, message: &mut Assistant) {
    let Content::Blocks(blocks) = &mut message.content else { return };
    let is_reasoning = |block: &Block| matches!(block, Block::Reasoning(_));
    if blocks.iter().any(is_reasoning) {
        *blocks = std::mem::take(blocks).into_iter().filter_map(|block| show_block(run, block)).collect();
    }
}

/// Does the same with an event. Returns false if nothing is left of it.
pub fn show_event(run: &mut Run, event: &mut Event) -> bool {
    match event {
        Event::ReasoningDelta { at, text, issuer, metadata, block: _ } => {
            let Some(own) = other_owner(run, *issuer) else { return true };
            *issuer = own;
            let metadata = std::mem::take(metadata);
            show_text(run, (Some(*text), *at), &metadata, false).is_some()
        }
        Event::ReasoningEnd { reasoning, .. } => {
            let Some(own) = other_owner(run, reasoning.issuer) else { return true };
            let Reasoning { at, ref metadata, .. } = *reasoning;
            let has_state = has_state(run, reasoning);
            show_text(run, (None, at), metadata, has_state);
            *reasoning = Reasoning::empty(at, own);
            is_shown(run)
        }
        Event::Block { value, .. } => match show_block(run, value.clone()) {
            Some(shown) => {
                *value = shown;
                true
            }
            None => false,
        },
        _ => true,
    }
}

fn show_block(run: &mut Run, block: Block) -> Option<Block> {
    let Block::Reasoning(reasoning) = block else { return Some(block) };
    let Some(own) = other_owner(run, reasoning.issuer) else { return Some(Block::Reasoning(reasoning)) };
    let Reasoning { at, text, ref metadata, .. } = reasoning;
    let has_state = has_state(run, &reasoning);
    let text = show_text(run, (text, at), metadata, has_state)?;
    Some(Block::Reasoning(Reasoning::of_text(at, own, text)))
}

/// Whether the client is shown the reasoning of other issuers.
fn is_shown(run: &Run) -> bool {
    run.options.shows_reasoning(run.route.to.format().asks)
}

/// The provider of the target, if it is not the issuer.
fn other_owner(run: &Run, issuer: Provider) -> Option<Provider> {
    run.route.to.provider().filter(|own| *own != issuer)
}

fn has_state(run: &Run, reasoning: &Reasoning) -> bool {
    let states = [reasoning.signature, reasoning.redacted];
    states.into_iter().flatten().any(|state| !run.store.is_empty(state))
}

/// The text that the client gets. Reports what it does not get.
fn show_text(run: &mut Run, (text, at): (Option<Value>, At), metadata: &Metadata, has_state: bool) -> Option<Value> {
    let text = text.filter(|text| !run.store.is_empty(*text));
    let is_shown = is_shown(run);
    if text.is_some() && !is_shown {
        run.warn(WarningCode::StateDropped, at, "the client did not ask for the reasoning");
    } else if has_state {
        run.warn(WarningCode::StateDropped, at, "the state of reasoning is sent only to its issuer");
    }
    let mark = run.report.mark();
    run.warn_metadata(metadata, at);
    if has_state {
        run.report.keep_lossy_after(mark);
    }
    text.filter(|_| is_shown)
}
