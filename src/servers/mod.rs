//! Servers whose format is nearly that of OpenAI or Anthropic, as data: what they accept, require and return otherwise (`docs/servers.md`). One file for
//! each group; each row cites its sources. A server is not a dialect: the functions, types and wire format are the same.

pub mod facts;
mod hosts;
mod labs;
mod local;
mod models;
mod own;
mod routers;
mod url;

use crate::format::Dialect;
use crate::models::words::{Fact, FactsVisitor, Given, Words, words};
pub use facts::ServerFacts;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use std::fmt;
pub use url::server_of;

/// Defines the servers: variant, name, and the row.
macro_rules! servers {
    ($($(#[$about:meta])* $variant:ident $name:literal $row:expr,)+) => {
        words! {
            /// A server whose format is nearly OpenAI's (Chat Completions, Responses) or Anthropic's.
            #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
            Server { $(#[cfg_attr(target_arch = "wasm32", serde(rename = $name))] $variant $name),+ }
        }

        impl Server {
            fn row(self) -> &'static Row {
                match self { $(Server::$variant => &$row),+ }
            }
        }
    };
}
servers! {
    OpenAI "openai" own::OPENAI,
    Azure "azure" own::AZURE,
    OpenRouter "openrouter" routers::OPENROUTER,
    Xai "xai" labs::XAI,
    DeepSeek "deepseek" labs::DEEPSEEK,
    Groq "groq" hosts::GROQ,
    Together "together" hosts::TOGETHER,
    Fireworks "fireworks" hosts::FIREWORKS,
    Moonshot "moonshot" labs::MOONSHOT,
    Zai "zai" labs::ZAI,
    Qwen "qwen" labs::QWEN,
    Cerebras "cerebras" hosts::CEREBRAS,
    Nvidia "nvidia" hosts::NVIDIA,
    HuggingFace "huggingface" hosts::HUGGINGFACE,
    Cloudflare "cloudflare" hosts::CLOUDFLARE,
    GitHubCopilot "github-copilot" own::GITHUB_COPILOT,
    Baseten "baseten" hosts::BASETEN,
    MiniMax "minimax" labs::MINIMAX,
    Vercel "vercel" routers::VERCEL,
    LiteLlm "litellm" routers::LITELLM,
    Vllm "vllm" local::VLLM,
    Sglang "sglang" local::SGLANG,
    LlamaCpp "llama.cpp" local::LLAMA_CPP,
    LmStudio "lmstudio" local::LMSTUDIO,
    Ollama "ollama" local::OLLAMA,
    Tgi "tgi" local::TGI,
}

/// A server.
struct Row {
    /// The formats that it speaks, and the base URL of each, to which the path of the provider's SDK is added. None where every installation has its own.
    apis: &'static [(Dialect, Option<&'static str>)],
    /// The names of its hosts; each stands for the names below it, too. A port of the local machine: `:11434`.
    hosts: &'static [&'static str],
    /// The environment variable of its key.
    key: Option<&'static str>,
    facts: ServerFacts,
    /// What differs in the formats of one family.
    on: &'static [(Dialect, ServerFacts)],
}

impl Row {
    const USUAL: Row = Row { apis: &[], hosts: &[], key: None, facts: ServerFacts::NONE, on: &[] };
}

impl Server {
    /// The name in options and documents.
    pub fn name(self) -> &'static str {
        self.word()
    }

    pub fn named(name: &str) -> Option<Server> {
        Server::ALL.iter().copied().find(|server| server.name() == name)
    }

    /// The servers, in the order of the table.
    pub fn all() -> &'static [Server] {
        Server::ALL
    }

    /// Whether this is the provider of OpenAI's formats itself.
    pub fn is_own(self) -> bool {
        self == Server::OpenAI
    }

    /// The formats that it speaks, each with the base URL to which the path of the provider's SDK is added, if it has one.
    pub fn apis(self) -> impl Iterator<Item = (Dialect, Option<&'static str>)> {
        self.row().apis.iter().copied()
    }

    /// The environment variable of its key.
    pub fn key(self) -> Option<&'static str> {
        self.row().key
    }

    /// What it accepts in a format.
    pub fn facts(self, dialect: Dialect) -> ServerFacts {
        let row = self.row();
        let on = row.on.iter().find(|(known, _)| *known == dialect.base());
        on.map_or(ServerFacts::NONE, |(_, facts)| *facts).over(row.facts)
    }
}

/// A server, or one that the table does not have: some facts on top of another one's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServerProfile {
    pub base: Server,
    /// What differs from the base.
    pub facts: ServerFacts,
}

impl From<Server> for ServerProfile {
    fn from(base: Server) -> ServerProfile {
        ServerProfile { base, facts: ServerFacts::NONE }
    }
}

impl ServerProfile {
    /// What the server accepts in a format that it speaks, as JSON: with the URL of that API, and the variable of its key.
    pub fn to_json(&self, dialect: Dialect) -> Option<String> {
        let (_, url) = self.base.apis().find(|(known, _)| *known == dialect)?;
        let mut members = String::new();
        for (name, text) in [("url", url), ("key", self.base.key())] {
            if let Some(text) = text {
                members.extend([",\"", name, "\":\"", text, "\""]);
            }
        }
        self.facts(dialect).put(&mut members);
        Some(["{", members.get(1..).unwrap_or_default(), "}"].concat())
    }

    /// What the server accepts in a format.
    pub fn facts(&self, dialect: Dialect) -> ServerFacts {
        self.facts.over(self.base.facts(dialect))
    }
}

/// What a profile may contain.
const PROFILE: &[&str] = &[
    "base",
    "tokenLimit",
    "developerRole",
    "strict",
    "jsonSchema",
    "reasoning",
    "efforts",
    "reasoningField",
    "reasoningStatus",
    "replay",
    "textAsString",
    "freeformTools",
    "toolChoices",
    "refused",
    "topK",
    "cacheMarks",
    "toolStream",
];

/// A name, or an object with a base and facts.
struct ProfileVisitor;

impl<'de> Visitor<'de> for ProfileVisitor {
    type Value = ServerProfile;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the name of a server, or an object")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<ServerProfile, E> {
        Server::named(name).map(ServerProfile::from).ok_or_else(|| de::Error::unknown_variant(name, Server::NAMES))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ServerProfile, A::Error> {
        let (mut base, mut facts) = (None, ServerFacts::NONE);
        let mut set = |name: &str, given: &Given| match name {
            "base" => Some(Server::of(given).map(|server| base = Some(server))),
            name => facts.set(name, given),
        };
        FactsVisitor { names: PROFILE, set: &mut set }.visit_map(map)?;
        let base = base.ok_or_else(|| de::Error::missing_field("base"))?;
        Ok(ServerProfile { base, facts })
    }
}

impl<'de> Deserialize<'de> for ServerProfile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ServerProfile, D::Error> {
        deserializer.deserialize_any(ProfileVisitor)
    }
}

#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen(typescript_custom_section)]
const SERVER_PROFILE: &str = r#"
/** A server that the table does not have (`docs/servers.md`): what differs from one of its rows. */
export interface ServerProfile extends ServerFacts {
    /** The server that it is most like. */
    base: Server;
}
"#;

#[cfg(test)]
mod tests {
    use super::{PROFILE, Server, ServerProfile, facts};
    use crate::models::words::Words;

    #[test]
    fn a_profile_may_contain_every_fact() {
        assert_eq!(PROFILE.get(1..), Some(facts::NAMES));
        assert_eq!(Server::NAMES.to_vec(), Server::ALL.iter().map(|server| server.name()).collect::<Vec<_>>());
    }

    #[test]
    fn a_profile_is_a_row_and_what_differs() {
        let profile: ServerProfile =
            serde_json::from_str(r#"{"base":"vllm","strict":false,"refused":["store","seed"]}"#).unwrap();
        assert_eq!((profile.base, profile.facts.strict), (Server::Vllm, Some(false)));
        assert!(serde_json::from_str::<ServerProfile>(r#"{"base":"vllm","strikt":false}"#).is_err());
        assert!(serde_json::from_str::<ServerProfile>(r#"{"strict":false}"#).is_err());
        assert!(serde_json::from_str::<ServerProfile>(r#""groqq""#).is_err());
    }

    #[test]
    fn fields_have_keys() {
        assert!(facts::Field::ALL.iter().all(|field| field.key().text() == field.word()));
    }
}
