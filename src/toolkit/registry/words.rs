//! Splits texts into words for comparison.

use crate::letters::lowercase;

/// Stop words, which carry no information about a topic.
const STOP: [&str; 42] = [
    "a", "an", "the", "of", "to", "in", "for", "and", "or", "is", "are", "on", "with", "by", "from", "this", "that",
    "it", "its", "what", "how", "i", "you", "my", "me", "please", "can", "do", "does", "be", "as", "at", "if", "not",
    "any", "all", "use", "used", "we", "your", "will", "which",
];

/// Phrases of Japanese grammar. A pair of letters that occurs in one of them carries no information about a topic.
const PHRASES: &str = "してください しますか しました しません しています でしたか ですから することができる するために について という \
     ものです このような そのように あのどの いるある られる れます からまで などでは には とは ってみたい ほしい おねがいします なければ たらかな のかえて";

/// Chinese words that carry no information about a topic, as single letters.
const PARTICLES: &str = "的了我你您他她它们是在把被将这那哪个一不有和与或请帮给吗呢吧么什怎样为会能要到里上下们來這個為會請幫給嗎麼樣將與們";

/// A script that is written without spaces, or that attaches particles to words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    /// Chinese characters. Each one is a word, and so are two in a row.
    Han,
    /// Japanese particles and endings, and a few words.
    Hiragana,
    /// Katakana, Hangul and Thai: compared by pairs of letters.
    Other,
}

fn script(letter: char) -> Option<Script> {
    match letter {
        '\u{3005}'..='\u{3007}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' => Some(Script::Han),
        '\u{3040}'..='\u{309f}' => Some(Script::Hiragana),
        '\u{30a0}'..='\u{30ff}'
        | '\u{31f0}'..='\u{31ff}'
        | '\u{ff66}'..='\u{ff9f}'
        | '\u{ac00}'..='\u{d7af}'
        | '\u{e00}'..='\u{e7f}' => Some(Script::Other),
        _ => None,
    }
}

/// The number of letters of scripts that are written without spaces.
pub fn dense_letters(text: &str) -> usize {
    text.chars().filter(|letter| script(*letter).is_some()).count()
}

/// The words of a text, in lower case and stemmed. Names are split: `getWeather` has two words. Chinese, Japanese, Korean and
/// Thai text is split by script, and then into single characters or pairs of letters.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut run: Vec<char> = Vec::new();
    let mut last = ' ';
    for letter in text.chars().map(half_width) {
        let found = script(letter);
        if found.is_none() || found != script(last) {
            end_run(&mut run, script(last), &mut words);
        }
        if found.is_some() {
            end_word(&mut word, &mut words);
            run.push(letter);
        } else if letter.is_alphanumeric() {
            if letter.is_uppercase() && (last.is_lowercase() || last.is_numeric()) {
                end_word(&mut word, &mut words);
            }
            word.push(letter);
        } else {
            end_word(&mut word, &mut words);
        }
        last = letter;
    }
    end_word(&mut word, &mut words);
    end_run(&mut run, script(last), &mut words);
    words
}

/// Letters and digits of double width, as typed with Asian keyboards, become ASCII.
fn half_width(letter: char) -> char {
    match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter),
        letter => letter,
    }
}

fn end_word(word: &mut String, words: &mut Vec<String>) {
    let lower = lowercase(word);
    if !lower.is_empty() && !STOP.contains(&lower.as_str()) {
        words.push(stem(lower));
    }
    word.clear();
}

/// Adds the words of a run of letters of one script.
fn end_run(run: &mut Vec<char>, script: Option<Script>, words: &mut Vec<String>) {
    let is_particle = |letter: &char| PARTICLES.contains(*letter);
    let singles = run.iter().filter(|letter| match script {
        Some(Script::Han) => !is_particle(letter),
        Some(Script::Hiragana) => false,
        _ => run.len() == 1,
    });
    let pairs = run.windows(2).filter(|pair| match script {
        Some(Script::Han) => !pair.iter().any(is_particle),
        Some(Script::Hiragana) => !PHRASES.contains(&pair.iter().collect::<String>()),
        _ => true,
    });
    words.extend(singles.map(char::to_string).chain(pairs.map(|pair| pair.iter().collect())));
    run.clear();
}

/// The part of an English word that its forms have in common: `message` for `messages` and `messaging`, without the final `e`.
fn stem(mut word: String) -> String {
    if !word.is_ascii() || word.len() < 4 {
        return word;
    }
    let cut = |word: &mut String, length: usize| word.truncate(word.len().saturating_sub(length));
    if ["ies", "ses", "xes", "zes", "ches", "shes"].iter().any(|ending| word.ends_with(ending)) {
        cut(&mut word, 2);
    } else if word.ends_with('s') && !["ss", "us", "is"].iter().any(|ending| word.ends_with(ending)) {
        cut(&mut word, 1);
    }
    let ending = ["ing", "ed"].into_iter().find(|ending| {
        let rest = word.strip_suffix(ending).unwrap_or("");
        rest.len() > 2 && rest.contains(['a', 'e', 'i', 'o', 'u', 'y'])
    });
    if let Some(ending) = ending {
        cut(&mut word, ending.len());
        let mut letters = word.chars().rev();
        let last = letters.next();
        if last == letters.next() && !last.is_some_and(|letter| "lsz".contains(letter)) {
            cut(&mut word, 1);
        }
    }
    if word.ends_with('e') && word.len() > 3 {
        cut(&mut word, 1);
    } else if word.ends_with('y') {
        cut(&mut word, 1);
        word.push('i');
    }
    word
}
