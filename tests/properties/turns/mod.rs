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
use crate::providers;
use crate::runner::check;
use answers::{FREEFORM, Turn};
use client::{Asked, Client, is_google, list, list_key, mark};
use proptest::prelude::{Strategy, any};
use proptest::sample::{Index, select, subsequence};
use proptest::test_runner::TestCaseError;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use toolwire::{
    AnthropicVersion, Dialect, ErrorStyle, JsonResults, MidSystem, Options, Platform, StreamConverter, StreamReader,
    Subject, ToolwireError, Warning, WarningCode, context_of, convert_text,
};
use upstream::Told;

fn dialects() -> impl Iterator<Item = Dialect> {
    [Dialect::Canonical].into_iter().chain(providers())
}

/// A client's format, and the providers behind the gateway: the first answers, unless another has to stand in for it.
struct Gateway {
    client: Dialect,
    upstreams: Vec<Upstream>,
    /// Whether the client asks for thoughts.
    thinks: bool,
    /// Whether the client keeps what was streamed, and each chunk of Google's as a content of its own.
    streams: bool,
    /// The ids that a provider gave twice in one answer go back to it as they came, where the client keeps them for it
    /// (`ids/equal-ids-are-unchanged-in-the-same-dialect`): they are no fault of the gateway's.
    has_twins: bool,
}

/// A provider's format, and the options of the gateway before it.
struct Upstream {
    dialect: Dialect,
    options: Options,
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

impl Sent {
    /// How many instructions went to the front.
    fn moved(&self) -> usize {
        self.warnings.iter().filter(|warning| warning.code == WarningCode::SystemMoved).count()
    }
}

/// Who said an answer, knowing which tools.
struct Said<'a> {
    by: Dialect,
    answer: &'a Value,
    tools: &'a [Told],
}

/// A whole answer as the client gets it, the warnings, and the options with which it was converted.
type Received = (Value, Vec<Warning>, Options);

fn parsed(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap()
}

impl Gateway {
    /// Who answers: from the third turn on another, and for the sixth the first again.
    fn answering(&self, number: usize) -> usize {
        if matches!(number, 2..=4 | 6..) { self.upstreams.len() - 1 } else { 0 }
    }

    fn send(&self, request: &[u8], to: &Upstream) -> Result<Sent, String> {
        let converted = convert_text(request.to_vec(), Subject::Request, self.client, to.dialect, to.options.clone())
            .map_err(|error| error.to_string())?;
        // what came in the provider's own format is passed on as it came
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

    /// Converts the answer to a request. Its context leads from names and ids that the provider was sent to those that the client has.
    fn receive(
        &self,
        request: Vec<u8>,
        from: &Upstream,
        sent: &Sent,
        answer: &Value,
        number: usize,
    ) -> Result<Received, String> {
        let asked = parsed(&request);
        let context =
            context_of(request, self.client, from.dialect, from.options.clone()).map_err(|error| error.to_string())?;
        for (wire, known) in context.names.iter().chain(context.ids.iter()) {
            // made ids are left out where a format needs none (Q175)
            let is_sent = says(&sent.body, wire) || wire.starts_with("tw_");
            if !is_sent || !says(&asked, known) {
                return Err(format!("the context knows {wire:?} as {known:?}"));
            }
        }
        let seed = format!("seed {number}");
        let options = Options { context: Some(context), id_seed: Some(seed), ..from.options.clone() };
        let body = answer.to_string().into_bytes();
        let whole = convert_text(body, Subject::Response, from.dialect, self.client, options.clone())
            .map_err(|error| error.to_string())?;
        Ok((parsed(&whole.body), whole.warnings, options))
    }

    /// The same answer as a stream, put together as clients do.
    fn receive_stream(&self, from: Dialect, answer: &Value, options: Options) -> Result<Value, String> {
        let bytes = stream::streamed(from, answer);
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

    /// A loop: whatever the client sends, each provider takes, and knows what was said.
    fn play(&self, turns: &[Turn]) -> Result<(), String> {
        let mut client = Client::new(self.client, self.thinks);
        let mut request = client.request();
        let mut sent = self.send_all(&request)?;
        let mut made = HashSet::new();
        for (number, turn) in turns.iter().enumerate() {
            let answering = self.answering(number);
            let upstream = &self.upstreams[answering];
            let told = |reason: String| {
                let all: Vec<&str> = self.upstreams.iter().map(|upstream| upstream.dialect.name()).collect();
                format!("{} → {}, turn {number}: {reason}", self.client.name(), all.join(" | "))
            };
            let tools = upstream::tools(upstream.dialect, &sent[answering].body);
            let answer = upstream::body(upstream.dialect, &turn.parts, &tools, number);
            let (received, warnings, options) =
                self.receive(request, upstream, &sent[answering], &answer, number).map_err(told)?;
            let mut streaming = client.clone();
            streaming.keeps_chunks = self.streams;
            let calls = client.keep(&received);
            let gave_none =
                |call: &&Asked| turn.gives_no_ids() && call.id.as_str().is_some_and(|id| id.starts_with("tw_"));
            let twice = calls.iter().filter(gave_none).find(|call| !made.insert(call.id.clone()));
            if let Some(call) = twice {
                return Err(told(format!("the client knows two calls as {}", call.id)));
            }
            self.knows(&calls, turn).map_err(told)?;
            self.is_unsigned(upstream.dialect, &received, turn).map_err(told)?;
            if calls.is_empty() && turn.question.is_none() {
                return Ok(());
            }
            client.go_on(&calls, turn);
            request = client.request();
            let next = self.send_all(&request).map_err(told)?;
            for (index, (sent, next)) in sent.iter().zip(&next).enumerate() {
                let to = self.upstreams[index].dialect;
                // Anthropic takes an instruction in its place only before an answer: where that is empty, it goes to the front then
                if next.moved() > sent.moved() + usize::from(turn.instructs) {
                    continue;
                }
                let warnings = [warnings.as_slice(), &next.warnings].concat();
                let said = Said { by: upstream.dialect, answer: &answer, tools: &tools };
                self.goes_on(to, sent, next)
                    .and_then(|()| self.is_instructed(next, turn, client.calls))
                    .and_then(|()| self.pairs(to, next))
                    .and_then(|()| match index == answering {
                        true => self.compare(to, sent, next, &answer, &warnings),
                        false => self.carries(to, sent, next, said, &warnings),
                    })
                    .map_err(|reason| {
                        told(format!("to {}: {reason}\nthe answer {answer}\nwas {received}", to.name()))
                    })?;
            }
            // what was streamed of arguments before they turned out to be broken can't be taken back, nor thoughts that end unsigned
            let dropped = if upstream.dialect == Dialect::Canonical { "reasoning_dropped" } else { "" };
            let codes = losses::codes(&[warnings.as_slice(), &next[answering].warnings].concat());
            let is_broken = codes.contains("arguments_wrapped") || codes.contains(dropped);
            // an id seen before is the same call, whatever its index (Q142, Q143)
            let is_one_call = upstream.dialect.base() == Dialect::OpenAI && turn.has_twins();
            if !is_broken && !is_one_call {
                let received = self.receive_stream(upstream.dialect, &answer, options).map_err(told)?;
                let calls = streaming.keep(&received);
                self.knows(&calls, turn).map_err(told)?;
                streaming.go_on(&calls, turn);
                let streamed = self.send_all(&streaming.request()).map_err(told)?;
                let in_chunks = self.streams && is_google(self.client);
                for ((streamed, whole), to) in streamed.iter().zip(&next).zip(&self.upstreams) {
                    // Google's streams do not tell where a text ends that another one follows, and no stream where an empty one stood;
                    // to others, and in the canonical format, the forms of what is empty may differ
                    let is_other = to.dialect != upstream.dialect || to.dialect == Dialect::Canonical;
                    // between variants, a stream is written anew, while a whole response keeps its forms
                    let is_variant = self.client != upstream.dialect && self.client.base() == upstream.dialect.base();
                    let may_differ = is_other
                        || is_variant
                        || turn.has_empty_text()
                        || [self.client, upstream.dialect].into_iter().any(is_google);
                    let is_same = streamed.items == whole.items
                        || may_differ && says_the_same(to.dialect, streamed, whole, in_chunks);
                    if !is_same {
                        let mut pairs = streamed.items.iter().zip(&whole.items);
                        let differs = pairs.find(|(streamed, whole)| streamed != whole);
                        let to = to.dialect.name();
                        return Err(told(format!("to {to}, streamed and whole: {differs:?}\nreceived {received}")));
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

    /// Whether the client was told of calls of its own tools.
    fn knows(&self, calls: &[Asked], turn: &Turn) -> Result<(), String> {
        let tools = client::tools(self.client);
        let has_freeform = matches!(self.client.base(), Dialect::OpenAI | Dialect::OpenAIResponses);
        let expected: Vec<(&str, bool)> =
            turn.calls().map(|call| (tools[call.tool].as_str(), has_freeform && call.tool == FREEFORM)).collect();
        let found: Vec<(&str, bool)> = calls.iter().map(|call| (call.name.as_str(), call.is_freeform)).collect();
        if expected == found { Ok(()) } else { Err(format!("the client is asked for {found:?}, not {expected:?}")) }
    }

    /// Whether state of one provider's is nowhere that another would take for its own: only Chat has a place for Google's.
    fn is_unsigned(&self, from: Dialect, received: &Value, turn: &Turn) -> Result<(), String> {
        let keeps = matches!(self.client.base(), Dialect::Canonical | Dialect::OpenAI);
        if keeps || from == Dialect::Canonical || from.provider() == self.client.provider() {
            return Ok(());
        }
        let leaks = turn.states().find(|state| says(received, state));
        leaks.map_or(Ok(()), |state| Err(format!("the client got the state {state} in {received}")))
    }

    /// Whether a provider knows the instruction that the client gave last.
    fn is_instructed(&self, next: &Sent, turn: &Turn, calls: usize) -> Result<(), String> {
        let said = client::instruction(calls);
        let is_told = !turn.instructs || is_google(self.client) || next.body.to_string().contains(&said);
        if is_told { Ok(()) } else { Err(format!("{said:?} is not told")) }
    }

    /// Of two requests in a row the second holds the first.
    fn goes_on(&self, to: Dialect, sent: &Sent, next: &Sent) -> Result<(), String> {
        if let Some((before, after)) = sent.items.iter().zip(&next.items).find(|(before, after)| before != after) {
            return Err(format!("the provider was sent {before}, now it is {after}"));
        }
        // with a budget thinking must lead the turn under way: where the client could not keep it, it is left out until
        // the next question (docs/format.md, Reasoning)
        let told = [&sent.warnings, &next.warnings];
        let mut all = told.into_iter().flatten();
        let may_change = self.thinks && all.any(|warning| warning.code == WarningCode::SettingDropped);
        // an instruction that can't stand where it was given goes to the front (`midSystem`)
        let has_moved = sent.moved() < next.moved();
        let rest = |sent: &Sent| {
            let kept = |(key, _): &(&String, &String)| match key.as_str() {
                "thinking" => !may_change,
                "system" | "systemInstruction" => !has_moved,
                _ => true,
            };
            sent.rest.iter().filter(kept).map(|(key, value)| format!("{key}: {value}")).collect::<Vec<_>>()
        };
        if sent.items.len() > next.items.len() || rest(sent) != rest(next) {
            return Err(format!("{:?} became {:?} on {}", sent.rest, next.rest, to.name()));
        }
        Ok(())
    }

    /// After the first of two requests stands what the provider said between.
    fn compare(
        &self,
        to: Dialect,
        sent: &Sent,
        next: &Sent,
        answer: &Value,
        warnings: &[Warning],
    ) -> Result<(), String> {
        let said = facts::said(to, &client::kept(to, answer));
        let found = facts::said(to, &list(&next.body[list_key(to)])[sent.items.len()..]);
        let mut told = losses::codes(warnings);
        if to == Dialect::Canonical {
            // ids that stand twice are others there: no provider's
            told.insert("id_rewritten");
        }
        match losses::unexplained(&said, &found, &told) {
            Some(reason) => Err(format!("the provider said {reason}\nbut was told {told:?}")),
            None => Ok(()),
        }
    }

    /// The same where another provider said it: words and calls are told to this one.
    fn carries(&self, to: Dialect, sent: &Sent, next: &Sent, said: Said, warnings: &[Warning]) -> Result<(), String> {
        let codes = losses::codes(warnings);
        let items = &list(&next.body[list_key(to)])[sent.items.len()..];
        let said = facts::plain(said.by, &client::kept(said.by, said.answer), said.tools, &codes);
        let found = facts::plain(to, items, &upstream::tools(to, &next.body), &codes);
        if said == found { Ok(()) } else { Err(format!("said was {said:?}\nbut it is told {found:?} and {codes:?}")) }
    }

    /// Whether each result is that of its call: its mark says of which.
    fn pairs(&self, to: Dialect, next: &Sent) -> Result<(), String> {
        let items = list(&next.body[list_key(to)]);
        let calls = facts::calls(to, items);
        let results = facts::results(to, items);
        if calls.len() != results.len() {
            return Err(format!("{} calls have {} results", calls.len(), results.len()));
        }
        let in_order = matches!(to.base(), Dialect::Gemini | Dialect::Ollama);
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

/// Whether the provider is told the same; of what came in contents of their own blank ones may be left out (`empty_dropped`).
fn says_the_same(to: Dialect, streamed: &Sent, whole: &Sent, in_chunks: bool) -> bool {
    let facts = |sent: &Sent| {
        let items = list(&sent.body[list_key(to)]);
        if in_chunks {
            return facts::plain(to, items, &upstream::tools(to, &sent.body), &BTreeSet::new());
        }
        let mut facts = facts::said(to, items);
        for fact in &mut facts {
            // made ids say where their message stands
            if fact[1].as_str().is_some_and(|id| fact[0] != "text" && id.starts_with("tw_")) {
                fact[1] = Value::Null;
            }
        }
        facts
    };
    facts(streamed) == facts(whole)
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
        Dialect::Anthropic => {
            let inline = Options { mid_system: MidSystem::Inline, ..Options::default() };
            vec![Options::default(), platform(Platform::Vertex), platform(Platform::Bedrock), old, inline]
        }
        // models of these generations demand signatures
        Dialect::Gemini => vec![model("gemini-3-pro"), model("gemini-2.5-flash"), platform(Platform::Vertex)],
        Dialect::VertexAI => vec![model("gemini-3-pro"), Options::default()],
        _ => vec![
            Options { error_style: ErrorStyle::Prefix, json_results: JsonResults::Parse, ..Options::default() },
            Options::default(),
        ],
    }
}

/// A gateway of these formats; `index` chooses among the options for each.
fn gateway(
    client: Dialect,
    upstreams: &[Dialect],
    index: Option<&Index>,
    [thinks, streams]: [bool; 2],
    turns: &[Turn],
) -> Gateway {
    let has_twins = client == Dialect::Canonical && turns.iter().any(Turn::has_twins);
    let options = |upstream| index.map(|index| index.get(&options(upstream)).clone()).unwrap_or_default();
    let upstreams =
        upstreams.iter().map(|upstream| Upstream { dialect: *upstream, options: options(*upstream) }).collect();
    Gateway { client, upstreams, thinks, streams, has_twins }
}

fn told(failures: Vec<String>) {
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n\n"));
}

#[test]
fn written_conversations_continue() {
    let mut failures = Vec::new();
    for client in dialects() {
        for upstream in dialects() {
            for (name, turns) in answers::written() {
                let found = gateway(client, &[upstream], None, [name == "reasoning", false], &turns).play(&turns);
                failures.extend(found.err().map(|reason| format!("{name}: {reason}")));
            }
        }
    }
    told(failures);
}

#[test]
fn written_conversations_continue_with_another_provider() {
    let mut failures = Vec::new();
    let written = answers::written();
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
    told(failures);
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
