//! Runs an automaton over a text.

use super::automaton::{Automaton, Bits, Class, Condition};

impl Automaton {
    /// Whether the text contains a match.
    pub fn matches(&self, text: &str) -> bool {
        let mut found = false;
        self.run(text, false, &mut |_| {
            found = true;
            true
        });
        found
    }

    /// Reports each place at which a match ends, in the direction of reading, until `found` returns true. A place is the number of
    /// characters before it.
    fn run(&self, text: &str, backwards: bool, found: &mut dyn FnMut(usize) -> bool) {
        let length = text.chars().count();
        let mut letters = text.chars();
        let mut next = || if backwards { letters.next_back() } else { letters.next() };
        let looks: Vec<Vec<bool>> =
            self.assertions.iter().map(|(condition, _)| condition.places(text, length)).collect();
        let mut rows = Rows::default();
        let mut cache = Cache::default();
        let mut active = vec![0; self.words];
        let mut following = vec![0; self.words];
        let mut after = next();
        let place = |read: usize| if backwards { length - read } else { read };
        let start = self.holding(place(0), length, is_word(after), &looks);
        self.assert(&mut active, &mut following, start);
        // the number of the active set in the cache; the set itself may then be older
        let mut known = None;
        for read in 0..=length {
            let is_end = known.map_or_else(|| self.is_end(&active), |number| cache.is_end(number));
            if is_end && found(place(read)) {
                return;
            }
            let Some(letter) = after else { return };
            after = next();
            let row = rows.of(letter, self);
            let is_boundary = is_word(Some(letter)) != is_word(after);
            let symbol = (row, self.holding(place(read + 1), length, is_boundary, &looks));
            let cached = known.and_then(|number| cache.next(number, symbol));
            if cached.is_some() {
                known = cached;
                continue;
            }
            cache.load(known, &mut active);
            let from = known.or_else(|| cache.number(&active, self));
            self.follow(&active, &mut following);
            for ((active, following), allowed) in active.iter_mut().zip(&following).zip(rows.row(row)) {
                *active = following & allowed;
            }
            if self.is_anchored && !backwards && active.iter().all(|word| *word == 0) {
                return;
            }
            self.assert(&mut active, &mut following, symbol.1);
            known = from.and_then(|_| cache.number(&active, self));
            cache.link(from, symbol, known);
        }
    }

    /// The assertions that hold at a place, as bits.
    fn holding(&self, place: usize, length: usize, is_boundary: bool, looks: &[Vec<bool>]) -> u64 {
        if !self.has_inner && place != 0 && place != length {
            return 0;
        }
        let holds = |(condition, places): (&Condition, &Vec<bool>)| match condition {
            Condition::Start => place == 0,
            Condition::End => place == length,
            Condition::WordBoundary(expected) => is_boundary == *expected,
            Condition::Look { .. } => places.get(place) == Some(&true),
        };
        let conditions = self.assertions.iter().map(|(condition, _)| condition).zip(looks);
        conditions.enumerate().fold(0, |all, (index, condition)| all | (u64::from(holds(condition)) << index))
    }

    fn is_end(&self, active: &[u64]) -> bool {
        self.matches_empty || active.iter().zip(&self.last).any(|(active, last)| active & last != 0)
    }

    /// The positions that follow the active ones, and those where a match may begin.
    fn follow(&self, active: &[u64], following: &mut [u64]) {
        let mut carried = 0;
        let sets = active.iter().zip(&self.first).zip(&self.chained).zip(&self.looped);
        for (following, (((active, first), chained), looped)) in following.iter_mut().zip(sets) {
            let moved = active & chained;
            *following = first | (active & looped) | (moved << 1) | carried;
            carried = moved >> 63;
        }
        for (from, to) in &self.jumps {
            if from.iter().any(|(index, bits)| active.get(*index).is_some_and(|word| word & bits != 0)) {
                include(following, to);
            }
        }
    }

    /// Passes the assertions that hold.
    fn assert(&self, active: &mut [u64], following: &mut [u64], holding: u64) {
        if holding == 0 {
            return;
        }
        let mut allowed = vec![0; self.words];
        for (index, (_, positions)) in self.assertions.iter().enumerate() {
            if holding >> index & 1 == 1 {
                include(&mut allowed, positions);
            }
        }
        loop {
            self.follow(active, following);
            let mut grown = 0;
            for ((active, following), allowed) in active.iter_mut().zip(following.iter()).zip(&mut allowed) {
                let passed = following & *allowed;
                *active |= passed;
                *allowed &= !passed;
                grown |= passed;
            }
            if grown == 0 {
                return;
            }
        }
    }
}

impl Condition {
    /// For a look around, the places at which it holds.
    fn places(&self, text: &str, length: usize) -> Vec<bool> {
        let Self::Look { automaton, behind, expected } = self else { return Vec::new() };
        let mut places = vec![!expected; length + 1];
        automaton.run(text, !behind, &mut |place| {
            if let Some(holds) = places.get_mut(place) {
                *holds = *expected;
            }
            false
        });
        places
    }
}

fn is_word(letter: Option<char>) -> bool {
    letter.is_some_and(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

fn include(set: &mut [u64], bits: &Bits) {
    for (index, bits) in bits {
        if let Some(word) = set.get_mut(*index) {
            *word |= bits;
        }
    }
}

/// The number of characters in a page.
const PAGE: usize = 256;

/// The positions that each character of the text matches.
#[derive(Default)]
struct Rows {
    rows: Vec<Vec<u64>>,
    /// For each character, 1 more than the index of its row, or 0 if it is not known.
    pages: Vec<Vec<u32>>,
}

impl Rows {
    /// The index of the row of a character.
    fn of(&mut self, letter: char, automaton: &Automaton) -> usize {
        let (page, place) = (letter as usize / PAGE, letter as usize % PAGE);
        let known = self.pages.get(page).and_then(|page| page.get(place)).map_or(0, |index| *index as usize);
        if known > 0 { known - 1 } else { self.add(letter, automaton) }
    }

    fn row(&self, index: usize) -> &[u64] {
        self.rows.get(index).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, letter: char, automaton: &Automaton) -> usize {
        let mut row = vec![0; automaton.words];
        for (class, positions) in &automaton.classes {
            let has = match class {
                Class::Chars(chars) => chars.has(letter),
                Class::Engine(class) => class.has(letter),
            };
            if has {
                row.iter_mut().zip(positions).for_each(|(word, bits)| *word |= bits);
            }
        }
        let index = self.rows.iter().position(|known| *known == row).unwrap_or_else(|| {
            self.rows.push(row);
            self.rows.len() - 1
        });
        let page = letter as usize / PAGE;
        if self.pages.len() <= page {
            self.pages.resize(page + 1, Vec::new());
        }
        if let Some(page) = self.pages.get_mut(page) {
            page.resize(PAGE, 0);
            if let Some(place) = page.get_mut(letter as usize % PAGE) {
                *place = u32::try_from(index + 1).unwrap_or_default();
            }
        }
        index
    }
}

/// Maximum number of sets in the cache. Further ones are computed each time.
const MOST_SETS: usize = 2000;
const SLOTS: usize = 4096;

/// The row of a character, and the assertions that hold after it.
type Symbol = (usize, u64);

/// The sets of positions that were active, and which of them follows which: most texts lead to few.
#[derive(Default)]
struct Cache {
    /// Each set, and whether a match ends there.
    sets: Vec<(Vec<u64>, bool)>,
    /// For each set, the sets that follow it.
    next: Vec<Vec<(Symbol, usize)>>,
    /// A hash index: 1 more than the number of a set, or 0.
    slots: Vec<u32>,
}

impl Cache {
    /// The number of a set. `None` if the cache is full.
    fn number(&mut self, set: &[u64], automaton: &Automaton) -> Option<usize> {
        self.slots.resize(SLOTS, 0);
        let hash =
            set.iter().fold(0_u64, |hash, word| (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23));
        let mut slot = (hash ^ (hash >> 32)) as usize % SLOTS;
        loop {
            match *self.slots.get(slot)? as usize {
                0 => break,
                number if self.sets.get(number - 1).is_some_and(|(known, _)| known == set) => return Some(number - 1),
                _ => slot = (slot + 1) % SLOTS,
            }
        }
        if self.sets.len() >= MOST_SETS {
            return None;
        }
        self.sets.push((set.to_vec(), automaton.is_end(set)));
        self.next.push(Vec::new());
        if let Some(place) = self.slots.get_mut(slot) {
            *place = u32::try_from(self.sets.len()).unwrap_or_default();
        }
        Some(self.sets.len() - 1)
    }

    fn load(&self, number: Option<usize>, set: &mut [u64]) {
        if let Some((known, _)) = number.and_then(|number| self.sets.get(number)) {
            set.copy_from_slice(known);
        }
    }

    fn is_end(&self, number: usize) -> bool {
        self.sets.get(number).is_some_and(|(_, is_end)| *is_end)
    }

    fn next(&self, number: usize, symbol: Symbol) -> Option<usize> {
        self.next.get(number)?.iter().find(|(known, _)| *known == symbol).map(|(_, next)| *next)
    }

    fn link(&mut self, from: Option<usize>, symbol: Symbol, to: Option<usize>) {
        if let (Some(next), Some(to)) = (from.and_then(|from| self.next.get_mut(from)), to) {
            next.push((symbol, to));
        }
    }
}
