//! A conversion with the map of its output (feature `trace`), for tools that show both texts side by side.

use super::{Subject, as_json, convert};
use crate::run::{Dialect, Options, Run, Warning, WarningCode, error, fault_error};
use crate::value::text::{How, Mapped, Source, TextStore};
use crate::value::{Store, Value};
use std::ops::Range;

/// The result of a conversion, and where each part of it came from.
pub struct Traced {
    /// UTF-8 JSON.
    pub body: Vec<u8>,
    pub warnings: Vec<Warning>,
    /// See [`TextStore::map`].
    pub map: Vec<Mapped>,
    /// The place of each warning in the output, if it has one.
    pub targets: Vec<Option<Range<usize>>>,
}

/// Converts UTF-8 JSON text, as [`crate::convert_text`] does, and returns where each value of the output came from.
///
/// The rows of kind copied, decoded, joined and encoded are what the text store did. The others are values that the conversion wrote itself.
/// Of these, a value is fitted, and the place of a warning in the output is found, by what the warning states: the key of its path, or the
/// field that its message names, if there is one such value only.
///
/// # Errors
/// Those of [`crate::convert_text`].
pub fn trace_text(
    body: Vec<u8>,
    subject: Subject,
    from: Dialect,
    to: Dialect,
    options: &Options,
) -> error::Result<Traced> {
    let given = body.clone();
    let source = Source::Bytes(body);
    let source = if subject == Subject::Error && from.provider().is_some() { as_json(source, options) } else { source };
    // the text of an error that is not JSON was quoted: its positions are not those of the source
    let is_source = source.bytes() == given;
    let (mut store, root) = Store::of_text(source, options.max_depth())
        .map_err(|fault| fault_error(fault, String::new(), from.provider().map(|_| from)))?;
    let mut run = Run::new(&mut store, from, to, options);
    convert(&mut run, subject, root, None)?;
    let warnings = run.report.warnings;
    let store = store.text;
    let mut targets = vec![None; warnings.len()];
    let mut map = if is_source { store.map() } else { Vec::new() };
    // lone surrogates were replaced when the source was read
    for row in &mut map {
        let [read, given] = [store.source(), &given].map(|text| text.get(row.source.clone()));
        row.how = if read == given { row.how } else { How::Fitted };
    }
    let places: Vec<_> = warnings.iter().map(|warning| store.place_of(root, &warning.path)).collect();
    // one value does not take the place of an object
    let is_container = |place: &Range<usize>| matches!(given.get(place.start), Some(b'{' | b'['));
    let body = store.into_output();
    if is_source {
        let mut rows = Rows { named: named_values(&body, &map), map: &mut map };
        for ((warning, place), target) in warnings.iter().zip(places).zip(&mut targets) {
            *target = rows.target(warning, place, is_container);
        }
    }
    Ok(Traced { body, warnings, map, targets })
}

impl TextStore {
    /// The range of the value at a JSON Pointer into the source.
    fn place_of(&self, root: Value, pointer: &str) -> Option<Range<usize>> {
        let mut place = self.place(root);
        for step in pointer.split('/').skip(1) {
            place = self.member(place?, step);
        }
        place
    }
}

struct Rows<'a> {
    map: &'a mut [Mapped],
    /// The keys of the values that were made, and the places of those in the map.
    named: Vec<(Vec<u8>, usize)>,
}

impl Rows<'_> {
    /// The place of a warning in the output. A value that was made in place of the one it names becomes fitted.
    fn target(
        &mut self,
        warning: &Warning,
        place: Option<Range<usize>>,
        is_container: impl Fn(&Range<usize>) -> bool,
    ) -> Option<Range<usize>> {
        let Warning { code, path, message, .. } = warning;
        let place = place.filter(|_| !path.is_empty());
        if let Some(carried) = place.as_ref().and_then(|place| self.carried(place)) {
            return Some(carried);
        }
        let mut steps = path.as_bytes().rsplit(|byte| *byte == b'/');
        let key = plain(steps.find(|step| !step.first().is_some_and(u8::is_ascii_digit))?);
        if let Some(place) = place.filter(|place| !key.is_empty() && !is_container(place)) {
            let row = self.only(|name| name == key)?;
            row.how = How::Fitted;
            row.source = place;
            return Some(row.output.clone());
        }
        // the message of a default names the field
        if !matches!(code, WarningCode::DefaultUsed | WarningCode::FieldSupplied) {
            return None;
        }
        let words = message.as_bytes().split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        let words: Vec<_> = words.map(plain).collect();
        self.only(|name| words.iter().any(|word| word == name)).map(|row| row.output.clone())
    }

    /// The range of the output that came from a range of the source.
    fn carried(&self, place: &Range<usize>) -> Option<Range<usize>> {
        let overlaps = |row: &&Mapped| row.source.start < place.end && place.start < row.source.end;
        let mut rows = self.map.iter().filter(overlaps);
        let first = rows.next()?.output.clone();
        Some(rows.fold(first, |all, row| all.start.min(row.output.start)..all.end.max(row.output.end)))
    }

    /// The value that was made under a key, if there is only one.
    fn only(&mut self, is_meant: impl Fn(&[u8]) -> bool) -> Option<&mut Mapped> {
        let mut meant = self.named.iter().filter(|(name, _)| is_meant(name));
        let (Some((_, place)), None) = (meant.next(), meant.next()) else { return None };
        self.map.get_mut(*place).filter(|row| row.how == How::Made)
    }
}

/// The values that were made: the key of each, and its place in the map.
fn named_values(output: &[u8], map: &[Mapped]) -> Vec<(Vec<u8>, usize)> {
    let mut named = Vec::new();
    for (place, row) in map.iter().enumerate().filter(|(_, row)| row.how == How::Made) {
        let before = output.get(..row.output.start).unwrap_or_default();
        let key = before.strip_suffix(b"\":").and_then(|before| before.rsplit(|byte| *byte == b'"').next());
        if let Some(key) = key {
            named.push((plain(key), place));
        }
    }
    named
}

/// A name without the differences between the spellings of formats: `max_tokens` and `maxTokens`.
fn plain(name: &[u8]) -> Vec<u8> {
    name.iter().filter(|byte| **byte != b'_').map(u8::to_ascii_lowercase).collect()
}
