//! Tests whether a grammar accepts a text.

use super::rule::{Expression, Rules};
use super::until::Automaton;
use std::collections::BTreeSet;

pub(super) fn accepts(rules: &Rules, text: &str) -> bool {
    let start = rules.start.as_ref().expect("a grammar has a start");
    ends(rules, start, text, &BTreeSet::from([0])).contains(&text.len())
}

type Places = BTreeSet<usize>;

/// All positions where a match can end that begins at one of the given positions.
fn ends(rules: &Rules, node: &Expression, text: &str, from: &Places) -> Places {
    if from.is_empty() {
        return Places::new();
    }
    let each = |next: &dyn Fn(&str) -> Option<usize>| {
        from.iter().filter_map(|&at| next(&text[at..]).map(|size| at + size)).collect::<Places>()
    };
    match node {
        Expression::Text(one) => each(&|rest| rest.starts_with(one.as_str()).then_some(one.len())),
        Expression::Chars(chars) => each(&|rest| rest.chars().next().filter(|&c| chars.has(c)).map(char::len_utf8)),
        Expression::Seq(parts) => parts.iter().fold(from.clone(), |from, part| ends(rules, part, text, &from)),
        Expression::Or(parts) => parts.iter().flat_map(|part| ends(rules, part, text, from)).collect(),
        Expression::Rule(rule) => ends(rules, rules.body(*rule).unwrap(), text, from),
        Expression::Repeat(inner, least, most) => {
            let mut now = from.clone();
            let mut found = if *least == 0 { now.clone() } else { Places::new() };
            for round in 1..=most.unwrap_or(u64::MAX) {
                now = ends(rules, inner, text, &now);
                if round > *least {
                    now = now.difference(&found).copied().collect();
                }
                if now.is_empty() {
                    break;
                }
                if round >= *least {
                    found.extend(&now);
                }
            }
            found
        }
        Expression::Space => {
            let space = |rest: &str| {
                (0..=rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len()).collect::<Vec<_>>()
            };
            from.iter().flat_map(|&at| space(&text[at..]).into_iter().map(move |size| at + size)).collect()
        }
        Expression::Until(markers) => {
            let automaton = Automaton::new(markers);
            from.iter().flat_map(|&at| free(&automaton, &text[at..]).into_iter().map(move |size| at + size)).collect()
        }
        Expression::TextWithCalls(content) => {
            let free = Expression::Until(vec![content.trigger.clone()]);
            let call =
                super::rule::seq([Expression::Text(content.trigger.clone()), content.call.clone(), free.clone()]);
            let calls = super::rule::repeat(call, 0, if content.many { None } else { Some(1) });
            ends(rules, &super::rule::seq([free, calls]), text, from)
        }
        Expression::Json(_) => panic!("not for this matcher"),
    }
}

fn free(automaton: &Automaton, text: &str) -> Vec<usize> {
    let mut found = vec![0];
    let mut state = 0;
    for (at, c) in text.char_indices() {
        let Some((_, to)) = automaton.moves[state].iter().find(|(chars, _)| chars.has(c)) else { break };
        state = *to;
        found.push(at + c.len_utf8());
    }
    found
}
