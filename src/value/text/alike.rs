//! A text that is like the one before but for a few values: nothing else in it needs to be looked at.

use super::index::{MAX_LENGTH, plain_string_end};
use super::scan::starts_with;
use super::{BARE, SIDE, Span, TextStore};
use crate::value::Value;
use crate::value::order::in_order;
use smallvec::SmallVec;

impl TextStore {
    /// Orders values of the text as they stand there.
    pub fn put_in_order(&self, values: &mut [Value]) {
        if values.is_sorted_by_key(|value| self.span(*value).start) {
            return;
        }
        let found: SmallVec<[Value; 4]> = values.iter().copied().collect();
        let order = in_order(found.iter().map(|value| self.span(*value).start));
        let ordered = order.into_iter().filter_map(|position| found.get(position));
        values.iter_mut().zip(ordered).for_each(|(value, next)| *value = *next);
    }

    /// Reads `source` in place of the present text if they differ in nothing but the values in `varying`, which stand there in
    /// this order: strings that are not empty, and whole numbers. Those get their new places; all other handles are void. If it says
    /// no, nothing has changed.
    pub fn reset_alike(&mut self, source: &[u8], varying: &mut [Value]) -> bool {
        let known: SmallVec<[Span; 4]> = varying.iter().map(|value| self.span(*value)).collect();
        let Some(places) = self.alike(source, &known) else { return false };
        let same = known.first().map_or(0, |first| first.start as usize);
        self.source.truncate(same);
        self.source.extend_from_slice(source.get(same..).unwrap_or_default());
        self.forget_made();
        varying.iter_mut().zip(places).for_each(|(value, place)| *value = self.issue(place));
        true
    }

    fn alike(&self, source: &[u8], varying: &[Span]) -> Option<SmallVec<[Span; 4]>> {
        if source.len() > MAX_LENGTH {
            return None;
        }
        let mut places = SmallVec::new();
        let mut known = self.source.as_slice();
        let (mut done, mut position) = (0, 0);
        for value in varying {
            if value.start & SIDE != 0 || value.node == BARE {
                return None;
            }
            let (start, end) = (value.start as usize, value.end as usize);
            let before = known.get(..start.checked_sub(done)?)?;
            if !starts_with(source.get(position..)?, before) {
                return None;
            }
            position += before.len();
            let place = position;
            position = match known.get(before.len())? {
                b'"' if end - start > 2 => plain_string_end(source, position)?,
                b'0'..=b'9' => whole_number_end(source, position)?,
                _ => return None,
            };
            places.push(Span { start: place as u32, end: position as u32, node: 0 });
            known = known.get(end - done..)?;
            done = end;
        }
        let rest = source.get(position..)?;
        (rest.len() == known.len() && starts_with(rest, known)).then_some(places)
    }
}

/// Position after the digits at `from`, if they are a number.
fn whole_number_end(bytes: &[u8], from: usize) -> Option<usize> {
    let digits = bytes.get(from..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let has_leading_zero = digits > 1 && bytes.get(from) == Some(&b'0');
    (digits > 0 && !has_leading_zero).then_some(from + digits)
}
