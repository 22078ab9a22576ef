//! Text that contains none of certain markers, as an Aho-Corasick automaton, and the automaton as a regular expression.

use super::rule::{Expression, any_number, optional, or, seq};
use crate::chars::Chars;

/// One state per marker prefix: the longest one that the text so far ends with. All states accept.
pub(super) struct Automaton {
    /// For each state, the characters that lead to other states. All other characters would complete a marker.
    pub moves: Vec<Vec<(Chars, usize)>>,
}

/// A prefix of a marker.
#[derive(Default)]
struct MarkerPrefix {
    next: Vec<(char, usize)>,
    /// The state of its longest proper suffix that is also a marker prefix.
    shorter: usize,
    complete: bool,
    /// The transitions, except those to the initial state. `None` means that the character would complete a marker.
    moves: Vec<(char, Option<usize>)>,
}

impl Automaton {
    pub fn new(markers: &[String]) -> Self {
        let mut states = vec![MarkerPrefix::default()];
        // process shorter prefixes first
        let longest = markers.iter().map(|marker| marker.chars().count()).max().unwrap_or(0);
        let mut reached: Vec<(usize, std::str::Chars)> = markers.iter().map(|marker| (0, marker.chars())).collect();
        for _ in 0..longest {
            for (state, rest) in &mut reached {
                let Some(c) = rest.next() else { continue };
                *state = step(&mut states, *state, c);
                if let Some(state) = states.get_mut(*state) {
                    state.complete |= rest.as_str().is_empty();
                }
            }
        }
        for at in 0..states.len() {
            let Some(state) = states.get(at) else { continue };
            let (shorter, next) = (state.shorter, state.next.clone());
            let above = |state: usize| states.get(state).map_or(&[][..], |state| &state.moves);
            let mut moves = if at == 0 { Vec::new() } else { above(shorter).to_vec() };
            let mut failures = Vec::new();
            for (c, child) in next {
                let known = moves.iter().position(|(other, _)| *other == c).map(|known| moves.remove(known).1);
                failures.push((child, known.unwrap_or(Some(0))));
                moves.push((c, Some(child)));
            }
            for (child, shorter) in failures {
                let complete = shorter.is_none_or(|shorter| states.get(shorter).is_some_and(|state| state.complete));
                if let Some(child) = states.get_mut(child) {
                    child.shorter = shorter.unwrap_or(0);
                    child.complete |= complete;
                }
            }
            for (_, to) in &mut moves {
                *to = to.filter(|to| states.get(*to).is_some_and(|state| !state.complete));
            }
            if let Some(state) = states.get_mut(at) {
                state.moves = moves;
            }
        }
        Self::of(&states)
    }

    /// Removes the states in which a marker is complete.
    fn of(states: &[MarkerPrefix]) -> Self {
        let open = |at: usize| states.iter().take(at).filter(|state| !state.complete).count();
        let moves = states.iter().filter(|state| !state.complete).map(|state| {
            let others: String = state.moves.iter().map(|(c, _)| *c).collect();
            let mut moves: Vec<(Chars, usize)> = vec![(Chars::of(&others).not(), 0)];
            for (c, to) in &state.moves {
                let Some(to) = to.map(open) else { continue };
                let one = Chars::of(c.encode_utf8(&mut [0; 4]));
                match moves.iter_mut().find(|(_, target)| *target == to) {
                    Some((chars, _)) => *chars = chars.or(&one),
                    None => moves.push((one, to)),
                }
            }
            moves
        });
        Self { moves: moves.collect() }
    }

    /// The same language as one expression, by state elimination from the deepest state up.
    pub fn expression(&self) -> Expression {
        // transitions per state: the characters and the next state
        let mut rows: Vec<Vec<(Expression, usize)>> = self
            .moves
            .iter()
            .map(|moves| moves.iter().map(|(chars, to)| (Expression::Chars(chars.clone()), *to)).collect())
            .collect();
        // what the text may end with per state, without a further transition
        let mut ends: Vec<Expression> = vec![seq([]); rows.len()];
        while let (Some(mut row), Some(mut end)) = (rows.pop(), ends.pop()) {
            let state = rows.len();
            if let Some(at) = row.iter().position(|(_, to)| *to == state) {
                let again = any_number(row.remove(at).0);
                for (node, _) in &mut row {
                    *node = seq([again.clone(), node.clone()]);
                }
                end = seq([again, end]);
            }
            if state == 0 {
                return end;
            }
            for (other, last) in rows.iter_mut().zip(&mut ends) {
                let Some(at) = other.iter().position(|(_, to)| *to == state) else { continue };
                let (head, _) = other.remove(at);
                for (node, to) in &row {
                    let node = seq([head.clone(), node.clone()]);
                    match other.iter_mut().find(|(_, target)| target == to) {
                        Some((known, _)) => *known = or([known.clone(), node]),
                        None => other.push((node, *to)),
                    }
                }
                let tail = seq([head, end.clone()]);
                *last = match std::mem::replace(last, seq([])) {
                    Expression::Seq(parts) if parts.is_empty() => optional(tail),
                    Expression::Repeat(known, 0, Some(1)) => optional(or([*known, tail])),
                    known => or([known, tail]),
                };
            }
        }
        seq([])
    }
}

/// The state after a character. It is created if necessary.
fn step(states: &mut Vec<MarkerPrefix>, state: usize, c: char) -> usize {
    let made = states.len();
    let Some(from) = states.get_mut(state) else { return 0 };
    if let Some((_, known)) = from.next.iter().find(|(other, _)| *other == c) {
        return *known;
    }
    from.next.push((c, made));
    states.push(MarkerPrefix::default());
    made
}

#[cfg(test)]
mod tests {
    use super::Automaton;
    use crate::text::grammar::matcher::accepts;
    use crate::text::grammar::rule::Rules;

    #[test]
    fn text_is_free_of_markers() {
        for markers in [&["<tool_call>"][..], &["```json", "```"], &["aab", "ab"], &["]<]m[", "]]"], &[">>>"]] {
            let owned: Vec<String> = markers.iter().map(|&marker| marker.to_owned()).collect();
            let automaton = Automaton::new(&owned);
            let rules = Rules::starting(automaton.expression());
            let pieces: Vec<String> = markers
                .iter()
                .flat_map(|marker| {
                    [(*marker).to_owned(), marker[..marker.len() - 1].to_owned(), marker[..1].to_owned()]
                })
                .chain(["x".into(), "\n".into(), String::new()])
                .collect();
            for a in &pieces {
                for b in &pieces {
                    for c in &pieces {
                        let text = format!("{a}{b}{c}");
                        let free = markers.iter().all(|marker| !text.contains(marker));
                        assert_eq!(walk(&automaton, &text), free, "{markers:?}: {text:?}");
                        assert_eq!(accepts(&rules, &text), free, "{markers:?}: {text:?}");
                    }
                }
            }
        }
    }

    fn walk(automaton: &Automaton, text: &str) -> bool {
        let mut state = 0;
        text.chars().all(|c| {
            let to = automaton.moves[state].iter().find(|(chars, _)| chars.has(c)).map(|(_, to)| *to);
            state = to.unwrap_or(state);
            to.is_some()
        })
    }
}
