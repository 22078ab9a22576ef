//! The intermediate representation of grammars, which every syntax is printed from.

use crate::chars::Chars;
use crate::json::Value;
use crate::table::Table;

/// One expression of a grammar.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    /// This exact text.
    Text(String),
    /// One character of the set.
    Chars(Chars),
    Seq(Vec<Expression>),
    Or(Vec<Expression>),
    /// A repetition: minimum and maximum count.
    Repeat(Box<Expression>, u64, Option<u64>),
    /// A reference to a rule, by index.
    Rule(usize),
    /// Optional whitespace.
    Space,
    /// Any text that contains none of these markers.
    Until(Vec<String>),
    /// Free text that may contain calls.
    TextWithCalls(Box<TextWithCalls>),
    /// A JSON value that matches the schema, for syntaxes that have JSON Schema built in.
    Json(Value),
}

/// Free text with calls. Each call begins with the trigger, which the text does not contain.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TextWithCalls {
    pub trigger: String,
    /// One call, without its trigger.
    pub call: Expression,
    /// Whether there may be more than one call.
    pub many: bool,
}

impl TextWithCalls {
    /// The equivalent node for syntaxes that have no notation for text with calls.
    pub fn written_out(&self) -> Expression {
        let free = Expression::Until(vec![self.trigger.clone()]);
        let call = seq([text(&*self.trigger), self.call.clone(), free.clone()]);
        seq([free, if self.many { any_number(call) } else { optional(call) }])
    }
}

/// A grammar: its rules, and the expression where it starts.
#[derive(Debug, Default)]
pub(super) struct Rules {
    list: Vec<(String, Expression)>,
    /// The rules by name.
    names: Table<String, usize>,
    pub start: Option<Expression>,
}

impl Rules {
    /// A grammar without rules.
    #[cfg(test)]
    pub fn starting(node: Expression) -> Self {
        Self { start: Some(node), ..Self::default() }
    }

    /// Declares a rule that is defined later. Names are unique and consist of letters, digits and dashes.
    pub fn declare(&mut self, name: &str) -> usize {
        let mut plain = String::new();
        for c in name.chars().take(48) {
            if c.is_ascii_alphanumeric() {
                plain.push(c.to_ascii_lowercase());
            } else if !plain.is_empty() && !plain.ends_with('-') {
                plain.push('-');
            }
        }
        let plain = plain.trim_end_matches('-');
        let plain = if plain.starts_with(|c: char| c.is_ascii_digit()) || plain.is_empty() {
            format!("r{plain}")
        } else {
            plain.to_owned()
        };
        let mut unique = plain.clone();
        let mut count = 1;
        while self.names.get(&unique).is_some() {
            count += 1;
            unique = format!("{plain}-{count}");
        }
        let rule = self.list.len();
        self.names.insert(unique.clone(), rule);
        self.list.push((unique, seq([])));
        rule
    }

    pub fn define(&mut self, rule: usize, node: Expression) {
        if let Some((_, body)) = self.list.get_mut(rule) {
            *body = node;
        }
    }

    pub fn add(&mut self, name: &str, node: Expression) -> Expression {
        let rule = self.declare(name);
        self.define(rule, node);
        Expression::Rule(rule)
    }

    /// A rule that several parts share. It is created on first use.
    pub fn shared(&mut self, name: &str, make: impl FnOnce(&mut Self) -> Expression) -> Expression {
        if let Some(rule) = self.names.get(name) {
            return Expression::Rule(*rule);
        }
        let rule = self.declare(name);
        let node = make(self);
        self.define(rule, node);
        Expression::Rule(rule)
    }

    pub fn name(&self, rule: usize) -> &str {
        self.list.get(rule).map_or("", |(name, _)| name)
    }

    pub fn body(&self, rule: usize) -> Option<&Expression> {
        self.list.get(rule).map(|(_, body)| body)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &Expression)> {
        self.list.iter().map(|(name, body)| (name.as_str(), body))
    }
}

pub(super) fn text(text: impl Into<String>) -> Expression {
    Expression::Text(text.into())
}

/// A sequence. Adjacent texts are joined.
pub(super) fn seq(parts: impl IntoIterator<Item = Expression>) -> Expression {
    sequence(parts.into_iter().collect())
}

fn sequence(parts: Vec<Expression>) -> Expression {
    let mut list: Vec<Expression> = Vec::new();
    for part in parts {
        match part {
            Expression::Seq(inner) => inner.into_iter().for_each(|part| push(&mut list, part)),
            part => push(&mut list, part),
        }
    }
    if list.contains(&Expression::Or(Vec::new())) {
        return Expression::Or(Vec::new());
    }
    if list.len() == 1 { list.remove(0) } else { Expression::Seq(list) }
}

fn push(list: &mut Vec<Expression>, part: Expression) {
    match (list.last_mut(), part) {
        (_, Expression::Text(text)) if text.is_empty() => {}
        (Some(Expression::Text(last)), Expression::Text(text)) => last.push_str(&text),
        (Some(Expression::Space), Expression::Space) => {}
        (_, part) => list.push(part),
    }
}

pub(super) fn or(parts: impl IntoIterator<Item = Expression>) -> Expression {
    alternatives(parts.into_iter().collect())
}

fn alternatives(parts: Vec<Expression>) -> Expression {
    let mut list: Vec<Expression> = Vec::new();
    for part in parts {
        match part {
            Expression::Or(inner) => list.extend(inner),
            part if list.contains(&part) => {}
            part => list.push(part),
        }
    }
    if list.len() == 1 { list.remove(0) } else { Expression::Or(list) }
}

pub(super) fn optional(node: Expression) -> Expression {
    repeat(node, 0, Some(1))
}

pub(super) fn any_number(node: Expression) -> Expression {
    repeat(node, 0, None)
}

pub(super) fn repeat(node: Expression, least: u64, most: Option<u64>) -> Expression {
    match (least, most) {
        (_, Some(0)) => seq([]),
        (0, _) if node == or([]) => seq([]),
        (1, Some(1)) => node,
        _ if node == seq([]) || node == text("") => seq([]),
        _ => Expression::Repeat(Box::new(node), least, most),
    }
}

impl Expression {
    /// Whether this node or one of its parts passes the test. Rules are not followed.
    pub fn any(&self, test: &dyn Fn(&Expression) -> bool) -> bool {
        test(self)
            || match self {
                Self::Seq(parts) | Self::Or(parts) => parts.iter().any(|part| part.any(test)),
                Self::Repeat(inner, ..) => inner.any(test),
                Self::TextWithCalls(content) => content.call.any(test),
                _ => false,
            }
    }

    pub fn each_rule(&self, found: &mut Vec<usize>) {
        match self {
            Self::Rule(rule) if !found.contains(rule) => found.push(*rule),
            Self::Seq(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.each_rule(found)),
            Self::Repeat(inner, ..) => inner.each_rule(found),
            Self::TextWithCalls(content) => content.call.each_rule(found),
            _ => {}
        }
    }
}

impl Rules {
    /// Collects the rules that a node uses, directly or indirectly.
    pub fn used_by(&self, node: &Expression, found: &mut Vec<usize>) {
        node.each_rule(found);
        let mut at = 0;
        while let Some(rule) = found.get(at).copied() {
            if let Some(body) = self.body(rule) {
                body.each_rule(found);
            }
            at += 1;
        }
    }

    pub fn is_recursive(&self, rule: usize) -> bool {
        let mut used = Vec::new();
        if let Some(body) = self.body(rule) {
            self.used_by(body, &mut used);
        }
        used.contains(&rule)
    }

    /// Whether a rule is recursive or uses a recursive rule.
    pub fn uses_recursion(&self, rule: usize) -> bool {
        let mut used = Vec::new();
        self.used_by(&Expression::Rule(rule), &mut used);
        used.iter().any(|rule| self.is_recursive(*rule))
    }
}
