//! XGrammar's structural tags.

use super::bounds::{SIZE, too_large};
use super::gbnf;
use super::regex;
use super::rule::{Expression, Order, Rules};
use crate::json::{Map, Value, json};
use crate::text::Result;

/// The maximum depth of rules.
const DEPTH: usize = 200;

/// Prints a grammar.
///
/// # Errors
/// The tag becomes too large: rules that are not recursive are repeated where they are used.
pub(super) fn print(rules: &Rules) -> Result<Value> {
    let mut printer = Printer { rules, order: rules.order(), left: SIZE, at: 0, depth: 0 };
    let format = rules.start.as_ref().map_or(Value::Null, |start| printer.node(start));
    if printer.left == 0 {
        return Err(too_large(rules.path(printer.at)));
    }
    Ok(json!({ "type": "structural_tag", "format": format }))
}

struct Printer<'a> {
    rules: &'a Rules,
    order: Order,
    /// How large the tag may still become, in bytes.
    left: usize,
    /// The rule that is printed.
    at: usize,
    depth: usize,
}

impl Printer<'_> {
    fn node(&mut self, one: &Expression) -> Value {
        if self.left == 0 {
            return Value::Null;
        }
        self.spend(20);
        let rules = self.rules;
        match one {
            Expression::Text(text) => {
                self.spend(text.len());
                json!({ "type": "const_string", "value": text })
            }
            Expression::Chars(_) | Expression::Space => expression(rules, one),
            Expression::Rule(rule) => {
                if self.left > 0 {
                    self.at = *rule;
                }
                if self.order.is_recursive(*rule) {
                    let grammar = gbnf::print_rule(rules, *rule);
                    self.spend(grammar.len());
                    return json!({ "type": "grammar", "grammar": grammar });
                }
                if self.depth >= DEPTH {
                    self.left = 0;
                    return Value::Null;
                }
                self.depth += 1;
                let written = rules.body(*rule).map_or(Value::Null, |body| self.node(body));
                self.depth -= 1;
                written
            }
            Expression::Until(markers) => json!({ "type": "any_text", "excludes": markers }),
            Expression::Json(schema) => {
                self.spend(schema.to_string().len());
                json!({ "type": "json_schema", "json_schema": schema })
            }
            // not `triggered_tags`: XGrammar keeps the end of a tag out of all text in it
            Expression::TextWithCalls(content) => self.node(&content.written_out()),
            Expression::Seq(parts) => match parts.as_slice() {
                [] => json!({ "type": "const_string", "value": "" }),
                parts => part("sequence", None, "elements", self.elements(parts)),
            },
            Expression::Or(parts) => part("or", None, "elements", self.elements(parts)),
            Expression::Repeat(inner, ..) if is_regular(inner) => expression(rules, one),
            Expression::Repeat(inner, least, most) => {
                let content = self.node(inner);
                let (kind, counts) = match (least, most) {
                    (0, Some(1)) => ("optional", None),
                    (0, None) => ("star", None),
                    (1, None) => ("plus", None),
                    (least, most) => ("repeat", Some([json!(least), most.map_or(json!(-1), |most| json!(most))])),
                };
                part(kind, counts, "content", content)
            }
        }
    }

    fn spend(&mut self, bytes: usize) {
        self.left = self.left.saturating_sub(bytes);
    }

    fn elements(&mut self, parts: &[Expression]) -> Value {
        Value::Array(parts.iter().map(|part| self.node(part)).collect())
    }
}

/// A part that contains others, and how often they are repeated. `json!` would copy them, once for each level.
fn part(kind: &str, counts: Option<[Value; 2]>, key: &str, inner: Value) -> Value {
    let mut fields = Map::new();
    fields.insert("type".to_owned(), Value::from(kind));
    if let Some([least, most]) = counts {
        fields.insert("min".to_owned(), least);
        fields.insert("max".to_owned(), most);
    }
    fields.insert(key.to_owned(), inner);
    Value::Object(fields)
}

fn expression(rules: &Rules, one: &Expression) -> Value {
    json!({ "type": "regex", "pattern": regex::part(rules, one) })
}

fn is_regular(node: &Expression) -> bool {
    !node.any(&|node| {
        matches!(node, Expression::Rule(_) | Expression::Json(_) | Expression::Until(_) | Expression::TextWithCalls(_))
    })
}
