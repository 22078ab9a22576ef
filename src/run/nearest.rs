//! Suggestions for misspelt names.

/// The known name nearest to `name`, if one is near enough: ignores case and underscores, and allows one wrong letter in three. Known names are
/// ASCII.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 40;
    let plain = letters(name);
    if plain.is_empty() || plain.len() > LONGEST {
        return None;
    }
    let ranked = known.map(|known| (distance(&plain, &letters(known)), known));
    let (distance, found) = ranked.min_by_key(|(distance, _)| *distance)?;
    (distance <= plain.len() / 3).then_some(found)
}

fn letters(name: &str) -> Vec<char> {
    let letters = name.chars().filter(|letter| *letter != '_' && *letter != '-');
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// The number of letters to insert, delete, replace or swap with a neighbour.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (row, letter) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in right.iter().enumerate() {
            let at = |line: &[usize], column: usize| line.get(column).copied().unwrap_or(usize::MAX / 2);
            let mut least = (at(&last, column) + usize::from(letter != other))
                .min(at(&last, column + 1) + 1)
                .min(at(&current, column) + 1);
            let is_swap =
                column > 0 && row > 0 && left.get(row - 1) == Some(other) && right.get(column - 1) == Some(letter);
            if is_swap {
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
        let nearest = |name| nearest(name, known.into_iter());
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
