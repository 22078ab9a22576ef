//! Whether two texts mean the same, and whether JavaScript would print a text unchanged.

use super::number::is_as_javascript_prints;
use super::{Span, TextStore};
use crate::value::{Keyed, Keys, Kind};

/// Integers up to this one are exact in a double, so they can be compared as doubles.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Whether both are the same JSON value, apart from the order of keys.
pub fn same(store: &TextStore, left: Span, right: Span) -> bool {
    let mut pairs = Vec::new();
    let mut next = Some((left, right));
    while let Some((left, right)) = next {
        let kind = store.kind_at(left);
        if kind != store.kind_at(right) {
            return false;
        }
        let alike = match kind {
            Kind::Object => same_members(store, left, right, &mut pairs),
            Kind::Array => {
                let lefts = children(store, left);
                let rights = children(store, right);
                let alike = lefts.len() == rights.len();
                pairs.extend(lefts.iter().zip(&rights).map(|((_, left), (_, right))| (*left, *right)));
                alike
            }
            Kind::String => store.content(left) == store.content(right),
            Kind::Number => same_number(store, left, right),
            Kind::Boolean | Kind::Null | Kind::Other => store.raw(left) == store.raw(right),
        };
        if !alike {
            return false;
        }
        next = pairs.pop();
    }
    true
}

fn same_number(store: &TextStore, left: Span, right: Span) -> bool {
    if store.raw(left) == store.raw(right) {
        return true;
    }
    let number = store.number_at(left);
    number == store.number_at(right) && number.abs() < EXACT
}

fn children(store: &TextStore, container: Span) -> Vec<(Span, Span)> {
    let mut children = Vec::new();
    store.each(container, |key, value, _| {
        children.push((key, value));
        true
    });
    children
}

fn same_members(store: &TextStore, left: Span, right: Span, pairs: &mut Vec<(Span, Span)>) -> bool {
    let (lefts, rights) = (members(store, left), members(store, right));
    if lefts.len() != rights.len() {
        return false;
    }
    for (key, left) in lefts.iter() {
        let Some(right) = rights.get(key) else { return false };
        pairs.push((*left, *right));
    }
    true
}

/// Of duplicate keys, the last one counts.
fn members(store: &TextStore, object: Span) -> Keyed<Span> {
    let mut members = Keyed::default();
    for (key, value) in children(store, object) {
        members.insert(&store.content(key), value);
    }
    members
}

/// Whether JavaScript, after parsing `value` (compact text), would print the numbers and keys unchanged: no number in another notation, no duplicate
/// keys, no integer keys that it would move to the front.
pub fn reprints_alike(store: &TextStore, value: Span) -> bool {
    let mut waiting = vec![value];
    let mut keys = Keys::default();
    while let Some(value) = waiting.pop() {
        match store.kind_at(value) {
            Kind::Object => {
                keys.clear();
                for (key, member) in children(store, value) {
                    let key = store.content(key);
                    let integer_like = !key.is_empty() && key.iter().all(u8::is_ascii_digit);
                    if integer_like || !keys.add(&key) {
                        return false;
                    }
                    waiting.push(member);
                }
            }
            Kind::Array => waiting.extend(children(store, value).into_iter().map(|(_, item)| item)),
            Kind::Number if !is_as_javascript_prints(store.raw(value)) => return false,
            Kind::Number | Kind::String | Kind::Boolean | Kind::Null | Kind::Other => {}
        }
    }
    true
}
