//! The facts of a model on a target.

use super::{Dialect, Platform, Run};
use crate::models::{Found, Host, find};

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
