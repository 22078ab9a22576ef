//! Conversations of an agent through a gateway: the client keeps each converted response, appends the results of its
//! tools, and sends the whole history again. Everything that the provider received before stays the same, byte by byte,
//! as its caches require, and the provider receives its own responses unchanged.

mod assemble;
#[path = "../../support/binary.rs"]
mod binary;
mod checks;
mod client;
mod facts;
mod generated;
mod losses;
mod responses;
mod results;
mod stream;
mod upstream;

use crate::limits;
use crate::providers;
use crate::runner::check;
use checks::{FromProvider, contains, has_equal_content};
use client::{Client, ReceivedCall, is_google, list_key};
use proptest::prelude::{Strategy, any};
use proptest::sample::{Index, select, subsequence};
use proptest::test_runner::TestCaseError;
use responses::Turn;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, HashSet};
use toolwire::{
    AnthropicVersion, Dialect, ErrorStyle, JsonResults, MidSystem, Options, Platform, StreamConverter, StreamReader,
    Subject, ToolwireError, Warning, WarningCode, context_of, convert_text,
};

/// The format whose messages a dialect has. Mistral's have a shape of their own.
pub fn shape(dialect: Dialect) -> Dialect {
    if dialect == Dialect::Mistral { dialect } else { dialect.base() }
}

/// Whether a stream has no mark between two texts.
fn joins_texts(dialect: Dialect) -> bool {
    matches!(shape(dialect), Dialect::Gemini | Dialect::Mistral)
}

fn dialects() -> impl Iterator<Item = Dialect> {
    [Dialect::Canonical].into_iter().chain(providers())
}

/// A client's format, and the providers behind the gateway: the first responds, and the last replaces it in some turns.
struct Gateway {
    client: Dialect,
    upstreams: Vec<Upstream>,
    /// Whether the client requests reasoning.
    thinks: bool,
    /// Whether the client keeps streamed responses, with each of Google's chunks as a content of its own.
    streams: bool,
    /// Whether equal ids in one response go back unchanged, because the client keeps them for the provider
    /// (`ids/equal-ids-are-unchanged-in-the-same-dialect`). The gateway did not cause them.
    has_twins: bool,
}

/// A provider's format, and the gateway's options for it.
struct Upstream {
    dialect: Dialect,
    options: Options,
}

/// A request that the provider receives.
struct Sent {
    body: Value,
    /// The messages as JSON text.
    items: Vec<String>,
    /// All other fields as JSON text.
    rest: BTreeMap<String, String>,
    warnings: Vec<Warning>,
}

impl Sent {
    /// The number of instructions that were moved to the front.
    fn moved(&self) -> usize {
        self.warnings.iter().filter(|warning| warning.code == WarningCode::SystemMoved).count()
    }
}

/// The whole response that the client receives, the warnings, and the options of the conversion.
type Received = (Value, Vec<Warning>, Options);

fn parsed(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap()
}

impl Gateway {
    /// The index of the provider that responds: the last one in turns 2 to 4 and from turn 6, else the first.
    fn responding(&self, number: usize) -> usize {
        if matches!(number, 2..=4 | 6..) { self.upstreams.len() - 1 } else { 0 }
    }

    fn send(&self, request: &[u8], to: &Upstream) -> Result<Sent, String> {
        let converted = convert_text(request.to_vec(), Subject::Request, self.client, to.dialect, to.options.clone())
            .map_err(|error| error.to_string())?;
        // requests in the provider's own format are passed on unchanged
        let is_family = self.client == to.dialect || is_google(self.client) && is_google(to.dialect);
        if !is_family && !self.has_twins {
            limits::hold(to.dialect, &converted.body)?;
        }
        let mut rest: BTreeMap<String, Box<RawValue>> = serde_json::from_slice(&converted.body).unwrap();
        let items = rest.remove(list_key(to.dialect)).unwrap();
        let items: Vec<Box<RawValue>> = serde_json::from_str(items.get()).unwrap();
        let written = |raw: Box<RawValue>| raw.get().to_owned();
        Ok(Sent {
            body: parsed(&converted.body),
            items: items.into_iter().map(written).collect(),
            rest: rest.into_iter().map(|(key, raw)| (key, written(raw))).collect(),
            warnings: converted.warnings,
        })
    }

    /// Converts the response to a request. Checks that the context maps names and ids of the provider's request to
    /// those of the client.
    fn receive(
        &self,
        request: Vec<u8>,
        from: &Upstream,
        sent: &Sent,
        response: &Value,
        number: usize,
    ) -> Result<Received, String> {
        let client_request = parsed(&request);
        let context =
            context_of(request, self.client, from.dialect, from.options.clone()).map_err(|error| error.to_string())?;
        for (wire, known) in context.names.iter().chain(context.ids.iter()) {
            // generated ids are omitted in formats that need none (Q175)
            let is_sent = contains(&sent.body, wire) || wire.starts_with("tw_");
            if !is_sent || !contains(&client_request, known) {
                return Err(format!("the context knows {wire:?} as {known:?}"));
            }
        }
        let seed = format!("seed {number}");
        let options = Options { context: Some(context), id_seed: Some(seed), ..from.options.clone() };
        let body = response.to_string().into_bytes();
        let whole = convert_text(body, Subject::Response, from.dialect, self.client, options.clone())
            .map_err(|error| error.to_string())?;
        Ok((parsed(&whole.body), whole.warnings, options))
    }

    /// Converts the same response as a stream, and assembles it like the clients of the format.
    fn receive_stream(&self, from: Dialect, response: &Value, options: Options) -> Result<Value, String> {
        let bytes = stream::streamed(from, response);
        let failed = |error: Box<ToolwireError>| format!("{error}\nof {}", String::from_utf8_lossy(&bytes));
        if self.client == Dialect::Canonical {
            let mut reader = StreamReader::new(from, options).map_err(failed)?;
            reader.push(&bytes).map_err(failed)?;
            return Ok(parsed(&reader.finish().map_err(failed)?));
        }
        let mut converter = StreamConverter::new(from, self.client, options).map_err(failed)?;
        let mut converted = converter.push(&bytes).map_err(failed)?;
        converted.extend(converter.finish().map_err(failed)?);
        Ok(assemble::assembled(self.client, &converted))
    }

    fn send_all(&self, request: &[u8]) -> Result<Vec<Sent>, String> {
        let send = |upstream: &Upstream| {
            self.send(request, upstream).map_err(|reason| format!("to {}: {reason}", upstream.dialect.name()))
        };
        self.upstreams.iter().map(send).collect()
    }

    /// Runs a conversation: each provider must accept all requests, and receive the content of all responses.
    fn play(&self, turns: &[Turn]) -> Result<(), String> {
        let mut client = Client::new(self.client, self.thinks);
        let mut request = client.request();
        let mut sent = self.send_all(&request)?;
        let mut known_ids = HashSet::new();
        for (number, turn) in turns.iter().enumerate() {
            let responding = self.responding(number);
            let upstream = &self.upstreams[responding];
            let explain = |reason: String| {
                let all: Vec<&str> = self.upstreams.iter().map(|upstream| upstream.dialect.name()).collect();
                format!("{} → {}, turn {number}: {reason}", self.client.name(), all.join(" | "))
            };
            let tools = upstream::tools(upstream.dialect, &sent[responding].body);
            let response = upstream::body(upstream.dialect, &turn.parts, &tools, number);
            let (received, warnings, options) =
                self.receive(request, upstream, &sent[responding], &response, number).map_err(explain)?;
            let mut streaming = client.clone();
            streaming.keeps_chunks = self.streams;
            let calls = client.keep(&received);
            let gave_none =
                |call: &&ReceivedCall| turn.gives_no_ids() && call.id.as_str().is_some_and(|id| id.starts_with("tw_"));
            let twice = calls.iter().filter(gave_none).find(|call| !known_ids.insert(call.id.clone()));
            if let Some(call) = twice {
                return Err(explain(format!("the client knows two calls as {}", call.id)));
            }
            self.knows(&calls, turn).map_err(explain)?;
            self.is_unsigned(upstream.dialect, &received, turn).map_err(explain)?;
            if calls.is_empty() && turn.question.is_none() {
                return Ok(());
            }
            client.append_turn(&calls, turn);
            request = client.request();
            let next = self.send_all(&request).map_err(explain)?;
            for (index, (sent, next)) in sent.iter().zip(&next).enumerate() {
                let to = self.upstreams[index].dialect;
                // Anthropic accepts an instruction at its position only before a response; if the response is empty,
                // the instruction is moved to the front
                if next.moved() > sent.moved() + usize::from(turn.instructs) {
                    continue;
                }
                let warnings = [warnings.as_slice(), &next.warnings].concat();
                let from_provider = FromProvider { by: upstream.dialect, response: &response, tools: &tools };
                self.extends(to, sent, next)
                    .and_then(|()| self.is_instructed(next, turn, client.calls))
                    .and_then(|()| self.pairs(to, next))
                    .and_then(|()| match index == responding {
                        true => self.compare(to, sent, next, &response, &warnings),
                        false => self.carries(to, sent, next, from_provider, &warnings),
                    })
                    .map_err(|reason| {
                        explain(format!("to {}: {reason}\nthe response {response}\nwas {received}", to.name()))
                    })?;
            }
            // a stream can't retract arguments that turn out to be invalid, nor reasoning that turns out to be unsigned
            let dropped = if upstream.dialect == Dialect::Canonical { "reasoning_dropped" } else { "" };
            let codes = losses::codes(&[warnings.as_slice(), &next[responding].warnings].concat());
            let is_broken = codes.contains("arguments_wrapped") || codes.contains(dropped);
            // a repeated id denotes the same call, whatever its index (Q142, Q143)
            let is_one_call = upstream.dialect.base() == Dialect::OpenAI && turn.has_twins();
            if !is_broken && !is_one_call {
                let received = self.receive_stream(upstream.dialect, &response, options).map_err(explain)?;
                let calls = streaming.keep(&received);
                self.knows(&calls, turn).map_err(explain)?;
                streaming.append_turn(&calls, turn);
                let streamed = self.send_all(&streaming.request()).map_err(explain)?;
                let in_chunks = self.streams && is_google(self.client);
                for ((streamed, whole), to) in streamed.iter().zip(&next).zip(&self.upstreams) {
                    // streams of Google and Mistral do not mark where one text ends and another begins, and none marks the
                    // position of an empty text; for other providers, and in the canonical format, the forms of empty
                    // values may differ
                    let is_other = to.dialect != upstream.dialect || to.dialect == Dialect::Canonical;
                    // a stream between variants is written anew, while a whole response keeps its forms
                    let is_variant = self.client != upstream.dialect && self.client.base() == upstream.dialect.base();
                    let may_differ = is_other
                        || is_variant
                        || turn.has_empty_text()
                        || [self.client, upstream.dialect].into_iter().any(joins_texts);
                    let is_same = streamed.items == whole.items
                        || may_differ && has_equal_content((upstream.dialect, to.dialect), streamed, whole, in_chunks);
                    if !is_same {
                        let mut pairs = streamed.items.iter().zip(&whole.items);
                        let differs = pairs.find(|(streamed, whole)| streamed != whole);
                        let to = to.dialect.name();
                        return Err(explain(format!("to {to}, streamed and whole: {differs:?}\nreceived {received}")));
                    }
                }
                if self.streams {
                    (client, request, sent) = (streaming.clone(), streaming.request(), streamed);
                    continue;
                }
            }
            sent = next;
        }
        Ok(())
    }
}

/// The gateway's options that change what a provider receives.
fn options(upstream: Dialect) -> Vec<Options> {
    let platform = |platform| Options { bookkeeping: true, platform: Some(platform), ..Options::default() };
    let model = |model: &str| Options { bookkeeping: true, model: Some(model.to_owned()), ..Options::default() };
    let old = Options { bookkeeping: true, anthropic_version: Some(AnthropicVersion::V20230601), ..Options::default() };
    match upstream {
        Dialect::Anthropic => {
            let inline = Options { bookkeeping: true, mid_system: MidSystem::Inline, ..Options::default() };
            vec![
                Options { bookkeeping: true, ..Options::default() },
                platform(Platform::Vertex),
                platform(Platform::Bedrock),
                old,
                inline,
            ]
        }
        // models of these generations require signatures
        Dialect::Gemini => vec![model("gemini-3-pro"), model("gemini-2.5-flash"), platform(Platform::Vertex)],
        Dialect::VertexAI => vec![model("gemini-3-pro"), Options { bookkeeping: true, ..Options::default() }],
        _ => vec![
            Options {
                bookkeeping: true,
                error_style: ErrorStyle::Prefix,
                json_results: JsonResults::Parse,
                ..Options::default()
            },
            Options { bookkeeping: true, ..Options::default() },
        ],
    }
}

/// A gateway with these formats; `index` selects from the options for each.
fn gateway(
    client: Dialect,
    upstreams: &[Dialect],
    index: Option<&Index>,
    [thinks, streams]: [bool; 2],
    turns: &[Turn],
) -> Gateway {
    let has_twins = client == Dialect::Canonical && turns.iter().any(Turn::has_twins);
    let options = |upstream| index.map(|index| index.get(&options(upstream)).clone()).unwrap_or_else(usual);
    let upstreams =
        upstreams.iter().map(|upstream| Upstream { dialect: *upstream, options: options(*upstream) }).collect();
    Gateway { client, upstreams, thinks, streams, has_twins }
}

/// All warnings.
fn usual() -> Options {
    Options { bookkeeping: true, ..Options::default() }
}

fn assert_none(failures: Vec<String>) {
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n\n"));
}

#[test]
fn written_conversations_continue() {
    let mut failures = Vec::new();
    for client in dialects() {
        for upstream in dialects() {
            for (name, turns) in responses::written() {
                let found = gateway(client, &[upstream], None, [name == "reasoning", false], &turns).play(&turns);
                failures.extend(found.err().map(|reason| format!("{name}: {reason}")));
            }
        }
    }
    assert_none(failures);
}

#[test]
fn written_conversations_continue_with_another_provider() {
    let mut failures = Vec::new();
    let written = responses::written();
    let mut loops = written.iter().cycle();
    for client in dialects() {
        for (first, second) in dialects().flat_map(|first| dialects().map(move |second| (first, second))) {
            for (name, turns) in loops.by_ref().take(2) {
                let flags = [name == &"reasoning", true];
                let found = gateway(client, &[first, second], None, flags, turns).play(turns);
                failures.extend(found.err().map(|reason| format!("{name}: {reason}")));
            }
        }
    }
    assert_none(failures);
}

#[test]
fn generated_conversations_continue() {
    let client = select(dialects().collect::<Vec<_>>());
    let upstreams = subsequence(dialects().collect::<Vec<_>>(), 1..=2).prop_shuffle();
    let gateways = (client, upstreams, any::<Index>(), any::<[bool; 2]>());
    check(20, (gateways, generated::turns()), 0.02, |((client, upstreams, index, flags), turns)| {
        let found = gateway(client, &upstreams, Some(&index), flags, &turns).play(&turns);
        found.map_err(|reason| TestCaseError::fail(format!("{reason}\nin {turns:?}")))
    });
}
