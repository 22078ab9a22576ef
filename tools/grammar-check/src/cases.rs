//! Generated grammars with texts, and the expected verdict of an engine on each.

use crate::random::Random;
use crate::schemas::{mutant, parameters, value};
use serde_json::{Value, json};
use toolwire::text::grammar::{GrammarOptions, Syntax, tool_grammar};
use toolwire::text::read::{Event, read};
use toolwire::text::write::{Form, calls_as_text};
use toolwire::text::{Tool, formats};
use toolwire::toolkit::{CheckOptions, Schema, SchemaOptions};

pub const SYNTAXES: [&str; 6] = ["gbnf", "lark", "openai", "regex", "jsonSchema", "structuralTag"];

/// Tools, a format and a choice, with texts.
pub struct Triple {
    pub id: usize,
    pub tools: Value,
    pub options: Value,
    /// Messages that must be accepted, and messages that must be rejected unless the report names the mistake.
    pub valid: Vec<Value>,
    pub invalid: Vec<Value>,
}

/// One grammar and its texts.
pub struct Case {
    pub id: usize,
    pub syntax: &'static str,
    pub format: String,
    /// Whether every response has a call.
    pub must_call: bool,
    pub options: Value,
    pub grammar: Value,
    pub accepted: Vec<String>,
    pub rejected: Vec<String>,
}

impl Case {
    /// The texts to accept, then the texts to reject.
    pub fn texts(&self) -> impl Iterator<Item = &String> {
        self.accepted.iter().chain(&self.rejected)
    }

    pub fn grammar_text(&self) -> String {
        self.grammar.as_str().map_or_else(|| self.grammar.to_string(), str::to_owned)
    }
}

impl Triple {
    pub fn new(id: usize) -> Self {
        let random = &mut Random::new(id as u64);
        let names = ["get_weather", "get", "find-all", "note"];
        let count = 1 + random.below(3);
        let mut tools: Vec<Value> =
            names[..count].iter().map(|name| json!({ "name": name, "parameters": parameters(random) })).collect();
        if random.chance(20) {
            tools.push(json!({ "name": "stop", "parameters": { "type": "object", "additionalProperties": false } }));
        }
        let form = &Form::all()[id % Form::all().len()];
        let choice = match random.below(6) {
            0 | 1 => json!("auto"),
            2 | 3 => json!("required"),
            4 => json!({ "name": names[random.below(count)] }),
            _ => {
                json!({ "allowed": [names[random.below(count)]], "mode": if random.chance(50) { "auto" } else { "required" } })
            }
        };
        let choice = if random.chance(5) { json!("none") } else { choice };
        let options = json!({ "format": form.id, "toolChoice": choice, "parallelToolCalls": random.chance(60) });
        let mut triple = Self { id, tools: tools.into(), options, valid: Vec::new(), invalid: Vec::new() };
        triple.fill(random, form);
        triple
    }

    fn fill(&mut self, random: &mut Random, form: &Form) {
        let tools = self.tools.as_array().unwrap().clone();
        let (allowed, others): (Vec<Value>, Vec<Value>) =
            tools.into_iter().partition(|tool| self.is_allowed(&tool["name"]));
        let several = self.options["parallelToolCalls"] == true && !form.single;
        let required = self.is_required();
        let call = |random: &mut Random, tools: &[Value]| {
            let tool = random.pick(tools).clone();
            let arguments = valid_arguments(random, &tool)?;
            Some(json!({ "id": "abcdefgh1", "name": tool["name"], "arguments": arguments }))
        };
        let message = |content: &str, calls: Vec<Value>| json!({ "content": content, "toolCalls": calls });
        let text = "I see <this> {and} [that].";
        (if required { &mut self.invalid } else { &mut self.valid }).push(message(text, Vec::new()));
        for _ in 0..4 {
            if allowed.is_empty() {
                break;
            }
            let Some(one) = call(random, &allowed) else { continue };
            self.valid.push(message("", vec![one.clone()]));
            if !required && !form.alone {
                self.valid.push(message(text, vec![one.clone()]));
            }
            let Some(two) = call(random, &allowed) else { continue };
            (if several { &mut self.valid } else { &mut self.invalid })
                .push(message("", vec![one.clone(), two.clone()]));
            for _ in 0..3 {
                let mut wrong = one.clone();
                wrong["arguments"] = mutant(random, &one["arguments"]);
                self.invalid.push(message("", vec![wrong.clone()]));
                if several {
                    self.invalid.push(message("", vec![two.clone(), wrong]));
                }
            }
            let mut unknown = one.clone();
            unknown["name"] = json!("get_weathe");
            self.invalid.push(message("", vec![unknown]));
        }
        for tool in others {
            if let Some(other) = call(random, &[tool]) {
                self.invalid.push(message("", vec![other]));
            }
        }
    }

    fn is_allowed(&self, name: &Value) -> bool {
        let choice = &self.options["toolChoice"];
        match choice.as_str() {
            Some(word) => word != "none",
            None => choice["name"] == *name || choice["allowed"].as_array().is_some_and(|names| names.contains(name)),
        }
    }

    fn is_required(&self) -> bool {
        let choice = &self.options["toolChoice"];
        *choice == "required" || choice.get("name").is_some() || choice["mode"] == "required"
    }

    /// The grammar in one syntax, with the texts that have a verdict.
    pub fn case(&self, syntax: &'static str) -> Option<Case> {
        let mut options = self.options.clone();
        options["syntax"] = syntax.into();
        let tools = Tool::list(&self.tools).unwrap();
        let parsed = GrammarOptions::of(&options).unwrap();
        let grammar = match tool_grammar(&tools, &parsed) {
            Ok(grammar) => grammar,
            Err(error) if parsed.syntax == Syntax::JsonSchema => {
                assert!(matches!(error.path.as_str(), "/format" | "/toolChoice"), "{error}");
                return None;
            }
            Err(error) => panic!("{options}: {error}"),
        };
        let warned: Vec<Widened> = grammar.warnings.iter().filter_map(|warning| Widened::of(&warning.path)).collect();
        let as_json = |message: &Value| json_text(message, &grammar.grammar, self.is_required());
        let as_text = |message: &Value| {
            let written = calls_as_text(message, parsed.form);
            let lossless = written.warnings.iter().all(|warning| warning.path.ends_with("/id"));
            lossless.then_some(written.text)
        };
        let text =
            |message: &Value| if parsed.syntax == Syntax::JsonSchema { as_json(message) } else { as_text(message) };
        let is_native = matches!(parsed.syntax, Syntax::Lark | Syntax::StructuralTag);
        let mut accepted = Vec::new();
        let mut rejected = Vec::new();
        for message in &self.valid {
            // engines with built-in JSON accept only necessary escapes
            let Some(text) = text(message).filter(|text| !is_native || !text.contains("\\u003c")) else { continue };
            if parsed.syntax == Syntax::JsonSchema || self.is_valid(&text, message) == Some(true) {
                accepted.push(text);
            }
        }
        for message in &self.invalid {
            let Some(text) = text(message) else { continue };
            let problems = self.problems(message);
            if problems.iter().any(|problem| warned.iter().any(|widened| widened.covers(problem))) {
                continue;
            }
            let is_json = parsed.syntax == Syntax::JsonSchema;
            let wrong = if is_json { self.is_wrong(message) } else { self.is_valid(&text, message) == Some(false) };
            if wrong && !accepted.contains(&text) {
                rejected.push(text);
            }
        }
        rejected.dedup();
        let format = parsed.form.id.to_owned();
        Some(Case {
            id: self.id,
            syntax,
            format,
            must_call: self.is_required(),
            options,
            grammar: grammar.grammar,
            accepted,
            rejected,
        })
    }

    /// Whether the calls that are read from a text may be made; None if the text does not read back to the message.
    fn is_valid(&self, text: &str, message: &Value) -> Option<bool> {
        let format = formats::by_id(self.options["format"].as_str().unwrap()).unwrap();
        let events = read(format, Tool::list(&self.tools).unwrap(), "", "", text);
        let mut calls = Vec::new();
        for event in &events {
            match event {
                Event::CallEnd { name, arguments, .. } => {
                    calls.push(json!({ "name": name, "arguments": serde_json::from_str::<Value>(arguments).unwrap() }));
                }
                Event::Invalid { .. } => return Some(false),
                _ => {}
            }
        }
        let written = message["toolCalls"].as_array().unwrap();
        if calls.len() != written.len() {
            // text that is not a call
            return None;
        }
        let read = json!({ "content": message["content"], "toolCalls": calls });
        let same = calls
            .iter()
            .zip(written)
            .all(|(read, written)| read["arguments"] == written["arguments"] && read["name"] == written["name"]);
        let wrong = self.is_wrong(&read);
        if wrong { Some(false) } else { same.then_some(true) }
    }

    fn is_wrong(&self, message: &Value) -> bool {
        let calls = message["toolCalls"].as_array().unwrap();
        let form = Form::all().iter().find(|form| form.id == self.options["format"]).unwrap();
        let several = self.options["parallelToolCalls"] == true && !form.single;
        (calls.is_empty() && self.is_required())
            || (calls.len() > 1 && !several)
            || calls.iter().any(|call| {
                let tool = self.tools.as_array().unwrap().iter().find(|tool| tool["name"] == call["name"]);
                !self.is_allowed(&call["name"])
                    || tool.is_none_or(|tool| !accepts(&tool["parameters"], &call["arguments"]))
            })
    }

    /// The names and keys that lead to each mistake.
    fn problems(&self, message: &Value) -> Vec<Vec<String>> {
        let mut out = Vec::new();
        for call in message["toolCalls"].as_array().unwrap() {
            let tools = self.tools.as_array().unwrap();
            let Some(index) = tools.iter().position(|tool| tool["name"] == call["name"]) else { continue };
            let schema = Schema::new(&tools[index]["parameters"], &SchemaOptions::default()).unwrap();
            let mut options = CheckOptions::default();
            (options.coerce, options.clamp, options.defaults) = (false, false, false);
            for problem in schema.check(call["arguments"].clone(), options).problems {
                let keys =
                    problem.path.split('/').skip(1).filter(|key| key.parse::<usize>().is_err()).map(str::to_owned);
                out.push(std::iter::once(index.to_string()).chain(keys).collect());
            }
        }
        out
    }
}

fn accepts(schema: &Value, value: &Value) -> bool {
    Schema::new(schema, &SchemaOptions::default()).unwrap().accepts(value, true)
}

fn valid_arguments(random: &mut Random, tool: &Value) -> Option<Value> {
    let schema = &tool["parameters"];
    (0..20).map(|_| value(random, schema, schema, 0)).find(|value| accepts(schema, value))
}

/// The values that a warning is about: those of a tool, below these keys.
struct Widened {
    tool: String,
    keys: Vec<String>,
    /// Whether the schema is one of `$defs`, so that its values may be anywhere.
    anywhere: bool,
}

impl Widened {
    /// None if the path is not that of a schema.
    fn of(path: &str) -> Option<Self> {
        let tokens: Vec<&str> = path.split('/').skip(1).collect();
        let [tool, "parameters", rest @ ..] = tokens.as_slice() else { return None };
        let anywhere = rest.first() == Some(&"$defs");
        let mut rest = rest.iter().skip(if anywhere { 2 } else { 0 });
        let mut keys = Vec::new();
        while let Some(token) = rest.next() {
            if *token == "properties" {
                keys.extend(rest.next().map(|key| (*key).to_owned()));
            }
        }
        Some(Self { tool: (*tool).to_owned(), keys, anywhere })
    }

    fn covers(&self, problem: &[String]) -> bool {
        let [tool, keys @ ..] = problem else { return false };
        let below = |keys: &[String]| keys.starts_with(&self.keys);
        *tool == self.tool && if self.anywhere { (0..keys.len()).any(|at| below(&keys[at..])) } else { below(keys) }
    }
}

/// A message as JSON, in the form that a schema describes.
fn json_text(message: &Value, schema: &Value, required: bool) -> Option<String> {
    let is_array = schema["type"] == "array";
    let call = if is_array { &schema["items"] } else { schema };
    let call = call.get("anyOf").map_or(call, |branches| &branches[0]);
    let keys: Vec<&String> = call["properties"].as_object()?.keys().collect();
    let calls = message["toolCalls"].as_array()?;
    if calls.is_empty() && !required {
        return Some("[]".to_owned());
    }
    let written: Vec<Value> = calls
        .iter()
        .map(|call| match keys.as_slice() {
            [name, arguments] => json!({ *name: call["name"], *arguments: call["arguments"] }),
            _ => json!({ call["name"].as_str().unwrap(): call["arguments"] }),
        })
        .collect();
    match written.as_slice() {
        [one] if !is_array => Some(one.to_string()),
        _ => Some(Value::Array(written).to_string()),
    }
}
