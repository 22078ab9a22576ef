//! Finds the known name that is most similar to another one.

use crate::letters::lowercase;

/// The form in which names are compared, regardless of case and separators: `user_id` equals `userId`.
pub fn folded(name: &str) -> String {
    let letters: String = name.chars().filter(|letter| !matches!(letter, '_' | '-' | ' ' | '.')).collect();
    lowercase(&letters)
}

/// Names longer than this are not compared letter by letter.
const MAX_LENGTH: usize = 64;

/// The known name that differs least, if the difference is small.
pub fn nearest<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    let letters = |name: &str| -> Vec<char> { folded(name).chars().take(MAX_LENGTH).collect() };
    let wanted = letters(name);
    let distances = known.iter().map(|known| {
        let letters = letters(known);
        (distance(&wanted, &letters), letters.len().max(wanted.len()), *known)
    });
    let close = distances.filter(|(distance, length, _)| distance * 3 <= *length);
    close.min_by_key(|(distance, _, _)| *distance).map(|(_, _, known)| known)
}

/// The number of letters to insert, remove, replace or swap with a neighbour.
pub fn distance(one: &[char], other: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, other_letter) in other.iter().enumerate() {
            let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX - 1);
            let replaced = at(&last, column) + usize::from(letter != other_letter);
            let mut least = replaced.min(at(&last, column + 1) + 1).min(at(&current, column) + 1);
            let swapped = row
                .checked_sub(1)
                .zip(column.checked_sub(1))
                .is_some_and(|(row, column)| one.get(row) == Some(other_letter) && other.get(column) == Some(letter));
            if swapped {
                least = least.min(at(&before, column - 1) + 1);
            }
            current.push(least);
        }
        before = std::mem::replace(&mut last, current);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_the_nearest_name_only_if_it_is_near() {
        let known = ["toolCalls", "content", "role", "maxTokens"];
        let nearest = |name| nearest(name, &known);
        assert_eq!(nearest("toolcalls"), Some("toolCalls"));
        assert_eq!(nearest("tool_calls"), Some("toolCalls"));
        assert_eq!(nearest("conetnt"), Some("content"));
        assert_eq!(nearest("max_token"), Some("maxTokens"));
        assert_eq!(nearest("rolle"), Some("role"));
        assert_eq!(nearest("temperature"), None);
        assert_eq!(nearest(""), None);
        assert_eq!(nearest("é"), None);
    }
}
