//! Lark grammars, in the dialect of llguidance.
//!
//! llguidance's lexer takes the longest match and never backtracks. Parts without structure therefore become one terminal: text together
//! with the marker that ends it. Values are written as `%json`, or else token by token: alternatives then have the same boundaries.

use super::regex;
use super::rule::{Node, Rules, or, seq, text};
use std::fmt::Write;

pub(super) fn print(rules: &Rules) -> String {
    let mut printer = Printer { rules, out: String::new(), space: false };
    if let Some(start) = &rules.start {
        printer.rule("start", start);
    }
    let mut used = Vec::new();
    rules.start.iter().for_each(|start| start.each_rule(&mut used));
    let mut at = 0;
    while let Some(rule) = used.get(at).copied() {
        at += 1;
        let Some(body) = rules.body(rule).filter(|_| !is_char(rules.name(rule))) else { continue };
        if !printer.is_terminal(&Node::Rule(rule)) {
            body.each_rule(&mut used);
        }
        printer.rule(&printer.name(rule), body);
    }
    if printer.space {
        printer.out.push_str("WS: /[ \\t\\n\\r]{1,20}/\n");
    }
    printer.out
}

struct Printer<'a> {
    rules: &'a Rules,
    out: String,
    /// Whether white space is used.
    space: bool,
}

impl Printer<'_> {
    fn name(&self, rule: usize) -> String {
        let name = self.rules.name(rule).replace('-', "_");
        if self.is_terminal(&Node::Rule(rule)) { name.to_ascii_uppercase() } else { name }
    }

    /// Whether a node is one token: it contains neither JSON nor recursion.
    fn is_terminal(&self, node: &Node) -> bool {
        let mut used = Vec::new();
        self.rules.used_by(node, &mut used);
        let bodies = used.iter().filter_map(|rule| self.rules.body(*rule));
        std::iter::once(node)
            .chain(bodies)
            .all(|node| !node.any(&|node| matches!(node, Node::Json(_) | Node::Mixed(_) | Node::Space)))
            && !used.iter().any(|rule| self.rules.is_recursive(*rule))
    }

    /// Whether a node can be inlined into a terminal without terminals of its own.
    fn is_plain(&self, node: &Node) -> bool {
        !node.any(&|node| match node {
            Node::Json(_) | Node::Mixed(_) | Node::Space => true,
            Node::Rule(rule) => !is_char(self.rules.name(*rule)),
            _ => false,
        })
    }

    fn rule(&mut self, name: &str, body: &Node) {
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

    fn terminal(&self, node: &Node, out: &mut String) {
        if let Node::Text(text) = node {
            let _ = write!(out, "{}", crate::json::Value::from(text.as_str()));
            return;
        }
        let _ = write!(out, "/{}/", regex::part(self.rules, node).replace('/', "\\/"));
    }

    fn node(&mut self, node: &Node, grouped: bool, out: &mut String) {
        if *node == seq([]) {
            return out.push_str("\"\"");
        }
        if self.is_plain(node) && !matches!(node, Node::Repeat(..) if may_be_missing(node)) {
            return self.terminal(node, out);
        }
        match node {
            Node::Rule(rule) => out.push_str(&self.name(*rule)),
            Node::Json(schema) => drop(write!(out, "%json {schema}")),
            Node::Space => {
                self.space = true;
                out.push_str("WS?");
            }
            Node::Mixed(mixed) => {
                // text up to the trigger is one terminal: the lexer could not distinguish it from plain text
                let free = Node::Until(vec![mixed.trigger.clone()]);
                out.push('(');
                self.terminal(&seq([free.clone(), text(mixed.trigger.clone())]), out);
                out.push(' ');
                self.node(&mixed.call, true, out);
                out.push_str(if mixed.many { ")* " } else { ")? " });
                self.terminal(&free, out);
            }
            Node::Seq(parts) => self.sequence(parts, grouped, out),
            Node::Or(parts) => {
                out.push_str(if grouped { "(" } else { "" });
                // combine the parts that use no rules into one terminal
                let (plain, others): (Vec<_>, Vec<_>) = parts.iter().cloned().partition(|part| self.is_plain(part));
                let mut first = true;
                for part in (!plain.is_empty()).then(|| or(plain)).into_iter().chain(others) {
                    out.push_str(if first { "" } else { " | " });
                    first = false;
                    self.node(&part, true, out);
                }
                out.push_str(if grouped { ")" } else { "" });
            }
            Node::Repeat(inner, least, most) => self.repeat(inner, *least, *most, out),
            _ => {}
        }
    }

    fn repeat(&mut self, inner: &Node, least: u64, most: Option<u64>, out: &mut String) {
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
    fn sequence(&mut self, parts: &[Node], grouped: bool, out: &mut String) {
        out.push_str(if grouped { "(" } else { "" });
        let mut run: Vec<Node> = Vec::new();
        let mut first = true;
        for part in parts.iter().map(Some).chain([None]) {
            if let Some(part) = part.filter(|part| self.is_plain(part)) {
                run.push(part.clone());
                continue;
            }
            // an optional part can't be in a terminal that another part follows, because the lexer can't backtrack
            let mut end = run.len();
            while part.is_some() && run.get(end.wrapping_sub(1)).is_some_and(may_be_missing) {
                end -= 1;
            }
            let missing = run.split_off(end);
            let part = part.map(|part| if missing.is_empty() { distributed(&mut run, part) } else { part.clone() });
            let whole = Some(seq(run.drain(..))).filter(|run| *run != seq([]));
            for node in whole.into_iter().chain(missing).chain(part) {
                out.push_str(if first { "" } else { " " });
                first = false;
                self.node(&node, true, out);
            }
        }
        out.push_str(if grouped { ")" } else { "" });
    }
}

/// Whether a rule is about one character: it is part of the terminals that use it.
fn is_char(name: &str) -> bool {
    matches!(name, "char" | "escaped")
}

/// Whether more than one character is optional or repeatable.
fn may_be_missing(node: &Node) -> bool {
    let long = |node: &Node| match node {
        Node::Text(text) => text.chars().nth(1).is_some(),
        node => matches!(node, Node::Until(_)),
    };
    matches!(node, Node::Repeat(inner, 0, _) if inner.any(&long))
}

/// Moves what is before alternatives into those that begin with text, because it may be a prefix of a longer text.
fn distributed(run: &mut Vec<Node>, part: &Node) -> Node {
    let begins = |branch: &Node| match branch {
        Node::Seq(parts) => matches!(parts.first(), Some(Node::Text(_))),
        branch => matches!(branch, Node::Text(_)),
    };
    let one = std::slice::from_ref(part);
    let branches = if let Node::Or(branches) = part { branches } else { one };
    if !matches!(run.last(), Some(Node::Text(_))) || !branches.iter().all(begins) {
        return part.clone();
    }
    let lead = seq(run.drain(..));
    or(branches.iter().map(|branch| seq([lead.clone(), branch.clone()])))
}
