//! What several targets do not accept, reported in the same way.

use crate::model::{Metadata, Native, Reasoning, Request, ToolChoice};
use crate::run::{At, Provider, Run, WarningCode};
use crate::value::{Kind, Value, Word};

impl Run<'_> {
    /// Whether the target understands a native block or tool: it has the same provider, and this format of the provider has it too.
    pub fn takes_native(&mut self, native: &Native) -> bool {
        !native.metadata.is_of_other_format() && self.takes_native_value(native.provider, native.value)
    }

    pub fn takes_native_value(&mut self, provider: Provider, value: Value) -> bool {
        let is_foreign = |run: &mut Self| run.to.format().is_foreign(run.type_of(value));
        self.is_at_home(provider) && (self.stays() || !is_foreign(self))
    }

    /// Whether the target accepts what only this provider understands: it is of that provider, and the source is the same format or the canonical
    /// one.
    pub fn is_at_home(&self, provider: Provider) -> bool {
        Some(provider) == self.to.provider() && (self.from.provider().is_none() || self.keeps_family())
    }

    /// The `type` of an object.
    pub fn type_of(&mut self, value: Value) -> Word {
        let kind = if self.store.kind(value) == Kind::Object { self.member(value, Word::r#type) } else { None };
        kind.map_or(Word::Unknown, |kind| self.store.word(kind))
    }

    pub fn warn_native_tool(&mut self, at: At) {
        self.warn(WarningCode::NativeDropped, at, "only its own provider supports this tool");
    }

    /// Writes a native block whole. Metadata that were added to it have no place in it.
    pub fn put_native(&mut self, native: &Native) {
        self.store.put(native.value);
        self.warn_metadata(&native.metadata, native.at);
    }

    pub fn warn_native_block(&mut self, at: At) {
        self.warn(WarningCode::NativeDropped, at, "only its own provider supports this block");
    }

    /// Warns about reasoning that is left out. The loss of its issuer's state is not lossy, and empty reasoning is not reported.
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

    /// Warns about a piece of reasoning that is left out.
    pub fn warn_reasoning_delta(&mut self, text: Value, metadata: &Metadata, at: At) {
        self.warn_metadata(metadata, at);
        if !self.store.is_empty(text) {
            self.warn_thoughts(at);
        }
    }

    /// Warns about the end of reasoning that is left out; its text was reported when it arrived.
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
        let message = "reasoning is sent only to its issuer, with the signature that the issuer requires";
        self.warn(WarningCode::ReasoningDropped, at, message);
    }

    fn warn_reasoning_state(&mut self, at: At) {
        self.warn(WarningCode::StateDropped, at, "the state of reasoning is sent only to its issuer");
    }

    /// Warns about an empty list that the target does not accept.
    pub fn warn_empty_array(&mut self, at: At, word: Word) {
        // providers have it under different names
        let at = self.canonical_or(at, word);
        self.warn(WarningCode::EmptyDropped, at, "the target does not accept an empty array");
    }

    /// Every provider rejects a choice without tools, so it is dropped (Q29, Q30).
    pub fn warn_choice_without_tools(&mut self, request: &Request) {
        match request.choice {
            Some((ToolChoice::Native { provider, .. }, at)) if !self.is_at_home(provider) => {
                self.warn(WarningCode::NativeDropped, at, "only its own provider supports this choice");
            }
            Some((
                ToolChoice::Required | ToolChoice::Named(_) | ToolChoice::Allowed { .. } | ToolChoice::Native { .. },
                at,
            )) => self.warn(WarningCode::ChoiceDropped, at, "a tool choice requires tools"),
            Some((ToolChoice::Auto | ToolChoice::None, _)) | None => {}
        }
    }
}
