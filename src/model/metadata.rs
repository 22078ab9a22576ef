//! What the canonical format does not model, kept beside what it does.

use crate::run::{At, Key};
use crate::value::Word;

/// One member of a metadata object.
#[derive(Clone, Copy, Debug)]
pub struct Member<V> {
    pub key: Key<V>,
    pub value: V,
    /// Where it stands in the input, if not directly below the metadata's owner.
    pub at: Option<At>,
}

#[derive(Clone, Debug)]
struct Inner<V> {
    family: Vec<Member<V>>,
    form: Vec<(Word, V)>,
    others: Vec<Member<V>>,
    thought_signature: Option<V>,
    continues: bool,
}

/// Metadata of one thing. Most things have none, so it is one pointer.
#[derive(Clone, Debug)]
pub struct Metadata<V>(Option<Box<Inner<V>>>);

impl<V> Default for Metadata<V> {
    fn default() -> Self {
        Metadata(None)
    }
}

impl<V> Metadata<V> {
    fn inner(&mut self) -> &mut Inner<V> {
        self.0.get_or_insert_with(|| {
            Box::new(Inner {
                family: Vec::new(),
                form: Vec::new(),
                others: Vec::new(),
                thought_signature: None,
                continues: false,
            })
        })
    }

    /// Whether the run's family left anything here.
    pub fn is_own(&self) -> bool {
        self.0.as_ref().is_some_and(|inner| !inner.family.is_empty() || !inner.form.is_empty())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Fields of the run's family under their wire names.
    pub fn family(&self) -> &[Member<V>] {
        self.0.as_ref().map_or(&[], |inner| &inner.family)
    }

    /// How modelled fields were written, where that differs from the dialect's own way.
    pub fn forms(&self) -> &[(Word, V)] {
        self.0.as_ref().map_or(&[], |inner| &inner.form)
    }

    /// Entries of other providers, and the user's own.
    pub fn others(&self) -> &[Member<V>] {
        self.0.as_ref().map_or(&[], |inner| &inner.others)
    }

    pub fn continues(&self) -> bool {
        self.0.as_ref().is_some_and(|inner| inner.continues)
    }

    pub fn set_continues(&mut self) {
        self.inner().continues = true;
    }

    pub fn add(&mut self, key: Key<V>, value: V) {
        self.inner().family.push(Member { key, value, at: None });
    }

    pub fn add_at(&mut self, key: Key<V>, value: V, at: At) {
        self.inner().family.push(Member { key, value, at: Some(at) });
    }

    pub fn add_member(&mut self, member: Member<V>) {
        self.inner().family.push(member);
    }

    pub fn add_form(&mut self, word: Word, value: V) {
        self.inner().form.push((word, value));
    }

    pub fn add_other(&mut self, key: Key<V>, value: V) {
        self.inner().others.push(Member { key, value, at: None });
    }

    pub fn set_thought_signature(&mut self, signature: V) {
        self.inner().thought_signature = Some(signature);
    }

    /// Adds all that `other` holds.
    pub fn append(&mut self, other: Metadata<V>) {
        let Some(other) = other.0 else { return };
        let other = *other;
        let inner = self.inner();
        inner.family.extend(other.family);
        inner.form.extend(other.form);
        inner.others.extend(other.others);
        inner.thought_signature = inner.thought_signature.take().or(other.thought_signature);
        inner.continues |= other.continues;
    }
}

impl<V: Copy> Metadata<V> {
    /// The forms alone: of a wire message whose fields belong to what it holds.
    pub fn forms_only(&self) -> Metadata<V> {
        let mut metadata = Metadata::default();
        for (word, value) in self.forms() {
            metadata.add_form(*word, *value);
        }
        metadata
    }

    pub fn family_field(&self, word: Word) -> Option<V> {
        self.family().iter().find(|member| member.key.word() == word).map(|member| member.value)
    }

    pub fn form(&self, word: Word) -> Option<V> {
        self.forms().iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
    }

    pub fn thought_signature(&self) -> Option<V> {
        self.0.as_ref().and_then(|inner| inner.thought_signature)
    }
}
