//! The state of reasoning through clients of other formats and through gateways behind each other: envelope out, client, envelope in gives the issuer
//! the same bytes, and nobody else anything of it (`docs/envelope.md`).

use crate::runner::check;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};
use proptest::sample::select;
use proptest::test_runner::TestCaseError;
use serde_json::{Value, json};
use toolwire::{Dialect, Options, ReasoningShown, Subject, convert_text};

const ISSUERS: &[Dialect] = &[Dialect::Anthropic, Dialect::OpenAIResponses, Dialect::Gemini];
/// Formats whose clients return state.
const CLIENTS: &[Dialect] =
    &[Dialect::Anthropic, Dialect::OpenAIResponses, Dialect::Gemini, Dialect::VertexAI, Dialect::OpenAI];
/// Formats in which a gateway can be the upstream of another one: those that state a signature where it is read in responses.
const BETWEEN: &[Dialect] = ISSUERS;

/// An item of reasoning, whoever issues it.
#[derive(Clone, Debug)]
struct Item {
    texts: Vec<String>,
    /// The texts that are no summary, where the issuer separates the two.
    content: Vec<String>,
    state: String,
    redacted: bool,
}

impl Item {
    fn with_one_text(mut self) -> Item {
        self.texts.truncate(1);
        self.content.clear();
        self
    }
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z .]{1,12}", "[\\PC]{1,6}", Just("S1\nS2".to_owned())]
}

fn items() -> impl Strategy<Value = Vec<Item>> {
    // the state of Google must be base64
    let state = prop_oneof![9 => "([A-Za-z0-9+/]{4}){1,12}", 1 => Just("QUJD".repeat(20_000))];
    let item = (vec(texts(), 0..=3), vec(texts(), 0..=2), state, proptest::bool::weighted(0.2));
    vec(item.prop_map(|(texts, content, state, redacted)| Item { texts, content, state, redacted }), 1..=3)
}

/// The items in the issuer's own format.
fn issued(by: Dialect, items: &[Item], turn: usize) -> Vec<Value> {
    let part = |kind: &str, text: &String| json!({ "type": kind, "text": text });
    let one = |(index, item): (usize, &Item)| match by {
        Dialect::Anthropic if item.redacted => json!({ "type": "redacted_thinking", "data": item.state }),
        Dialect::Anthropic => json!({ "type": "thinking", "thinking": item.texts.concat(), "signature": item.state }),
        Dialect::Gemini => json!({ "text": item.texts.concat(), "thought": true, "thoughtSignature": item.state }),
        _ => {
            let summary: Vec<Value> = item.texts.iter().map(|text| part("summary_text", text)).collect();
            let content: Vec<Value> = item.content.iter().map(|text| part("reasoning_text", text)).collect();
            let id = format!("rs_{turn}_{index}");
            let mut whole =
                json!({ "type": "reasoning", "id": id, "summary": summary, "encrypted_content": item.state });
            if !content.is_empty() {
                whole["content"] = content.into();
            }
            whole
        }
    };
    items.iter().enumerate().map(one).collect()
}

/// A response with these items, then a text.
fn response(by: Dialect, items: &[Value]) -> Value {
    let mut items = items.to_vec();
    match by {
        Dialect::Anthropic => {
            items.push(json!({ "type": "text", "text": "Hi" }));
            let usage = json!({ "input_tokens": 1, "output_tokens": 1 });
            json!({ "id": "m", "type": "message", "role": "assistant", "model": "m", "content": items, "stop_reason": "end_turn", "stop_sequence": null, "usage": usage })
        }
        Dialect::Gemini => {
            items.push(json!({ "text": "Hi" }));
            json!({ "candidates": [{ "index": 0, "finishReason": "STOP", "content": { "role": "model", "parts": items } }] })
        }
        _ => {
            let text = json!({ "type": "output_text", "text": "Hi", "annotations": [] });
            items.push(json!({ "type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "content": [text] }));
            json!({ "id": "r", "object": "response", "created_at": 1, "status": "completed", "model": "m", "output": items })
        }
    }
}

/// A client that keeps what it receives, and asks again.
struct Client {
    format: Dialect,
    request: Value,
}

impl Client {
    fn new(format: Dialect) -> Client {
        let request = match format {
            Dialect::OpenAIResponses => json!({ "model": "m", "input": [] }),
            Dialect::Gemini | Dialect::VertexAI => json!({ "contents": [] }),
            Dialect::Anthropic => json!({ "model": "m", "max_tokens": 9, "messages": [] }),
            _ => json!({ "model": "m", "messages": [] }),
        };
        let mut client = Client { format, request };
        client.ask();
        client
    }

    fn list(&mut self) -> &mut Vec<Value> {
        self.request[list_key(self.format)].as_array_mut().unwrap()
    }

    fn ask(&mut self) {
        let question = match self.format {
            Dialect::Gemini | Dialect::VertexAI => json!({ "role": "user", "parts": [{ "text": "q" }] }),
            _ => json!({ "role": "user", "content": "q" }),
        };
        self.list().push(question);
    }

    fn keep(&mut self, response: &Value) {
        let said = match self.format {
            Dialect::OpenAIResponses => response["output"].as_array().unwrap().clone(),
            Dialect::Gemini | Dialect::VertexAI => vec![response["candidates"][0]["content"].clone()],
            Dialect::Anthropic => vec![json!({ "role": "assistant", "content": response["content"] })],
            _ => vec![response["choices"][0]["message"].clone()],
        };
        self.list().extend(said);
        self.ask();
    }
}

fn list_key(format: Dialect) -> &'static str {
    match format {
        Dialect::OpenAIResponses => "input",
        Dialect::Gemini | Dialect::VertexAI => "contents",
        _ => "messages",
    }
}

fn convert(body: &Value, subject: Subject, from: Dialect, to: Dialect) -> Result<Value, TestCaseError> {
    let options = Options { reasoning: Some(ReasoningShown::Show), ..Options::default() };
    let converted = convert_text(body.to_string().into_bytes(), subject, from, to, options);
    let converted =
        converted.map_err(|error| TestCaseError::fail(format!("{} → {}: {error}", from.name(), to.name())))?;
    Ok(serde_json::from_slice(&converted.body).unwrap())
}

/// What passes through gateways between formats, from the first to the last.
fn through(body: Value, subject: Subject, formats: &[Dialect]) -> Result<Value, TestCaseError> {
    formats.windows(2).try_fold(body, |body, pair| convert(&body, subject, pair[0], pair[1]))
}

/// The reasoning in a request, in the provider's own format.
fn received(by: Dialect, request: &Value) -> Vec<Value> {
    let list = request[list_key(by)].as_array().unwrap();
    let is_reasoning = |item: &&Value| {
        item["thought"] == true
            || ["thinking", "redacted_thinking", "reasoning"].iter().any(|kind| item["type"] == *kind)
    };
    let blocks: Vec<Value> = match by {
        Dialect::OpenAIResponses => list.clone(),
        Dialect::Gemini => list.iter().flat_map(|content| content["parts"].as_array().unwrap().clone()).collect(),
        _ => list.iter().flat_map(|message| message["content"].as_array().cloned().unwrap_or_default()).collect(),
    };
    blocks.iter().filter(is_reasoning).cloned().collect()
}

/// The path from the client to the provider: the formats of the client, of the gateways between, and of the provider.
fn play(path: &[Dialect], items: &[Item]) -> Result<(), TestCaseError> {
    let (client, issuer) = (path[0], path[path.len() - 1]);
    let back: Vec<Dialect> = path.iter().rev().copied().collect();
    let given = issued(issuer, items, 0);
    let mut client = Client::new(client);
    client.keep(&through(response(issuer, &given), Subject::Response, &back)?);
    let request = through(client.request.clone(), Subject::Request, path)?;
    let found = received(issuer, &request);
    let names: Vec<&str> = path.iter().map(|format| format.name()).collect();
    if given == found {
        return Ok(());
    }
    Err(TestCaseError::fail(format!("{}: {given:?}\nbecame {found:?}\nfrom {}", names.join(" → "), client.request)))
}

#[test]
fn envelopes_bring_the_same_bytes_to_the_issuer() {
    check(40, (select(CLIENTS), select(ISSUERS), items()), 0.05, |(client, issuer, items)| {
        if client.provider() == issuer.provider() { Ok(()) } else { play(&[client, issuer], &items) }
    });
}

#[test]
fn gateways_behind_each_other_bring_the_same_bytes_to_the_issuer() {
    let formats = (select(CLIENTS), select(BETWEEN), select(ISSUERS), items());
    check(41, formats, 0.05, |(client, between, issuer, items)| {
        let differ = client.provider() != between.provider() && between.provider() != issuer.provider();
        // the format between has one text for each item
        let items: Vec<Item> = items.into_iter().map(Item::with_one_text).collect();
        if differ { play(&[client, between, issuer], &items) } else { Ok(()) }
    });
}

/// A conversation that moves to another provider and back: each gets its own reasoning, and nothing of the other's.
#[test]
fn a_conversation_moves_to_another_provider_and_back() {
    let formats = (select(CLIENTS), select(ISSUERS), select(ISSUERS), vec(items(), 3..=3));
    check(42, formats, 0.03, |(client, first, second, turns)| {
        if first == second || [first, second].iter().any(|issuer| issuer.provider() == client.provider()) {
            return Ok(());
        }
        let mut client = Client::new(client);
        let mut expected = [Vec::new(), Vec::new()];
        for (turn, items) in turns.iter().enumerate() {
            let issuer = [first, second][turn % 2];
            let given = issued(issuer, items, turn);
            client.keep(&convert(&response(issuer, &given), Subject::Response, issuer, client.format)?);
            expected[turn % 2].extend(given);
            for (provider, expected) in [first, second].into_iter().zip(&expected) {
                let request = convert(&client.request, Subject::Request, client.format, provider)?;
                let found = received(provider, &request);
                if *expected != found {
                    let route = format!("{} → {}, turn {turn}", client.format.name(), provider.name());
                    return Err(TestCaseError::fail(format!("{route}: {expected:?}\nbecame {found:?}")));
                }
            }
        }
        Ok(())
    });
}
