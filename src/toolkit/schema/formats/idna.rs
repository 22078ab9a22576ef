//! Labels of internationalized host names: the exceptions and contextual rules of RFC 5892, without its character tables.

use std::ops::RangeInclusive;

const DISALLOWED: [char; 10] = [
    '\u{640}', '\u{7fa}', '\u{302e}', '\u{302f}', '\u{3031}', '\u{3032}', '\u{3033}', '\u{3034}', '\u{3035}',
    '\u{303b}',
];
/// Combining marks of common scripts. No label may start with one.
const MARKS: [RangeInclusive<char>; 14] = [
    '\u{300}'..='\u{36f}',
    '\u{483}'..='\u{489}',
    '\u{591}'..='\u{5bd}',
    '\u{610}'..='\u{61a}',
    '\u{64b}'..='\u{65f}',
    '\u{6d6}'..='\u{6dc}',
    '\u{900}'..='\u{903}',
    '\u{93a}'..='\u{94f}',
    '\u{981}'..='\u{983}',
    '\u{e34}'..='\u{e3a}',
    '\u{1ab0}'..='\u{1aff}',
    '\u{1dc0}'..='\u{1dff}',
    '\u{20d0}'..='\u{20ff}',
    '\u{302a}'..='\u{302d}',
];
/// The viramas: signs that join letters in Indic scripts.
const VIRAMAS: [char; 9] =
    ['\u{94d}', '\u{9cd}', '\u{a4d}', '\u{acd}', '\u{b4d}', '\u{bcd}', '\u{c4d}', '\u{ccd}', '\u{d4d}'];

fn is_greek(letter: char) -> bool {
    matches!(letter, '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}')
}

fn is_hebrew(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{5ff}')
}

fn is_arabic(letter: char) -> bool {
    matches!(letter, '\u{620}'..='\u{64a}' | '\u{66e}'..='\u{6d3}' | '\u{750}'..='\u{77f}')
}

fn is_east_asian(letter: char) -> bool {
    matches!(letter, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')
}

pub fn is_label(letters: &[char]) -> bool {
    let starts_with_mark = letters.first().is_some_and(|first| MARKS.iter().any(|range| range.contains(first)));
    let hyphens = letters.get(2..4) == Some(&['-', '-']);
    let in_context = (0..letters.len()).all(|index| fits(letters, index));
    !letters.iter().all(char::is_ascii) && !starts_with_mark && !hyphens && in_context
}

/// Whether a character is allowed next to its neighbours.
fn fits(letters: &[char], index: usize) -> bool {
    let at = |index: Option<usize>| index.and_then(|index| letters.get(index)).copied();
    let (before, after) = (at(index.checked_sub(1)), at(index.checked_add(1)));
    match at(Some(index)) {
        Some('\u{b7}') => before == Some('l') && after == Some('l'),
        Some('\u{375}') => after.is_some_and(is_greek),
        Some('\u{5f3}' | '\u{5f4}') => before.is_some_and(is_hebrew),
        Some('\u{30fb}') => letters.iter().any(|letter| is_east_asian(*letter)),
        Some('\u{660}'..='\u{669}') => !letters.iter().any(|letter| matches!(letter, '\u{6f0}'..='\u{6f9}')),
        Some('\u{200d}') => before.is_some_and(|before| VIRAMAS.contains(&before)),
        Some('\u{200c}') => {
            let joins = before.is_some_and(is_arabic) && after.is_some_and(is_arabic);
            joins || before.is_some_and(|before| VIRAMAS.contains(&before))
        }
        Some(letter) => !DISALLOWED.contains(&letter) && !letter.is_uppercase(),
        None => true,
    }
}
