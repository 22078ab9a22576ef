//! Sorting. The standard sort is compiled again for each type, at several kilobytes each. Conversions use this one.

/// The positions of things in ascending order of their keys. The sort is stable.
pub fn in_order<T>(things: &[T], key: impl Fn(&T) -> u32) -> Vec<usize> {
    positions(things.len(), &|left, right| things.get(left).map(&key) < things.get(right).map(&key))
}

/// Sorts numbers in ascending order.
pub fn sort(numbers: &mut Vec<usize>) {
    let order = positions(numbers.len(), &|left, right| numbers.get(left) < numbers.get(right));
    *numbers = order.into_iter().filter_map(|position| numbers.get(position).copied()).collect();
}

/// The positions of `count` things in sorted order: a stable merge sort. `is_before` returns whether the first goes before the second.
#[inline(never)]
pub fn positions(count: usize, is_before: &dyn Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut sorted: Vec<usize> = (0..count).collect();
    let mut length = if (1..count).any(|next| is_before(next, next - 1)) { 1 } else { count };
    while length < count {
        let mut merged = Vec::with_capacity(count);
        for runs in sorted.chunks(2 * length) {
            let (mut left, mut right) = runs.split_at_checked(length).unwrap_or((runs, &[]));
            while let ([first, after_first @ ..], [second, after_second @ ..]) = (left, right) {
                if is_before(*second, *first) {
                    merged.push(*second);
                    right = after_second;
                } else {
                    merged.push(*first);
                    left = after_first;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        sorted = merged;
        length *= 2;
    }
    sorted
}

#[cfg(test)]
mod tests {
    #[test]
    fn of_equal_keys_the_first_comes_first() {
        assert_eq!(super::in_order(&[7, 3, u32::MAX, 3, 0], |key| *key), [4, 1, 3, 0, 2]);
        for count in 0..70 {
            let keys: Vec<u32> = (0..count).map(|number| number * 7919 % 13).collect();
            let mut expected: Vec<usize> = (0..keys.len()).collect();
            expected.sort_by_key(|position| keys[*position]);
            assert_eq!(super::in_order(&keys, |key| *key), expected);
        }
    }

    #[test]
    fn numbers_are_sorted() {
        let mut numbers = vec![9, 4, 4, 0, usize::MAX, 7, 1];
        super::sort(&mut numbers);
        assert_eq!(numbers, [0, 1, 4, 4, 7, 9, usize::MAX]);
    }
}
