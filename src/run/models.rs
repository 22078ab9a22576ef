//! The facts of a model on a target.

use super::{Dialect, Platform, Provider, Run};
use crate::models::{Found, Host, Model, find};
use crate::value::Value;

/// Where the models of a target run, if that is not the API of their own provider.
fn host(to: Dialect, platform: Option<Platform>) -> Option<Host> {
    match platform {
        Some(Platform::Bedrock) => Some(Host::Bedrock),
        Some(Platform::Vertex) => Some(Host::Vertex),
        None if to.format().hosts_models => Some(Host::Bedrock),
        None => to.format().is_vertex.then_some(Host::Vertex),
    }
}

impl Run<'_> {
    /// Where the target's models run, if that is not the API of their own provider.
    pub fn host(&self) -> Option<Host> {
        host(self.route.to, self.options.platform)
    }

    /// Where the source's models run, if that is not the API of their own provider.
    pub fn source_host(&self) -> Option<Host> {
        host(self.route.from, self.options.platform)
    }

    /// Records whose signatures a host's model has (WIRE §5.3).
    pub fn note_signer(&mut self, model: Option<Value>) {
        let model = model.and_then(|model| Model::named(&self.store.text(model)));
        self.route.signer = model.map(|model| model.provider()).filter(|provider| provider.signs_reasoning());
    }

    /// The issuer of signed reasoning in the source. On a host, this is the provider of the model, which the request states; for a response, the context does.
    pub fn source_signer(&self) -> Provider {
        let known = match &self.options.context {
            Some(context) if self.route.is_response => context.signer,
            _ => self.route.signer,
        };
        let is_host = self.route.from.format().hosts_models;
        known.filter(|_| is_host).unwrap_or(self.route.source_provider())
    }
}

/// What a model accepts on a target, by its name in any spelling of a host. None for a name of no known family: no limits are known.
///
/// ```
/// use toolwire::{Dialect, Effort, model_facts};
///
/// let found = model_facts("openrouter/anthropic/claude-opus-5.5", Dialect::Anthropic, None).expect("a known family");
/// assert!(found.known && found.family == "claude");
/// assert_eq!(found.facts.max_output, Some(128_000));
/// assert!(found.facts.efforts.is_some_and(|efforts| efforts.has(Effort::Max)));
/// assert!(model_facts("my-deployment", Dialect::OpenAI, None).is_none());
/// ```
pub fn model_facts(name: &str, to: Dialect, platform: Option<Platform>) -> Option<Found> {
    find(name, host(to, platform))
}
