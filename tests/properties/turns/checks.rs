//! What must hold of consecutive requests of a conversation.

use super::client::{self, ReceivedCall, has_instructions, list, list_key};
use super::responses::{FREEFORM, Turn};
use super::results::mark;
use super::upstream::{self, OfferedTool, text};
use super::{Gateway, Sent, facts, losses, shape};
use serde_json::Value;
use std::collections::{BTreeSet, HashSet};
use toolwire::{Dialect, Warning, WarningCode};

/// A response of a provider, and the tools of its request.
pub struct FromProvider<'a> {
    pub by: Dialect,
    pub response: &'a Value,
    pub tools: &'a [OfferedTool],
}

impl Gateway {
    /// Whether the client received the calls with the names of its own tools.
    pub fn knows(&self, calls: &[ReceivedCall], turn: &Turn) -> Result<(), String> {
        let tools = client::tools(self.client);
        let has_freeform = matches!(shape(self.client), Dialect::OpenAI | Dialect::OpenAIResponses);
        let expected: Vec<(&str, bool)> =
            turn.calls().map(|call| (tools[call.tool].as_str(), has_freeform && call.tool == FREEFORM)).collect();
        let found: Vec<(&str, bool)> = calls.iter().map(|call| (call.name.as_str(), call.is_freeform)).collect();
        if expected == found {
            Ok(())
        } else {
            Err(format!("the client received calls of {found:?}, not {expected:?}"))
        }
    }

    /// Whether the response is free of state that another provider might take for its own: only Chat has a place for
    /// Google's.
    pub fn is_unsigned(&self, from: Dialect, received: &Value, turn: &Turn) -> Result<(), String> {
        let keeps = matches!(shape(self.client), Dialect::Canonical | Dialect::OpenAI);
        if keeps || from == Dialect::Canonical || from.provider() == self.client.provider() {
            return Ok(());
        }
        let leaks = turn.states().find(|state| contains(received, state));
        leaks.map_or(Ok(()), |state| Err(format!("the client got the state {state} in {received}")))
    }

    /// Whether a provider's request contains the client's last instruction.
    pub fn is_instructed(&self, next: &Sent, turn: &Turn, calls: usize) -> Result<(), String> {
        let instruction = client::instruction(calls);
        let is_present =
            !turn.instructs || !has_instructions(self.client) || next.body.to_string().contains(&instruction);
        if is_present { Ok(()) } else { Err(format!("{instruction:?} is not in the request")) }
    }

    /// The second of two consecutive requests starts with the messages of the first.
    pub fn extends(&self, to: Dialect, sent: &Sent, next: &Sent) -> Result<(), String> {
        // an instruction that is not allowed at its position is moved to the front (`midSystem`)
        let has_moved = sent.moved() < next.moved();
        let kept = |sent: &Sent| if has_moved { sent.front(to) } else { 0 };
        let (before, after) = (&sent.items[kept(sent)..], &next.items[kept(next)..]);
        let differs = before.iter().zip(after).position(|(before, after)| before != after);
        if let Some(place) = differs.filter(|place| !goes_on(to, &before[*place..], &after[*place..])) {
            return Err(format!("the provider was sent {}, now it is {}", before[place], after[place]));
        }
        // with a budget, reasoning must lead the current turn: if the client could not keep the reasoning, the setting
        // is omitted until the next question (docs/format.md, Reasoning)
        let warnings = [&sent.warnings, &next.warnings];
        let mut all = warnings.into_iter().flatten();
        let may_change = self.thinks && all.any(|warning| warning.code == WarningCode::SettingDropped);
        let rest = |sent: &Sent| {
            let kept = |(key, _): &(&String, &String)| match key.as_str() {
                "thinking" => !may_change,
                "system" | "systemInstruction" | "system_instruction" => !has_moved,
                _ => true,
            };
            sent.rest.iter().filter(kept).map(|(key, value)| format!("{key}: {value}")).collect::<Vec<_>>()
        };
        if sent.items.len() > next.items.len() || rest(sent) != rest(next) {
            return Err(format!("{:?} became {:?} on {}", sent.rest, next.rest, to.name()));
        }
        Ok(())
    }

    /// The messages that follow those of the first request begin with the provider's response.
    pub fn compare(
        &self,
        to: Dialect,
        sent: &Sent,
        next: &Sent,
        response: &Value,
        warnings: &[Warning],
    ) -> Result<(), String> {
        let expected = facts::apart(to, &client::kept(to, response));
        let found = facts::parts(to, sent.new_items(to, next));
        let mut codes = losses::codes(warnings);
        codes.extend(match shape(self.client) {
            Dialect::OpenAI | Dialect::Ollama => Some(losses::REASONING_FIRST),
            Dialect::Mistral | Dialect::Cohere => Some(losses::CALLS_LAST),
            Dialect::GeminiInteractions => Some(losses::SIGNED_BY_THOUGHTS),
            _ => None,
        });
        codes.extend(facts::has_thoughts_of_google(to).then_some(losses::UNMARKED_THOUGHTS));
        if to == Dialect::Canonical {
            // equal ids are rewritten there, because they are not a provider's
            codes.insert("id_rewritten");
        }
        match losses::unexplained(&expected, &found, &codes) {
            Some(reason) => Err(format!("the provider sent {reason}\nin its history, with the warnings {codes:?}")),
            None => Ok(()),
        }
    }

    /// The same for a response of another provider: this provider receives its texts and calls.
    pub fn carries(
        &self,
        to: Dialect,
        sent: &Sent,
        next: &Sent,
        received: FromProvider,
        warnings: &[Warning],
    ) -> Result<(), String> {
        let codes = losses::codes(warnings);
        let items = sent.new_items(to, next);
        let expected = facts::plain(received.by, &client::kept(received.by, received.response), received.tools, &codes);
        let found = facts::plain(to, items, &upstream::tools(to, &next.body), &codes);
        if expected == found {
            Ok(())
        } else {
            Err(format!("expected {expected:?}\nbut found {found:?}, with the warnings {codes:?}"))
        }
    }

    /// Whether each result belongs to its call, as its mark shows.
    pub fn pairs(&self, to: Dialect, next: &Sent) -> Result<(), String> {
        let items = list(&next.body[list_key(to)]);
        let calls = facts::calls(to, items);
        let results = facts::results(to, items);
        if calls.len() != results.len() {
            return Err(format!("{} calls have {} results", calls.len(), results.len()));
        }
        let in_order = matches!(shape(to), Dialect::Gemini | Dialect::Ollama);
        let mut with_result = HashSet::new();
        for (place, (id, text)) in results.iter().enumerate() {
            let waits = |number: &usize| calls[*number] == *id && !with_result.contains(number);
            let number = if in_order && id.is_null() { Some(place) } else { (0..calls.len()).find(waits) };
            let Some(number) = number else { return Err(format!("a result without its call: {text}")) };
            with_result.insert(number);
            if text.contains("(of call ") && !text.contains(&mark(number)) {
                return Err(format!("a result of another call than {number}: {text}"));
            }
        }
        Ok(())
    }
}

impl Sent {
    /// The number of instructions at the front of the messages.
    fn front(&self, to: Dialect) -> usize {
        list(&self.body[list_key(to)]).iter().take_while(|item| item["role"] == "system").count()
    }

    /// What the next request adds behind the messages of this one.
    fn new_items<'a>(&self, to: Dialect, next: &'a Sent) -> &'a [Value] {
        let moved = next.front(to) - self.front(to);
        &list(&next.body[list_key(to)])[self.items.len() + moved..]
    }
}

/// Whether the user's last message goes on in the next request, as turns of Bedrock alternate (Q97e) and an empty
/// response is none.
fn goes_on(to: Dialect, before: &[String], after: &[String]) -> bool {
    let ([before], [after]) = (before, after) else { return false };
    let [before, after] = [before, after].map(|item| serde_json::from_str::<Value>(item).unwrap_or_default());
    shape(to) == Dialect::Bedrock
        && before["role"] == "user"
        && after["role"] == "user"
        && list(&after["content"]).starts_with(list(&before["content"]))
}

/// Whether both requests have the same content. Blank texts may be omitted (`empty_dropped`), or joined to others, if
/// a stream has no mark between them.
pub fn has_equal_content((from, to): (Dialect, Dialect), streamed: &Sent, whole: &Sent, in_chunks: bool) -> bool {
    let is_blank = |warning: &Warning| warning.code == WarningCode::EmptyDropped;
    let has_blanks = streamed.warnings.iter().chain(&whole.warnings).any(is_blank);
    let facts = |sent: &Sent| {
        let items = list(&sent.body[list_key(to)]);
        if in_chunks {
            return facts::plain(to, items, &upstream::tools(to, &sent.body), &BTreeSet::new());
        }
        let mut facts = facts::parts(to, items);
        if facts::has_thoughts_of_google(from) {
            facts = facts::signed(facts);
        }
        for fact in facts.iter_mut().filter(|fact| has_blanks && fact[0] == "text") {
            fact[1] = text(&fact[1]).split_whitespace().collect::<String>().into();
        }
        for fact in &mut facts {
            // generated ids contain the position of their message
            if fact[1].as_str().is_some_and(|id| fact[0] != "text" && id.starts_with("tw_")) {
                fact[1] = Value::Null;
            }
        }
        facts
    };
    facts(streamed) == facts(whole)
}

/// Whether a value contains a string.
pub fn contains(value: &Value, text: &str) -> bool {
    match value {
        Value::String(string) => string == text,
        Value::Array(items) => items.iter().any(|item| contains(item, text)),
        Value::Object(members) => members.values().any(|member| contains(member, text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
