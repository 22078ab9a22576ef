//! Grammars of whole responses: text, calls of the given tools, or both.

use super::arguments::{arguments, notation};
use super::keywords::{Policy, RULES};
use super::rule::{Expression, Rules, TextWithCalls, any_number, optional, or, repeat, seq, text};
use super::schema::{Cleaner, Raw};
use super::template::{TemplatePart, parts};
use super::unique::Names;
use super::values::{Notation, Values};
use crate::chars::Chars;
use crate::json::{Value, json};
use crate::table::Table;
use crate::text::formats::{Body, Format, Ids, by_id};
use crate::text::write::{Arguments, Choice, Form, Report, quote};
use crate::text::{Result, TextError, Tool};
use std::collections::BinaryHeap;

/// The tools that a tool choice allows, with their indices, and whether a call is required.
pub(super) fn chosen<'a>(tools: &'a [Tool], choice: &Choice) -> Result<(Vec<(usize, &'a Tool)>, bool)> {
    let known = |name: &str, path: String| {
        let missing = || TextError::new(path, format!("there is no tool `{name}`"));
        tools.iter().position(|tool| tool.name == name).map(|_| ()).ok_or_else(missing)
    };
    let all = || tools.iter().enumerate();
    let (list, required): (Vec<_>, bool) = match choice {
        Choice::None => (Vec::new(), false),
        Choice::Auto => (all().collect(), false),
        Choice::Required => (all().collect(), true),
        Choice::One(name) => {
            known(name, "/toolChoice/name".into())?;
            (all().filter(|(_, tool)| tool.name == *name).collect(), true)
        }
        Choice::Allowed { names, required } => {
            for (index, name) in names.iter().enumerate() {
                known(name, format!("/toolChoice/allowed/{index}"))?;
            }
            (all().filter(|(_, tool)| names.contains(&tool.name)).collect(), *required)
        }
    };
    if required && list.is_empty() {
        return Err(TextError::new("/toolChoice", "a call is required, but there is no tool to call"));
    }
    Ok((list, required))
}

/// The alternatives of a call.
struct Alternatives {
    last: Expression,
    /// Those that another call follows, with what is between the two. `None` if they are the same.
    followed: Option<Expression>,
}

/// Builds the rules of one grammar.
pub(super) struct Calls<'a> {
    pub form: &'static Form,
    pub parallel: bool,
    pub policy: &'static Policy,
    pub report: &'a mut Report,
}

impl Calls<'_> {
    /// Builds the grammar for `tools`, a subset of the declared tools.
    pub fn grammar(mut self, declared: &[Tool], tools: &[(usize, &Tool)], required: bool) -> Result<Rules> {
        let row = by_id(self.form.id).ok_or_else(|| crate::text::formats::unknown(self.form.id))?;
        let mut rules = Rules::default();
        let shape = Shape { form: self.form, row };
        let trigger = shape.trigger();
        let calls = self.calls(tools, &shape, &mut rules)?;
        let start = if tools.is_empty() {
            shape.text(&trigger, declared)
        } else if required {
            let before = if self.policy.reasons { shape.reasoning() } else { seq([]) };
            seq([before, self.block(&shape, &trigger, &calls)])
        } else if self.form.alone {
            or([shape.text(&trigger, declared), self.block(&shape, &trigger, &calls)])
        } else if shape.is_wrapped() {
            let block = self.block(&shape, &trigger, &calls);
            shape.passages(&trigger, Some(block))
        } else {
            let last = calls.last;
            let call = if self.form.open.is_empty() { last } else { self.section(&trigger, &last) };
            Expression::TextWithCalls(Box::new(TextWithCalls { trigger, call, many: self.parallel }))
        };
        rules.start = Some(start);
        Ok(rules)
    }

    /// The alternatives of one call. The trigger is omitted if it is part of the call.
    fn calls(&mut self, tools: &[(usize, &Tool)], shape: &Shape, rules: &mut Rules) -> Result<Alternatives> {
        let raw = match &self.form.arguments {
            Arguments::Json | Arguments::Python => Raw::Nowhere,
            Arguments::Gemma(_) | Arguments::Nested(_) => Raw::Everywhere,
            Arguments::Tagged(_) | Arguments::Cdata(_) | Arguments::Delimited(_) => Raw::Arguments,
        };
        let notation = notation(&self.form.arguments);
        // engines have JSON Schema built in, but no other notation, and no elements that contain themselves
        let own = self.policy.native && (notation != Notation::Json || raw == Raw::Everywhere);
        let policy = if own { &RULES } else { self.policy };
        let mut cleaner = Cleaner { policy, raw, report: &mut *self.report, names: Names::default() };
        let mut known = Table::new();
        let mut list = Vec::new();
        let mut followed = Vec::new();
        for (index, tool) in tools {
            let root = Value::Object(tool.parameters.clone());
            let path = format!("/{index}/parameters");
            let is_object = root.get("type").and_then(Value::as_str) == Some("object");
            let whole = (!is_object).then(|| json!({ "type": "object", "allOf": [root] }));
            let clean = cleaner.clean(&root, whole.as_ref().unwrap_or(&root), &tool.name, &path)?;
            let mut values = Values::of(rules, notation, &clean, &mut known, &path);
            (values.native, values.flat) = (policy.native, policy.flat);
            let written = arguments(&self.form.arguments, &clean.schema, &mut values, &tool.name);
            let call = shape.call(&tool.name, &written);
            if call == or([]) {
                cleaner.report.add(&path, "no arguments are valid, so there is no call of this tool".into());
                continue;
            }
            // keep the literal start of a call outside its rule: lexers distinguish calls by it
            // a token can't be empty, and includes what follows it if that begins like more of it
            let is_bare = raw == Raw::Arguments && self.form.call.ends_with("%a");
            let (lead, rest) = split(call, usize::from(is_bare));
            let Some(rest) = rest else {
                list.push(lead);
                continue;
            };
            let mut add = |name: String, rest: Expression| {
                let rule = rules.add(&name, rest);
                rules.locate(&rule, &path);
                seq([lead.clone(), rule])
            };
            let (name, between) = (&tool.name, text(&*self.form.between));
            if is_bare && self.parallel {
                followed.push(add(format!("call-{name}-next"), seq([rest.clone(), between])));
            }
            let close = if is_bare { optional(text(&*self.form.close)) } else { seq([]) };
            list.push(add(format!("call-{name}"), seq([rest, close])));
        }
        if list.is_empty() && !tools.is_empty() {
            return Err(TextError::new("", "no call is possible: the schemas accept no arguments"));
        }
        let followed = Some(or(followed)).filter(|all| *all != or([]));
        Ok(Alternatives { last: or(list), followed })
    }

    /// All calls of a response.
    fn block(&self, shape: &Shape, trigger: &str, calls: &Alternatives) -> Expression {
        if !self.form.open.is_empty() {
            return seq([text(trigger), self.section(trigger, &calls.last)]);
        }
        let end = shape.end();
        let one = seq([text(trigger), calls.last.clone()]);
        match &calls.followed {
            Some(next) => seq([any_number(seq([text(trigger), next.clone()])), one]),
            None => seq([one.clone(), self.more(&format!("{end}{}", self.form.between), &one), optional(text(end))]),
        }
    }

    /// The section around the calls, without its trigger.
    fn section(&self, trigger: &str, calls: &Expression) -> Expression {
        let open = self.form.open.strip_prefix(trigger).unwrap_or(&self.form.open);
        seq([text(open), calls.clone(), self.more(&self.form.between, calls), text(&*self.form.close)])
    }

    fn more(&self, between: &str, one: &Expression) -> Expression {
        if self.parallel { any_number(seq([text(between), one.clone()])) } else { seq([]) }
    }
}

/// Splits a sequence into its literal start and the rest, if there is one. The rest has as many of the last bytes of the start.
fn split(node: Expression, bytes: usize) -> (Expression, Option<Expression>) {
    let mut parts = match node {
        Expression::Text(_) if bytes == 0 => return (node, None),
        Expression::Seq(parts) => parts,
        node => vec![node],
    };
    let Some(Expression::Text(lead)) = parts.first_mut() else { return (seq([]), Some(seq(parts))) };
    let last = lead.split_off(lead.floor_char_boundary(lead.len().saturating_sub(bytes)));
    let lead = std::mem::take(lead);
    (text(lead), Some(seq(std::iter::once(text(last)).chain(parts.into_iter().skip(1)))))
}

/// A node without the text that it begins with.
fn without(lead: &str, node: Expression) -> Expression {
    match node {
        Expression::Text(whole) => text(whole.strip_prefix(lead).unwrap_or(&whole)),
        Expression::Seq(mut parts) if !parts.is_empty() => {
            let first = without(lead, parts.remove(0));
            seq([first].into_iter().chain(parts))
        }
        node => node,
    }
}

/// How a format's responses are laid out around calls.
struct Shape {
    form: &'static Form,
    row: &'static Format,
}

impl Shape {
    /// The literal start of every response with calls, up to the first placeholder.
    fn lead(&self) -> String {
        let first = parts(&self.form.call).next();
        let fixed = match first {
            Some(TemplatePart::Fixed(fixed)) => fixed,
            _ => "",
        };
        format!("{}{fixed}", self.form.open)
    }

    /// The text between the name of a call and its arguments.
    fn after_name(&self) -> &'static str {
        let form: &'static Form = self.form;
        let mut after = parts(&form.call).skip_while(|part| !matches!(part, TemplatePart::Value('n')));
        match (after.next(), after.next()) {
            (Some(_), Some(TemplatePart::Fixed(fixed))) => fixed,
            _ => "",
        }
    }

    /// The marker that starts the calls. Text must not contain it.
    fn trigger(&self) -> String {
        let lead = self.lead();
        let own = [self.row.section.opener(), self.row.call.opener()];
        let marker = own.into_iter().find(|marker| !marker.is_empty() && lead.starts_with(marker));
        let first = if self.form.open.is_empty() { lead.as_str() } else { &self.form.open };
        marker.unwrap_or(first.trim_end()).to_owned()
    }

    /// Whether text is written between its own markers.
    fn is_wrapped(&self) -> bool {
        self.form.text != "%t"
    }

    /// The marker at the end of a message. Servers may omit it at the end of a response.
    fn end(&self) -> &'static str {
        match &self.row.body {
            Body::Channels(channels) => {
                channels.ends.iter().find(|end| self.form.call.ends_with(**end)).copied().unwrap_or_default()
            }
            _ => "",
        }
    }

    /// One call, without its trigger and without the end of its message.
    fn call(&self, name: &str, arguments: &Expression) -> Expression {
        let form = self.form;
        let digit = || Expression::Chars(Chars::between("09"));
        let digits = || repeat(digit(), 1, None);
        let node = seq(parts(form.call.strip_suffix(self.end()).unwrap_or(&form.call)).map(|part| match part {
            TemplatePart::Fixed(fixed) => text(fixed),
            TemplatePart::Value('n') => text(name),
            TemplatePart::Value('N') => text(quote(name)),
            TemplatePart::Value('a') => arguments.clone(),
            TemplatePart::Value('d') => match form.ids {
                Ids::Indexed => seq([text(format!("functions.{name}:")), digits()]),
                Ids::Letters { count, lower } => {
                    let letter = Expression::Chars(Chars::between(if lower { "az09" } else { "azAZ09" }));
                    repeat(letter, count as u64, Some(count as u64))
                }
                Ids::None | Ids::Position => digits(),
            },
            TemplatePart::Value(_) => digits(),
        }));
        if form.open.is_empty() { without(&self.trigger(), node) } else { node }
    }

    fn passage(&self, template: &'static str, more: &[String]) -> (Expression, &'static str) {
        let (head, tail) = template.split_once("%t").unwrap_or((template, ""));
        let mut markers: Vec<String> = match &self.row.body {
            Body::Channels(channels) => {
                channels.ends.iter().chain([&channels.start]).map(|end| (*end).to_owned()).collect()
            }
            _ => vec![tail.trim().to_owned()],
        };
        if !matches!(self.row.body, Body::Channels(_)) {
            markers.extend(more.iter().cloned());
        }
        markers.retain(|marker| !marker.is_empty());
        let mut markers = BinaryHeap::from(markers).into_sorted_vec();
        markers.dedup();
        (seq([text(head), Expression::Until(markers)]), tail)
    }

    /// Optional reasoning before calls, and white space.
    fn reasoning(&self) -> Expression {
        if self.form.reasoning.is_empty() {
            return Expression::Space;
        }
        if self.is_wrapped() {
            let (reasoning, tail) = self.passage(&self.form.reasoning, &[]);
            return any_number(seq([reasoning, text(tail)]));
        }
        let (head, tail) = self.form.reasoning.split_once("%t").unwrap_or_default();
        let (head, tail) = (head.trim(), tail.trim());
        seq([optional(seq([text(head), Expression::Until(vec![tail.to_owned()]), text(tail)])), Expression::Space])
    }

    /// Reasoning and text, followed by calls.
    fn passages(&self, trigger: &str, block: Option<Expression>) -> Expression {
        let triggers = [trigger.to_owned()];
        let (reasoning, close) = self.passage(&self.form.reasoning, &[]);
        let (passage, end) = self.passage(&self.form.text, &triggers);
        let (answer, last) = self.passage(&self.form.answer, &triggers);
        let reasoning = seq([reasoning, text(close)]);
        let answer = seq([answer, optional(text(last))]);
        if end.is_empty() {
            // what follows ends the text: they stay together
            let after = block.map(|block| [seq([passage, block.clone()]), block]);
            return seq([any_number(reasoning), optional(or([answer].into_iter().chain(after.into_iter().flatten())))]);
        }
        let before = any_number(or([reasoning, seq([passage, text(end)])]));
        seq([before, optional(or([answer].into_iter().chain(block)))])
    }

    /// Text without calls.
    fn text(&self, trigger: &str, declared: &[Tool]) -> Expression {
        if self.is_wrapped() {
            return self.passages(trigger, None);
        }
        let lead = self.lead();
        Expression::Until(match (self.form.alone, lead.len() > 2) {
            (true, true) => vec![lead.trim_end().to_owned()],
            // a single bracket is not a marker, and a name alone is none
            (true, false) => declared.iter().map(|tool| format!("{lead}{}{}", tool.name, self.after_name())).collect(),
            (false, _) => vec![trigger.to_owned()],
        })
    }
}
