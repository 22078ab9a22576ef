//! Loops of an agent through a gateway: the client keeps each converted answer, appends what its tools say, and sends everything
//! again. What the provider was sent before stays as it was, byte by byte, as its caches know it; what the provider said comes back.

mod answers;
mod assemble;
mod client;
mod facts;
mod generated;
mod losses;
mod stream;
mod upstream;

use crate::limits;
use crate::runner::check;
use answers::{FREEFORM, Turn};
use client::{Asked, Client, is_google, list, list_key, mark};
use proptest::prelude::any;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseError;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, HashSet};
use toolwire::{
    AnthropicVersion, Dialect, ErrorStyle, JsonResults, Kind, Options, Platform, StreamConverter, StreamReader,
    ToolwireError, Warning, WarningCode, context_of, convert_text,
};

const DIALECTS: [Dialect; 7] = [
    Dialect::Canonical,
    Dialect::OpenAI,
    Dialect::OpenAIResponses,
    Dialect::Anthropic,
    Dialect::Gemini,
    Dialect::VertexAI,
    Dialect::Ollama,
];

/// A client's format, the provider's, and the options of the gateway between.
struct Gateway {
    client: Dialect,
    upstream: Dialect,
    options: Options,
    /// Whether the client asks for thoughts.
    thinks: bool,
    /// The ids that a provider gave twice in one answer go back to it as they came, where the client keeps them for it
    /// (`ids/colliding-ids-return-to-their-dialect`): they are no fault of the gateway's.
    has_twins: bool,
}

/// A request as the provider gets it.
struct Sent {
    body: Value,
    /// The messages, as they are written.
    items: Vec<String>,
    /// All else that the request says, as it is written.
    rest: BTreeMap<String, String>,
    warnings: Vec<Warning>,
}

/// A whole answer as the client gets it, the warnings, and the options with which it was converted.
type Received = (Value, Vec<Warning>, Options);

fn parsed(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap()
}

impl Gateway {
    /// Whether both formats are Google's, or one: what came is passed on as it came.
    fn is_family(&self) -> bool {
        self.client == self.upstream || is_google(self.client) && is_google(self.upstream)
    }

    fn send(&self, request: &[u8]) -> Result<Sent, String> {
        let options = self.options.clone();
        let converted = convert_text(request.to_vec(), Kind::Request, self.client, self.upstream, options)
            .map_err(|error| error.to_string())?;
        if !self.is_family() && !self.has_twins {
            limits::hold(self.upstream, &converted.body)?;
        }
        let mut rest: BTreeMap<String, Box<RawValue>> = serde_json::from_slice(&converted.body).unwrap();
        let items = rest.remove(list_key(self.upstream)).unwrap();
        let items: Vec<Box<RawValue>> = serde_json::from_str(items.get()).unwrap();
        let written = |raw: Box<RawValue>| raw.get().to_owned();
        Ok(Sent {
            body: parsed(&converted.body),
            items: items.into_iter().map(written).collect(),
            rest: rest.into_iter().map(|(key, raw)| (key, written(raw))).collect(),
            warnings: converted.warnings,
        })
    }

    /// Converts the answer to a request. Its context leads from names and ids that the provider was sent to those that the client has.
    fn receive(&self, request: Vec<u8>, sent: &Sent, answer: &Value, number: usize) -> Result<Received, String> {
        let asked = parsed(&request);
        let context =
            context_of(request, self.client, self.upstream, self.options.clone()).map_err(|error| error.to_string())?;
        for (wire, known) in context.names.iter().chain(context.ids.iter()) {
            // made ids are left out where a format needs none (Q175)
            let is_sent = says(&sent.body, wire) || wire.starts_with("tw_");
            if !is_sent || !says(&asked, known) {
                return Err(format!("the context knows {wire:?} as {known:?}"));
            }
        }
        let seed = format!("seed {number}");
        let options = Options { context: Some(context), id_seed: Some(seed), ..self.options.clone() };
        let body = answer.to_string().into_bytes();
        let whole = convert_text(body, Kind::Response, self.upstream, self.client, options.clone())
            .map_err(|error| error.to_string())?;
        Ok((parsed(&whole.body), whole.warnings, options))
    }

    /// The same answer as a stream, put together as clients do.
    fn receive_stream(&self, answer: &Value, options: Options) -> Result<Value, String> {
        let bytes = stream::streamed(self.upstream, answer);
        let failed = |error: Box<ToolwireError>| format!("{error}\nof {}", String::from_utf8_lossy(&bytes));
        if self.client == Dialect::Canonical {
            let mut reader = StreamReader::new(self.upstream, options).map_err(failed)?;
            reader.push(&bytes).map_err(failed)?;
            return Ok(parsed(&reader.finish().map_err(failed)?));
        }
        let mut converter = StreamConverter::new(self.upstream, self.client, options).map_err(failed)?;
        let mut converted = converter.push(&bytes).map_err(failed)?;
        converted.extend(converter.finish().map_err(failed)?);
        Ok(assemble::assembled(self.client, &converted))
    }

    /// A loop: whatever the client sends, the provider takes, and knows what it said.
    fn play(&self, turns: &[Turn]) -> Result<(), String> {
        let mut client = Client::new(self.client, self.thinks);
        let mut request = client.request();
        let mut sent = self.send(&request)?;
        let mut made = HashSet::new();
        for (number, turn) in turns.iter().enumerate() {
            let told =
                |reason: String| format!("{} → {}, turn {number}: {reason}", self.client.name(), self.upstream.name());
            let tools = upstream::tools(self.upstream, &sent.body);
            let answer = upstream::body(self.upstream, &turn.parts, &tools, number);
            let (received, warnings, options) = self.receive(request, &sent, &answer, number).map_err(told)?;
            let mut streaming = client.clone();
            let calls = client.keep(&received);
            let gave_none =
                |call: &&Asked| turn.gives_no_ids() && call.id.as_str().is_some_and(|id| id.starts_with("tw_"));
            let twice = calls.iter().filter(gave_none).find(|call| !made.insert(call.id.clone()));
            if let Some(call) = twice {
                return Err(told(format!("the client knows two calls as {}", call.id)));
            }
            self.knows(&calls, turn).map_err(told)?;
            if calls.is_empty() && turn.question.is_none() {
                return Ok(());
            }
            client.go_on(&calls, turn);
            request = client.request();
            let next = self.send(&request).map_err(told)?;
            let warnings = [warnings.as_slice(), &next.warnings].concat();
            self.compare(&sent, &next, &answer, &warnings)
                .map_err(|reason| told(format!("{reason}\nthe answer {answer}\nwas {}", received)))?;
            // what was streamed of arguments before they turned out to be broken can't be taken back
            let is_broken = warnings.iter().any(|warning| warning.code == WarningCode::ArgumentsWrapped);
            // an id seen before is the same call, whatever its index (Q142, Q143)
            let is_one_call = self.upstream == Dialect::OpenAI && turn.has_twins();
            if self.upstream != Dialect::Canonical && !is_broken && !is_one_call {
                let received = self.receive_stream(&answer, options).map_err(told)?;
                let calls = streaming.keep(&received);
                streaming.go_on(&calls, turn);
                let streamed = self.send(&streaming.request()).map_err(told)?;
                // Google's streams do not tell where a text ends that another one follows, and no stream where an empty one stood
                let may_differ = turn.has_empty_text() || [self.client, self.upstream].into_iter().any(is_google);
                let is_same = streamed.items == next.items || may_differ && self.says_the_same(&streamed, &next);
                if !is_same {
                    let (streamed, whole) = (streamed.items, next.items);
                    return Err(told(format!("streamed: {streamed:?}\nwhole: {whole:?}\nreceived {received}")));
                }
            }
            sent = next;
        }
        Ok(())
    }

    /// Whether the client was told of calls of its own tools.
    fn knows(&self, calls: &[Asked], turn: &Turn) -> Result<(), String> {
        let tools = client::tools(self.client);
        let has_freeform = matches!(self.client, Dialect::OpenAI | Dialect::OpenAIResponses);
        let expected: Vec<(&str, bool)> =
            turn.calls().map(|call| (tools[call.tool].as_str(), has_freeform && call.tool == FREEFORM)).collect();
        let found: Vec<(&str, bool)> = calls.iter().map(|call| (call.name.as_str(), call.is_freeform)).collect();
        if expected == found { Ok(()) } else { Err(format!("the client is asked for {found:?}, not {expected:?}")) }
    }

    /// Of two requests in a row: the second holds the first, and after it what the provider said between.
    fn compare(&self, sent: &Sent, next: &Sent, answer: &Value, warnings: &[Warning]) -> Result<(), String> {
        if let Some((before, after)) = sent.items.iter().zip(&next.items).find(|(before, after)| before != after) {
            return Err(format!("the provider was sent {before}, now it is {after}"));
        }
        // with a budget thinking must lead the turn under way: where the client could not keep it, it is left out until
        // the next question (docs/format.md, Reasoning)
        let told = [&sent.warnings, &next.warnings];
        let mut all = told.into_iter().flatten();
        let may_change = self.thinks && all.any(|warning| warning.code == WarningCode::SettingDropped);
        let rest = |sent: &Sent| {
            let kept = |(key, _): &(&String, &String)| !(may_change && *key == "thinking");
            sent.rest.iter().filter(kept).map(|(key, value)| format!("{key}: {value}")).collect::<Vec<_>>()
        };
        if sent.items.len() > next.items.len() || rest(sent) != rest(next) {
            return Err(format!("{:?} became {:?}", sent.rest, next.rest));
        }
        let items = list(&next.body[list_key(self.upstream)]);
        let said = facts::said(self.upstream, &client::kept(self.upstream, answer));
        let found = facts::said(self.upstream, &items[sent.items.len()..]);
        let mut told = losses::codes(warnings);
        if self.upstream == Dialect::Canonical {
            // ids that stand twice are others there: no provider's
            told.insert("id_rewritten");
        }
        match losses::unexplained(&said, &found, &told) {
            Some(reason) => Err(format!("the provider said {reason}\nbut was told {told:?}")),
            None => self.pairs(items),
        }
    }

    fn says_the_same(&self, streamed: &Sent, whole: &Sent) -> bool {
        let facts = |sent: &Sent| facts::said(self.upstream, list(&sent.body[list_key(self.upstream)]));
        facts(streamed) == facts(whole)
    }

    /// Whether each result is that of its call: its mark says of which.
    fn pairs(&self, items: &[Value]) -> Result<(), String> {
        let calls = facts::calls(self.upstream, items);
        let results = facts::results(self.upstream, items);
        if calls.len() != results.len() {
            return Err(format!("{} calls have {} results", calls.len(), results.len()));
        }
        let in_order = matches!(self.upstream, Dialect::Gemini | Dialect::VertexAI | Dialect::Ollama);
        let mut answered = HashSet::new();
        for (place, (id, said)) in results.iter().enumerate() {
            let waits = |number: &usize| calls[*number] == *id && !answered.contains(number);
            let number = if in_order && id.is_null() { Some(place) } else { (0..calls.len()).find(waits) };
            let Some(number) = number else { return Err(format!("a result without its call: {said}")) };
            answered.insert(number);
            if said.contains("(of call ") && !said.contains(&mark(number)) {
                return Err(format!("a result of another call than {number}: {said}"));
            }
        }
        Ok(())
    }
}

/// Whether a string stands somewhere in a value.
fn says(value: &Value, text: &str) -> bool {
    match value {
        Value::String(string) => string == text,
        Value::Array(items) => items.iter().any(|item| says(item, text)),
        Value::Object(members) => members.values().any(|member| says(member, text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// What gateways ask for, where it changes what a provider is sent.
fn options(upstream: Dialect) -> Vec<Options> {
    let platform = |platform| Options { platform: Some(platform), ..Options::default() };
    let model = |model: &str| Options { model: Some(model.to_owned()), ..Options::default() };
    let old = Options { anthropic_version: Some(AnthropicVersion::V20230601), ..Options::default() };
    match upstream {
        Dialect::Anthropic => vec![Options::default(), platform(Platform::Vertex), platform(Platform::Bedrock), old],
        // models of these generations demand signatures
        Dialect::Gemini => vec![model("gemini-3-pro"), model("gemini-2.5-flash"), platform(Platform::Vertex)],
        Dialect::VertexAI => vec![model("gemini-3-pro"), Options::default()],
        _ => vec![
            Options { error_style: ErrorStyle::Prefix, json_results: JsonResults::Parse, ..Options::default() },
            Options::default(),
        ],
    }
}

fn gateway(client: Dialect, upstream: Dialect, options: Options, thinks: bool, turns: &[Turn]) -> Gateway {
    let has_twins = client == Dialect::Canonical && turns.iter().any(Turn::has_twins);
    Gateway { client, upstream, options, thinks, has_twins }
}

#[test]
fn written_loops_go_on() {
    let mut failures = Vec::new();
    for client in DIALECTS {
        for upstream in DIALECTS {
            for (name, turns) in answers::written() {
                let found = gateway(client, upstream, Options::default(), name == "reasoning", &turns).play(&turns);
                failures.extend(found.err().map(|reason| format!("{name}: {reason}")));
            }
        }
    }
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n\n"));
}

#[test]
fn generated_loops_go_on() {
    let pair = (select(DIALECTS.to_vec()), select(DIALECTS.to_vec()), any::<Index>(), any::<bool>());
    check(20, (pair, generated::turns()), 0.02, |((client, upstream, index, thinks), turns)| {
        let options = index.get(&options(upstream)).clone();
        let found = gateway(client, upstream, options, thinks, &turns).play(&turns);
        found.map_err(|reason| TestCaseError::fail(format!("{reason}\nin {turns:?}")))
    });
}
