//! Finds the values in a text: in a code fence, in prose, or several of them.

use super::parser::{Inside, Parser, TooDeep, Written, is_quote, is_space, past, past_space};
use super::{Hints, Repaired, not_json};
use crate::json::Value;
use crate::letters::lowercase;
use crate::toolkit::error::Result;

/// Maximum number of values.
const MAX_VALUES: usize = 1000;
/// Maximum number of failed attempts to parse a value.
const MAX_ATTEMPTS: usize = 1000;

pub fn extract(mut parser: Parser, options: &Hints) -> Result<Repaired> {
    let mut values = Vec::new();
    let mut between = String::new();
    skip_fence(&mut parser);
    if !begins(&parser, true) && bare_fields(&mut parser)? {
        values.push(std::mem::take(&mut parser.output));
    }
    let mut attempts = if is_text(parser.text) { MAX_ATTEMPTS } else { 0 };
    while values.len() < MAX_VALUES && attempts < MAX_ATTEMPTS && !parser.truncated {
        let from = parser.place;
        let is_found = find(&mut parser);
        let passed = parser.text.get(from..parser.place).unwrap_or("");
        // A value ended within a string if its closing quote comes after the value.
        parser.is_doubtful |= !values.is_empty()
            && parser.guide.declares()
            && (passed.contains('"') || past_space(passed).starts_with(is_quote));
        if !is_found {
            break;
        }
        attempts += 1;
        let guide = parser.guide;
        if !values.is_empty() {
            between.push_str(passed);
        } else if parser.place > from {
            parser.change("extracted", from, "text before the value was removed");
        }
        match parser.value(Inside::Nothing) {
            Ok(Written::Value) => {
                parser.guide = guide;
                parser.more_fields().map_err(|TooDeep| not_json("the value is nested too deeply"))?;
                values.push(std::mem::take(&mut parser.output));
            }
            Ok(Written::Nothing) => {}
            Err(TooDeep) => return Err(not_json("the value is nested too deeply")),
        }
        parser.guide = guide;
    }
    if values.is_empty() {
        scalar(&mut parser)?;
        values.push(std::mem::take(&mut parser.output));
    }
    let rest = parser.rest().trim_matches(|letter| is_space(letter) || ";)}],`".contains(letter));
    if !parser.rest().trim().is_empty() {
        let kind = if rest.is_empty() { "removed" } else { "extracted" };
        parser.change(kind, parser.place, "text after the value was removed");
    }
    let is_list = values.len() > 1
        && !between.is_empty()
        && between.chars().all(|letter| is_space(letter) || ",;".contains(letter));
    Ok(chosen(parser, values, is_list, options))
}

/// Selects the intended value. The other values are returned as well.
fn chosen(mut parser: Parser, mut values: Vec<String>, is_list: bool, options: &Hints) -> Repaired {
    let wanted = if options.object { Some('{') } else { None };
    let text = if is_list && wanted.is_none() {
        parser.change("joined", 0, "several values became an array");
        format!("[{}]", std::mem::take(&mut values).join(","))
    } else {
        let place = wanted.and_then(|first| values.iter().position(|value| value.starts_with(first)));
        values.remove(place.unwrap_or(0).min(values.len().saturating_sub(1)))
    };
    let Parser { changes, truncated, is_cut, is_doubtful, .. } = parser;
    Repaired { text, changes, truncated, is_cut, is_ambiguous: is_doubtful, others: values }
}

/// Whether a text is a single string that contains no object.
fn is_text(text: &str) -> bool {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.is_some_and(|inner| !inner.contains('{'))
}

/// Skips the start of a Markdown code fence outside values.
fn skip_fence(parser: &mut Parser) {
    let text = parser.text;
    let Some(fence) = text.find("```") else { return };
    if text.get(..fence).is_some_and(|before| before.contains(['{', '['])) {
        return;
    }
    let after = text.get(fence + 3..).unwrap_or("");
    let language = past(after, |letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '+'));
    let has_value =
        language.trim_start().starts_with(|letter: char| "{[\"'(-".contains(letter) || letter.is_alphanumeric());
    if has_value {
        parser.place = text.len() - language.len();
        parser.start = parser.place;
        parser.change("extracted", fence, "the value was in a fence");
    }
}

/// Whether a value starts here. In prose, a bracket may be punctuation.
fn begins(parser: &Parser, first: bool) -> bool {
    let ahead = parser.ahead(parser.place);
    let Some(open) = ahead.chars().next().filter(|open| "{[(".contains(*open)) else { return false };
    let inside = past_space(ahead.get(1..).unwrap_or(""));
    let Some(next) = inside.chars().next() else { return open != '(' };
    let value = is_quote(next) || next.is_ascii_digit() || "-{[".contains(next);
    let at_start = first && parser.text.get(parser.start..parser.place).is_some_and(|before| before.trim().is_empty());
    match open {
        '{' => {
            next == '}'
                || is_quote(next)
                || "{,\\/#".contains(next)
                || parser.is_field(parser.place + 1)
                || (at_start || value)
        }
        '[' => {
            at_start || next == ']' || value || ["true", "false", "null"].iter().any(|word| inside.starts_with(word))
        }
        _ => at_start && value,
    }
}

/// Moves to the next value.
fn find(parser: &mut Parser) -> bool {
    loop {
        parser.skip(true);
        if begins(parser, true) {
            return true;
        }
        let Some(letter) = parser.next() else { return false };
        if is_quote(letter) {
            skip_quoted(parser, letter);
            continue;
        }
        let rest = parser.rest();
        parser.place += rest.find(|letter: char| "{[(".contains(letter) || is_quote(letter)).unwrap_or(rest.len());
    }
}

/// Skips a quotation in prose if it is closed on the same line and contains no brackets.
fn skip_quoted(parser: &mut Parser, quote: char) {
    let ahead = parser.ahead(parser.place);
    if let Some(end) = ahead.find(quote).filter(|end| !ahead.get(..*end).unwrap_or("").contains(['\n', '{', '['])) {
        parser.place += end + quote.len_utf8();
    }
}

/// Reads the fields of an object without braces: `"a": 1, "b": 2`.
fn bare_fields(parser: &mut Parser) -> Result<bool> {
    parser.skip(true);
    if !parser.peek().is_some_and(is_quote) || !parser.is_field(parser.place) {
        return Ok(false);
    }
    parser.change("bracket", parser.place, "braces were added");
    parser.implied = 1;
    let written = parser.nested(|parser| parser.fields(false));
    parser.implied = 0;
    match written {
        Ok(_) => Ok(true),
        Err(TooDeep) => Err(not_json("the value is nested too deeply")),
    }
}

/// Reads a text that consists of one scalar.
fn scalar(parser: &mut Parser) -> Result<()> {
    let quoted = parser.text.starts_with('`') && !parser.text.starts_with("```");
    let text = if quoted { parser.text } else { parser.text.trim_matches('`').trim() };
    let missing = || not_json("there is no JSON value in the text");
    let first = text.chars().next().ok_or_else(missing)?;
    parser.place = parser.text.find(text).unwrap_or(0);
    let lines = || text.split('\n').map(str::trim).filter(|line| !line.is_empty());
    if text.contains('\n') && lines().all(super::scalars::is_number) {
        parser.output = format!("[{}]", lines().collect::<Vec<_>>().join(","));
        parser.place = parser.text.len();
        parser.change("joined", 0, "several values became an array");
        return Ok(());
    }
    if is_quote(first) {
        parser.string(Inside::Nothing);
        return list_of_scalars(parser, text);
    }
    let word = text.trim_end_matches(';');
    let is_number =
        word.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)) && !word.contains(is_space);
    let literal = ["true", "false", "null", "none", "nan", "infinity", "-infinity", "undefined"];
    let called = parser.called().is_some();
    if !(is_number || called || literal.contains(&lowercase(word).as_str()) || word.starts_with('/')) {
        return Err(missing());
    }
    let known = parser.changes.len();
    let written = parser.plain(Inside::Nothing).map_err(|TooDeep| not_json("the value is nested too deeply"))?;
    let guessed = called && parser.changes.iter().skip(known).any(|change| change.kind == "quote");
    if guessed || written != Written::Value || crate::json::from_str::<Value>(&parser.output).is_err() {
        return Err(missing());
    }
    list_of_scalars(parser, text)
}

/// Reads `1, 2, 3` as an array.
fn list_of_scalars(parser: &mut Parser, text: &str) -> Result<()> {
    if !parser.rest().trim_start().starts_with(',') {
        return Ok(());
    }
    let list = format!("[{text}]");
    let mut inner = Parser::new(&list, parser.guide);
    let written = inner.value(Inside::Nothing);
    if let Ok(Written::Value) = written {
        parser.output = inner.output;
        parser.place = parser.text.len();
        parser.change("bracket", 0, "brackets were added");
    }
    Ok(())
}
