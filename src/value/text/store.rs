//! The backend operations of the text store.

use super::*;

/// Objects with more members look keys up in a table, so that many keys can't make reading quadratic.
const MANY_MEMBERS: usize = 24;
/// Initial capacity for the elements of an array.
const USUAL_ITEMS: usize = 16;

impl Backend for TextStore {
    fn fields(&mut self, object: Value, duplicates: &mut Vec<Value>) -> Result<Fields, Fault> {
        if object.kind() != Kind::Object {
            return Ok(Fields::default());
        }
        self.require_numbers()?;
        let object = self.whole(object);
        // taken out, because the text is borrowed meanwhile
        let mut spans = std::mem::take(&mut self.spans);
        let mut fields = Fields::roomy();
        let mut by_key = Keys::default();
        // distinguishes most keys from the earlier ones without comparing them
        let mut seen = 0_u64;
        self.each(object, |key, value, kind| {
            // nearly every key is without escapes
            let is_plain = key.node == PLAIN;
            let content = if is_plain { self.raw_content(key).into() } else { self.content(key) };
            let word = Word::of(&content);
            let bit = 1 << (word as u32 % u64::BITS);
            let may_stand_twice = seen & bit != 0;
            seen |= bit;
            let content_of = |field: &Field| self.content(span_of(&spans, field.key));
            let earlier = if !may_stand_twice {
                None
            } else if fields.len() < MANY_MEMBERS {
                fields
                    .iter()
                    .position(|field| field.word == word && (word != Word::Unknown || content_of(field) == content))
            } else {
                if by_key.is_empty() {
                    for field in &fields {
                        by_key.add(&content_of(field));
                    }
                }
                by_key.place(&content)
            };
            let key = issue(&mut spans, key, Kind::String);
            let value = issue(&mut spans, value, kind);
            match earlier.and_then(|index| fields.get_mut(index)) {
                Some(field) => {
                    duplicates.push(key);
                    field.value = value;
                }
                None => {
                    if !by_key.is_empty() {
                        by_key.add(&content);
                    }
                    fields.push(Field { word, key, value });
                }
            }
            true
        });
        self.spans = spans;
        Ok(fields)
    }

    fn items(&mut self, array: Value) -> Result<Items, Fault> {
        if array.kind() != Kind::Array {
            return Ok(Items::new());
        }
        self.require_numbers()?;
        let array = self.whole(array);
        let mut spans = std::mem::take(&mut self.spans);
        let mut items = Items::with_capacity(USUAL_ITEMS);
        self.each(array, |item, _, kind| {
            items.push(issue(&mut spans, item, kind));
            true
        });
        self.spans = spans;
        Ok(items)
    }

    fn text(&self, string: Value) -> Cow<'_, str> {
        self.text_at(self.span(string))
    }

    fn word(&self, string: Value) -> Word {
        if string.kind() == Kind::String { Word::of(&self.content(self.span(string))) } else { Word::Unknown }
    }

    fn is_empty(&self, string: Value) -> bool {
        self.raw_content(self.span(string)).is_empty()
    }

    fn has_no_elements(&mut self, container: Value) -> Result<bool, Fault> {
        let text = self.span(container);
        // in a container with holes and only two bytes of its own, the content is in a hole that must be filled first
        let bytes = if text.node == SPLIT && text.range().len() == 2 { self.whole(container) } else { text };
        let bytes = self.raw(bytes);
        Ok(skip_space(bytes, 1) + 1 >= bytes.len())
    }

    fn head(&self, string: Value, length: usize) -> Cow<'_, str> {
        let raw = self.raw_content(self.span(string));
        let mut head = raw.get(..length).unwrap_or(raw);
        if string_run_end(head, 0) < head.len() {
            return self.text(string);
        }
        // not in the middle of a character
        while raw.get(head.len()).is_some_and(|byte| byte & 0xc0 == 0x80) {
            head = head.split_last().map_or(head, |(_, rest)| rest);
        }
        String::from_utf8_lossy(head)
    }

    fn may_be_blank(&self, string: Value) -> bool {
        // an escape may be a line feed
        !matches!(self.raw_content(self.span(string)), [b'!'..=b'[' | b']'..=b'~', ..])
    }

    fn number(&self, number: Value) -> f64 {
        self.number_at(self.span(number))
    }

    fn boolean(&self, boolean: Value) -> bool {
        self.raw(self.span(boolean)).first() == Some(&b't')
    }

    fn string(&mut self, content: &str) -> Value {
        self.make_room(content.len() + 2);
        let start = self.side.len();
        self.side.push(b'"');
        escape_into(&mut self.side, content.as_bytes());
        self.side.push(b'"');
        self.issue(self.side_ref(start), Kind::String)
    }

    fn tail(&mut self, string: Value, length: usize) -> Value {
        let text = self.span(string);
        let range = content_range(text);
        let head = self.buffer(text).get(range.start..range.start + length);
        if head.is_none_or(|head| string_run_end(head, 0) < length) {
            let rest = self.text(string).get(length..).unwrap_or_default().to_owned();
            return self.string(&rest);
        }
        let start = text.start & SIDE | (range.start + length) as u32;
        self.issue(Span { start, end: range.end as u32, node: UNQUOTED }, Kind::String)
    }

    fn join(&mut self, strings: &[Value]) -> Value {
        let lengths = strings.iter().map(|string| content_range(self.span(*string)).len());
        self.make_room(lengths.sum::<usize>() + 2);
        let start = self.side.len();
        self.side.push(b'"');
        for string in strings {
            let string = self.span(*string);
            let content = content_range(string);
            let start = string.start & SIDE | content.start as u32;
            let part = Span { start, end: content.end as u32, node: 0 };
            let start = self.side.len();
            self.copy_aside(part);
            self.trace.kept(start..self.side.len(), part, How::Joined);
        }
        self.side.push(b'"');
        self.issue(self.side_ref(start), Kind::String)
    }

    fn parse(&mut self, string: Value) -> Result<Value, Fault> {
        let start = self.side.len();
        let string = self.span(string);
        let raw = content_range(string);
        let content = Span { start: string.start & SIDE | raw.start as u32, end: raw.end as u32, node: 0 };
        self.make_room(raw.len() + 16);
        if string.start & SIDE == 0 {
            unescape_into(&mut self.side, self.source.get(raw).unwrap_or_default());
        } else {
            let raw = self.side.get(raw).unwrap_or_default().to_vec();
            unescape_into(&mut self.side, &raw);
        }
        // JSON.parse does not accept a byte order mark
        let is_marked = self.side.get(start..).is_some_and(|text| text.starts_with("\u{feff}".as_bytes()));
        let marked = Fault::Syntax { message: "a byte order mark", offset: 0 };
        let parsed = if is_marked { Err(marked) } else { self.number(self.side_ref(start)) };
        match parsed {
            Ok((value, indexed)) => {
                self.trace.kept(start..self.side.len(), content, How::Decoded);
                self.note_surrogates(value, &indexed.lone_surrogates, start);
                Ok(self.issue(value, self.kind_at(value)))
            }
            Err(fault) => {
                self.side.truncate(start);
                Err(fault)
            }
        }
    }

    fn stringify(&mut self, value: Value) -> Result<Value, Fault> {
        let value = self.whole(value);
        let mut text = Vec::new();
        stringify_into(&mut text, self.raw(value), self.form(value));
        let kept = self.keep(&text);
        self.trace.kept(kept.range(), value, How::Encoded);
        Ok(self.issue(kept, Kind::String))
    }

    fn is_raw_form(&mut self, raw: Value, parsed: Value) -> bool {
        let (raw, parsed) = (self.span(raw), self.whole(parsed));
        let content = self.content(raw);
        let mut compact = Vec::with_capacity(content.len());
        compact_into(&mut compact, self.raw(parsed), false);
        compact != *content || !compare::reprints_alike(self, parsed)
    }

    fn same(&mut self, left: Value, right: Value) -> bool {
        let (left, right) = (self.whole(left), self.whole(right));
        compare::same(self, left, right)
    }

    fn mentions(&mut self, value: Value, words: &[Word]) -> bool {
        let value = self.whole(value);
        mentions(self.raw(value), words)
    }

    fn take_notices(&mut self) -> Vec<(Notice, String)> {
        std::mem::take(&mut self.notices)
    }

    fn begin_object(&mut self) {
        self.separate();
        self.out.push(b'{');
    }

    fn end_object(&mut self) {
        self.out.push(b'}');
    }

    fn begin_array(&mut self) {
        self.separate();
        self.out.push(b'[');
    }

    fn end_array(&mut self) {
        self.out.push(b']');
    }

    fn key(&mut self, word: Word) {
        let place = word.place();
        let start = place.start + usize::from(self.is_separated());
        append_part(&mut self.out, Word::JOINED.as_bytes(), start..place.end);
    }

    fn key_of(&mut self, key: Value) {
        self.put(key);
        self.out.push(b':');
    }

    fn put(&mut self, value: Value) {
        let value = self.span(value);
        self.separate();
        match value.node {
            SPLIT => self.put_holed(value),
            UNQUOTED => {
                self.out.push(b'"');
                self.put_raw(value);
                self.out.push(b'"');
            }
            _ => self.put_raw(value),
        }
    }

    fn put_stringified(&mut self, value: Value) -> Result<(), Fault> {
        let value = self.whole(value);
        self.separate();
        let form = self.form(value);
        let start = self.out.len();
        stringify_into(&mut self.out, raw_of(&self.source, &self.side, value), form);
        self.trace.wrote(start..self.out.len(), value, How::Encoded);
        Ok(())
    }

    fn put_text(&mut self, content: &str) {
        self.separate();
        self.out.push(b'"');
        escape_into(&mut self.out, content.as_bytes());
        self.out.push(b'"');
    }

    fn put_word(&mut self, word: Word) {
        let place = word.place();
        let start = place.start + usize::from(self.is_separated());
        append_part(&mut self.out, Word::JOINED.as_bytes(), start..place.end - 1);
    }

    fn put_number(&mut self, number: f64) {
        self.separate();
        number::put(&mut self.out, number);
    }

    fn put_boolean(&mut self, boolean: bool) {
        self.separate();
        self.out.extend_from_slice(if boolean { b"true" } else { b"false" });
    }

    fn put_null(&mut self) {
        self.separate();
        self.out.extend_from_slice(b"null");
    }

    fn start(&mut self) {
        self.suspended.push(self.base);
        self.base = self.out.len();
    }

    fn finish(&mut self) -> Value {
        let made = self.set_aside(self.base);
        self.base = self.suspended.pop().unwrap_or_default();
        self.issue(made, self.kind_at(made))
    }

    fn append_json(&mut self, value: Value, into: &mut Vec<u8>) -> Result<(), Fault> {
        let value = self.span(value);
        if value.node == SPLIT {
            self.parts(value).into_iter().for_each(|part| into.extend_from_slice(self.raw(part)));
            return Ok(());
        }
        let quote: &[u8] = if value.node == UNQUOTED { b"\"" } else { b"" };
        into.extend_from_slice(quote);
        into.extend_from_slice(self.raw(value));
        into.extend_from_slice(quote);
        Ok(())
    }

    fn append_content(&mut self, string: Value, into: &mut Vec<u8>) -> Result<(), Fault> {
        into.extend_from_slice(self.raw_content(self.span(string)));
        Ok(())
    }

    fn import(&mut self, json: &[u8]) -> Result<Value, Fault> {
        let start = self.side.len();
        self.side.extend_from_slice(json);
        let made = self.side_ref(start);
        let made = if is_small(json) { Span { node: UNINDEXED, ..made } } else { self.number(made)?.0 };
        Ok(self.issue(made, self.kind_at(made)))
    }
}

/// Whether a text that is known to be valid is short enough to be read without nodes.
fn is_small(json: &[u8]) -> bool {
    json.len() <= pieces::MANY && json.trim_ascii().len() == json.len()
}
