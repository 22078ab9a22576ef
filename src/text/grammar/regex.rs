//! Regular expressions without anchors, lookaround or backreferences.

use super::rule::{Node, Rules, any_number, optional, seq, text};
use super::until::Automaton;
use std::fmt::Write;

/// Maximum depth of rules. Grammars that reach this printer have no recursion.
const DEPTH: usize = 256;

pub(super) fn print(rules: &Rules) -> String {
    rules.start.as_ref().map_or_else(String::new, |start| part(rules, start))
}

/// Prints a part of a grammar that has no recursion.
pub(super) fn part(rules: &Rules, start: &Node) -> String {
    let mut out = String::new();
    Printer { rules, printed: Vec::new(), depth: 0 }.node(start, Place::Whole, &mut out);
    out
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Whole,
    Sequence,
    Repeated,
}

struct Printer<'a> {
    rules: &'a Rules,
    /// The text of rules that were printed before, by place.
    printed: Vec<(usize, Place, String)>,
    depth: usize,
}

impl Printer<'_> {
    fn node(&mut self, one: &Node, place: Place, out: &mut String) {
        let grouped = match one {
            Node::Text(text) => place == Place::Repeated && text.chars().nth(1).is_some(),
            Node::Or(parts) => place != Place::Whole && !parts.is_empty(),
            // a repeated repetition needs a group
            Node::Space | Node::Seq(_) | Node::Repeat(..) => place == Place::Repeated,
            _ => false,
        };
        out.push_str(if grouped { "(?:" } else { "" });
        match one {
            Node::Text(text) => text.chars().for_each(|c| literal(c, out)),
            Node::Chars(chars) => match chars.single() {
                Some(c) => literal(c, out),
                None => chars.class(out, "[\\s\\S]", escape),
            },
            Node::Rule(rule) => self.rule(*rule, place, out),
            Node::Space => out.push_str("[ \\t\\n\\r]*"),
            Node::Until(markers) => self.node(&Automaton::new(markers).expression(), place, out),
            Node::Mixed(mixed) => {
                // the order matters: some engines prefer the first alternative and drop the others once it may end
                let free = Node::Until(vec![mixed.trigger.clone()]);
                let call = seq([free.clone(), text(&*mixed.trigger), mixed.call.clone()]);
                let calls = if mixed.many { any_number(call) } else { optional(call) };
                self.node(&seq([calls, free]), place, out);
            }
            Node::Seq(parts) => parts.iter().for_each(|part| self.node(part, Place::Sequence, out)),
            Node::Or(parts) if parts.is_empty() => out.push_str("[^\\s\\S]"),
            Node::Or(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    out.push_str(if index > 0 { "|" } else { "" });
                    self.node(part, Place::Whole, out);
                }
            }
            Node::Repeat(inner, least, most) => {
                self.node(inner, Place::Repeated, out);
                let _ = match (least, most) {
                    (0, None) => write!(out, "*"),
                    (1, None) => write!(out, "+"),
                    (0, Some(1)) => write!(out, "?"),
                    (least, None) => write!(out, "{{{least},}}"),
                    (least, Some(most)) if least == most => write!(out, "{{{least}}}"),
                    (least, Some(most)) => write!(out, "{{{least},{most}}}"),
                };
            }
            Node::Json(_) => {}
        }
        out.push_str(if grouped { ")" } else { "" });
    }

    fn rule(&mut self, rule: usize, place: Place, out: &mut String) {
        if let Some((.., text)) = self.printed.iter().find(|(known, at, _)| (*known, *at) == (rule, place)) {
            return out.push_str(text);
        }
        let rules = self.rules;
        let Some(body) = rules.body(rule).filter(|_| self.depth < DEPTH) else { return };
        let mut text = String::new();
        self.depth += 1;
        self.node(body, place, &mut text);
        self.depth -= 1;
        out.push_str(&text);
        self.printed.push((rule, place, text));
    }
}

fn literal(c: char, out: &mut String) {
    if "\\.+*?()|[]{}^$".contains(c) {
        out.push('\\');
        out.push(c);
    } else {
        control(c, out);
    }
}

fn escape(c: char, out: &mut String) {
    if "\\[]^-".contains(c) {
        out.push('\\');
        out.push(c);
    } else {
        control(c, out);
    }
}

fn control(c: char, out: &mut String) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if c < ' ' || c == '\u{7f}' => drop(write!(out, "\\x{:02x}", u32::from(c))),
        c => out.push(c),
    }
}
