//! Putting things in order. The standard sort is compiled anew for each type that it sorts, several kilobytes every time: here
//! is the one that the package has.

/// The positions of things in the order of their keys; of equal keys the first comes first.
pub fn in_order(keys: impl IntoIterator<Item = u32>) -> Vec<usize> {
    const POSITION: u64 = u32::MAX as u64;
    let keyed = keys.into_iter().zip(0u64..).map(|(key, position)| u64::from(key) << 32 | position);
    let sorted = sorted(keyed.collect());
    sorted.into_iter().map(|keyed| (keyed & POSITION) as usize).collect()
}

/// Numbers from the least to the greatest.
pub fn sort(numbers: &mut Vec<usize>) {
    let sorted = sorted(numbers.iter().map(|number| *number as u64).collect());
    *numbers = sorted.into_iter().map(|number| number as usize).collect();
}

#[inline(never)]
fn sorted(mut keyed: Vec<u64>) -> Vec<u64> {
    if !keyed.is_sorted() {
        keyed.sort_unstable();
    }
    keyed
}

#[cfg(test)]
mod tests {
    #[test]
    fn of_equal_keys_the_first_comes_first() {
        assert_eq!(super::in_order([7, 3, u32::MAX, 3, 0]), [4, 1, 3, 0, 2]);
    }
}
