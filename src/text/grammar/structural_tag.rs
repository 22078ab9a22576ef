//! XGrammar's structural tags.

use super::gbnf;
use super::regex;
use super::rule::{Expression, Rules};
use crate::json::{Value, json};

pub(super) fn print(rules: &Rules) -> Value {
    let format = rules.start.as_ref().map_or(Value::Null, |start| node(rules, start));
    json!({ "type": "structural_tag", "format": format })
}

fn node(rules: &Rules, one: &Expression) -> Value {
    match one {
        Expression::Text(text) => json!({ "type": "const_string", "value": text }),
        Expression::Chars(_) | Expression::Space => expression(rules, one),
        Expression::Rule(rule) if rules.is_recursive(*rule) || rules.uses_recursion(*rule) => {
            json!({ "type": "grammar", "grammar": gbnf::print_rule(rules, *rule) })
        }
        Expression::Rule(rule) => rules.body(*rule).map_or(Value::Null, |body| node(rules, body)),
        Expression::Until(markers) => json!({ "type": "any_text", "excludes": markers }),
        Expression::Json(schema) => json!({ "type": "json_schema", "json_schema": schema }),
        // not `triggered_tags`: XGrammar keeps the end of a tag out of all text in it
        Expression::TextWithCalls(content) => node(rules, &content.written_out()),
        Expression::Seq(parts) => match parts.as_slice() {
            [] => json!({ "type": "const_string", "value": "" }),
            parts => json!({ "type": "sequence", "elements": elements(rules, parts) }),
        },
        Expression::Or(parts) => json!({ "type": "or", "elements": elements(rules, parts) }),
        Expression::Repeat(inner, ..) if is_regular(inner) => expression(rules, one),
        Expression::Repeat(inner, least, most) => {
            let content = node(rules, inner);
            match (least, most) {
                (0, Some(1)) => json!({ "type": "optional", "content": content }),
                (0, None) => json!({ "type": "star", "content": content }),
                (1, None) => json!({ "type": "plus", "content": content }),
                (least, most) => {
                    let most = most.map_or(json!(-1), |most| json!(most));
                    json!({ "type": "repeat", "min": least, "max": most, "content": content })
                }
            }
        }
    }
}

fn elements(rules: &Rules, parts: &[Expression]) -> Vec<Value> {
    parts.iter().map(|part| node(rules, part)).collect()
}

fn expression(rules: &Rules, one: &Expression) -> Value {
    json!({ "type": "regex", "pattern": regex::part(rules, one) })
}

fn is_regular(node: &Expression) -> bool {
    !node.any(&|node| {
        matches!(node, Expression::Rule(_) | Expression::Json(_) | Expression::Until(_) | Expression::TextWithCalls(_))
    })
}
