//! Regular expressions without anchors, lookaround or backreferences.

use super::rule::{Node, Rules, any_number, optional, seq, text};
use super::until::Automaton;
use std::fmt::Write;

/// Maximum depth of rules. Grammars that reach this printer have no recursion.
const DEPTH: usize = 256;

pub(super) fn print(rules: &Rules) -> String {
    let mut out = String::new();
    if let Some(start) = &rules.start {
        node(rules, start, Place::Whole, 0, &mut out);
    }
    out
}

/// Prints a part of a grammar that has no recursion.
pub(super) fn part(rules: &Rules, start: &Node) -> String {
    let mut out = String::new();
    node(rules, start, Place::Whole, 0, &mut out);
    out
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Whole,
    Sequence,
    Repeated,
}

fn node(rules: &Rules, one: &Node, place: Place, depth: usize, out: &mut String) {
    match one {
        Node::Text(text) => {
            let grouped = place == Place::Repeated && text.chars().nth(1).is_some();
            out.push_str(if grouped { "(?:" } else { "" });
            text.chars().for_each(|c| literal(c, out));
            out.push_str(if grouped { ")" } else { "" });
        }
        Node::Chars(chars) => match chars.single() {
            Some(c) => literal(c, out),
            None => chars.class(out, "[\\s\\S]", escape),
        },
        Node::Rule(rule) => {
            if let Some(body) = rules.body(*rule).filter(|_| depth < DEPTH) {
                node(rules, body, place, depth + 1, out);
            }
        }
        Node::Space => out.push_str(if place == Place::Repeated { "(?:[ \\t\\n\\r]*)" } else { "[ \\t\\n\\r]*" }),
        Node::Until(markers) => node(rules, &Automaton::new(markers).expression(), place, depth, out),
        Node::Mixed(mixed) => {
            // the order matters: some engines prefer the first alternative and drop the others once it may end
            let free = Node::Until(vec![mixed.trigger.clone()]);
            let call = seq([free.clone(), text(mixed.trigger.clone()), mixed.call.clone()]);
            let calls = if mixed.many { any_number(call) } else { optional(call) };
            node(rules, &seq([calls, free]), place, depth, out);
        }
        Node::Seq(parts) => list(rules, parts, "", place == Place::Repeated, depth, out),
        Node::Or(parts) if parts.is_empty() => out.push_str("[^\\s\\S]"),
        Node::Or(parts) => list(rules, parts, "|", place != Place::Whole, depth, out),
        Node::Repeat(inner, least, most) => {
            // a repeated repetition needs a group
            let grouped = place == Place::Repeated;
            out.push_str(if grouped { "(?:" } else { "" });
            node(rules, inner, Place::Repeated, depth, out);
            let _ = match (least, most) {
                (0, None) => write!(out, "*"),
                (1, None) => write!(out, "+"),
                (0, Some(1)) => write!(out, "?"),
                (least, None) => write!(out, "{{{least},}}"),
                (least, Some(most)) if least == most => write!(out, "{{{least}}}"),
                (least, Some(most)) => write!(out, "{{{least},{most}}}"),
            };
            out.push_str(if grouped { ")" } else { "" });
        }
        Node::Json(_) => {}
    }
}

fn list(rules: &Rules, parts: &[Node], between: &str, grouped: bool, depth: usize, out: &mut String) {
    out.push_str(if grouped { "(?:" } else { "" });
    let inner = if between.is_empty() { Place::Sequence } else { Place::Whole };
    for (index, part) in parts.iter().enumerate() {
        out.push_str(if index > 0 { between } else { "" });
        node(rules, part, inner, depth, out);
    }
    out.push_str(if grouped { ")" } else { "" });
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
