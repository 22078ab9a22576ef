//! Rejects regular expressions with nested repetitions for which matching can take exponential time.
//!
//! A repeated group that contains a repetition is accepted only if every iteration begins or ends with a character that the inner
//! repetitions can't match, as in `([a-z]+,)*`. Then there is only one way to split a text into iterations.

use super::syntax::{Letters, RegexPart, is_too_deep, parse};

pub fn check(source: &str) -> Result<(), String> {
    if is_too_deep(source) {
        return Err(format!("`{source}` has groups nested too deeply. Write it with fewer of them"));
    }
    let Some(alternatives) = parse(source) else {
        return Ok(()); // syntax that this parser does not support: left to the engine
    };
    if alternatives.iter().flatten().all(is_safe) {
        return Ok(());
    }
    Err(format!(
        "`{source}` has a repetition inside of a repetition, which may take exponential time. Write it without nested quantifiers"
    ))
}

fn is_safe(part: &RegexPart) -> bool {
    match part {
        RegexPart::Letters(_) | RegexPart::Empty | RegexPart::Unknown => true,
        RegexPart::Group(alternatives) => alternatives.iter().flatten().all(is_safe),
        RegexPart::Repeat { part, many, .. } => {
            is_safe(part) && (!many || (differ(part) && (!repeats(part) || is_divided(part))))
        }
    }
}

/// Whether the alternatives of a group match disjoint sets of characters, so that at most one matches a text.
fn differ(group: &RegexPart) -> bool {
    let RegexPart::Group(alternatives) = group else { return true };
    let at_some_place = |one: &[RegexPart], other: &[RegexPart]| {
        let letters = |part: &RegexPart| match part {
            RegexPart::Letters(letters) => Some(*letters),
            _ => None,
        };
        let pairs = one.iter().zip(other).map_while(|(one, other)| Some((letters(one)?, letters(other)?)));
        pairs.into_iter().any(|(one, other)| !one.meets(other))
    };
    let pairs = alternatives
        .iter()
        .enumerate()
        .flat_map(|(index, one)| alternatives.iter().skip(index + 1).map(move |other| (one, other)));
    pairs.into_iter().take(MAX_PAIRS).all(|(one, other)| at_some_place(one, other))
}

/// Maximum number of pairs of alternatives that are compared.
const MAX_PAIRS: usize = 1000;

/// Whether a part contains a repetition.
fn repeats(part: &RegexPart) -> bool {
    match part {
        RegexPart::Letters(_) | RegexPart::Empty => false,
        RegexPart::Unknown => true,
        RegexPart::Group(alternatives) => alternatives.iter().flatten().any(repeats),
        RegexPart::Repeat { part, many, .. } => *many || repeats(part),
    }
}

/// Whether every iteration of a group begins or ends with a character that no inner repetition matches.
fn is_divided(group: &RegexPart) -> bool {
    let RegexPart::Group(alternatives) = group else { return false };
    alternatives.iter().all(|sequence| {
        let Some(repeated) = sequence.iter().try_fold(Letters::default(), |all, part| Some(all.and(letters(part)?)))
        else {
            return false;
        };
        let divides = |part: Option<&RegexPart>| match part {
            Some(RegexPart::Letters(letters)) => !letters.meets(repeated),
            _ => false,
        };
        divides(sequence.first()) || divides(sequence.last())
    })
}

/// The characters that repetitions in a part can match.
fn letters(part: &RegexPart) -> Option<Letters> {
    match part {
        RegexPart::Letters(_) | RegexPart::Empty => Some(Letters::default()),
        RegexPart::Unknown => None,
        RegexPart::Group(alternatives) => {
            alternatives.iter().flatten().try_fold(Letters::default(), |all, part| Some(all.and(letters(part)?)))
        }
        RegexPart::Repeat { part, .. } => taken(part),
    }
}

/// All characters that a part can match.
fn taken(part: &RegexPart) -> Option<Letters> {
    match part {
        RegexPart::Letters(letters) => Some(*letters),
        RegexPart::Empty => Some(Letters::default()),
        RegexPart::Unknown => None,
        RegexPart::Group(alternatives) => {
            alternatives.iter().flatten().try_fold(Letters::default(), |all, part| Some(all.and(taken(part)?)))
        }
        RegexPart::Repeat { part, .. } => taken(part),
    }
}
