//! Before writing: puts results directly after their calls, one for each call, in the order that the target requires (Q80–Q86).

use super::late;
use super::pairing::ById;
use super::{opened, stored};
use crate::dialect::is_result;
use crate::dialect::shared::outcome::{outcome_text, warn_losses};
use crate::format::Limits;
use crate::model::{Add, Assistant, Block, Content, Message, Metadata, Outcome, Prose, Request, ToolResult};
use crate::run::{At, DuplicateResults, ErrorCode, MissingResults, Options, OrphanResults, Result, Run, WarningCode};
use crate::value::order::sort;
use crate::value::{Value, Word};

/// The content of a synthesized result.
const NO_RESULT: &str = "No result was given for this call.";

/// Arranges the turns.
pub fn arrange(run: &mut Run, request: &mut Request, limits: &Limits) -> Result<()> {
    arrange_by(run, request, Policy { renames_results: true, ..Policy::new(run.options, limits) })
}

/// Arranges the turns of a body that stays in its format, if an option asks for it.
pub fn arrange_as_asked(run: &mut Run, request: &mut Request, limits: &Limits) -> Result<()> {
    let Options { missing_results, orphan_results, duplicate_results, .. } = run.options;
    let is_asked = missing_results.is_some() || orphan_results.is_some() || duplicate_results.is_some();
    if is_asked { arrange_by(run, request, Policy::new(run.options, limits)) } else { Ok(()) }
}

fn arrange_by(run: &mut Run, request: &mut Request, mut policy: Policy) -> Result<()> {
    if is_in_order(&request.messages) {
        return Ok(());
    }
    // the calls of results at the start of a piece are in an earlier piece
    let has_default = run.options.orphan_results.is_none();
    let answers_before = run.route.is_piece && has_default;
    // those of earlier messages that the server has
    let answers_stored = has_default && stored::continues_stored(run, &request.metadata);
    policy.recalled = late::recall(run, &mut request.messages);
    let mut arranged = Vec::with_capacity(request.messages.len());
    let mut turn = Turn::default();
    let mut is_before = answers_before;
    for message in std::mem::take(&mut request.messages) {
        is_before &= is_result(&message);
        match message {
            Message::Assistant(assistant) => {
                if !turn.following.is_empty() {
                    turn.close(run, &policy, false, &mut arranged)?;
                }
                let has_calls = assistant.has_calls();
                if has_calls || !turn.parts.is_empty() {
                    turn.parts.push(TurnPart { assistant, has_calls, results: Vec::new() });
                } else {
                    arranged.push(Message::Assistant(assistant));
                }
            }
            message if !turn.parts.is_empty() => turn.following.push(message),
            Message::Tool(result) if !(is_before || answers_stored) => orphan(run, &policy, result, &mut arranged)?,
            message => arranged.push(message),
        }
    }
    // skipped for turns without calls, so that engines need not compile `close`
    if !turn.parts.is_empty() {
        turn.close(run, &policy, true, &mut arranged)?;
    }
    request.messages = arranged;
    Ok(())
}

/// Whether all results directly follow their calls, one for each call, in the same order, as in most conversations. May return false wrongly.
fn is_in_order(messages: &[Message]) -> bool {
    let mut rest = messages.iter();
    while let Some(message) = rest.next() {
        let is_answered = match message {
            Message::Assistant(assistant) => assistant.calls().all(|call| {
                let is_its = |result: &ToolResult| (result.id, result.name) == (call.id, call.name);
                matches!(rest.next(), Some(Message::Tool(result)) if is_its(result))
            }),
            Message::Tool(_) => false,
            Message::System(_) | Message::User(_) => true,
        };
        if !is_answered {
            return false;
        }
    }
    true
}

struct Policy {
    missing: MissingResults,
    orphan: OrphanResults,
    duplicate: DuplicateResults,
    in_call_order: bool,
    /// Whether results get the names of their calls: some targets reject any other name, and the others have no names of results.
    renames_results: bool,
    /// The positions of results that were moved from later turns, which were reported already.
    recalled: Vec<At>,
}

impl Policy {
    fn new(options: &Options, limits: &Limits) -> Policy {
        Policy {
            missing: options.missing_results.unwrap_or(MissingResults::Synthesize),
            orphan: options.orphan_results.unwrap_or(OrphanResults::AsText),
            duplicate: options.duplicate_results.unwrap_or(DuplicateResults::Last),
            in_call_order: limits.results_in_call_order,
            renames_results: false,
            recalled: Vec::new(),
        }
    }
}

/// An assistant turn with calls, which may span several messages, and the messages that follow it.
#[derive(Default)]
struct Turn {
    parts: Vec<TurnPart>,
    following: Vec<Message>,
    slots: Slots,
}

struct TurnPart {
    assistant: Assistant,
    has_calls: bool,
    results: Vec<Message>,
}

impl Turn {
    /// Appends the arranged turn to the others and clears it for reuse.
    fn close(&mut self, run: &mut Run, policy: &Policy, is_last: bool, arranged: &mut Vec<Message>) -> Result<()> {
        let Turn { parts, following, slots } = self;
        slots.refill(parts);
        let others = slots.fill(run, policy, following)?;
        // calls at the very end may not have results yet; those of an earlier message of the turn must have them
        let awaits = is_last && slots.arrival.is_empty() && others.is_empty();
        let due = if awaits { slots.last_part } else { slots.all.len() };
        slots.require(run, policy, due)?;
        if policy.missing == MissingResults::Drop {
            drop_calls(parts, &slots.all, due);
        }
        if policy.in_call_order {
            sort(&mut slots.arrival);
        }
        for index in &slots.arrival {
            if let Some(slot) = slots.all.get_mut(*index)
                && let Some(part) = parts.get_mut(slot.part)
            {
                part.results.extend(slot.result.take().map(Message::Tool));
            }
        }
        for TurnPart { assistant, has_calls, results } in parts.drain(..) {
            if !has_calls || has_content(&assistant) {
                arranged.push(Message::Assistant(assistant));
            }
            arranged.extend(results);
        }
        arranged.extend(others);
        Ok(())
    }
}

/// The calls of a turn, and their results.
#[derive(Default)]
struct Slots {
    all: Vec<Slot>,
    by_id: ById,
    /// The first call of the last part.
    last_part: usize,
    /// The calls that have results, in order of the results.
    arrival: Vec<usize>,
}

struct Slot {
    /// The part that contains the call.
    part: usize,
    at: At,
    id: Value,
    name: Value,
    result: Option<ToolResult>,
}

impl Slots {
    /// Sets the calls for another turn.
    fn refill(&mut self, parts: &[TurnPart]) {
        self.all.clear();
        self.by_id.clear();
        self.arrival.clear();
        for (part, TurnPart { assistant, .. }) in parts.iter().enumerate() {
            self.last_part = self.all.len();
            for call in assistant.calls() {
                self.by_id.add(call.id, call.name);
                self.all.push(Slot { part, at: call.at, id: call.id, name: call.name, result: None });
            }
        }
    }

    /// Assigns results to their calls. Returns all other messages.
    fn fill(&mut self, run: &mut Run, policy: &Policy, following: &mut Vec<Message>) -> Result<Vec<Message>> {
        let mut others = Vec::new();
        let mut moved = None;
        for message in following.drain(..) {
            let Message::Tool(mut result) = message else {
                others.push(message);
                continue;
            };
            let index = self.by_id.answer(run, result.id, result.name);
            let Some((index, slot)) = index.and_then(|index| Some((index, self.all.get_mut(index)?))) else {
                orphan(run, policy, result, &mut others)?;
                continue;
            };
            if (!others.is_empty() || index < self.last_part) && !policy.recalled.contains(&result.at) {
                moved = moved.or(Some(result.at));
            }
            if policy.renames_results {
                name_like_call(run, &mut result, slot.name);
            }
            match &slot.result {
                None => self.arrival.push(index),
                Some(earlier) => duplicate(run, policy, earlier.at, result.at)?,
            }
            slot.result = Some(result);
        }
        if policy.in_call_order && !self.arrival.is_sorted() && moved.is_none() {
            moved = self.all.iter().find_map(|slot| slot.result.as_ref()).map(|result| result.at);
        }
        if let Some(at) = moved {
            let why = "results were moved directly after their calls, in the order that the target requires";
            run.warn(WarningCode::ResultsMoved, at, why);
        }
        Ok(others)
    }

    /// Requires a result for each of the first `due` calls.
    fn require(&mut self, run: &mut Run, policy: &Policy, due: usize) -> Result<()> {
        let is_missing = |(_, slot): &(usize, &mut Slot)| slot.result.is_none();
        for (index, slot) in self.all.iter_mut().enumerate().take(due).filter(is_missing) {
            match policy.missing {
                MissingResults::Error => {
                    return run.fail(ErrorCode::MissingResult, slot.at, "this call has no result");
                }
                MissingResults::Synthesize => {
                    let why = "this call has no result: a result that states this was added";
                    run.warn(WarningCode::ResultSynthesized, slot.at, why);
                    slot.result = Some(synthesized(run, slot));
                    self.arrival.push(index);
                }
                MissingResults::Drop => run.warn(WarningCode::CallDropped, slot.at, "this call has no result"),
            }
        }
        Ok(())
    }
}

/// Whether a message has content apart from calls that were dropped.
fn has_content(assistant: &Assistant) -> bool {
    match &assistant.content {
        Content::Text(..) => true,
        Content::Blocks(blocks) => !blocks.is_empty() || !assistant.calls.is_empty(),
    }
}

fn duplicate(run: &mut Run, policy: &Policy, earlier: At, later: At) -> Result<()> {
    match policy.duplicate {
        DuplicateResults::Error => run.fail(ErrorCode::DuplicateResult, later, "this call has a result already"),
        DuplicateResults::Last => {
            run.warn(WarningCode::ResultDropped, earlier, "this call has a later result, which is used instead");
            Ok(())
        }
    }
}

fn synthesized(run: &mut Run, call: &Slot) -> ToolResult {
    let outcome = Outcome::Error(run.store.string(NO_RESULT));
    ToolResult { at: call.at, id: call.id, name: call.name, outcome, metadata: Metadata::default() }
}

/// Drops those of the first `due` calls that have no results.
fn drop_calls(parts: &mut [TurnPart], slots: &[Slot], due: usize) {
    let mut dropped = slots.iter().take(due).map(|slot| slot.result.is_none());
    let mut keeps = || !dropped.next().unwrap_or(false);
    for TurnPart { assistant, .. } in parts {
        if let Content::Blocks(blocks) = &mut assistant.content {
            blocks.retain(|block| block.as_call().is_none() || keeps());
        }
        assistant.calls.retain(|_| keeps());
    }
}

/// Handles a result whose call is not in the preceding turn.
fn orphan(run: &mut Run, policy: &Policy, result: ToolResult, into: &mut Vec<Message>) -> Result<()> {
    const WHY: &str = "no call of the previous turn has this id";
    match policy.orphan {
        OrphanResults::Error => return run.fail(ErrorCode::OrphanResult, result.at, WHY),
        OrphanResults::Drop => run.warn(WarningCode::ResultDropped, result.at, WHY),
        OrphanResults::AsText => {
            let why = "no call of the previous turn has this id: it is sent as text";
            run.warn(WarningCode::OrphanAsText, result.at, why);
            into.push(Message::User(as_text(run, result)?));
        }
    }
    Ok(())
}

fn as_text(run: &mut Run, result: ToolResult) -> Result<Prose> {
    let ToolResult { at, id, name, outcome, metadata } = result;
    let result_text = outcome_text(run, &outcome, at)?;
    let name = run.store.owned_text(name);
    let named = if name.is_empty() { name } else { format!(" ({name})") };
    let label = format!("Result of tool call {}{named}: ", run.store.text(id));
    let label = run.store.string(&label);
    let text = run.store.join(&[label, result_text]);
    run.warn_metadata(&metadata, at);
    let mut result_blocks = vec![Block::Text { at, text, metadata: Metadata::default() }];
    if let Outcome::Multimodal { blocks, .. } = outcome {
        warn_losses(run, &blocks);
        for block in blocks {
            if matches!(block, Block::Media(_)) {
                result_blocks.push(block);
            }
        }
    }
    let content = if result_blocks.len() > 1 { Content::Blocks(result_blocks) } else { Content::Text(text, at) };
    Ok(Prose { at, content, metadata: Metadata::default() })
}

fn name_like_call(run: &mut Run, result: &mut ToolResult, name: Value) {
    if !run.store.same(result.name, name) {
        let at = run.canonical_or(result.at, Word::name);
        run.warn(WarningCode::NameRewritten, at, "a result must have the name of its call");
        result.name = name;
    }
}

/// Whether a message is a piece of reasoning that its issuer has not signed.
fn is_thought(message: &Assistant) -> bool {
    let is_piece = |block: &Block| matches!(block, Block::Reasoning(part) if part.signature.is_none());
    !message.blocks().is_empty() && message.blocks().iter().all(is_piece)
}

/// Joins the last messages that are pieces of reasoning.
fn join_thoughts(run: &mut Run, messages: &mut Vec<Message>) {
    let mut pieces = Vec::new();
    while let Some(Message::Assistant(piece)) =
        messages.pop_if(|last| matches!(last, Message::Assistant(last) if is_thought(last)))
    {
        pieces.push(piece);
    }
    let Some(mut whole) = pieces.pop() else { return };
    while let Some(mut piece) = pieces.pop() {
        run.place(&mut piece.metadata, piece.at);
        whole.join(piece);
    }
    messages.add(Message::Assistant(whole));
}

/// Whether a message ends reasoning in pieces with an envelope.
fn ends_thoughts(run: &Run, message: &Assistant) -> bool {
    let [Block::Reasoning(part)] = message.blocks() else { return false };
    part.signature.is_some_and(|state| opened::has_mark(run, state))
}

/// Joins the assistant's messages that may be chunks of one: some clients keep each chunk of a stream as a message. If they have calls or reasoning, they
/// are one turn.
pub fn join_chunks(run: &mut Run, messages: &mut Vec<Message>) {
    if !run.route.from.format().chunks_as_messages {
        return;
    }
    for message in std::mem::take(messages) {
        if matches!(&message, Message::Assistant(last) if ends_thoughts(run, last)) {
            join_thoughts(run, messages);
        }
        match (messages.last_mut(), message) {
            (Some(Message::Assistant(turn)), Message::Assistant(mut chunk))
                if turn.has_calls() || chunk.has_calls() || is_thought(turn) && ends_thoughts(run, &chunk) =>
            {
                run.place(&mut chunk.metadata, chunk.at);
                turn.join(chunk);
            }
            (_, message) => messages.add(message),
        }
    }
}
