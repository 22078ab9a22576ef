//! Regular expressions without anchors, lookaround or backreferences.

use super::bounds::{SIZE, too_large};
use super::rule::{Expression, Rules, any_number, optional, seq, text, write_count};
use super::until::Automaton;
use crate::text::Result;
use std::fmt::Write;

/// Maximum depth of rules. Grammars that reach this printer have no recursion.
const DEPTH: usize = 256;
/// The maximum size of all texts of rules that are kept to be repeated, in bytes.
const KEPT: usize = 8 * SIZE;

pub(super) fn print(rules: &Rules) -> Result<String> {
    let mut printer = Printer::new(rules);
    for rule in rules.order().list {
        printer.prepare(rule);
    }
    let out = rules.start.as_ref().map_or_else(String::new, |start| printer.part(start));
    printer.finish().map(|()| out)
}

/// Prints a part of a grammar that uses no rules.
pub(super) fn part(rules: &Rules, start: &Expression) -> String {
    Printer::new(rules).part(start)
}

/// Prints a whole pattern for engines that read only what the converter of llama.cpp does: groups that capture, no class escapes, and no escape
/// of punctuation in classes. It joins an escaped character with the text before, so what is repeated is in a group.
pub(super) fn plain(start: &Expression) -> String {
    let rules = Rules::default();
    let mut printer = Printer { is_plain: true, ..Printer::new(&rules) };
    let mut out = String::from("^");
    printer.node(start, Precedence::Sequence, &mut out);
    out.push('$');
    out
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Whole,
    Sequence,
    Repeated,
}

pub(super) struct Printer<'a> {
    rules: &'a Rules,
    /// The texts of rules that were printed before, by precedence.
    printed: Vec<[Option<String>; 3]>,
    /// The size of these texts.
    kept: usize,
    depth: usize,
    /// The rule that made the text too large.
    failed: Option<usize>,
    is_plain: bool,
}

impl<'a> Printer<'a> {
    pub fn new(rules: &'a Rules) -> Self {
        Self { rules, printed: Vec::new(), kept: 0, depth: 0, failed: None, is_plain: false }
    }

    /// Prints a part of a grammar that has no recursion.
    pub fn part(&mut self, start: &Expression) -> String {
        let mut out = String::new();
        self.node(start, Precedence::Whole, &mut out);
        out
    }

    /// Prints a rule before those that use it, so that rules are not nested deeply when they are printed.
    pub fn prepare(&mut self, rule: usize) {
        self.rule(rule, Precedence::Sequence, &mut String::new());
    }

    /// # Errors
    /// A text became too large.
    pub fn finish(self) -> Result<()> {
        self.failed.map_or(Ok(()), |rule| Err(too_large(self.rules.path(rule))))
    }

    fn node(&mut self, one: &Expression, precedence: Precedence, out: &mut String) {
        if self.failed.is_some() {
            return;
        }
        let grouped = match one {
            Expression::Text(text) => {
                precedence == Precedence::Repeated && (self.is_plain || text.chars().nth(1).is_some())
            }
            Expression::Or(parts) => precedence != Precedence::Whole && !parts.is_empty(),
            // a repeated repetition needs a group
            Expression::Space | Expression::Seq(_) | Expression::Repeat(..) => precedence == Precedence::Repeated,
            _ => false,
        };
        let (group, escape): (_, fn(char, &mut String)) =
            if self.is_plain { ("(", plain_escape) } else { ("(?:", escape) };
        out.push_str(if grouped { group } else { "" });
        match one {
            Expression::Text(text) if self.is_plain => text.chars().for_each(|c| match c {
                // older versions read these only in classes
                '"' | '.' | '$' | '^' => {
                    out.push('[');
                    plain_escape(c, out);
                    out.push(']');
                }
                c => literal(c, out),
            }),
            Expression::Text(text) => text.chars().for_each(|c| literal(c, out)),
            Expression::Chars(chars) => match chars.single() {
                Some(c) if !self.is_plain => literal(c, out),
                _ => chars.class(out, "[\\s\\S]", escape),
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
                write_count(*least, *most, out);
            }
            Expression::Json(_) => {}
        }
        out.push_str(if grouped { ")" } else { "" });
    }

    fn rule(&mut self, rule: usize, precedence: Precedence, out: &mut String) {
        let known = self.printed.get(rule).and_then(|texts| texts.get(precedence as usize)?.as_ref());
        if let Some(text) = known {
            if out.len() + text.len() > SIZE {
                self.failed = Some(rule);
            } else {
                out.push_str(text);
            }
            return;
        }
        let rules = self.rules;
        let Some(body) = rules.body(rule) else { return };
        if self.depth >= DEPTH {
            self.failed = Some(rule);
            return;
        }
        let mut text = String::new();
        self.depth += 1;
        self.node(body, precedence, &mut text);
        self.depth -= 1;
        self.kept += text.len();
        if self.kept > KEPT || out.len() + text.len() > SIZE {
            self.failed.get_or_insert(rule);
        }
        if self.failed.is_some() {
            return;
        }
        out.push_str(&text);
        if self.printed.len() <= rule {
            self.printed.resize(rule + 1, [const { None }; 3]);
        }
        if let Some(place) = self.printed.get_mut(rule).and_then(|texts| texts.get_mut(precedence as usize)) {
            *place = Some(text);
        }
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

fn plain_escape(c: char, out: &mut String) {
    match c {
        '"' | '[' | ']' | '^' | '-' => drop(write!(out, "\\x{:02x}", u32::from(c))),
        c => escape(c, out),
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
