//! What is converted to what.

use super::{Dialect, Leaves, Provider};
use crate::servers::facts::TokenLimit;
use crate::servers::{Server, ServerFacts, ServerProfile};
use crate::value::Word;

/// The source and the target of a conversion.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    pub from: Dialect,
    pub to: Dialect,
    /// The provider of the wire side: the model exposes its fields under `metadata`.
    pub provider: Option<Provider>,
    /// Whether a response is converted, or a piece of one, not a request.
    pub is_response: bool,
    /// Whether a piece of a body is converted, while the caller has the rest.
    pub is_piece: bool,
    /// Whether a Gemini request is written in the flat shape of Google's SDK.
    pub flat: bool,
    /// The server that the options name.
    pub server: Option<ServerProfile>,
    /// Whether a cloud hosts the models of the provider.
    pub is_hosted: bool,
    /// Of a host of several providers' models: the provider of the request's model, if it signs reasoning. Its signatures are the same on all hosts.
    pub signer: Option<Provider>,
}

impl Route {
    pub fn new(from: Dialect, to: Dialect) -> Route {
        let provider = from.provider().or(to.provider());
        Route {
            from,
            to,
            provider,
            is_response: false,
            is_piece: false,
            flat: false,
            server: None,
            is_hosted: false,
            signer: None,
        }
    }

    /// The dialect that is not the canonical one; if both are wire formats, the source.
    pub fn wire(&self) -> Dialect {
        if self.from == Dialect::Canonical { self.to } else { self.from }
    }

    // ── from what to what ────────────────────────────────────────────────────────────────────────────────────────

    /// Whether the body stays in its format. If so, nothing is fitted, and what is unknown here is written as it came.
    pub fn stays(&self) -> bool {
        self.from == self.to
    }

    /// Whether the input is in the format of a provider, not in one of this package.
    pub fn is_from_provider(&self) -> bool {
        self.from.provider().is_some()
    }

    /// Whether the output is in the format of a provider, not in one of this package.
    pub fn is_to_provider(&self) -> bool {
        self.to.provider().is_some()
    }

    /// Whether the fields of the family are those of one of OpenAI's formats, which have freeform tools and namespaces.
    pub fn has_openai_fields(&self) -> bool {
        let dialect = if self.is_from_provider() { self.from } else { self.to };
        dialect.format().layout.is_some()
    }

    /// Whether the source and the target have the same provider, in whatever formats.
    pub fn stays_with_provider(&self) -> bool {
        self.is_from_provider() && self.from.provider() == self.to.provider()
    }

    /// Whether the source has a provider that is not the target's.
    pub fn changes_provider(&self) -> bool {
        self.is_from_provider() && self.from.provider() != self.to.provider()
    }

    /// Whether the source and the target are of one family and one provider, and differ in data only, if at all.
    pub fn stays_in_family(&self) -> bool {
        self.stays_with_provider() && self.from.format().form == self.to.format().form
    }

    /// Whether the source and the target are formats of one provider that have its signatures, each in its own place.
    pub fn keeps_signatures(&self) -> bool {
        self.stays_with_provider() && self.from.format().signatures && self.to.format().signatures
    }

    /// The provider of the source, which understands what its reader keeps whole. The usual one, if the source has none: readers are also used for
    /// objects in canonical input.
    pub fn source_provider(&self) -> Provider {
        self.from.provider().unwrap_or(Provider::USUAL)
    }

    /// Whether the target is a format of this provider.
    pub fn leads_to(&self, provider: Provider) -> bool {
        self.to.provider() == Some(provider)
    }

    /// Whether the target returns reasoning with a signature of this provider to it: it has a model of that provider, or is its own format.
    pub fn leads_to_signer(&self, provider: Provider) -> bool {
        self.leads_to(provider) || self.signer == Some(provider)
    }

    // ── servers ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// Whether the named server is that of the target: it gets the request. A response was sent by the source's, unless the server speaks the format of
    /// the target only. Where one of the two has no other servers, it is the other one's.
    fn has_target_server(&self) -> bool {
        let [from, to] = [self.from, self.to].map(|dialect| dialect.format().has_servers);
        to && !(self.is_response && from && (self.is_spoken(self.from) || !self.is_spoken(self.to)))
    }

    /// Whether the named server speaks the format.
    fn is_spoken(&self, dialect: Dialect) -> bool {
        self.server.as_ref().is_none_or(|server| server.base.apis().any(|(known, _)| known == dialect.base()))
    }

    /// The server of the source, if it is not the provider itself. Its name belongs to the issuer of state that it sent.
    pub fn source_server(&self) -> Option<Server> {
        let is_its = self.from.format().has_servers && self.is_spoken(self.from) && !self.has_target_server();
        self.server.filter(|_| is_its).map(|server| server.base).filter(|server| !server.is_own())
    }

    /// The server of the target, if it is not the provider itself: only state of this server and provider goes there.
    pub fn target_server(&self) -> Option<Server> {
        let is_its = self.has_target_server();
        self.server.filter(|_| is_its).map(|server| server.base).filter(|server| !server.is_own())
    }

    /// What the target's server accepts otherwise than the provider.
    pub fn target_facts(&self) -> ServerFacts {
        match &self.server {
            Some(server) if self.has_target_server() => server.facts(self.to),
            Some(_) | None => ServerFacts::NONE,
        }
    }

    /// Whether anything is known of the target's server that is otherwise than with the provider.
    pub fn has_target_facts(&self) -> bool {
        self.server.is_some() && self.target_facts() != ServerFacts::NONE
    }

    /// Whether the target's server refuses a field that its format has.
    pub fn refuses(&self, word: Word) -> bool {
        if self.is_hosted || self.target_server().is_some() {
            let is_own_only = !self.is_response && self.to.format().own_only.contains(&word);
            if is_own_only {
                return true;
            }
        }
        self.server.is_some() && {
            let facts = self.target_facts();
            facts.refused.is_some_and(|fields| fields.words().any(|field| field.key() == word))
                || word == Word::strict && facts.strict == Some(false)
        }
    }

    /// How the target spells a word of its family.
    pub fn spelled(&self, word: Word) -> Word {
        match word {
            Word::max_completion_tokens if self.target_facts().token_limit == Some(TokenLimit::Usual) => {
                Word::max_tokens
            }
            Word::developer if self.target_facts().developer_role == Some(false) => Word::system,
            _ => self.to.format().spelled(word),
        }
    }

    // ── what follows from that ───────────────────────────────────────────────────────────────────────────────────

    /// Whether the target is of the source's family and provider, or keeps its metadata. The nested fields and forms of a format have no meaning elsewhere, not
    /// even in another format of the same provider.
    pub fn keeps_family(&self) -> bool {
        !self.is_from_provider() || !self.is_to_provider() || self.stays_in_family()
    }

    /// What the source's metadata leave behind, if anything.
    pub fn leaves(&self) -> Option<Leaves> {
        let leaves = if self.changes_provider() { Leaves::Provider } else { Leaves::Format };
        (!self.keeps_family()).then_some(leaves)
    }

    /// Whether the target accepts what only this provider understands: it is of that provider, and the source is the same format or the canonical
    /// one.
    pub fn leads_home(&self, provider: Provider) -> bool {
        self.leads_to(provider) && self.keeps_family()
    }

    /// Whether an id that reading replaced comes back in place of the new one: not in another provider's format, nor in another format of the same
    /// provider, whose servers have limits of their own.
    pub fn restores_ids(&self) -> bool {
        self.stays() || !self.is_from_provider() || !self.is_to_provider()
    }

    /// Whether a request of another format is written: the target's server has seen nothing of it before.
    pub fn is_new_request(&self) -> bool {
        !self.is_response && !self.stays()
    }

    /// Whether the input is a request, or a piece that may be of one, to servers that accept more spellings than they send.
    pub fn is_loosely_spelled(&self) -> bool {
        !self.from.format().snake_case.is_empty() && (!self.is_response || self.is_piece)
    }

    /// Whether the target lacks a modelled field, by its wire key. What stays in its format is only checked against the server.
    pub fn is_missing(&self, word: Word) -> bool {
        self.refuses(word) || !self.stays() && self.to.format().limits.missing.contains(&word)
    }

    /// Whether the target lacks a field or type that the provider's other formats have. What stays in its format is only checked against the server.
    pub fn lacks(&self, word: Word) -> bool {
        self.refuses(word) || !self.stays() && self.to.format().is_foreign(word)
    }
}

#[cfg(test)]
mod tests {
    use super::Dialect::{Anthropic, Canonical, Gemini, Ollama, OpenAI};
    use super::{Route, Server};

    #[test]
    fn a_server_gets_requests_and_sends_responses() {
        let servers = |from, to, is_response| {
            let route = Route { server: Some(Server::Xai.into()), is_response, ..Route::new(from, to) };
            [route.source_server(), route.target_server()]
        };
        let (source, target) = ([Some(Server::Xai), None], [None, Some(Server::Xai)]);
        for from in [OpenAI, Anthropic, Gemini, Canonical] {
            assert_eq!(servers(from, OpenAI, false), target);
            assert_eq!(servers(OpenAI, from, true), source);
        }
        // the other side has no such servers
        assert_eq!(servers(OpenAI, Canonical, false), source);
        assert_eq!(servers(Canonical, OpenAI, true), target);
        assert_eq!(servers(Gemini, Ollama, false), [None, None]);
    }

    #[test]
    fn the_provider_itself_is_no_other_server() {
        let route = Route { server: Some(Server::OpenAI.into()), ..Route::new(Canonical, OpenAI) };
        assert_eq!([route.source_server(), route.target_server()], [None, None]);
    }
}
