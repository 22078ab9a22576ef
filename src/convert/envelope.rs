//! The envelope in which the state of reasoning travels through clients whose format is another provider's (`docs/envelope.md`).

use crate::model::{ENCODED_ENVELOPE, ENVELOPE};
use crate::run::{Provider, Run};
use crate::value::text::{base64, quoted};
use crate::value::{Kind, Value, Word};

/// How many gateways behind each other may wrap a state.
pub const MOST_LEVELS: usize = 4;

/// Who made a state, and so the only one who understands it: a provider, with the server if that is not the provider's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer {
    /// None if the name is unknown here.
    pub provider: Option<Provider>,
    pub server: Option<String>,
}

impl Issuer {
    /// The issuer of what a server of this provider sends, and the only one to which that may return.
    pub fn of(provider: Option<Provider>, server: Option<&str>) -> Issuer {
        Issuer { provider, server: server.map(str::to_owned) }
    }

    /// The issuer on the side of the conversion that is not the client: the source of a response, or the target of a request.
    pub fn of_side(run: &Run) -> Issuer {
        let route = &run.route;
        let (side, server) = match route.is_response {
            true => (route.from, route.source_server()),
            false => (route.to, route.target_server()),
        };
        Issuer::of(side.provider(), server.map(|server| server.name()))
    }
}

/// A state and what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    pub issuer: Issuer,
    /// The exact state. Empty for reasoning without state.
    pub state: String,
    /// The id of the item.
    pub id: Option<String>,
    /// Whether the issuer redacted the reasoning.
    pub redacted: bool,
    /// The id of the call that the state belongs to, as the client knows it.
    pub call: Option<String>,
    /// The part of the item or of the message that the state belongs to, if not the reasoning itself, or not in the usual form.
    pub part: Option<String>,
}

impl Envelope {
    pub fn new(issuer: Issuer, state: String) -> Envelope {
        Envelope { issuer, state, id: None, redacted: false, call: None, part: None }
    }

    /// The envelope as text: letters, digits and `.~-_`.
    pub fn seal(&self) -> String {
        let Envelope { issuer, state, id, redacted, call, part } = self;
        let mut json = format!("{{\"s\":{}", quoted(state));
        for (key, value) in [("id", id), ("call", call), ("part", part)] {
            if let Some(value) = value {
                json.push_str(&[",\"", key, "\":", &quoted(value)].concat());
            }
        }
        json.push_str(if *redacted { ",\"redacted\":true}" } else { "}" });
        let issuer_name = issuer.provider.map_or("", |provider| provider.word().text());
        let (mark, server) = issuer.server.as_ref().map_or(("", ""), |server| ("~", server.as_str()));
        [ENVELOPE, issuer_name, mark, server, ".", &base64::encode_url(json.as_bytes())].concat()
    }

    /// Opens an envelope; None for any other text, such as a state of a provider, and for a damaged envelope.
    pub fn open(run: &mut Run, text: &str) -> Option<Envelope> {
        // a server's name may have dots, the payload has none
        let (issuer, payload) = text.strip_prefix(ENVELOPE)?.rsplit_once('.')?;
        let (name, server) = issuer.split_once('~').map_or((issuer, None), |(name, server)| (name, Some(server)));
        let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'~');
        if !is_name(name) || !server.is_none_or(is_name) {
            return None;
        }
        let json = String::from_utf8(base64::decode(payload)?).ok()?;
        let provider = run.store.string(name);
        let provider = Provider::of(run.store.word(provider));
        let json = run.store.string(&json);
        let payload = run.store.parse(json).ok().filter(|payload| run.store.kind(*payload) == Kind::Object)?;
        let state = text_of(run, payload, Word::s)?;
        let [id, call, part] = [Word::id, Word::call, Word::part].map(|word| text_of(run, payload, word));
        let redacted = run.member(payload, Word::redacted);
        let redacted =
            redacted.is_some_and(|redacted| run.store.kind(redacted) == Kind::Boolean && run.store.boolean(redacted));
        Some(Envelope { issuer: Issuer::of(provider, server), state, id, redacted, call, part })
    }

    /// How many envelopes are inside each other in a state.
    pub fn levels(run: &mut Run, state: &str) -> usize {
        match Envelope::open(run, state).or_else(|| Envelope::open(run, &decoded(state)?)) {
            Some(inner) => 1 + Envelope::levels(run, &inner.state),
            None => 0,
        }
    }
}

/// A text that is base64 of an envelope, decoded.
pub fn decoded(text: &str) -> Option<String> {
    text.starts_with(ENCODED_ENVELOPE).then(|| base64::decode(text).and_then(|bytes| String::from_utf8(bytes).ok()))?
}

fn text_of(run: &mut Run, object: Value, word: Word) -> Option<String> {
    let text = run.member(object, word).filter(|text| run.store.kind(*text) == Kind::String)?;
    Some(run.store.owned_text(text))
}
