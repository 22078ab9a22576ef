//! Grammars of names that are not among the declared ones.

use super::bounds::NAME;
use super::rule::{Expression, any_number, optional, or, seq};
use crate::chars::Chars;

/// Characters of keys that do not require quotes.
pub(super) fn plain_key() -> Chars {
    Chars::between("azAZ09__--..$$").or(&Chars::between("\u{c0}\u{ffff}"))
}

/// A word of these characters that is not in `words`.
pub(super) fn except(words: &[&str], chars: &Chars, encode: fn(&Chars) -> Expression) -> Expression {
    let rest = any_number(encode(chars));
    let words: Vec<&str> = words.iter().copied().chain([""]).collect();
    other_than(&words, chars, &encode, rest)
}

/// Any text that is not one of these words: a text that no word begins with, followed by `rest`, or a proper prefix of a word.
pub(super) fn other_than(
    words: &[&str],
    chars: &Chars,
    encode: &dyn Fn(&Chars) -> Expression,
    rest: Expression,
) -> Expression {
    // a word is as many levels of the grammar as it has characters
    let words: Vec<&str> = words.iter().copied().filter(|word| word.chars().nth(NAME).is_none()).collect();
    let words = words.as_slice();
    or([seq([leaving(words, chars, encode), rest]), beginning(words, encode)])
}

/// The shortest texts that no word begins with.
fn leaving(words: &[&str], chars: &Chars, encode: &dyn Fn(&Chars) -> Expression) -> Expression {
    let branches = branches(words);
    let others = chars.without(&Chars::new(branches.iter().map(|(c, _)| (u32::from(*c), u32::from(*c)))));
    let longer = branches.iter().map(|(c, tails)| seq([one(*c, encode), leaving(tails, chars, encode)]));
    or(longer.chain([encode(&others)]))
}

/// The proper prefixes of words that are not words themselves.
fn beginning(words: &[&str], encode: &dyn Fn(&Chars) -> Expression) -> Expression {
    let longer = or(branches(words).iter().map(|(c, tails)| seq([one(*c, encode), beginning(tails, encode)])));
    if words.contains(&"") { longer } else { optional(longer) }
}

fn one(c: char, encode: &dyn Fn(&Chars) -> Expression) -> Expression {
    encode(&Chars::of(c.encode_utf8(&mut [0; 4])))
}

/// The first characters of words, each with the rest of those that begin with it.
fn branches<'a>(words: &[&'a str]) -> Vec<(char, Vec<&'a str>)> {
    let mut out: Vec<(char, Vec<&str>)> = Vec::new();
    for word in words {
        let mut rest = word.chars();
        let Some(first) = rest.next() else { continue };
        match out.iter_mut().find(|(c, _)| *c == first) {
            Some((_, tails)) => tails.push(rest.as_str()),
            None => out.push((first, vec![rest.as_str()])),
        }
    }
    out
}
