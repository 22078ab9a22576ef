//! Splits texts into words for comparison.

use crate::letters::lowercase;

/// Stop words, which carry no information about a topic.
const STOP: [&str; 42] = [
    "a", "an", "the", "of", "to", "in", "for", "and", "or", "is", "are", "on", "with", "by", "from", "this", "that",
    "it", "its", "what", "how", "i", "you", "my", "me", "please", "can", "do", "does", "be", "as", "at", "if", "not",
    "any", "all", "use", "used", "we", "your", "will", "which",
];

/// Whether a script is written without spaces, or attaches particles to words. Such text is compared by character pairs.
fn is_unspaced(letter: char) -> bool {
    matches!(letter, '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}'
        | '\u{e00}'..='\u{e7f}' | '\u{20000}'..='\u{3ffff}')
}

/// The words of a text, in lower case and stemmed. Names are split: `getWeather` has two words. Chinese, Japanese, Korean and
/// Thai text is split into character pairs.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut run: Vec<char> = Vec::new();
    let mut last = ' ';
    for letter in text.chars() {
        if is_unspaced(letter) {
            end_word(&mut word, &mut words);
            run.push(letter);
        } else if letter.is_alphanumeric() {
            end_run(&mut run, &mut words);
            if letter.is_uppercase() && (last.is_lowercase() || last.is_numeric()) {
                end_word(&mut word, &mut words);
            }
            word.push(letter);
        } else {
            end_word(&mut word, &mut words);
            end_run(&mut run, &mut words);
        }
        last = letter;
    }
    end_word(&mut word, &mut words);
    end_run(&mut run, &mut words);
    words
}

fn end_word(word: &mut String, words: &mut Vec<String>) {
    let lower = lowercase(word);
    if !lower.is_empty() && !STOP.contains(&lower.as_str()) {
        words.push(stem(&lower).to_string());
    }
    word.clear();
}

fn end_run(run: &mut Vec<char>, words: &mut Vec<String>) {
    match run.as_slice() {
        [] => {}
        [single] => words.push(single.to_string()),
        letters => words.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>())),
    }
    run.clear();
}

/// Removes the most common English suffixes of a word.
fn stem(word: &str) -> &str {
    let cut = |ending: &str, min: usize| word.strip_suffix(ending).filter(|stem| stem.len() >= min && stem.is_ascii());
    if word.ends_with("ss") {
        return word;
    }
    cut("ing", 4).or_else(|| cut("ed", 4)).or_else(|| cut("es", 5)).or_else(|| cut("s", 3)).unwrap_or(word)
}
