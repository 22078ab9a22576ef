//! The intermediate representation of grammars, which every syntax is printed from.

use crate::chars::Chars;
use crate::json::Value;
use crate::table::Table;
use std::fmt::Write;

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
    /// The names that were asked for, with the number of the last rule that got one.
    counts: Table<String, usize>,
    /// The paths of the schemas that rules were made for.
    paths: Vec<(usize, String)>,
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
        let mut count = self.counts.get(&plain).copied().unwrap_or(1);
        while self.names.get(&unique).is_some() {
            count += 1;
            unique = format!("{plain}-{count}");
        }
        self.counts.insert(plain, count);
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

    /// Remembers where the schema of a rule is.
    pub fn locate(&mut self, rule: &Expression, path: &str) {
        if let Expression::Rule(rule) = rule {
            self.paths.push((*rule, path.to_owned()));
        }
    }

    /// The path of the schema of a rule, or of what it is a part of, which is added later.
    pub fn path(&self, rule: usize) -> &str {
        let known = self.paths.iter().filter(|(known, _)| *known >= rule).min_by_key(|(known, _)| *known);
        known.map_or("", |(_, path)| path)
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

/// Writes how often something is repeated, as regular expressions and GBNF do.
pub fn write_count(least: u64, most: Option<u64>, out: &mut String) {
    let _ = match (least, most) {
        (0, None) => write!(out, "*"),
        (1, None) => write!(out, "+"),
        (0, Some(1)) => write!(out, "?"),
        (least, None) => write!(out, "{{{least},}}"),
        (least, Some(most)) if least == most => write!(out, "{{{least}}}"),
        (least, Some(most)) => write!(out, "{{{least},{most}}}"),
    };
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
    let mut known = Known::default();
    for part in parts {
        match part {
            Expression::Or(inner) => list.extend(inner),
            part if known.has(&list, &part) => {}
            part => list.push(part),
        }
    }
    if list.len() == 1 { list.remove(0) } else { Expression::Or(list) }
}

/// The alternatives of a list by their digests, once there are many.
#[derive(Default)]
struct Known {
    places: Table<String, Vec<usize>>,
    count: usize,
}

impl Known {
    /// So few alternatives are compared one by one.
    const FEW: usize = 16;

    fn has(&mut self, list: &[Expression], part: &Expression) -> bool {
        if list.len() < Self::FEW {
            return list.contains(part);
        }
        for (place, known) in list.iter().enumerate().skip(self.count) {
            let places = self.places.or_insert_with(known.digest(), Vec::new);
            places.into_iter().for_each(|places| places.push(place));
        }
        self.count = list.len();
        let places = self.places.get(&part.digest());
        places.is_some_and(|places| places.iter().any(|place| list.get(*place) == Some(part)))
    }
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
    fn digest(&self) -> String {
        let mut digest = 0xcbf2_9ce4_8422_2325;
        self.mix(&mut digest);
        digest.to_string()
    }

    /// Adds this node to a digest (FNV-1a).
    fn mix(&self, digest: &mut u64) {
        let mut mix = |number: u64| *digest = (*digest ^ number).wrapping_mul(0x0100_0000_01b3);
        match self {
            Self::Text(text) => text.bytes().for_each(|byte| mix(u64::from(byte))),
            Self::Chars(chars) => chars.ranges().iter().for_each(|&(from, to)| {
                mix(u64::from(from));
                mix(u64::from(to));
            }),
            Self::Rule(rule) => mix(*rule as u64),
            Self::Seq(parts) | Self::Or(parts) => {
                mix(parts.len() as u64);
                parts.iter().for_each(|part| part.mix(digest));
            }
            Self::Repeat(inner, ..) => inner.mix(digest),
            Self::Json(schema) => schema.to_string().bytes().for_each(|byte| mix(u64::from(byte))),
            Self::Space | Self::Until(_) | Self::TextWithCalls(_) => {}
        }
    }

    /// The number of nodes of this node.
    pub fn parts(&self) -> usize {
        match self {
            Self::Seq(parts) | Self::Or(parts) => 1 + parts.iter().map(Self::parts).sum::<usize>(),
            Self::Repeat(inner, ..) => 1 + inner.parts(),
            _ => 1,
        }
    }

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

    pub fn each_rule(&self, found: &mut dyn FnMut(usize)) {
        match self {
            Self::Rule(rule) => found(*rule),
            Self::Seq(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.each_rule(found)),
            Self::Repeat(inner, ..) => inner.each_rule(found),
            Self::TextWithCalls(content) => content.call.each_rule(found),
            _ => {}
        }
    }
}

/// Rules in the order in which they were found.
#[derive(Default)]
pub(super) struct Found {
    pub list: Vec<usize>,
    seen: Vec<bool>,
}

impl Found {
    pub fn add(&mut self, rule: usize) {
        if self.seen.len() <= rule {
            self.seen.resize(rule + 1, false);
        }
        if let Some(seen) = self.seen.get_mut(rule).filter(|seen| !**seen) {
            *seen = true;
            self.list.push(rule);
        }
    }
}

/// The rules that a node uses, each after those that it uses itself, and whether it uses a recursive one.
pub(super) struct Order {
    pub list: Vec<usize>,
    recursive: Vec<bool>,
}

impl Order {
    /// Whether a rule is recursive or uses a recursive rule.
    pub fn is_recursive(&self, rule: usize) -> bool {
        self.recursive.get(rule) == Some(&true)
    }
}

impl Rules {
    fn direct(&self, node: Option<&Expression>) -> Vec<usize> {
        let mut found = Vec::new();
        node.into_iter().for_each(|node| node.each_rule(&mut |rule| found.push(rule)));
        found.reverse();
        found
    }

    /// Collects the rules that a node uses, directly or indirectly.
    pub fn used_by(&self, node: &Expression) -> Vec<usize> {
        let mut found = Found::default();
        node.each_rule(&mut |rule| found.add(rule));
        let mut at = 0;
        while let Some(rule) = found.list.get(at).copied() {
            if let Some(body) = self.body(rule) {
                body.each_rule(&mut |rule| found.add(rule));
            }
            at += 1;
        }
        found.list
    }

    /// The rules that the grammar uses. Without recursion here: rules are nested as deeply as objects have properties.
    pub fn order(&self) -> Order {
        let mut order = Order { list: Vec::new(), recursive: vec![false; self.list.len()] };
        let (mut entered, mut left) = (order.recursive.clone(), order.recursive.clone());
        let mut stack = vec![(None, self.direct(self.start.as_ref()))];
        while let Some((rule, open)) = stack.last_mut() {
            let Some(next) = open.pop() else {
                if let (Some(rule), Some(left)) = (*rule, rule.and_then(|rule| left.get_mut(rule))) {
                    *left = true;
                    order.list.push(rule);
                }
                let ended = stack.pop().and_then(|(rule, _)| rule).is_some_and(|rule| order.is_recursive(rule));
                let above = stack.last().and_then(|(rule, _)| order.recursive.get_mut((*rule)?));
                above.into_iter().for_each(|above| *above |= ended);
                continue;
            };
            // a rule that was entered and not left contains this one
            let repeats = entered.get(next) == Some(&true) && left.get(next) == Some(&false);
            let recursive = repeats || order.is_recursive(next);
            rule.and_then(|rule| order.recursive.get_mut(rule)).into_iter().for_each(|one| *one |= recursive);
            if let Some(entered) = entered.get_mut(next).filter(|entered| !**entered) {
                *entered = true;
                stack.push((Some(next), self.direct(self.body(next))));
            }
        }
        order
    }
}
