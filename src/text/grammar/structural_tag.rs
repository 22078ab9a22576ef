//! XGrammar's structural tags.

use super::gbnf;
use super::regex;
use super::rule::{Node, Rules};
use crate::json::{Value, json};

pub(super) fn print(rules: &Rules) -> Value {
    let format = rules.start.as_ref().map_or(Value::Null, |start| node(rules, start));
    json!({ "type": "structural_tag", "format": format })
}

fn node(rules: &Rules, one: &Node) -> Value {
    match one {
        Node::Text(text) => json!({ "type": "const_string", "value": text }),
        Node::Chars(_) | Node::Space => expression(rules, one),
        Node::Rule(rule) if rules.is_recursive(*rule) || rules.uses_recursion(*rule) => {
            json!({ "type": "grammar", "grammar": gbnf::print_rule(rules, *rule) })
        }
        Node::Rule(rule) => rules.body(*rule).map_or(Value::Null, |body| node(rules, body)),
        Node::Until(markers) => json!({ "type": "any_text", "excludes": markers }),
        Node::Json(schema) => json!({ "type": "json_schema", "json_schema": schema }),
        // not `triggered_tags`: XGrammar keeps the end of a tag out of all text in it
        Node::TextWithCalls(content) => node(rules, &content.written_out()),
        Node::Seq(parts) => match parts.as_slice() {
            [] => json!({ "type": "const_string", "value": "" }),
            parts => json!({ "type": "sequence", "elements": elements(rules, parts) }),
        },
        Node::Or(parts) => json!({ "type": "or", "elements": elements(rules, parts) }),
        Node::Repeat(inner, ..) if is_regular(inner) => expression(rules, one),
        Node::Repeat(inner, least, most) => {
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

fn elements(rules: &Rules, parts: &[Node]) -> Vec<Value> {
    parts.iter().map(|part| node(rules, part)).collect()
}

fn expression(rules: &Rules, one: &Node) -> Value {
    json!({ "type": "regex", "pattern": regex::part(rules, one) })
}

fn is_regular(node: &Node) -> bool {
    !node.any(&|node| matches!(node, Node::Rule(_) | Node::Json(_) | Node::Until(_) | Node::TextWithCalls(_)))
}
