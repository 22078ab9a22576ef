//! GBNF, the grammar format of llama.cpp.

use super::rule::{Expression, Rules, write_count};
use super::until::Automaton;
use std::fmt::Write;

pub(super) fn print(rules: &Rules) -> String {
    let mut printer = Printer { rules, out: String::new(), texts: Vec::new(), parts: 0, space: false };
    if let Some(start) = &rules.start {
        printer.rule("root", start);
    }
    for (name, body) in rules.iter() {
        printer.rule(name, body);
    }
    printer.finish()
}

/// Prints one rule and all rules that it uses. The rule is named `root`.
pub(super) fn print_rule(rules: &Rules, rule: usize) -> String {
    let mut printer = Printer { rules, out: String::new(), texts: Vec::new(), parts: 0, space: false };
    printer.rule("root", &Expression::Rule(rule));
    for rule in rules.used_by(&Expression::Rule(rule)) {
        if let Some(body) = rules.body(rule) {
            printer.rule(rules.name(rule), body);
        }
    }
    printer.finish()
}

struct Printer<'a> {
    rules: &'a Rules,
    out: String,
    /// The marker lists of the `Until` nodes that have rules.
    texts: Vec<Vec<String>>,
    /// The number of subexpressions that were moved into rules of their own.
    parts: usize,
    space: bool,
}

/// How tightly the context of an expression binds: it decides where parentheses are required.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Rule,
    Sequence,
    Repeated,
}

impl Printer<'_> {
    fn finish(mut self) -> String {
        let mut at = 0;
        while let Some(markers) = self.texts.get(at).cloned() {
            self.text_rules(at, &markers);
            at += 1;
        }
        if self.space {
            self.out.push_str("ws ::= [ \\t\\n\\r]{0,20}\n");
        }
        self.out
    }

    fn rule(&mut self, name: &str, body: &Expression) {
        let mut line = format!("{name} ::= ");
        self.node(body, Precedence::Rule, &mut line);
        line.push('\n');
        self.out.push_str(&line);
    }

    fn node(&mut self, node: &Expression, precedence: Precedence, out: &mut String) {
        match node {
            Expression::Text(text) => quoted(text, out),
            Expression::Chars(chars) => chars.class(out, ".", escape),
            Expression::Rule(rule) => out.push_str(self.rules.name(*rule)),
            Expression::Space => {
                self.space = true;
                out.push_str("ws");
            }
            Expression::Until(markers) => {
                let known = self.texts.iter().position(|known| known == markers);
                let at = known.unwrap_or_else(|| {
                    self.texts.push(markers.clone());
                    self.texts.len() - 1
                });
                let _ = write!(out, "text-{at}-0");
            }
            Expression::TextWithCalls(content) => self.node(&content.written_out(), precedence, out),
            Expression::Seq(parts) if parts.is_empty() => out.push_str("\"\""),
            Expression::Seq(parts) => self.list(parts, " ", Precedence::Sequence, precedence, out),
            Expression::Or(parts) if parts.is_empty() => out.push_str("[^\\x00-\\U0010FFFF]"),
            Expression::Or(parts) => self.list(parts, " | ", Precedence::Rule, precedence, out),
            Expression::Repeat(inner, least, most) => self.repeat(inner, *least, *most, out),
            Expression::Json(_) => {}
        }
    }

    fn list(
        &mut self,
        parts: &[Expression],
        between: &str,
        inner: Precedence,
        precedence: Precedence,
        out: &mut String,
    ) {
        let grouped = precedence > inner || (precedence == Precedence::Repeated);
        if grouped {
            out.push('(');
        }
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                out.push_str(between);
            }
            self.node(part, Precedence::Sequence, out);
        }
        if grouped {
            out.push(')');
        }
    }

    /// A part that may repeat many times becomes a rule: llama.cpp multiplies the counts of nested groups.
    fn repeat(&mut self, inner: &Expression, least: u64, most: Option<u64>, out: &mut String) {
        let single =
            matches!(inner, Expression::Chars(_) | Expression::Rule(_) | Expression::Space | Expression::Until(_));
        let nested = inner.any(
            &|node| matches!(node, Expression::Repeat(_, least, most) if *least > 1 || most.is_some_and(|most| most > 1)),
        ) || matches!(inner, Expression::Repeat(..));
        if nested || (!single && (least > 1 || most.is_some_and(|most| most > 1))) {
            self.parts += 1;
            let name = format!("part-{}", self.parts);
            self.rule(&name, inner);
            out.push_str(&name);
        } else {
            self.node(inner, Precedence::Repeated, out);
        }
        write_count(least, most, out);
    }

    /// Writes one rule per state of the automaton.
    fn text_rules(&mut self, at: usize, markers: &[String]) {
        for (state, moves) in Automaton::new(markers).moves.iter().enumerate() {
            let mut line = format!("text-{at}-{state} ::= \"\"");
            for (chars, to) in moves.iter().rev() {
                line.push_str(" | ");
                match chars.single() {
                    Some(c) => quoted(c.encode_utf8(&mut [0; 4]), &mut line),
                    None => chars.class(&mut line, ".", escape),
                }
                let _ = write!(line, " text-{at}-{to}");
            }
            line.push('\n');
            self.out.push_str(&line);
        }
    }
}

fn quoted(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c => control(c, out),
        }
    }
    out.push('"');
}

/// Writes a character of a class.
fn escape(c: char, out: &mut String) {
    match c {
        '\\' => out.push_str("\\\\"),
        '[' | ']' | '^' | '-' | '"' => code(c, out),
        c => control(c, out),
    }
}

fn control(c: char, out: &mut String) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if c < ' ' || c == '\u{7f}' => code(c, out),
        c => out.push(c),
    }
}

/// Four digits, because XGrammar reads as many as follow `\x`.
fn code(c: char, out: &mut String) {
    let _ = write!(out, "\\u{:04X}", u32::from(c));
}
