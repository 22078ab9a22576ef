//! The dialects by name (`docs/adding-a-dialect.md`).

use super::Format;
use crate::value::Word;
use serde::{Deserialize, Serialize, Serializer};

/// Passes the table of dialects to another macro. Each row: variant, name, the name that people use, the folder with its code, its data in that
/// folder's file in `src/format`, and provider. For dialects with functions of their own, also: their name in Rust and in JavaScript, the name of the
/// format in their documentation, and a link to the provider's documentation. `as Sibling`: the TypeScript types are those of the sibling, under
/// names of their own. Without it, they are declared in `src/format/<name in Rust>.d.ts`. The feature `all-formats`
/// adds the rows of `with_others!`, and `trial` those in `src/format/trial.rs`.
#[macro_export]
macro_rules! dialects {
    ($callback:ident) => {
        $crate::with_others! { $callback
            (Canonical, "canonical" "Canonical", canonical::FORMAT, None)
            (OpenAI, "openai" "OpenAI", openai::FORMAT, Some(Provider::OpenAI), openai OpenAI "OpenAI Chat Completions"
                "https://developers.openai.com/api/reference/resources/chat/subresources/completions")
            (Mistral, "mistral" "Mistral", openai::MISTRAL, Some(Provider::Mistral), mistral Mistral "Mistral's chat API"
                "https://docs.mistral.ai/api/endpoint/chat")
            (OpenAIResponses, "openai-responses" "OpenAI Responses", openai_responses::FORMAT, Some(Provider::OpenAI),
                openai_responses OpenAIResponses "OpenAI Responses" "https://developers.openai.com/api/reference/resources/responses")
            (Anthropic, "anthropic" "Anthropic", anthropic::FORMAT, Some(Provider::Anthropic), anthropic Anthropic "Anthropic Messages"
                "https://platform.claude.com/docs/en/api/messages")
            (Gemini, "gemini" "Gemini", gemini::FORMAT, Some(Provider::Google), gemini Gemini "the Gemini API"
                "https://ai.google.dev/api/generate-content")
            (VertexAI, "vertexai" "Vertex AI", gemini::VERTEX_AI, Some(Provider::Google), vertexai VertexAI "Gemini on Vertex AI"
                "https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference" as Gemini)
        }
    };
}

/// Passes the table of dialects on, without the other formats: for `toolwire/common`.
#[macro_export]
#[cfg(not(feature = "all-formats"))]
macro_rules! with_others {
    ($callback:ident $($row:tt)+) => { $crate::with_trial! { $callback $($row)+ } };
}

/// Passes the table of dialects on, with the other formats.
#[macro_export]
#[cfg(feature = "all-formats")]
macro_rules! with_others {
    ($callback:ident $($row:tt)+) => {
        $crate::with_trial! { $callback $($row)+
            (Cohere, "cohere" "Cohere", cohere::FORMAT, Some(Provider::Cohere), cohere Cohere "Cohere's chat API"
                "https://docs.cohere.com/reference/chat")
            (Bedrock, "bedrock" "Bedrock", bedrock::FORMAT, Some(Provider::Bedrock), bedrock Bedrock "Amazon Bedrock Converse"
                "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html")
            (GeminiInteractions, "gemini-interactions" "Gemini Interactions", gemini_interactions::FORMAT, Some(Provider::Google),
                gemini_interactions GeminiInteractions "Gemini Interactions" "https://ai.google.dev/gemini-api/docs/interactions")
            (Ollama, "ollama" "Ollama", ollama::FORMAT, Some(Provider::Ollama), ollama Ollama "Ollama's chat API"
                "https://github.com/ollama/ollama/blob/main/docs/api.md")
            (Universal, "universal" "Universal", universal::FORMAT, None)
        }
    };
}

macro_rules! define {
    ($(($variant:ident, $name:literal $title:literal, $folder:ident :: $row:ident, $provider:expr $(, $($_functions:tt)+)?))+) => {
        /// A wire format. `canonical` is this package's own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
        pub enum Dialect { $(#[serde(rename = $name)] $variant),+ }

        impl Serialize for Dialect {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl Dialect {
            pub const ALL: &'static [Dialect] = &[$(Dialect::$variant),+];
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// What the format is like.
            pub(crate) fn format(self) -> &'static Format {
                #[cfg(test)]
                if let Some(format) = super::instead::of(self) {
                    return format;
                }
                match self { $(Dialect::$variant => &super::$folder::$row),+ }
            }

            /// The name in options and warnings.
            pub fn name(self) -> &'static str {
                match self { $(Dialect::$variant => $name),+ }
            }

            /// The name that people use.
            pub fn title(self) -> &'static str {
                match self { $(Dialect::$variant => $title),+ }
            }

            /// The folder with its code.
            pub(super) fn folder(self) -> &'static str {
                match self { $(Dialect::$variant => stringify!($folder)),+ }
            }

            /// The provider whose state this dialect reads and writes; none for the canonical format.
            pub fn provider(self) -> Option<Provider> {
                match self { $(Dialect::$variant => $provider),+ }
            }

            pub fn of(name: &str) -> Option<Dialect> {
                Dialect::ALL.iter().copied().find(|dialect| dialect.name() == name)
            }
        }
    };
}
dialects!(define);

impl Dialect {
    /// The first dialect of the family, whoever its provider is. The others differ from it in data only.
    pub fn base(self) -> Dialect {
        Dialect::ALL.iter().copied().find(|other| other.folder() == self.folder()).unwrap_or(self)
    }
}

/// Who serves a dialect: the key of state that only its servers understand, and the issuer of reasoning. It may have dialects of several families, and
/// a family those of several providers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    OpenAI,
    Anthropic,
    Google,
    Bedrock,
    Mistral,
    Cohere,
    Ollama,
    Mcp,
    #[cfg(feature = "trial")]
    Trial,
    #[cfg(feature = "trial")]
    TrialChat,
    #[cfg(feature = "trial")]
    TrialMessages,
}

impl Provider {
    /// Where nothing states the provider.
    pub const USUAL: Provider = Provider::OpenAI;

    const WORDS: &[(Word, Provider)] = &[
        (Word::openai, Provider::OpenAI),
        (Word::anthropic, Provider::Anthropic),
        (Word::google, Provider::Google),
        (Word::bedrock, Provider::Bedrock),
        (Word::mistral, Provider::Mistral),
        (Word::cohere, Provider::Cohere),
        (Word::ollama, Provider::Ollama),
        (Word::mcp, Provider::Mcp),
        #[cfg(feature = "trial")]
        (Word::trial, Provider::Trial),
        #[cfg(feature = "trial")]
        (Word::trialchat, Provider::TrialChat),
        #[cfg(feature = "trial")]
        (Word::trialmessages, Provider::TrialMessages),
    ];

    /// The format of the provider's first dialect, if it has any.
    fn format(self) -> Option<&'static Format> {
        let first = Dialect::ALL.iter().find(|dialect| dialect.provider() == Some(self));
        first.map(|dialect| dialect.format())
    }

    /// Whether the provider's own format is one of OpenAI's. Any client may see such a provider's reasoning.
    pub fn has_openai_format(self) -> bool {
        self.format().is_some_and(|format| format.layout.is_some())
    }

    /// The provider whose formats have signatures of calls.
    pub fn signing_calls() -> Option<Provider> {
        let signing = Dialect::ALL.iter().find(|dialect| dialect.format().signatures);
        signing.and_then(|dialect| dialect.provider())
    }

    /// Whether the provider signs all of its reasoning.
    pub fn signs_reasoning(self) -> bool {
        self.format().is_some_and(|format| format.signs_reasoning)
    }

    pub fn of(word: Word) -> Option<Provider> {
        Provider::WORDS.iter().find(|(known, _)| *known == word).map(|(_, provider)| *provider)
    }

    /// The provider's name, which is its key in `metadata`.
    pub fn word(self) -> Word {
        Provider::WORDS.iter().find(|(_, known)| *known == self).map_or(Word::Unknown, |(word, _)| *word)
    }
}
