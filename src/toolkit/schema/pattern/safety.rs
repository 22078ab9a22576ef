//! Rejects regular expressions whose repetitions are nested so that matching may take exponential time.
//!
//! A repeated group that contains a repetition is accepted only if every pass through it begins or ends with a letter that
//! can't be taken by the repetitions inside, as in `([a-z]+,)*`: then there is only one way to divide a text into passes.

use super::syntax::{Letters, Part, parse};

pub fn check(source: &str) -> Result<(), String> {
    let Some(alternatives) = parse(source) else {
        return Ok(()); // the engine rejects it, or it has no groups that this reader does not know
    };
    if alternatives.iter().flatten().all(is_safe) {
        return Ok(());
    }
    Err(format!(
        "`{source}` has a repetition inside of a repetition, which may take exponential time. Write it without nested quantifiers"
    ))
}

fn is_safe(part: &Part) -> bool {
    match part {
        Part::Letters(_) | Part::Empty | Part::Unknown => true,
        Part::Group(alternatives) => alternatives.iter().flatten().all(is_safe),
        Part::Repeat { part, many, .. } => {
            is_safe(part) && (!many || (differ(part) && (!repeats(part) || is_divided(part))))
        }
    }
}

/// Whether the alternatives of a group can be told apart by their letters, so that a text is only matched by one of them.
fn differ(group: &Part) -> bool {
    let Part::Group(alternatives) = group else { return true };
    let at_some_place = |one: &[Part], other: &[Part]| {
        let letters = |part: &Part| match part {
            Part::Letters(letters) => Some(*letters),
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

/// More pairs of alternatives than this are not compared.
const MAX_PAIRS: usize = 1000;

/// Whether there is a repetition in a part.
fn repeats(part: &Part) -> bool {
    match part {
        Part::Letters(_) | Part::Empty => false,
        Part::Unknown => true,
        Part::Group(alternatives) => alternatives.iter().flatten().any(repeats),
        Part::Repeat { part, many, .. } => *many || repeats(part),
    }
}

/// Whether each pass through a group begins or ends with a letter that no repetition inside takes.
fn is_divided(group: &Part) -> bool {
    let Part::Group(alternatives) = group else { return false };
    alternatives.iter().all(|sequence| {
        let Some(repeated) = sequence.iter().try_fold(Letters::default(), |all, part| Some(all.and(letters(part)?)))
        else {
            return false;
        };
        let divides = |part: Option<&Part>| match part {
            Some(Part::Letters(letters)) => !letters.meets(repeated),
            _ => false,
        };
        divides(sequence.first()) || divides(sequence.last())
    })
}

/// The letters that repetitions in a part can take.
fn letters(part: &Part) -> Option<Letters> {
    match part {
        Part::Letters(_) | Part::Empty => Some(Letters::default()),
        Part::Unknown => None,
        Part::Group(alternatives) => {
            alternatives.iter().flatten().try_fold(Letters::default(), |all, part| Some(all.and(letters(part)?)))
        }
        Part::Repeat { part, .. } => taken(part),
    }
}

/// All letters that a part can take.
fn taken(part: &Part) -> Option<Letters> {
    match part {
        Part::Letters(letters) => Some(*letters),
        Part::Empty => Some(Letters::default()),
        Part::Unknown => None,
        Part::Group(alternatives) => {
            alternatives.iter().flatten().try_fold(Letters::default(), |all, part| Some(all.and(taken(part)?)))
        }
        Part::Repeat { part, .. } => taken(part),
    }
}
