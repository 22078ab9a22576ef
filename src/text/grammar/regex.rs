//! Regular expressions without anchors, lookaround or backreferences.

use super::rule::{Expression, Rules, any_number, optional, seq, text};
use super::until::Automaton;
use std::fmt::Write;

/// Maximum depth of rules. Grammars that reach this printer have no recursion.
const DEPTH: usize = 256;

pub(super) fn print(rules: &Rules) -> String {
    rules.start.as_ref().map_or_else(String::new, |start| part(rules, start))
}

/// Prints a part of a grammar that has no recursion.
pub(super) fn part(rules: &Rules, start: &Expression) -> String {
    let mut out = String::new();
    Printer { rules, printed: Vec::new(), depth: 0 }.node(start, Precedence::Whole, &mut out);
    out
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Whole,
    Sequence,
    Repeated,
}

struct Printer<'a> {
    rules: &'a Rules,
    /// The text of rules that were printed before, by precedence.
    printed: Vec<(usize, Precedence, String)>,
    depth: usize,
}

impl Printer<'_> {
    fn node(&mut self, one: &Expression, precedence: Precedence, out: &mut String) {
        let grouped = match one {
            Expression::Text(text) => precedence == Precedence::Repeated && text.chars().nth(1).is_some(),
            Expression::Or(parts) => precedence != Precedence::Whole && !parts.is_empty(),
            // a repeated repetition needs a group
            Expression::Space | Expression::Seq(_) | Expression::Repeat(..) => precedence == Precedence::Repeated,
            _ => false,
        };
        out.push_str(if grouped { "(?:" } else { "" });
        match one {
            Expression::Text(text) => text.chars().for_each(|c| literal(c, out)),
            Expression::Chars(chars) => match chars.single() {
                Some(c) => literal(c, out),
                None => chars.class(out, "[\\s\\S]", escape),
            },
            Expression::Rule(rule) => self.rule(*rule, precedence, out),
            Expression::Space => out.push_str("[ \\t\\n\\r]*"),
            Expression::Until(markers) => self.node(&Automaton::new(markers).expression(), precedence, out),
            Expression::TextWithCalls(content) => {
                // the order matters: some engines prefer the first alternative and drop the others once it may end
                let free = Expression::Until(vec![content.trigger.clone()]);
                let call = seq([free.clone(), text(&*content.trigger), content.call.clone()]);
                let calls = if content.many { any_number(call) } else { optional(call) };
                self.node(&seq([calls, free]), precedence, out);
            }
            Expression::Seq(parts) => parts.iter().for_each(|part| self.node(part, Precedence::Sequence, out)),
            Expression::Or(parts) if parts.is_empty() => out.push_str("[^\\s\\S]"),
            Expression::Or(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    out.push_str(if index > 0 { "|" } else { "" });
                    self.node(part, Precedence::Whole, out);
                }
            }
            Expression::Repeat(inner, least, most) => {
                self.node(inner, Precedence::Repeated, out);
                let _ = match (least, most) {
                    (0, None) => write!(out, "*"),
                    (1, None) => write!(out, "+"),
                    (0, Some(1)) => write!(out, "?"),
                    (least, None) => write!(out, "{{{least},}}"),
                    (least, Some(most)) if least == most => write!(out, "{{{least}}}"),
                    (least, Some(most)) => write!(out, "{{{least},{most}}}"),
                };
            }
            Expression::Json(_) => {}
        }
        out.push_str(if grouped { ")" } else { "" });
    }

    fn rule(&mut self, rule: usize, precedence: Precedence, out: &mut String) {
        if let Some((.., text)) = self.printed.iter().find(|(known, at, _)| (*known, *at) == (rule, precedence)) {
            return out.push_str(text);
        }
        let rules = self.rules;
        let Some(body) = rules.body(rule).filter(|_| self.depth < DEPTH) else { return };
        let mut text = String::new();
        self.depth += 1;
        self.node(body, precedence, &mut text);
        self.depth -= 1;
        out.push_str(&text);
        self.printed.push((rule, precedence, text));
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
