//! Lark grammars, in the dialect of llguidance.
//!
//! llguidance's lexer takes the longest match and never backtracks. Parts without structure therefore become one terminal: text together
//! with the marker that ends it. Values are written as `%json`, or else token by token: alternatives then have the same boundaries.

use super::regex;
use super::rule::{Expression, Found, Rules, or, seq, text};
use crate::text::Result;
use std::fmt::Write;

pub(super) fn print(rules: &Rules) -> Result<String> {
    let mut printer =
        Printer { rules, out: String::new(), regex: regex::Printer::new(rules), terminals: Vec::new(), space: false };
    printer.find_terminals();
    if let Some(start) = &rules.start {
        printer.rule("start", start);
    }
    let mut used = Found::default();
    rules.start.iter().for_each(|start| start.each_rule(&mut |rule| used.add(rule)));
    let mut at = 0;
    while let Some(rule) = used.list.get(at).copied() {
        at += 1;
        let Some(body) = rules.body(rule).filter(|_| !is_char(rules.name(rule))) else { continue };
        if !printer.is_terminal(rule) {
            body.each_rule(&mut |rule| used.add(rule));
        }
        let name = printer.name(rule);
        printer.rule(&name, body);
    }
    if printer.space {
        printer.out.push_str("WS: /[ \\t\\n\\r]{1,20}/\n");
    }
    printer.regex.finish().map(|()| printer.out)
}

struct Printer<'a> {
    rules: &'a Rules,
    out: String,
    /// The printer of terminals.
    regex: regex::Printer<'a>,
    /// Whether rules are terminals.
    terminals: Vec<bool>,
    /// Whether white space is used.
    space: bool,
}

impl Printer<'_> {
    fn name(&self, rule: usize) -> String {
        let name = self.rules.name(rule).replace('-', "_");
        if self.is_terminal(rule) { name.to_ascii_uppercase() } else { name }
    }

    /// Whether a rule is one token: it contains neither JSON nor recursion.
    fn is_terminal(&self, rule: usize) -> bool {
        self.terminals.get(rule) == Some(&true)
    }

    fn find_terminals(&mut self) {
        for rule in self.rules.order().list {
            let Some(body) = self.rules.body(rule) else { continue };
            // a rule that uses itself is reached before it is known to be a terminal
            let is_terminal = !body.any(&|node| match node {
                Expression::Json(_) | Expression::TextWithCalls(_) | Expression::Space => true,
                Expression::Rule(rule) => !self.is_terminal(*rule),
                _ => false,
            });
            if self.terminals.len() <= rule {
                self.terminals.resize(rule + 1, false);
            }
            if is_terminal {
                self.terminals.get_mut(rule).into_iter().for_each(|known| *known = true);
                self.regex.prepare(rule);
            }
        }
    }

    /// Whether a node can be inlined into a terminal without terminals of its own.
    fn is_plain(&self, node: &Expression) -> bool {
        !node.any(&|node| match node {
            Expression::Json(_) | Expression::TextWithCalls(_) | Expression::Space => true,
            Expression::Rule(rule) => !is_char(self.rules.name(*rule)),
            _ => false,
        })
    }

    fn rule(&mut self, name: &str, body: &Expression) {
        let mut line = format!("{name}: ");
        let terminal = name.starts_with(|c: char| c.is_ascii_uppercase());
        if terminal {
            self.terminal(body, &mut line)
        } else {
            self.node(body, false, &mut line)
        }
        line.push('\n');
        self.out.push_str(&line);
    }

    fn terminal(&mut self, node: &Expression, out: &mut String) {
        if let Expression::Text(text) = node {
            let _ = write!(out, "{}", crate::json::Value::from(text.as_str()));
            return;
        }
        let _ = write!(out, "/{}/", self.regex.part(node).replace('/', "\\/"));
    }

    fn node(&mut self, node: &Expression, grouped: bool, out: &mut String) {
        if *node == seq([]) {
            return out.push_str("\"\"");
        }
        if self.is_plain(node) && !matches!(node, Expression::Repeat(..) if may_be_missing(node)) {
            return self.terminal(node, out);
        }
        match node {
            Expression::Rule(rule) => {
                let name = self.name(*rule);
                out.push_str(&name);
            }
            Expression::Json(schema) => drop(write!(out, "%json {schema}")),
            Expression::Space => {
                self.space = true;
                out.push_str("WS?");
            }
            Expression::TextWithCalls(content) => {
                // text up to the trigger is one terminal: the lexer could not distinguish it from plain text
                let free = Expression::Until(vec![content.trigger.clone()]);
                out.push('(');
                self.terminal(&seq([free.clone(), text(content.trigger.clone())]), out);
                out.push(' ');
                self.node(&content.call, true, out);
                out.push_str(if content.many { ")* " } else { ")? " });
                self.terminal(&free, out);
            }
            Expression::Seq(parts) => self.sequence(parts, grouped, out),
            Expression::Or(parts) => {
                out.push_str(if grouped { "(" } else { "" });
                // combine the parts that use no rules into one terminal
                let (plain, others): (Vec<&Expression>, Vec<&Expression>) =
                    parts.iter().partition(|part| self.is_plain(part));
                let plain = (!plain.is_empty()).then(|| or(plain.into_iter().cloned()));
                for (index, part) in plain.iter().chain(others).enumerate() {
                    out.push_str(if index == 0 { "" } else { " | " });
                    self.node(part, true, out);
                }
                out.push_str(if grouped { ")" } else { "" });
            }
            Expression::Repeat(inner, least, most) => self.repeat(inner, *least, *most, out),
            _ => {}
        }
    }

    fn repeat(&mut self, inner: &Expression, least: u64, most: Option<u64>, out: &mut String) {
        let mut group = String::from("(");
        self.node(inner, false, &mut group);
        group.push(')');
        let _ = match (least, most) {
            (0, None) => write!(out, "{group}*"),
            (1, None) => write!(out, "{group}+"),
            (0, Some(1)) => write!(out, "{group}?"),
            (least, None) => write!(out, "{group}~{least} {group}*"),
            (least, Some(most)) => write!(out, "{group}~{least}..{most}"),
        };
    }

    /// Consecutive parts are combined into one terminal as far as possible.
    fn sequence(&mut self, parts: &[Expression], grouped: bool, out: &mut String) {
        out.push_str(if grouped { "(" } else { "" });
        let mut run: Vec<&Expression> = Vec::new();
        let mut first = true;
        for part in parts.iter().map(Some).chain([None]) {
            if let Some(part) = part.filter(|part| self.is_plain(part)) {
                run.push(part);
                continue;
            }
            // an optional part can't be in a terminal that another part follows, because the lexer can't backtrack
            let mut end = run.len();
            while part.is_some() && run.get(end.wrapping_sub(1)).is_some_and(|last| may_be_missing(last)) {
                end -= 1;
            }
            let missing = run.split_off(end);
            let moved = part.filter(|_| missing.is_empty()).and_then(|part| distributed(&mut run, part));
            let joined = (run.len() > 1).then(|| seq(run.iter().copied().cloned()));
            let whole = joined.as_ref().or(run.first().copied()).filter(|run| **run != seq([]));
            for node in whole.into_iter().chain(missing).chain(moved.as_ref().or(part)) {
                out.push_str(if first { "" } else { " " });
                first = false;
                self.node(node, true, out);
            }
            run.clear();
        }
        out.push_str(if grouped { ")" } else { "" });
    }
}

/// Whether a rule matches one character. Such a rule becomes part of the terminals that use it.
fn is_char(name: &str) -> bool {
    matches!(name, "char" | "escaped")
}

/// Whether more than one character is optional or repeatable.
fn may_be_missing(node: &Expression) -> bool {
    let long = |node: &Expression| match node {
        Expression::Text(text) => text.chars().nth(1).is_some(),
        node => matches!(node, Expression::Until(_)),
    };
    matches!(node, Expression::Repeat(inner, 0, _) if inner.any(&long))
}

/// Moves what is before alternatives into those that begin with text, because it may be a prefix of a longer text. `None` if there is none.
fn distributed(run: &mut Vec<&Expression>, part: &Expression) -> Option<Expression> {
    let begins = |branch: &Expression| match branch {
        Expression::Seq(parts) => matches!(parts.first(), Some(Expression::Text(_))),
        branch => matches!(branch, Expression::Text(_)),
    };
    let one = std::slice::from_ref(part);
    let branches = if let Expression::Or(branches) = part { branches } else { one };
    if !matches!(run.last(), Some(Expression::Text(_))) || !branches.iter().all(begins) {
        return None;
    }
    let lead = seq(run.drain(..).cloned());
    Some(or(branches.iter().map(|branch| seq([lead.clone(), branch.clone()]))))
}
