//! Open parts of a stream that are referred to by number, such as calls and items. There may be thousands at a time.

use crate::value::Keyed;

pub struct UnderWay<T> {
    numbers: Numbers,
    /// In the order in which they began. An ended one leaves a gap until all after it have ended.
    all: Vec<Option<T>>,
}

impl<T> Default for UnderWay<T> {
    fn default() -> UnderWay<T> {
        UnderWay { numbers: Numbers::default(), all: Vec::new() }
    }
}

impl<T> UnderWay<T> {
    pub fn is_empty(&self) -> bool {
        self.numbers.places.is_empty()
    }

    /// Returns its index.
    pub fn begin(&mut self, number: u32, value: T) -> usize {
        self.all.push(Some(value));
        self.numbers.begin(number)
    }

    /// The index of the latest one with this number.
    pub fn place(&self, number: u32) -> Option<usize> {
        self.numbers.latest.get(&number.to_le_bytes()).copied().flatten()
    }

    /// The latest one with this number.
    pub fn latest(&self, number: u32) -> Option<&T> {
        self.at(self.place(number)?)
    }

    pub fn latest_mut(&mut self, number: u32) -> Option<&mut T> {
        self.at_mut(self.place(number)?)
    }

    pub fn end_latest(&mut self, number: u32) -> Option<T> {
        self.end(self.place(number)?)
    }

    /// The index of the one that began first.
    pub fn first(&mut self) -> Option<usize> {
        self.numbers.first()
    }

    pub fn end_first(&mut self) -> Option<T> {
        let place = self.first()?;
        self.end(place)
    }

    pub fn at(&self, place: usize) -> Option<&T> {
        self.all.get(place)?.as_ref()
    }

    pub fn at_mut(&mut self, place: usize) -> Option<&mut T> {
        self.all.get_mut(place)?.as_mut()
    }

    pub fn end(&mut self, place: usize) -> Option<T> {
        let ended = self.all.get_mut(place)?.take()?;
        self.numbers.end(place);
        self.all.truncate(self.numbers.places.len());
        Some(ended)
    }
}

/// The indices by number, without the values.
#[derive(Default)]
struct Numbers {
    /// None for one that has ended.
    places: Vec<Option<Number>>,
    /// None before this index is open.
    first: usize,
    /// For each number, the index of the latest one, if it is open.
    latest: Keyed<Option<usize>>,
}

#[derive(Clone, Copy)]
struct Number {
    number: u32,
    /// The previous one with the same number.
    earlier: Option<usize>,
}

impl Numbers {
    fn begin(&mut self, number: u32) -> usize {
        let place = self.places.len();
        let earlier = self.latest.insert(&number.to_le_bytes(), Some(place)).flatten();
        self.places.push(Some(Number { number, earlier }));
        place
    }

    fn first(&mut self) -> Option<usize> {
        while let Some(None) = self.places.get(self.first) {
            self.first += 1;
        }
        (self.first < self.places.len()).then_some(self.first)
    }

    fn end(&mut self, place: usize) {
        let Some(Number { number, earlier }) = self.places.get_mut(place).and_then(Option::take) else { return };
        if let Some(latest) = self.latest.get_mut(&number.to_le_bytes()).filter(|latest| **latest == Some(place)) {
            *latest = earlier.filter(|earlier| matches!(self.places.get(*earlier), Some(Some(_))));
        }
        while let Some(None) = self.places.last() {
            self.places.pop();
        }
        if self.places.is_empty() {
            self.latest.clear();
        }
        self.first = self.first.min(self.places.len());
    }
}

#[cfg(test)]
mod tests {
    use super::UnderWay;

    #[test]
    fn the_latest_open_item_of_a_number_is_found_until_it_ends() {
        let mut open = UnderWay::default();
        let [a, b, c] = [(7, 'a'), (8, 'b'), (7, 'c')].map(|(number, value)| open.begin(number, value));
        assert_eq!((open.place(7), open.place(8), open.first()), (Some(c), Some(b), Some(a)));
        assert_eq!((open.end(c), open.place(7)), (Some('c'), Some(a)));
        assert_eq!((open.end(a), open.place(7), open.first()), (Some('a'), None, Some(b)));
        assert_eq!((open.end(a), open.at(a), open.at(b)), (None, None, Some(&'b')));
        assert_eq!((open.end(b), open.is_empty(), open.first()), (Some('b'), true, None));
        let d = open.begin(7, 'd');
        assert_eq!((d, open.first()), (0, Some(d)));
        let e = open.begin(7, 'e');
        assert_eq!((open.end(d), open.place(7)), (Some('d'), Some(e)));
        assert_eq!((open.end(e), open.place(7)), (Some('e'), None));
    }
}
