//! The parts of the input that the canonical format does not model.

use super::{At, Key, Made, Provider};
use crate::value::{Field, Value, Word};

/// One member of a metadata object.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    pub key: Key,
    pub value: Value,
    /// The position in the input, if not directly below the metadata's owner.
    pub at: Option<At>,
}

impl Member {
    /// Whether this is another provider's entry, whose fields are those of one of OpenAI's formats.
    pub fn has_openai_fields(&self) -> bool {
        Provider::of(self.key.word()).is_some_and(Provider::has_openai_format)
    }
}

/// What metadata leave behind on their way to the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// The format, for another one of the provider: only fields that both formats have keep their meaning.
    Format,
    /// The provider: the target gets none of the fields.
    Provider,
}

#[derive(Clone, Debug)]
struct Inner {
    family: Vec<Member>,
    form: Vec<(Word, Value)>,
    others: Vec<Member>,
    /// What is written for the target's clients.
    made: Vec<(Word, Made)>,
    thought_signature: Option<Value>,
    continues: bool,
    /// Fields that the target's provider does not understand: another one wrote them.
    left: Vec<Member>,
    /// Whether another format of the run's provider wrote the fields.
    of_other_format: bool,
}

/// Called with each value of metadata, and with its position if it has one of its own.
type Visit<'a, E> = dyn FnMut(&mut Value, Option<&mut At>) -> Result<(), E> + 'a;

/// The metadata of one thing. A single pointer, because most things have none.
#[derive(Clone, Debug, Default)]
pub struct Metadata(Option<Box<Inner>>);

impl Metadata {
    fn inner(&mut self) -> &mut Inner {
        self.0.get_or_insert_with(|| {
            Box::new(Inner {
                family: Vec::new(),
                form: Vec::new(),
                others: Vec::new(),
                made: Vec::new(),
                thought_signature: None,
                continues: false,
                left: Vec::new(),
                of_other_format: false,
            })
        })
    }

    /// Whether there are fields or forms, and the format that is being read wrote them.
    pub fn is_own(&self) -> bool {
        let has_own = |inner: &Inner| !inner.family.is_empty() || !inner.form.is_empty();
        self.0.as_ref().is_some_and(|inner| has_own(inner) && !inner.of_other_format)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether there are fields or forms of the run's provider.
    pub fn has_family(&self) -> bool {
        !self.family_fields().is_empty() || !self.forms().is_empty()
    }

    /// Fields of the run's provider, under their wire names.
    pub fn family_fields(&self) -> &[Member] {
        self.0.as_ref().map_or(&[], |inner| &inner.family)
    }

    /// All fields, also those that another provider than the target's wrote.
    pub fn fields(&self) -> impl Iterator<Item = &Member> {
        self.family_fields().iter().chain(self.0.iter().flat_map(|inner| &inner.left))
    }

    /// How modelled fields were written, where that differs from the dialect's usual way.
    pub fn forms(&self) -> &[(Word, Value)] {
        self.0.as_ref().map_or(&[], |inner| &inner.form)
    }

    /// Entries of other providers, and of the user.
    pub fn others(&self) -> &[Member] {
        self.0.as_ref().map_or(&[], |inner| &inner.others)
    }

    pub fn others_mut(&mut self) -> &mut [Member] {
        self.0.as_mut().map_or(&mut [], |inner| &mut inner.others)
    }

    pub fn continues(&self) -> bool {
        self.0.as_ref().is_some_and(|inner| inner.continues)
    }

    pub fn set_continues(&mut self) {
        self.inner().continues = true;
    }

    pub fn is_of_other_format(&self) -> bool {
        self.0.as_ref().is_some_and(|inner| inner.of_other_format)
    }

    pub fn set_of_other_format(&mut self) {
        self.inner().of_other_format = true;
    }

    pub fn add(&mut self, key: Key, value: Value) {
        self.inner().family.push(Member { key, value, at: None });
    }

    /// Marks the fields as those of another format or provider, and drops the forms, which only the format that wrote them understands.
    pub fn leave(&mut self, leaves: Leaves) {
        let Some(inner) = &mut self.0 else { return };
        inner.form.clear();
        match leaves {
            Leaves::Format => inner.of_other_format |= !inner.family.is_empty(),
            Leaves::Provider => {
                inner.left.append(&mut inner.family);
                (inner.of_other_format, inner.continues) = (false, false);
            }
        }
        self.tidy();
    }

    /// Drops the allocation if nothing is left.
    fn tidy(&mut self) {
        let Some(inner) = &self.0 else { return };
        let Inner { family, form, others, made, thought_signature, continues, left, of_other_format } = &**inner;
        let has_more =
            !made.is_empty() || thought_signature.is_some() || *continues || *of_other_format || !left.is_empty();
        if family.is_empty() && form.is_empty() && others.is_empty() && !has_more {
            self.0 = None;
        }
    }

    /// Takes a field that another provider's format left behind.
    pub fn take_left(&mut self, word: Word) -> Option<Member> {
        let left = &mut self.0.as_mut()?.left;
        let place = left.iter().position(|member| member.key.word() == word)?;
        Some(left.remove(place))
    }

    /// The fields that another provider's format left behind.
    pub fn left_mut(&mut self) -> &mut [Member] {
        self.0.as_mut().map_or(&mut [], |inner| &mut inner.left)
    }

    /// Adds members before the existing ones.
    pub fn add_first(&mut self, fields: &[Field]) {
        if fields.is_empty() {
            return;
        }
        let member = |field: &Field| Member { key: Key::from(*field), value: field.value, at: None };
        let family = &mut self.inner().family;
        let mut first: Vec<Member> = fields.iter().map(member).collect();
        first.append(family);
        *family = first;
    }

    pub fn add_at(&mut self, key: Key, value: Value, at: At) {
        self.inner().family.push(Member { key, value, at: Some(at) });
    }

    pub fn add_member(&mut self, member: Member) {
        self.inner().family.push(member);
    }

    pub fn family_mut(&mut self) -> &mut [Member] {
        self.0.as_mut().map_or(&mut [], |inner| &mut inner.family)
    }

    pub fn add_form(&mut self, word: Word, value: Value) {
        self.inner().form.push((word, value));
    }

    pub fn add_other(&mut self, key: Key, value: Value) {
        self.inner().others.push(Member { key, value, at: None });
    }

    /// Fields that are written unless there are others of their names.
    pub fn made(&self) -> &[(Word, Made)] {
        self.0.as_ref().map_or(&[], |inner| &inner.made)
    }

    pub fn make(&mut self, word: Word, made: Made) {
        self.inner().made.push((word, made));
    }

    pub fn set_thought_signature(&mut self, signature: Value) {
        self.inner().thought_signature = Some(signature);
    }

    pub fn forget_thought_signature(&mut self) {
        if let Some(inner) = &mut self.0 {
            inner.thought_signature = None;
        }
        self.tidy();
    }

    /// Adds everything from `other`.
    pub fn append(&mut self, other: Metadata) {
        let Some(other) = other.0 else { return };
        let other = *other;
        let inner = self.inner();
        inner.family.extend(other.family);
        inner.form.extend(other.form);
        inner.others.extend(other.others);
        inner.made.extend(other.made);
        inner.thought_signature = inner.thought_signature.take().or(other.thought_signature);
        inner.continues |= other.continues;
        inner.left.extend(other.left);
        inner.of_other_format |= other.of_other_format;
    }
}

impl Metadata {
    pub fn family_field(&self, word: Word) -> Option<Value> {
        self.family_fields().iter().find(|member| member.key.word() == word).map(|member| member.value)
    }

    /// A field of the target format. None if another format of the provider wrote it, where the name has another meaning.
    pub fn own_field(&self, word: Word) -> Option<Value> {
        self.family_field(word).filter(|_| !self.is_of_other_format())
    }

    /// The fields of the target format.
    pub fn own_fields(&self) -> &[Member] {
        if self.is_of_other_format() { &[] } else { self.family_fields() }
    }

    /// Drops everything that was read, apart from Google's signature.
    pub fn drop_read(&mut self) {
        let Some(inner) = &mut self.0 else { return };
        inner.family.clear();
        inner.form.clear();
        inner.others.clear();
        inner.left.clear();
        inner.of_other_format = false;
        self.tidy();
    }

    /// Replaces or removes a field of the family.
    pub fn set_family_field(&mut self, word: Word, value: Option<Value>) {
        let Some(inner) = &mut self.0 else { return };
        let members = inner.family.iter_mut().filter(|member| member.key.word() == word);
        match value {
            Some(value) => members.for_each(|member| member.value = value),
            None => self.retain_family(&mut |member| member.key.word() != word),
        }
    }

    /// Keeps only the fields that `keep` accepts, whoever wrote them.
    pub fn retain_family(&mut self, keep: &mut dyn FnMut(&Member) -> bool) {
        if let Some(inner) = &mut self.0 {
            inner.family.retain(&mut *keep);
            inner.left.retain(keep);
            self.tidy();
        }
    }

    /// Keeps only those fields of another format that `keep` accepts.
    pub fn retain_foreign(&mut self, keep: &mut dyn FnMut(&Member) -> bool) {
        let Some(inner) = &mut self.0 else { return };
        if inner.of_other_format {
            inner.family.retain(&mut *keep);
        }
        inner.left.retain(keep);
        self.tidy();
    }

    /// Visits all values in a fixed order, each with its position if it has one of its own.
    pub fn visit<E>(&mut self, visit: &mut Visit<E>) -> Result<(), E> {
        let Some(inner) = &mut self.0 else { return Ok(()) };
        let Inner { family, form, others, made: _, thought_signature, continues: _, left, of_other_format: _ } =
            &mut **inner;
        for Member { key, value, at } in family.iter_mut().chain(others).chain(left) {
            if let Key::Text(key) = key {
                visit(key, None)?;
            }
            visit(value, at.as_mut())?;
        }
        form.iter_mut().map(|(_, value)| value).chain(thought_signature).try_for_each(|value| visit(value, None))
    }

    /// How the object itself had a field, if not in the usual way.
    pub fn form(&self, word: Word) -> Option<Value> {
        self.forms().iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
    }

    pub fn forget_form(&mut self, word: Word) {
        if let Some(inner) = &mut self.0 {
            inner.form.retain(|(known, _)| *known != word);
            self.tidy();
        }
    }

    pub fn thought_signature(&self) -> Option<Value> {
        self.0.as_ref().and_then(|inner| inner.thought_signature)
    }
}
