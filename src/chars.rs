//! Sets of characters.

use std::collections::BinaryHeap;

/// A set of characters, as sorted ranges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chars {
    ranges: Vec<(u32, u32)>,
}

const LAST: u32 = 0x10_FFFF;

impl Chars {
    pub fn new(ranges: impl IntoIterator<Item = (u32, u32)>) -> Self {
        // a sort of the standard library is three times as much code
        let given: BinaryHeap<(u32, u32)> = ranges.into_iter().filter(|(from, to)| from <= to).collect();
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for (from, to) in given.into_sorted_vec() {
            match ranges.last_mut() {
                Some((_, end)) if from <= end.saturating_add(1) => *end = (*end).max(to),
                _ => ranges.push((from, to)),
            }
        }
        Self { ranges }
    }

    pub fn of(text: &str) -> Self {
        Self::new(text.chars().map(|c| (u32::from(c), u32::from(c))))
    }

    /// The set of the given ranges: `azAZ` is all ASCII letters.
    pub fn between(pairs: &str) -> Self {
        let all: Vec<u32> = pairs.chars().map(u32::from).collect();
        Self::new(all.chunks(2).filter_map(|pair| Some((*pair.first()?, *pair.last()?))))
    }

    #[cfg(feature = "text")]
    pub fn any() -> Self {
        Self::new([(0, LAST)])
    }

    pub fn not(&self) -> Self {
        let mut from = 0;
        let mut ranges = Vec::new();
        for &(start, end) in &self.ranges {
            if start > from {
                ranges.push((from, start - 1));
            }
            from = end + 1;
        }
        if from <= LAST {
            ranges.push((from, LAST));
        }
        Self { ranges }
    }

    pub fn or(&self, other: &Self) -> Self {
        Self::new(self.ranges.iter().chain(&other.ranges).copied())
    }

    #[cfg(feature = "text")]
    pub fn and(&self, other: &Self) -> Self {
        self.without(&other.not())
    }

    #[cfg(feature = "text")]
    pub fn without(&self, other: &Self) -> Self {
        let mut ranges = Vec::new();
        for &(first, to) in &self.ranges {
            let mut from = first;
            for &(start, end) in other.ranges.iter().filter(|(start, end)| *end >= first && *start <= to) {
                if start > from {
                    ranges.push((from, start - 1));
                }
                from = end + 1;
            }
            if from <= to {
                ranges.push((from, to));
            }
        }
        Self { ranges }
    }

    #[cfg(feature = "text")]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    pub fn has(&self, c: char) -> bool {
        self.ranges.iter().any(|&(from, to)| (from..=to).contains(&u32::from(c)))
    }

    /// The only code point of the set, if it has exactly one.
    #[cfg(feature = "toolkit")]
    pub fn lone(&self) -> Option<u32> {
        match self.ranges.as_slice() {
            [(from, to)] if from == to => Some(*from),
            _ => None,
        }
    }

    /// The only character of the set, if it has exactly one.
    #[cfg(feature = "text")]
    pub fn single(&self) -> Option<char> {
        match self.ranges.as_slice() {
            [(from, to)] if from == to => char::from_u32(*from),
            _ => None,
        }
    }

    #[cfg(feature = "text")]
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    /// Writes a class in brackets (negated if the last range is open-ended), or `any`. `escape` writes one character.
    #[cfg(feature = "text")]
    pub fn class(&self, out: &mut String, any: &str, escape: fn(char, &mut String)) {
        let complement = self.not();
        if complement.is_empty() {
            return out.push_str(any);
        }
        let negated = self.ranges.last().is_some_and(|&(_, to)| to == LAST);
        out.push_str(if negated { "[^" } else { "[" });
        for &(from, to) in if negated { &complement.ranges } else { &self.ranges } {
            let (Some(first), Some(last)) = (char::from_u32(from), char::from_u32(to)) else { continue };
            escape(first, out);
            if to > from + 1 {
                out.push('-');
            }
            if to > from {
                escape(last, out);
            }
        }
        out.push(']');
    }
}

#[cfg(all(test, feature = "text"))]
mod tests {
    use super::Chars;

    #[test]
    fn sets_are_combined() {
        let letters = Chars::between("azAZ");
        assert!(letters.has('m') && !letters.has('1'));
        assert!(!letters.not().has('m') && letters.not().has('😀'));
        assert_eq!(letters.without(&Chars::of("bcd")).ranges().len(), 3);
        assert_eq!(Chars::any().not(), Chars::default());
        assert_eq!(letters.and(&Chars::of("a1")).single(), Some('a'));
    }
}
