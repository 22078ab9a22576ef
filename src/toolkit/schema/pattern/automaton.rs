//! Regular expressions as automata without backtracking.
//!
//! The states are the positions of the expression (Glushkov's construction): a set of characters or an assertion each. A set of states is a
//! set of bits, so that a step takes a bounded number of operations on words, whatever the text.

use super::engine;
use super::syntax::{Assertion, Look, Part};
use crate::chars::Chars;

/// Maximum number of positions.
const MAX_POSITIONS: usize = 16_000;
/// Maximum number of transitions.
const MAX_TRANSITIONS: usize = 60_000;
/// Maximum number of different assertions.
const MAX_ASSERTIONS: usize = 64;
/// Maximum number of operations per character.
const MAX_COST: usize = 400;

/// The cost of a class that the engine matches, relative to others.
const ENGINE_COST: usize = 200;

const TOO_LARGE: &str = "repeats too much to be matched in bounded time. Use smaller numbers, or `maxLength`";

/// Some bits of a set: pairs of an index and a word.
pub type Bits = Vec<(usize, u64)>;

pub struct Automaton {
    /// The number of words of a set.
    pub words: usize,
    pub classes: Vec<(Class, Vec<u64>)>,
    pub assertions: Vec<(Condition, Bits)>,
    /// Where a match begins.
    pub first: Vec<u64>,
    /// Where a match ends.
    pub last: Vec<u64>,
    pub matches_empty: bool,
    /// The positions that the next position follows.
    pub chained: Vec<u64>,
    /// The positions that follow themselves.
    pub looped: Vec<u64>,
    /// Other transitions: any of the first positions is followed by all of the second ones.
    pub jumps: Vec<(Bits, Bits)>,
    /// Whether every match begins at the start of the text.
    pub is_anchored: bool,
    /// Whether assertions may hold within the text.
    pub has_inner: bool,
}

pub enum Class {
    Chars(Chars),
    Engine(engine::Regex),
}

pub enum Condition {
    Start,
    End,
    WordBoundary(bool),
    Look { automaton: Box<Automaton>, behind: bool, expected: bool },
}

impl Automaton {
    /// `backwards`: for a text that is read from its end. The error completes the sentence "the pattern …".
    pub fn new(part: &Part, backwards: bool) -> Result<Self, &'static str> {
        let mut builder = Builder { backwards, ..Builder::default() };
        let whole = builder.build(part)?;
        builder.finish(&whole)
    }

    /// The number of operations for one character.
    fn cost(&self) -> usize {
        let jumps: usize = self.jumps.iter().map(|(from, to)| from.len() + to.len()).sum();
        let looks: usize = self.assertions.iter().map(|(condition, _)| condition.cost()).sum();
        let classes =
            self.classes.iter().map(|(class, _)| if matches!(class, Class::Engine(_)) { ENGINE_COST } else { 1 });
        (2 * self.words + jumps) * (1 + usize::from(self.has_inner)) + looks + classes.sum::<usize>() / 4
    }
}

impl Condition {
    fn new(assertion: &Assertion) -> Result<Self, &'static str> {
        Ok(match assertion {
            Assertion::Start => Self::Start,
            Assertion::End => Self::End,
            Assertion::WordBoundary(expected) => Self::WordBoundary(*expected),
            Assertion::Look(Look { part, behind, expected }) => {
                let automaton = Box::new(Automaton::new(part, !behind)?);
                Self::Look { automaton, behind: *behind, expected: *expected }
            }
        })
    }

    fn cost(&self) -> usize {
        if let Self::Look { automaton, .. } = self { automaton.cost() } else { 1 }
    }
}

/// A part of the expression: its first and last positions.
#[derive(Clone, Default)]
struct Fragment {
    first: Vec<usize>,
    last: Vec<usize>,
    is_optional: bool,
}

#[derive(Default)]
struct Builder<'p> {
    backwards: bool,
    /// The positions that follow each position.
    follow: Vec<Vec<usize>>,
    transitions: usize,
    classes: Vec<(Class, Vec<usize>)>,
    assertions: Vec<(&'p Assertion, Condition, Vec<usize>)>,
}

impl<'p> Builder<'p> {
    fn build(&mut self, part: &'p Part) -> Result<Fragment, &'static str> {
        match part {
            Part::Chars(chars) => {
                let same = |(class, _): &(Class, _)| matches!(class, Class::Chars(other) if other == chars);
                let place = self.classes.iter().position(same);
                self.of_class(place, || Ok(Class::Chars(chars.clone())))
            }
            Part::Class(source) => {
                let same = |(class, _): &(Class, _)| matches!(class, Class::Engine(other) if other.is_class(source));
                let place = self.classes.iter().position(same);
                self.of_class(place, || Ok(Class::Engine(engine::Regex::class(source)?)))
            }
            Part::Assertion(assertion) => {
                let position = self.position()?;
                let same = |(known, ..): &(&Assertion, Condition, Vec<usize>)| is_same(known, assertion);
                let place = self.assertions.iter().position(same).unwrap_or(self.assertions.len());
                if place == MAX_ASSERTIONS {
                    return Err(TOO_LARGE);
                }
                match self.assertions.get_mut(place) {
                    Some((.., positions)) => positions.push(position),
                    None => self.assertions.push((assertion, Condition::new(assertion)?, vec![position])),
                }
                Ok(alone(position))
            }
            Part::Sequence(parts) => {
                let mut all = Fragment { is_optional: true, ..Fragment::default() };
                for index in 0..parts.len() {
                    let index = if self.backwards { parts.len() - 1 - index } else { index };
                    let Some(part) = parts.get(index) else { break };
                    let next = self.build(part)?;
                    all = self.joined(all, next)?;
                }
                Ok(all)
            }
            Part::Alternatives(parts) => {
                let mut all = Fragment::default();
                for part in parts {
                    let Fragment { first, last, is_optional } = self.build(part)?;
                    all.first.extend(first);
                    all.last.extend(last);
                    all.is_optional |= is_optional;
                }
                Ok(all)
            }
            Part::Repeat { part, least, most } => self.repeated(part, *least, *most),
        }
    }

    fn of_class(
        &mut self,
        place: Option<usize>,
        class: impl FnOnce() -> Result<Class, &'static str>,
    ) -> Result<Fragment, &'static str> {
        let position = self.position()?;
        match place.and_then(|place| self.classes.get_mut(place)) {
            Some((_, positions)) => positions.push(position),
            None => self.classes.push((class()?, vec![position])),
        }
        Ok(alone(position))
    }

    fn position(&mut self) -> Result<usize, &'static str> {
        self.follow.push(Vec::new());
        if self.follow.len() > MAX_POSITIONS { Err(TOO_LARGE) } else { Ok(self.follow.len() - 1) }
    }

    fn connect(&mut self, last: &[usize], first: &[usize]) -> Result<(), &'static str> {
        self.transitions += last.len() * first.len();
        if self.transitions > MAX_TRANSITIONS {
            return Err(TOO_LARGE);
        }
        for position in last {
            if let Some(follow) = self.follow.get_mut(*position) {
                follow.extend(first);
            }
        }
        Ok(())
    }

    fn joined(&mut self, one: Fragment, other: Fragment) -> Result<Fragment, &'static str> {
        self.connect(&one.last, &other.first)?;
        let mut all = Fragment { is_optional: one.is_optional && other.is_optional, ..one };
        if one.is_optional {
            all.first.extend(&other.first);
        }
        if !other.is_optional {
            all.last.clear();
        }
        all.last.extend(other.last);
        Ok(all)
    }

    /// `x{2,4}` is `xx(x(x)?)?`, and `x{2,}` is `xx+`.
    fn repeated(&mut self, part: &'p Part, least: usize, most: Option<usize>) -> Result<Fragment, &'static str> {
        let mut all = Fragment { is_optional: true, ..Fragment::default() };
        let copies = most.unwrap_or(least.max(1));
        let mut end = Vec::new();
        for copy in 0..copies {
            let next = self.build(part)?;
            if next.first.is_empty() {
                return Ok(Fragment { is_optional: next.is_optional || least == 0, ..Fragment::default() });
            }
            // an iteration without characters is as good as none
            let is_needed = copy < least && !next.is_optional;
            if copy == 0 {
                all = Fragment { first: next.first.clone(), last: Vec::new(), is_optional: !is_needed };
            } else {
                self.connect(&end, &next.first)?;
            }
            if is_needed {
                all.last.clear();
            }
            all.last.extend(&next.last);
            if most.is_none() && copy + 1 == copies {
                self.connect(&next.last, &next.first)?;
            }
            end = next.last;
        }
        Ok(all)
    }

    fn finish(self, whole: &Fragment) -> Result<Automaton, &'static str> {
        let words = self.follow.len() / 64 + 1;
        let (mut chained, mut looped) = (vec![0; words], vec![0; words]);
        let mut jumps: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        for (position, mut follow) in self.follow.into_iter().enumerate() {
            follow.sort_unstable();
            follow.dedup();
            let mut take = |wanted: usize, set: &mut [u64]| {
                if let Ok(place) = follow.binary_search(&wanted) {
                    follow.remove(place);
                    add(set, position);
                }
            };
            take(position + 1, &mut chained);
            take(position, &mut looped);
            if follow.is_empty() {
                continue;
            }
            if jumps.len() > MAX_COST {
                return Err(TOO_LARGE);
            }
            match jumps.iter_mut().find(|(_, to)| *to == follow) {
                Some((from, _)) => from.push(position),
                None => jumps.push((vec![position], follow)),
            }
        }
        let starts = |condition: &Condition| matches!(condition, Condition::Start);
        let at_start: Vec<usize> =
            self.assertions.iter().filter(|(_, on, _)| starts(on)).flat_map(|(.., at)| at).copied().collect();
        let automaton = Automaton {
            words,
            is_anchored: !whole.is_optional && whole.first.iter().all(|position| at_start.contains(position)),
            has_inner: self.assertions.iter().any(|(_, on, _)| !matches!(on, Condition::Start | Condition::End)),
            classes: self.classes.into_iter().map(|(class, positions)| (class, set_of(&positions, words))).collect(),
            assertions: self.assertions.into_iter().map(|(_, on, positions)| (on, bits(&positions, words))).collect(),
            first: set_of(&whole.first, words),
            last: set_of(&whole.last, words),
            matches_empty: whole.is_optional,
            chained,
            looped,
            jumps: jumps.into_iter().map(|(from, to)| (bits(&from, words), bits(&to, words))).collect(),
        };
        if automaton.cost() > MAX_COST { Err(TOO_LARGE) } else { Ok(automaton) }
    }
}

/// Whether two assertions hold at the same places: copies of one part do.
fn is_same(one: &Assertion, other: &Assertion) -> bool {
    match (one, other) {
        (Assertion::Start, Assertion::Start) | (Assertion::End, Assertion::End) => true,
        (Assertion::WordBoundary(one), Assertion::WordBoundary(other)) => one == other,
        _ => std::ptr::eq(one, other),
    }
}

fn alone(position: usize) -> Fragment {
    Fragment { first: vec![position], last: vec![position], is_optional: false }
}

fn add(set: &mut [u64], position: usize) {
    if let Some(word) = set.get_mut(position / 64) {
        *word |= 1 << (position % 64);
    }
}

fn set_of(positions: &[usize], words: usize) -> Vec<u64> {
    let mut set = vec![0; words];
    for position in positions {
        add(&mut set, *position);
    }
    set
}

fn bits(positions: &[usize], words: usize) -> Bits {
    set_of(positions, words).into_iter().enumerate().filter(|(_, word)| *word != 0).collect()
}
