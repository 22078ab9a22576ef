//! What several targets can't take, told in one way.

use crate::model::{Metadata, Native, Reasoning, Request, ToolChoice};
use crate::run::{At, Provider, Run, WarningCode};
use crate::value::{Kind, Value, Word};

impl Run<'_> {
    /// Whether the target knows a block or tool that is kept whole: its provider does, and so does this format of the provider's.
    pub fn takes_native(&mut self, native: &Native) -> bool {
        !native.metadata.is_of_other_format() && self.takes_native_value(native.provider, native.value)
    }

    pub fn takes_native_value(&mut self, provider: Provider, value: Value) -> bool {
        let is_foreign = |run: &mut Self| run.to.format().is_foreign(run.type_of(value));
        self.is_at_home(provider) && (self.from == self.to || !is_foreign(self))
    }

    /// Whether what only this provider knows goes to it, in the format that it came in or as the caller says it.
    pub fn is_at_home(&self, provider: Provider) -> bool {
        Some(provider) == self.to.provider() && (self.from.provider().is_none() || self.keeps_family())
    }

    /// The `type` of an object.
    pub fn type_of(&mut self, value: Value) -> Word {
        let kind = if self.store.kind(value) == Kind::Object { self.member(value, Word::r#type) } else { None };
        kind.map_or(Word::Unknown, |kind| self.store.word(kind))
    }

    pub fn warn_native_tool(&mut self, at: At) {
        self.warn(WarningCode::NativeDropped, at, "only its own provider knows this tool");
    }

    /// A block that only its provider knows stands there whole; what was put beside it has no place in it.
    pub fn put_native(&mut self, native: &Native) {
        self.store.put(native.value);
        self.warn_metadata(&native.metadata, native.at);
    }

    pub fn warn_native_block(&mut self, at: At) {
        self.warn(WarningCode::NativeDropped, at, "only its own provider knows this block");
    }

    /// Reasoning that is left out. Its issuer's state nobody else could use, and an item that holds nothing says nothing.
    pub fn warn_reasoning(&mut self, reasoning: &Reasoning) {
        let Reasoning { at, text, signature, redacted, issuer: _, scope: _, metadata } = reasoning;
        if redacted.is_some() || text.is_some_and(|text| !self.store.is_empty(text)) {
            self.warn_thoughts(*at);
        } else if signature.is_some() {
            self.warn_reasoning_state(*at);
        } else {
            return self.warn_metadata(metadata, *at);
        }
        let told = self.warnings.len();
        self.warn_metadata(metadata, *at);
        self.keep_lossy(told);
    }

    /// A piece of reasoning that is left out.
    pub fn warn_reasoning_delta(&mut self, text: Value, metadata: &Metadata, at: At) {
        self.warn_metadata(metadata, at);
        if !self.store.is_empty(text) {
            self.warn_thoughts(at);
        }
    }

    /// The end of reasoning that is left out; its text was told as it came.
    pub fn warn_reasoning_end(
        &mut self,
        at: At,
        (signature, redacted): (Option<Value>, Option<Value>),
        metadata: &Metadata,
    ) {
        if redacted.is_some() {
            self.warn_thoughts(at);
        } else if signature.is_some() {
            self.warn_reasoning_state(at);
        }
        self.warn_metadata(metadata, at);
    }

    fn warn_thoughts(&mut self, at: At) {
        let message = "reasoning goes to its issuer only, with the signature that it demands";
        self.warn(WarningCode::ReasoningDropped, at, message);
    }

    fn warn_reasoning_state(&mut self, at: At) {
        self.warn(WarningCode::StateDropped, at, "the state of reasoning goes to its issuer only");
    }

    /// A list that holds nothing, where the target takes none.
    pub fn warn_empty_array(&mut self, at: At, word: Word) {
        // not every provider has it under the same name
        let at = self.canonical_or(at, word);
        self.warn(WarningCode::EmptyDropped, at, "the target takes no empty array");
    }

    /// A choice without tools is refused everywhere, so it is left out (Q29, Q30).
    pub fn warn_choice_without_tools(&mut self, request: &Request) {
        match request.choice {
            Some((ToolChoice::Native { provider, .. }, at)) if !self.is_at_home(provider) => {
                self.warn(WarningCode::NativeDropped, at, "only its own provider knows this choice");
            }
            Some((
                ToolChoice::Required | ToolChoice::Named(_) | ToolChoice::Allowed { .. } | ToolChoice::Native { .. },
                at,
            )) => self.warn(WarningCode::ChoiceDropped, at, "a tool choice needs tools"),
            Some((ToolChoice::Auto | ToolChoice::None, _)) | None => {}
        }
    }
}
