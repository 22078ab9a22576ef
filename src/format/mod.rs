//! What each wire format is like, as data: a row for each dialect, in the file of its family. The code that reads and writes a family's formats is in
//! the folder of the same name in `src/dialect`; shared code enforces what a row requires. A format that is nearly the same as another is a row
//! beside it (Vertex AI beside Gemini).

mod anthropic;
mod bedrock;
mod canonical;
mod cohere;
pub mod defaults;
mod dialect;
mod gemini;
mod gemini_interactions;
mod ollama;
mod openai;
mod openai_responses;
mod settings;
mod transport;
#[macro_use]
mod trial;
mod universal;

pub use dialect::{Dialect, Provider};
pub use openai_responses::HOSTED_ITEMS;
pub use settings::{Row, Setting, Shape, Values};
pub use transport::{Endpoint, Endpoints, Framing, ModelName};

use crate::value::Word;

/// A wire format.
#[derive(Clone, Copy)]
pub struct Format {
    /// How a request's path is made.
    pub endpoints: Endpoints,
    /// How streams are framed.
    pub framing: Framing,
    /// The key of the messages of a request.
    pub messages: Word,
    /// The keys that lead to the tools of a request.
    pub tools: &'static [Word],
    /// The keys from a call to its arguments.
    pub arguments: &'static [Word],
    /// The settings that requests have here. Those without a row are dropped with a warning.
    pub settings: &'static [Row],
    /// The key of a response's id.
    pub response_id: Word,
    /// The key of a call's id; `None` if it is deeper in the object of the call.
    pub id_key: Option<Word>,
    /// How tools and tool choices state their type, in OpenAI's formats.
    pub layout: Option<Layout>,
    /// Whether clients may keep each chunk of a stream as a message.
    pub chunks_as_messages: bool,
    /// The key under `metadata[provider]` of the forms of this format. Each format of a provider has its own.
    pub form: Word,
    /// Whether parts and calls carry signatures (`thoughtSignature`), which the servers require back. Any server of such a format gets them.
    pub signatures: bool,
    /// Whether all reasoning is signed. What has no signature comes from a server of another format.
    pub signs_reasoning: bool,
    /// Whether media state their kind. If not, it follows from the media type.
    pub media_kinds: bool,
    /// Words whose keys clients may spell in snake case, and those of settings with them. The servers then also read a lone object as a list of one.
    pub snake_case: &'static [&'static [Word]],
    /// Keys and values that this server spells in another way than the family: the family's word, then its own.
    pub spellings: &'static [(Word, Word)],
    /// Fields and types that only the provider's other formats have, or other formats of the family. This one rejects them wherever they are.
    pub foreign: &'static [&'static [Word]],
    /// Fields of responses that are of use to the provider's own clients only. Losing them loses no content.
    pub bookkeeping: &'static [Word],
    /// Fields of responses that repeat fields of the request. Leaving them out loses nothing.
    pub echoes: &'static [Word],
    /// Fields of requests that refer to what is stored elsewhere.
    pub stored: &'static [Word],
    /// Those of them that refer to earlier messages.
    pub stored_messages: &'static [Word],
    /// How a client asks for a conversation that is not stored, after the advice to send the whole one.
    pub stores_nothing: &'static str,
    /// Fields of requests that only the API of the provider itself has: neither clouds that host its models, nor other servers of the format.
    pub own_only: &'static [Word],
    /// Items that refer to what is stored elsewhere, or that only the provider can read.
    pub stored_items: &'static [Word],
    /// Finish reasons of responses that are still being made.
    pub unfinished: &'static [Word],
    /// How clients ask for the reasoning.
    pub asks: Asks,
    /// Where responses explain a refusal.
    pub explains: Explains,
    /// Whether other servers than the provider's have it, which the option `server` names.
    pub has_servers: bool,
    /// How clients return the state of reasoning.
    pub opaque: Opaque,
    /// Whether contents are lists of chunks as Mistral has them: with reasoning, and with media in a shape of their own.
    pub chunks: bool,
    /// Whether an assistant message at the end, which the model continues, is marked (`prefix`).
    pub prefix: bool,
    /// Whether streams have each call in one piece. In the family of Chat Completions, calls then state their index.
    pub whole_calls: bool,
    /// Whether every response has a usage, which is in the last chunk of a stream.
    pub always_counts: bool,
    /// Whether Vertex AI serves the format: it accepts other fields than the API of the model's vendor.
    pub is_vertex: bool,
    /// Whether the servers have models of many providers.
    pub hosts_models: bool,
    /// The field that marks what may be cached.
    pub cache_mark: Option<Word>,
    /// For a format that belongs to no provider: the key of the state of all providers.
    pub state_of_all: Option<Word>,
    /// Whether requests may be parts of a conversation.
    pub is_partial: bool,
    pub limits: Limits,
}

/// Objects that state their type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// `{type, [type]: {…}}`, where a missing type is `function`.
    Nested,
    /// `{type, …}`.
    Flat,
}

/// How clients of a format ask for the reasoning text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    /// With a setting of its own.
    Explicitly,
    /// By turning thinking on, unless they want its text omitted.
    ByThinking,
    /// They can't, and get it always.
    Never,
}

/// Where the responses of a format explain a refusal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Explains {
    Never,
    /// In a part of the message.
    InMessage,
    /// In an object under this key.
    Details(Word),
    /// In this field of the object under this key.
    Inside(Word, Word),
}

/// How the clients of a format return state of reasoning, which they can't read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Opaque {
    /// They don't.
    Never,
    /// Unchanged, as any text; state without a text is redacted reasoning.
    Text,
    /// Unchanged, as base64.
    Base64,
    /// In a list beside the text, if they keep fields that they do not know (`reasoning_details`).
    Details,
}

/// What a format requires of the requests that are written in it.
#[derive(Clone, Copy)]
pub struct Limits {
    /// What the family has and this format lacks, by wire key: settings, or an object that contains some; `strict` of tools. They are dropped with a
    /// warning.
    pub missing: &'static [Word],
    /// Minimum length of a call id.
    pub shortest_id: usize,
    /// Maximum length of a call id; 0: unlimited.
    pub longest_id: usize,
    /// The characters of call ids beside letters and digits; None: any.
    pub id_marks: Option<&'static str>,
    /// Whether the ids of a response's calls carry Google's signatures to the client and back: the format has no other place.
    pub ids_carry_signatures: bool,
    /// Maximum length of a tool name; 0: unlimited, with any characters.
    pub longest_name: usize,
    /// The characters of tool names beside ASCII letters and digits.
    pub name_marks: &'static str,
    /// Whether a tool name starts with a letter or an underscore.
    pub name_starts_with_letter: bool,
    /// Whether two tools of the same name are rejected.
    pub names_are_unique: bool,
    /// Whether tools have example arguments.
    pub input_examples: bool,
    /// Whether tools are grouped in namespaces that calls refer to.
    pub namespaces: bool,
    /// Whether results must be in the order of their calls.
    pub results_in_call_order: bool,
    /// Whether results that are errors contain text only, while others can contain media. Media of errors follow the results, behind a label.
    pub errors_are_text: bool,
    /// Whether a call in a request may consist of several parts, each with some of the arguments.
    pub calls_in_pieces: bool,
    /// Whether a response can state why it failed.
    pub failed_responses: bool,
    /// Whether a tool without parameters is rejected.
    pub requires_parameters: bool,
    /// How many properties the schemas of all strict tools have at most; 0: any number.
    pub most_strict_properties: usize,
    /// The highest reasoning effort that requests may state.
    pub highest_effort: Word,
}

impl Limits {
    /// The limits of JSON only.
    pub const NONE: Limits = Limits {
        missing: &[],
        shortest_id: 0,
        longest_id: 0,
        id_marks: None,
        ids_carry_signatures: false,
        longest_name: 0,
        name_marks: "_-",
        name_starts_with_letter: false,
        names_are_unique: false,
        input_examples: false,
        namespaces: false,
        results_in_call_order: false,
        errors_are_text: false,
        calls_in_pieces: false,
        failed_responses: false,
        requires_parameters: false,
        most_strict_properties: 0,
        highest_effort: Word::max,
    };

    /// Whether ids carry signatures and may have the characters for that.
    pub fn can_carry_signatures(&self) -> bool {
        self.ids_carry_signatures && self.id_marks.is_none_or(|marks| marks.contains('_') && marks.contains('-'))
    }
}

impl Format {
    /// The defaults of a row.
    pub const USUAL: Format = Format {
        endpoints: Endpoints::NONE,
        framing: Framing::EVENTS,
        messages: Word::messages,
        tools: &[Word::tools],
        arguments: &[Word::arguments],
        settings: &[],
        response_id: Word::id,
        id_key: Some(Word::id),
        layout: None,
        chunks_as_messages: false,
        form: Word::form,
        signatures: false,
        signs_reasoning: false,
        media_kinds: true,
        snake_case: &[],
        spellings: &[],
        foreign: &[],
        bookkeeping: &[],
        echoes: &[],
        stored: &[],
        stored_messages: &[],
        stores_nothing: "",
        own_only: &[],
        stored_items: &[],
        unfinished: &[],
        asks: Asks::Explicitly,
        explains: Explains::Never,
        has_servers: false,
        opaque: Opaque::Never,
        chunks: false,
        prefix: false,
        whole_calls: false,
        always_counts: false,
        is_vertex: false,
        hosts_models: false,
        cache_mark: None,
        state_of_all: None,
        is_partial: false,
        limits: Limits::NONE,
    };

    /// How this server spells a word of the family.
    pub fn spelled(&self, word: Word) -> Word {
        self.spellings.iter().find(|(family, _)| *family == word).map_or(word, |(_, own)| *own)
    }

    /// The family's word for a word of this server.
    pub fn meant(&self, word: Word) -> Word {
        self.spellings.iter().find(|(_, own)| *own == word).map_or(word, |(family, _)| *family)
    }

    /// The rows of the settings inside the object to which these keys lead.
    pub fn settings_in(&self, object: &'static [Word]) -> impl Iterator<Item = (Setting, Word, Values)> + use<> {
        self.settings.iter().filter_map(move |(setting, path, values)| {
            let (key, parents) = path.split_last()?;
            (parents == object).then_some((*setting, *key, *values))
        })
    }

    /// Whether clients may spell the key in snake case.
    pub fn has_snake_case(&self, word: Word) -> bool {
        let is_listed = self.snake_case.iter().any(|list| list.contains(&word));
        is_listed || !self.snake_case.is_empty() && self.settings.iter().any(|(_, path, _)| path.contains(&word))
    }

    /// Whether requests have a setting here: all keys that it requires. For reasoning, any part of it.
    pub fn has(&self, setting: Setting) -> bool {
        if setting == Setting::Reasoning {
            return Setting::REASONING.iter().any(|part| self.has(*part));
        }
        let mut keys =
            self.settings.iter().filter(|(known, _, _)| *known == setting).map(|(_, path, _)| path).peekable();
        keys.peek().is_some() && !keys.any(|path| path.iter().any(|word| self.limits.missing.contains(word)))
    }

    /// Whether this format lacks a field or type that the provider's other formats have.
    pub fn is_foreign(&self, word: Word) -> bool {
        self.foreign.iter().any(|words| words.contains(&word)) || self.limits.missing.contains(&word)
    }
}

fn formats() -> impl Iterator<Item = &'static Format> {
    Dialect::ALL.iter().map(|dialect| dialect.format())
}

/// The dialects of a provider.
pub fn formats_of(provider: Provider) -> impl Iterator<Item = Dialect> {
    Dialect::ALL.iter().copied().filter(move |dialect| dialect.provider() == Some(provider))
}

/// Whether a key under `metadata[provider]` contains the forms of one of its formats.
pub fn is_form(word: Word) -> bool {
    formats().any(|format| format.form == word)
}

/// Whether a key under `metadata[provider]` is not a field of the provider. A field of the provider with such a name is kept with the forms.
pub fn is_reserved(word: Word) -> bool {
    word == Word::continues || is_form(word)
}

/// Whether a field of a provider's response repeats a field of its request. The canonical format does not state which of the provider's formats the
/// response had, so all of them count.
pub fn is_echo(from: Dialect, provider: Option<Provider>, word: Word) -> bool {
    let is_from = |dialect: &&Dialect| **dialect == from || from.provider().is_none() && dialect.provider() == provider;
    Dialect::ALL.iter().filter(is_from).any(|dialect| dialect.format().echoes.contains(&word))
}

/// Whether a finish reason states that the response is still being made.
pub fn is_unfinished(word: Word) -> bool {
    formats().any(|format| format.unfinished.contains(&word))
}

/// Whether a field of a response is of use to its provider's own clients only.
pub fn is_bookkeeping(word: Word) -> bool {
    formats().any(|format| format.bookkeeping.contains(&word))
}

/// Fictitious servers, for tests.
#[cfg(test)]
pub mod instead {
    use super::{Dialect, Format};
    use std::cell::Cell;

    thread_local! {
        static INSTEAD: Cell<Option<(Dialect, &'static Format)>> = const { Cell::new(None) };
    }

    pub fn of(dialect: Dialect) -> Option<&'static Format> {
        INSTEAD.get().filter(|(other, _)| *other == dialect).map(|(_, format)| format)
    }

    /// Runs a test with another format in place of that of `dialect`.
    pub fn with<T>(dialect: Dialect, format: Format, test: impl FnOnce() -> T) -> T {
        INSTEAD.set(Some((dialect, Box::leak(Box::new(format)))));
        let result = test();
        INSTEAD.set(None);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::{Dialect, Format, Limits, Word};

    #[test]
    fn a_server_may_spell_words_otherwise() {
        let server =
            Format { spellings: &[(Word::required, Word::any), (Word::developer, Word::system)], ..Format::USUAL };
        assert_eq!([server.spelled(Word::required), server.meant(Word::any)], [Word::any, Word::required]);
        assert_eq!([server.spelled(Word::auto), server.meant(Word::auto)], [Word::auto; 2]);
    }

    /// The types of a format are written by hand (`docs/adding-a-dialect.md`).
    #[test]
    fn every_setting_is_declared() {
        for dialect in Dialect::ALL.iter().filter(|dialect| dialect.provider().is_some()) {
            let file = |name: &str| format!("{}/src/format/{name}.d.ts", env!("CARGO_MANIFEST_DIR"));
            // types of its own, or those of its sibling
            let files = [file(dialect.name()), file(dialect.folder())];
            let file = files.iter().find(|file| std::fs::exists(file).unwrap()).unwrap();
            let declarations = std::fs::read_to_string(file).unwrap();
            for (setting, path, _) in dialect.format().settings {
                let is_declared =
                    |key: &Word| [":", "?:"].iter().any(|mark| declarations.contains(&[key.text(), *mark].concat()));
                assert!(path.iter().all(is_declared), "{file} does not declare {setting:?}: {path:?}");
            }
        }
    }

    #[test]
    fn the_families_of_a_provider_have_forms_of_their_own() {
        for one in Dialect::ALL.iter().filter(|one| one.provider().is_some()) {
            for other in Dialect::ALL.iter().filter(|other| other.provider() == one.provider()) {
                assert_eq!(one.base() == other.base(), one.format().form == other.format().form, "{one:?}, {other:?}");
            }
        }
    }

    #[test]
    fn ids_carry_signatures_if_they_may_have_the_characters() {
        let can_carry =
            |id_marks| Limits { ids_carry_signatures: true, id_marks, ..Limits::NONE }.can_carry_signatures();
        assert_eq!([None, Some("_-"), Some("_"), Some("")].map(can_carry), [true, true, false, false]);
    }
}
