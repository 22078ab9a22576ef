//! What the text store reads and writes.

use super::*;

/// Objects with more members than this look keys up in a table, so that many keys can't make reading quadratic.
const MANY_MEMBERS: usize = 24;

impl Store for TextStore {
    fn kind(&self, value: Value) -> Kind {
        self.kind_at(self.span(value))
    }

    fn fields(&mut self, object: Value, duplicates: &mut Vec<Value>) -> Result<Fields, Fault> {
        let object = self.span(object);
        if self.kind_at(object) != Kind::Object {
            return Ok(Fields::new());
        }
        // taken out, as what is read is borrowed meanwhile
        let mut spans = std::mem::take(&mut self.spans);
        let mut fields = Fields::with_capacity(12);
        let mut by_key: Option<HashMap<Cow<'_, [u8]>, usize>> = None;
        // most keys differ from those before already by this
        let mut seen = 0_u64;
        self.each(object, |key, value| {
            let content = self.content(key);
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
                let known = |(index, field): (usize, &Field)| (content_of(field), index);
                let by_key = by_key.get_or_insert_with(|| fields.iter().enumerate().map(known).collect());
                by_key.get(&content).copied()
            };
            let [key, value] = [key, value].map(|span| issue(&mut spans, span));
            match earlier.and_then(|index| fields.get_mut(index)) {
                Some(field) => {
                    duplicates.push(key);
                    field.value = value;
                }
                None => {
                    if let Some(by_key) = &mut by_key {
                        by_key.insert(content, fields.len());
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
        let array = self.span(array);
        if self.kind_at(array) != Kind::Array {
            return Ok(Items::new());
        }
        let first = self.spans.len() as u32;
        let mut spans = std::mem::take(&mut self.spans);
        self.each(array, |item, _| {
            spans.push(item);
            true
        });
        self.spans = spans;
        Ok((first..self.spans.len() as u32).map(Value::of).collect())
    }

    fn text(&self, string: Value) -> Cow<'_, str> {
        self.text_at(self.span(string))
    }

    fn word(&self, string: Value) -> Word {
        let string = self.span(string);
        if self.kind_at(string) == Kind::String { Word::of(&self.content(string)) } else { Word::Unknown }
    }

    fn is_empty(&self, string: Value) -> bool {
        self.raw_content(self.span(string)).is_empty()
    }

    fn holds_nothing(&mut self, container: Value) -> Result<bool, Fault> {
        let bytes = self.raw(self.span(container));
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

    fn number(&self, number: Value) -> f64 {
        self.number_at(self.span(number))
    }

    fn boolean(&self, boolean: Value) -> bool {
        self.raw(self.span(boolean)).first() == Some(&b't')
    }

    fn string(&mut self, content: &str) -> Value {
        let start = self.side.len();
        self.side.push(b'"');
        escape_into(&mut self.side, content.as_bytes());
        self.side.push(b'"');
        self.issue(self.side_ref(start))
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
        self.issue(Span { start, end: range.end as u32, node: BARE })
    }

    fn join(&mut self, strings: &[Value]) -> Value {
        let start = self.side.len();
        self.side.push(b'"');
        for string in strings {
            let string = self.span(*string);
            let range = content_range(string);
            if string.start & SIDE == 0 {
                self.side.extend_from_slice(self.source.get(range).unwrap_or_default());
            } else if range.end <= self.side.len() {
                self.side.extend_from_within(range);
            }
        }
        self.side.push(b'"');
        self.issue(self.side_ref(start))
    }

    fn parse(&mut self, string: Value) -> Result<Value, Fault> {
        let start = self.side.len();
        let string = self.span(string);
        let raw = content_range(string);
        if string.start & SIDE == 0 {
            unescape_into(&mut self.side, self.source.get(raw).unwrap_or_default());
        } else {
            let raw = self.side.get(raw).unwrap_or_default().to_vec();
            unescape_into(&mut self.side, &raw);
        }
        let nodes = self.nodes.len();
        match self.index_side(start) {
            Ok((value, indexed)) => {
                self.note_surrogates(value, &indexed.lone_surrogates, start);
                Ok(self.issue(value))
            }
            Err(fault) => {
                self.side.truncate(start);
                self.nodes.truncate(nodes);
                Err(fault)
            }
        }
    }

    fn stringify(&mut self, value: Value) -> Result<Value, Fault> {
        let value = self.span(value);
        let mut text = Vec::new();
        stringify_into(&mut text, self.raw(value), value.node == BARE);
        let kept = self.keep(&text);
        Ok(self.issue(kept))
    }

    fn is_raw_form(&mut self, raw: Value, parsed: Value) -> bool {
        let (raw, parsed) = (self.span(raw), self.span(parsed));
        let content = self.content(raw);
        let mut compact = Vec::with_capacity(content.len());
        compact_into(&mut compact, self.raw(parsed), false);
        compact != *content || !compare::reprints_alike(self, parsed)
    }

    fn same(&mut self, left: Value, right: Value) -> bool {
        compare::same(self, self.span(left), self.span(right))
    }

    fn mentions(&mut self, value: Value, words: &[Word]) -> bool {
        mentions(self.raw(self.span(value)), words)
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
        self.put_word(word);
        self.out.push(b':');
    }

    fn key_of(&mut self, key: Value) {
        self.put(key);
        self.out.push(b':');
    }

    fn put(&mut self, value: Value) {
        let value = self.span(value);
        self.separate();
        let raw = raw_of(&self.source, &self.side, value);
        if value.node == BARE {
            self.out.push(b'"');
            self.out.extend_from_slice(raw);
            self.out.push(b'"');
        } else {
            self.out.extend_from_slice(raw);
        }
    }

    fn put_stringified(&mut self, value: Value) -> Result<(), Fault> {
        let value = self.span(value);
        self.separate();
        stringify_into(&mut self.out, raw_of(&self.source, &self.side, value), value.node == BARE);
        Ok(())
    }

    fn put_text(&mut self, content: &str) {
        self.separate();
        self.out.push(b'"');
        escape_into(&mut self.out, content.as_bytes());
        self.out.push(b'"');
    }

    fn put_word(&mut self, word: Word) {
        self.separate();
        self.out.extend_from_slice(word.quoted().as_bytes());
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
        let start = self.side.len();
        self.side.extend_from_slice(self.out.get(self.base..).unwrap_or_default());
        self.out.truncate(self.base);
        self.base = self.suspended.pop().unwrap_or_default();
        // what was written is valid; deeper than the limit it can still be passed on, only not read again
        let made = self.made(start).unwrap_or_else(|_| self.side_ref(start));
        self.issue(made)
    }

    fn append_json(&mut self, value: Value, into: &mut Vec<u8>) -> Result<(), Fault> {
        let value = self.span(value);
        let quote: &[u8] = if value.node == BARE { b"\"" } else { b"" };
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
        let made = self.made(start)?;
        Ok(self.issue(made))
    }
}
