//! Warnings for metadata that the target cannot carry.

use super::{At, Key, Member, Metadata, NO_FIELD, Provider, Run, WarningCode};
use crate::format::defaults::{DEFAULTS, HINTS, Usual};
use crate::format::{is_bookkeeping, is_form, is_reserved};
use crate::value::{Kind, Value, Word};

impl Run<'_> {
    /// Warns about every field of the family that has content: the target has no place for it.
    pub fn warn_family(&mut self, metadata: &Metadata, at: At) {
        let parent = self.family_at(at);
        self.warn_fields(metadata, parent);
    }

    /// Like [`Run::warn_family`], for fields directly below `parent`.
    pub fn warn_fields(&mut self, metadata: &Metadata, parent: At) {
        for member in metadata.fields() {
            self.warn_member(*member, parent);
        }
    }

    /// Whether the value is the default of the field.
    fn is_usual(&mut self, word: Word, value: Value) -> bool {
        DEFAULTS.iter().any(|(field, usual)| *field == word && self.is(value, usual))
    }

    fn is(&mut self, value: Value, usual: &Usual) -> bool {
        match (*usual, self.store.kind(value)) {
            (Usual::False, Kind::Boolean) => !self.store.boolean(value),
            (Usual::True, Kind::Boolean) => self.store.boolean(value),
            (Usual::Number(number), Kind::Number) => self.store.number(value) == number,
            (Usual::Text(text), Kind::String) => self.store.text(value) == text,
            (Usual::Only(text), Kind::Array) => match self.list(value).as_slice() {
                [only] => self.store.kind(*only) == Kind::String && self.store.text(*only) == text,
                _ => false,
            },
            (Usual::Member(word, usual), Kind::Object) => match self.members(value).as_slice() {
                [only] => only.word == word && self.is(only.value, usual),
                _ => false,
            },
            (Usual::With(word, usual), Kind::Object) => {
                self.member(value, word).is_some_and(|member| self.is(member, usual))
            }
            (Usual::Each(usual), Kind::Array) => self.list(value).into_iter().all(|element| self.is(element, usual)),
            _ => false,
        }
    }

    /// Whether the member only records how something was written, or is reported elsewhere.
    fn needs_no_warning(&self, word: Word, value: Value) -> bool {
        match word {
            // the role follows from the position
            Word::role => ROLES.contains(&self.store.word(value)),
            // freeform calls are marked as such; the text is in the arguments
            Word::custom => self.store.kind(value) == Kind::Boolean,
            // included in the canonical input count
            Word::toolUsePromptTokenCount | Word::total_tool_use_tokens => true,
            _ => false,
        }
    }

    /// Warns about a signature of Google, which no other format has.
    pub fn warn_signature(&mut self, metadata: &Metadata, at: At) {
        if metadata.thought_signature().is_none() || self.route.to.format().signatures {
            return;
        }
        let at = self.metadata_at(at).unwrap_or(at);
        let has_one = !self.route.is_from_provider() || self.route.from.format().signatures;
        let at = if has_one { self.down(at, Word::thoughtSignature) } else { at };
        self.warn(WarningCode::StateDropped, at, "a signature is sent only to its issuer");
    }

    /// Warns about all metadata of something that is written without them for a provider.
    pub fn warn_metadata(&mut self, metadata: &Metadata, at: At) {
        if metadata.is_empty() || !self.route.is_to_provider() {
            return;
        }
        self.warn_family(metadata, at);
        self.warn_signature(metadata, at);
        self.warn_other_families(metadata, at);
    }

    /// The position of something's metadata in the input, if the source format has metadata.
    fn metadata_at(&mut self, at: At) -> Option<At> {
        let key = self.route.from.format().state_of_all?;
        Some(self.down(at, key))
    }

    /// The position in the input of the family's fields, for something at `at`.
    pub fn family_at(&mut self, at: At) -> At {
        match (self.metadata_at(at), self.route.provider) {
            (None, _) => at,
            (Some(metadata), Some(provider)) => self.down(metadata, provider.word()),
            (Some(metadata), None) => metadata,
        }
    }

    /// The position in the input of another provider's entry, for something at `at`.
    pub fn entry_at(&mut self, at: At, key: Key) -> At {
        let metadata_at = self.metadata_at(at).unwrap_or(at);
        self.down_key(metadata_at, key)
    }

    pub fn warn_member(&mut self, member: Member, parent: At) {
        let word = member.key.word();
        let is_reported_elsewhere = self.needs_no_warning(word, member.value) || self.is_usual(word, member.value);
        let is_switch = SWITCHES.contains(&word) && self.store.kind(member.value) == Kind::Object;
        if is_reported_elsewhere || !is_switch && self.is_all_void(member.value) {
            return;
        }
        let is_bookkeeping = STATE.contains(&word) || is_hint(word) || self.route.is_response && is_bookkeeping(word);
        let code = if is_bookkeeping { WarningCode::StateDropped } else { WarningCode::FieldDropped };
        let at = match member.at {
            Some(at) => at,
            None => self.down_key(parent, member.key),
        };
        self.warn(code, at, NO_FIELD);
        if word == Word::item && self.store.kind(member.value) == Kind::Object {
            let mark = self.report.mark();
            // the namespace is part of the name that the target gets
            self.warn_members(member.value, at, Word::namespace);
            self.report.keep_lossy_after(mark);
        }
    }

    /// Warns about another provider's entry. Forms are skipped, apart from fields of the provider that are kept with them.
    fn warn_foreign(&mut self, entry: Value, parent: At) {
        for field in self.members(entry) {
            let (word, value) = (field.word, field.value);
            if !is_reserved(word) {
                self.warn_member(Member { key: Key::from(field), value, at: None }, parent);
            } else if is_form(word) && self.store.kind(value) == Kind::Object {
                let at = self.down(parent, word);
                for field in self.members(value).into_iter().filter(|field| is_reserved(field.word)) {
                    self.warn_member(Member { key: Key::from(field), value: field.value, at: None }, at);
                }
            }
        }
    }

    /// Like [`Run::warn_fields`], for the fields of an object at `parent`, apart from `but`, which is reported elsewhere.
    pub fn warn_members(&mut self, object: Value, parent: At, but: Word) {
        for field in self.members(object).into_iter().filter(|field| field.word != but) {
            self.warn_member(Member { key: Key::from(field), value: field.value, at: None }, parent);
        }
    }

    /// Warns about the state of other providers in canonical input, which the target does not get.
    pub fn warn_other_families(&mut self, metadata: &Metadata, at: At) {
        let others: Vec<Member> =
            metadata.others().iter().filter(|member| Provider::of(member.key.word()).is_some()).copied().collect();
        for other in others {
            let parent = self.entry_at(at, other.key);
            self.warn_foreign(other.value, parent);
        }
    }
}

/// The roles of all formats.
const ROLES: &[Word] =
    &[Word::system, Word::developer, Word::user, Word::assistant, Word::model, Word::tool, Word::function];

/// Whether a field is a hint that does not change the response: losing it loses no content.
pub fn is_hint(word: Word) -> bool {
    HINTS.contains(&word)
}

/// State that only its provider can use, at any position.
const STATE: &[Word] = &[Word::anthropic_version, Word::item, Word::id, Word::status, Word::phase, Word::fingerprint];

/// Objects that enable something by their presence, even if they are empty.
const SWITCHES: &[Word] = &[Word::web_search_options];
