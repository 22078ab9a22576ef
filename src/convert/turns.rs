//! Before writing: results right after their calls, one for each, in the order that the target demands (Q80–Q86).

use super::ids::{self, UsedIds};
use super::names::Rewritten;
use super::pairing::ById;
use crate::dialect::shared::outcome::{outcome_text, tell_losses};
use crate::dialect::{Limits, is_result, limits};
use crate::model::{Assistant, Block, Call, Content, Message, Metadata, Outcome, Prose, Request, ToolResult};
use crate::run::{At, DuplicateResults, ErrorCode, MissingResults, OrphanResults, Result, Run, WarningCode};
use crate::value::order::sort;
use crate::value::{Kind, Value, Word};

/// What a synthesized result says.
const NO_RESULT: &str = "No result was given for this call.";

/// Puts the turns in order. Between the same dialect everything stays as it is, unless an option asks otherwise.
pub fn arrange(run: &mut Run, request: &mut Request, limits: &Limits) -> Result<()> {
    let options = &run.options;
    let asked =
        options.missing_results.is_some() || options.orphan_results.is_some() || options.duplicate_results.is_some();
    if run.from == run.to && !asked {
        return Ok(());
    }
    // the calls of results that a piece begins with stand in what the caller has already
    let answers_before = run.is_piece && options.orphan_results.is_none();
    let policy = Policy {
        missing: options.missing_results.unwrap_or(MissingResults::Synthesize),
        orphan: options.orphan_results.unwrap_or(OrphanResults::AsText),
        duplicate: options.duplicate_results.unwrap_or(DuplicateResults::Last),
        in_call_order: limits.results_in_call_order,
    };
    let mut arranged = Vec::with_capacity(request.messages.len());
    let mut messages = std::mem::take(&mut request.messages).into_iter().peekable();
    while let Some(result) = messages.next_if(|message| answers_before && is_result(message)) {
        arranged.push(result);
    }
    while let Some(message) = messages.next() {
        match message {
            Message::Assistant(assistant) if assistant.has_calls() => {
                let mut assistants = vec![assistant];
                while let Some(Message::Assistant(next)) = messages.next_if(is_assistant) {
                    assistants.push(next);
                }
                let mut following = Vec::new();
                while let Some(next) = messages.next_if(|next| !is_assistant(next)) {
                    following.push(next);
                }
                let is_last = messages.peek().is_none();
                turn(run, &policy, assistants, following, is_last, &mut arranged)?;
            }
            Message::Tool(result) => arranged.extend(orphan(run, &policy, result)?),
            other => arranged.push(other),
        }
    }
    request.messages = arranged;
    Ok(())
}

fn is_assistant(message: &Message) -> bool {
    matches!(message, Message::Assistant(_))
}

struct Policy {
    missing: MissingResults,
    orphan: OrphanResults,
    duplicate: DuplicateResults,
    in_call_order: bool,
}

/// One turn of the assistant with calls, in one message or in several, and what follows it up to the next.
fn turn(
    run: &mut Run,
    policy: &Policy,
    mut assistants: Vec<Assistant>,
    following: Vec<Message>,
    is_last: bool,
    arranged: &mut Vec<Message>,
) -> Result<()> {
    let mut positions = ById::default();
    let mut names: Vec<Value> = Vec::new();
    for (index, call) in assistants.iter().flat_map(Assistant::calls).enumerate() {
        positions.add(run, call.id, call.name, index);
        names.push(call.name);
    }
    let counts: Vec<usize> = assistants.iter().map(|assistant| assistant.calls().count()).collect();
    let count = counts.iter().sum();
    let mut results: Vec<Option<ToolResult>> = (0..count).map(|_| None).collect();
    let mut arrival: Vec<usize> = Vec::new();
    let mut others = Vec::new();
    let mut moved = None;
    let last_message = count - counts.last().copied().unwrap_or(0);
    for message in following {
        let Message::Tool(mut result) = message else {
            others.push(message);
            continue;
        };
        let waits = |index: usize| results.get(index).is_some_and(Option::is_none);
        let Some(index) = positions.answered(run, result.id, result.name, waits) else {
            others.extend(orphan(run, policy, result)?);
            continue;
        };
        if (!others.is_empty() || index < last_message) && moved.is_none() {
            moved = Some(result.at);
        }
        if let Some(name) = names.get(index) {
            name_like_call(run, &mut result, *name);
        }
        let Some(slot) = results.get_mut(index) else { continue };
        let at = result.at;
        match slot.replace(result) {
            None => arrival.push(index),
            Some(earlier) => duplicate(run, policy, earlier.at, at)?,
        }
    }
    if policy.in_call_order && !arrival.is_sorted() {
        moved = moved.or_else(|| results.iter().flatten().next().map(|result| result.at));
        sort(&mut arrival);
    }
    if let Some(at) = moved {
        run.warn(
            WarningCode::ResultsMoved,
            at,
            "results follow their calls at once, in the order that the target demands",
        );
    }
    // calls at the very end may await their results; those of a message before others do not
    let awaits = is_last && arrival.is_empty() && others.is_empty();
    let due = if awaits { last_message } else { count };
    missing(run, policy, &mut assistants, (&mut results, due), &mut arrival)?;
    let owners: Vec<usize> =
        counts.iter().enumerate().flat_map(|(owner, count)| std::iter::repeat_n(owner, *count)).collect();
    let mut own = vec![Vec::new(); counts.len()];
    for index in arrival {
        if let Some(own) = owners.get(index).and_then(|owner| own.get_mut(*owner)) {
            own.push(index);
        }
    }
    for ((assistant, count), own) in assistants.into_iter().zip(counts).zip(own) {
        if count == 0 || says_anything(&assistant) {
            arranged.push(Message::Assistant(assistant));
        }
        for index in own {
            arranged.extend(results.get_mut(index).and_then(Option::take).map(Message::Tool));
        }
    }
    arranged.extend(others);
    Ok(())
}

/// Whether anything is left of a message whose calls may have been dropped.
fn says_anything(assistant: &Assistant) -> bool {
    match &assistant.content {
        Content::Text(..) => true,
        Content::Blocks(blocks) => !blocks.is_empty() || !assistant.calls.is_empty(),
    }
}

fn duplicate(run: &mut Run, policy: &Policy, earlier: At, later: At) -> Result<()> {
    match policy.duplicate {
        DuplicateResults::Error => run.fail(ErrorCode::DuplicateResult, later, "this call has a result already"),
        DuplicateResults::Last => {
            run.warn(WarningCode::ResultDropped, earlier, "this call has a later result, which counts");
            Ok(())
        }
    }
}

fn missing(
    run: &mut Run,
    policy: &Policy,
    assistants: &mut [Assistant],
    (results, due): (&mut [Option<ToolResult>], usize),
    arrival: &mut Vec<usize>,
) -> Result<()> {
    let is_missing = |(index, result): (usize, &Option<ToolResult>)| result.is_none().then_some(index);
    let unanswered: Vec<usize> = results.iter().enumerate().take(due).filter_map(is_missing).collect();
    if unanswered.is_empty() {
        return Ok(());
    }
    let calls: Vec<(usize, Call)> = assistants
        .iter()
        .flat_map(Assistant::calls)
        .enumerate()
        .filter(|(index, _)| unanswered.binary_search(index).is_ok())
        .map(|(index, call)| (index, call.clone()))
        .collect();
    for (index, call) in &calls {
        match policy.missing {
            MissingResults::Error => {
                return run.fail(ErrorCode::MissingResult, call.at, "this call has no result");
            }
            MissingResults::Synthesize => {
                run.warn(WarningCode::ResultSynthesized, call.at, "this call has no result: one that says so was made");
                if let Some(slot) = results.get_mut(*index) {
                    *slot = Some(synthesized(run, call));
                    arrival.push(*index);
                }
            }
            MissingResults::Drop => run.warn(WarningCode::CallDropped, call.at, "this call has no result"),
        }
    }
    if policy.missing == MissingResults::Drop {
        drop_calls(assistants, &unanswered);
    }
    if policy.in_call_order {
        sort(arrival);
    }
    Ok(())
}

fn synthesized(run: &mut Run, call: &Call) -> ToolResult {
    let text = run.store.string(NO_RESULT);
    ToolResult {
        at: call.at,
        id: call.id,
        name: call.name,
        outcome: Outcome::Error(text),
        metadata: Metadata::default(),
    }
}

fn drop_calls(assistants: &mut [Assistant], dropped: &[usize]) {
    let mut index = 0;
    let mut keeps = || {
        index += 1;
        dropped.binary_search(&(index - 1)).is_err()
    };
    for assistant in assistants {
        if let Content::Blocks(blocks) = &mut assistant.content {
            blocks.retain(|block| block.as_call().is_none() || keeps());
        }
        assistant.calls.retain(|_| keeps());
    }
}

/// A result whose call is not in the turn before it.
fn orphan(run: &mut Run, policy: &Policy, result: ToolResult) -> Result<Option<Message>> {
    match policy.orphan {
        OrphanResults::Error => run.fail(ErrorCode::OrphanResult, result.at, "no call of the turn before has this id"),
        OrphanResults::Drop => {
            run.warn(WarningCode::ResultDropped, result.at, "no call of the turn before has this id");
            Ok(None)
        }
        OrphanResults::AsText => {
            run.warn(
                WarningCode::OrphanAsText,
                result.at,
                "no call of the turn before has this id: it is told as text",
            );
            Ok(Some(Message::User(as_text(run, result)?)))
        }
    }
}

fn as_text(run: &mut Run, result: ToolResult) -> Result<Prose> {
    let ToolResult { at, id, name, outcome, metadata } = result;
    let said = outcome_text(run, &outcome, at)?;
    let name = run.store.owned_text(name);
    let label = if name.is_empty() {
        format!("Result of tool call {}: ", run.store.text(id))
    } else {
        format!("Result of tool call {} ({name}): ", run.store.text(id))
    };
    let label = run.store.string(&label);
    let text = run.store.join(&[label, said]);
    run.warn_metadata(&metadata, at);
    let media: Vec<Block> = match outcome {
        Outcome::Multimodal { blocks, .. } => {
            tell_losses(run, &blocks);
            blocks.into_iter().filter(|block| matches!(block, Block::Media(_))).collect()
        }
        Outcome::Text(_) | Outcome::Error(_) | Outcome::Data { .. } => Vec::new(),
    };
    let content = if media.is_empty() {
        Content::Text(text, at)
    } else {
        let first = Block::Text { at, text, metadata: Metadata::default() };
        Content::Blocks(std::iter::once(first).chain(media).collect())
    };
    Ok(Prose { at, content, metadata: Metadata::default() })
}

/// Gives every call, and its result with it, an id that the target takes and that stands once in the conversation.
pub fn assign_ids(run: &mut Run, request: &mut Request, limits: &Limits) -> Rewritten {
    let mut rewritten = Rewritten::default();
    let own = run.to.provider() == run.family;
    let mut used = UsedIds::default();
    let mut turn = ById::default();
    let mut calls: Vec<(Value, bool)> = Vec::new();
    let mut in_turn = false;
    for message in &mut request.messages {
        let continues = std::mem::replace(&mut in_turn, is_assistant(message));
        match message {
            Message::Assistant(assistant) => {
                if !continues {
                    turn.clear();
                    calls.clear();
                }
                for call in assistant.calls_mut() {
                    turn.add(run, call.id, call.name, calls.len());
                    let id = run.store.owned_text(call.id);
                    // an original is nobody's new name: another answer may bear it again
                    call.id = match original_id(run, call, own) {
                        Some(original) => original,
                        None => {
                            let wire = wire_id(run, call, &id, limits, &mut used);
                            let text = run.store.text(wire);
                            if text != id {
                                rewritten.insert(id.as_bytes(), text.into_owned());
                            }
                            wire
                        }
                    };
                    calls.push((call.id, false));
                }
            }
            Message::Tool(result) => {
                let waits = |index: usize| calls.get(index).is_some_and(|(_, answered)| !answered);
                let index = turn.answered(run, result.id, result.name, waits);
                match index.and_then(|index| calls.get_mut(index)) {
                    Some((id, answered)) => {
                        result.id = *id;
                        *answered = true;
                    }
                    None => {
                        let id = run.store.owned_text(result.id);
                        if !ids::is_legal(limits, &id) {
                            result.id = run.store.string(&ids::replacement(&id, 0));
                        }
                    }
                }
            }
            Message::System(_) | Message::User(_) => {}
        }
    }
    rewritten
}

/// A result bears the name of its call: some targets refuse any other, the others know no name of results.
fn name_like_call(run: &mut Run, result: &mut ToolResult, name: Value) {
    if run.from != run.to && !run.store.same(result.name, name) {
        let at = run.down(result.at, Word::name);
        run.warn(WarningCode::NameRewritten, at, "a result bears the name of its call");
        result.name = name;
    }
}

/// The id that the same provider gave, where it was replaced or filled in on reading. Servers that give empty ids exist, but
/// none takes a request in which they stand (Q112).
fn original_id(run: &mut Run, call: &Call, own: bool) -> Option<Value> {
    let form = call.metadata.form(Word::id).filter(|_| own)?;
    let was_absent = run.store.kind(form) != Kind::String || run.store.word(form) == Word::omitted;
    let is_sent_again = !run.is_answer && run.from != run.to;
    if is_sent_again && (was_absent || run.store.is_empty(form)) {
        let at = id_at(run, call);
        run.warn(WarningCode::IdRewritten, at, "the target takes no empty id: it gets one that was made");
        return None;
    }
    (!was_absent).then_some(form)
}

/// Where a call's id stands in the input.
pub fn id_at(run: &mut Run, call: &Call) -> At {
    match limits(run.from).id_key {
        Some(key) => run.down(call.at, key),
        None => call.at,
    }
}

fn wire_id(run: &mut Run, call: &Call, id: &str, limits: &Limits, used: &mut UsedIds) -> Value {
    if ids::is_legal(limits, id) && used.take(id) {
        return call.id;
    }
    let replaced = used.take_replacement(id);
    let at = id_at(run, call);
    run.warn(WarningCode::IdRewritten, at, &format!("the target gets the id {replaced} for the call and its result"));
    run.store.string(&replaced)
}

/// Replaces the ids of an answer's calls that the target does not take.
pub fn assign_answer_ids(run: &mut Run, assistant: &mut Assistant, limits: &Limits) {
    let mut used = UsedIds::default();
    assistant.calls_mut().for_each(|call| assign_answer_id(run, call, limits, &mut used));
}

pub fn assign_answer_id(run: &mut Run, call: &mut Call, limits: &Limits, used: &mut UsedIds) {
    let own = run.to.provider() == run.family;
    let id = run.store.owned_text(call.id);
    call.id = match original_id(run, call, own) {
        Some(original) => original,
        // as streams of one format: what came goes on
        None if run.from == run.to => call.id,
        None => wire_id(run, call, &id, limits, used),
    };
}
