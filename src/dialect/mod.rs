//! The wire formats: one folder each, with the same file names. A dialect reads its format into the model and writes the
//! model in its format; it knows no other dialect. What it can't take it declares as data ([`Limits`]).

use crate::model::{Assistant, ChatError, Message, Metadata, Request, Response, Setting, Settings, Tool, ToolChoice};
use crate::run::{At, Dialect, Provider, Reading, Result, Run, SchemaUse, Writing};
use crate::schema::policy::Policy;
use crate::value::{Kind, Value, Word};
use shared::stream::{Decode, Encode, Framing};

pub(crate) mod shared;

/// What a target demands of every conversation; shared code enforces it.
pub struct Limits {
    /// Characters in a call id at most; 0 is no limit.
    pub longest_id: usize,
    /// The key of a call's id; None where it stands deeper in what bears it.
    pub id_key: Option<Word>,
    /// Whether the ids of a response's calls carry Google's signatures to the client and back: the format has no other place.
    pub ids_carry_signatures: bool,
    /// The keys from a call to its arguments.
    pub arguments: &'static [Word],
    /// The key of an answer's id.
    pub answer_id: Word,
    /// Whether ids are made of `[a-zA-Z0-9_-]` only.
    pub plain_ids: bool,
    /// Characters in a tool name at most; 0 is no limit, on nothing.
    pub longest_name: usize,
    /// What a tool name may hold beside letters and digits of ASCII.
    pub name_marks: &'static str,
    /// Whether a tool name starts with a letter or an underscore.
    pub name_starts_with_letter: bool,
    /// Whether two tools of one name are refused.
    pub names_are_unique: bool,
    /// Whether tools have example arguments.
    pub input_examples: bool,
    /// Whether functions stand in namespaces, and calls say which.
    pub namespaces: bool,
    /// Whether results must stand in the order of their calls.
    pub results_in_call_order: bool,
    /// The key beside the provider's own fields in `metadata` that holds how this format wrote things: each format of a provider has one.
    pub form: Word,
    /// Fields and types that the provider's other formats have, and this one refuses, wherever they stand.
    pub foreign: &'static [&'static [Word]],
    /// Words whose keys clients may spell in snake case: lists, as the folders have them.
    pub snake_case: &'static [&'static [Word]],
    /// Fields of its answers that only it has a use for: losing them on the way to another changes nothing that was said.
    pub bookkeeping: &'static [Word],
    /// Fields of its answers that repeat what the request said: leaving them out loses nothing.
    pub echoes: &'static [Word],
    /// Whether a response can state why it failed.
    pub failed_responses: bool,
    /// What it takes of JSON Schema; None where the dialect's own writer sees to that.
    pub schemas: Option<&'static Schemas>,
    /// That writer.
    pub own_schema: Option<WriteSchema>,
}

impl Limits {
    /// None but those of JSON.
    pub const NONE: Limits = Limits {
        longest_id: 0,
        id_key: Some(Word::id),
        ids_carry_signatures: false,
        arguments: &[Word::arguments],
        answer_id: Word::id,
        plain_ids: false,
        longest_name: 0,
        name_marks: "_-",
        name_starts_with_letter: false,
        names_are_unique: false,
        input_examples: false,
        namespaces: false,
        results_in_call_order: false,
        form: Word::form,
        foreign: &[],
        snake_case: &[],
        bookkeeping: &[],
        echoes: &[],
        failed_responses: false,
        schemas: None,
        own_schema: None,
    };
}

impl Limits {
    pub fn is_foreign(&self, word: Word) -> bool {
        self.foreign.iter().any(|words| words.contains(&word))
    }
}

/// Makes a schema what the target takes.
pub type WriteSchema = fn(&mut Run, Value, At, SchemaUse) -> Result<Value>;

/// What a target takes of JSON Schema.
pub struct Schemas {
    pub tool: &'static Policy,
    pub strict_tool: &'static Policy,
    /// Of the answer.
    pub format: &'static Policy,
    pub strict_format: &'static Policy,
}

/// Whether a key under `metadata[provider]` holds the forms of one of its formats.
pub fn is_form(word: Word) -> bool {
    Dialect::ALL.iter().any(|dialect| limits(*dialect).form == word)
}

/// Whether a key under `metadata[provider]` is none of the provider's. A field of its own that is called so stands among the forms.
pub fn is_ours(word: Word) -> bool {
    word == Word::continues || is_form(word)
}

/// Whether a field of an answer of a provider's repeats what its request said; in the canonical format in whichever of its formats.
pub fn is_echo(from: Dialect, provider: Option<Provider>, word: Word) -> bool {
    let is_from = |dialect: &&Dialect| **dialect == from || from.provider().is_none() && dialect.provider() == provider;
    Dialect::ALL.iter().filter(is_from).any(|dialect| limits(*dialect).echoes.contains(&word))
}

/// Whether a field of an answer is one that its provider keeps for itself.
pub fn is_bookkeeping(word: Word) -> bool {
    Dialect::ALL.iter().any(|dialect| limits(*dialect).bookkeeping.contains(&word))
}

// Called by pointer, the dialects' functions are no part of one that chooses between them: engines compile what is called, whole.
type Read<T> = fn(&mut Run, Value) -> Result<T>;
type Write<T> = fn(&mut Run, &T) -> Result<()>;

macro_rules! dispatch {
    ($(($variant:ident, $name:literal, $module:ident, $provider:expr $(, $($_functions:tt)+)?))+) => {
        $(pub(crate) mod $module;)+

        pub fn limits(dialect: Dialect) -> &'static Limits {
            match dialect { $(Dialect::$variant => &$module::LIMITS),+ }
        }

        pub fn read_request(run: &mut Run, body: Value) -> Result<Request> {
            let read: Read<Request> = match run.from { $(Dialect::$variant => $module::request::read),+ };
            read(run, body)
        }

        pub fn write_request(run: &mut Run, request: &Request) -> Result<()> {
            let write: Write<Request> = match run.to { $(Dialect::$variant => $module::request::write),+ };
            write(run, request)
        }

        pub fn read_response(run: &mut Run, body: Value) -> Result<Response> {
            let read: Read<Response> = match run.from { $(Dialect::$variant => $module::response::read),+ };
            read(run, body)
        }

        pub fn write_response(run: &mut Run, response: &Response) -> Result<()> {
            let write: Write<Response> = match run.to { $(Dialect::$variant => $module::response::write),+ };
            write(run, response)
        }

        pub fn read_error(run: &mut Run, body: Value) -> Result<ChatError> {
            let read: Read<ChatError> = match run.from { $(Dialect::$variant => $module::error::read),+ };
            read(run, body)
        }

        pub fn write_error(run: &mut Run, error: &ChatError) -> Result<()> {
            let write: Write<ChatError> = match run.to { $(Dialect::$variant => $module::error::write),+ };
            write(run, error)
        }

        /// A reader of the dialect's streams, if it has any; `keeps` asks it for the whole answer at the end.
        pub fn decoder(dialect: Dialect, keeps: bool) -> Option<Box<dyn Decode>> {
            match dialect { $(Dialect::$variant => $module::read_stream::decoder(keeps)),+ }
        }

        /// A writer of the dialect's streams, if it has any.
        pub fn encoder(dialect: Dialect) -> Option<Box<dyn Encode>> {
            match dialect { $(Dialect::$variant => $module::write_stream::encoder()),+ }
        }

        pub fn framing(dialect: Dialect) -> Framing {
            match dialect { $(Dialect::$variant => $module::FRAMING),+ }
        }

        /// Path and query for a request in whatever format, as a string.
        pub fn write_path(run: &mut Run, request: Value) -> Result<()> {
            match run.to { $(Dialect::$variant => shared::path::write(run, &$module::path::ENDPOINTS, request)),+ }
        }

        /// One assistant message as it stands in a response or request.
        pub fn read_assistant(run: &mut Run, message: Value) -> Result<Assistant> {
            match run.from { $(Dialect::$variant => $module::messages::read_assistant_value(run, message, At::ROOT)),+ }
        }

        /// The wire fields that hold the messages, as an object.
        pub fn write_messages(run: &mut Run, request: &Request) -> Result<()> {
            let write: Write<Request> = match run.to { $(Dialect::$variant => $module::request::write_messages),+ };
            write(run, request)
        }

        /// The array of tools; how it was grouped goes to `metadata`.
        pub fn read_tools(
            run: &mut Run,
            tools: Value,
            metadata: &mut Metadata,
        ) -> Result<Vec<Tool>> {
            match run.from { $(Dialect::$variant => $module::tools::read_tools(run, tools, At::ROOT, metadata)),+ }
        }

        /// The wire form of a choice alone.
        pub fn read_choice(run: &mut Run, choice: Value, request: &mut Request) -> Result<()> {
            match run.from { $(Dialect::$variant => $module::tools::read_choice(run, choice, At::ROOT, request)),+ }
        }

        /// Tools, choice and parallel control out of an object that may hold more.
        pub fn read_tool_config(run: &mut Run, body: Value) -> Result<Request> {
            let read: fn(&mut Run, &mut Reading, &mut Request) -> Result<()> =
                match run.from { $(Dialect::$variant => $module::tools::read_config),+ };
            let mut reading = run.object(body, At::ROOT)?;
            let mut request = Request::new(At::ROOT);
            read(run, &mut reading, &mut request)?;
            // callers may pass their whole request: of the rest only the model decides on tools
            if let Some((model, at)) = reading.take_at(run, Word::model)
                && run.store.kind(model) == Kind::String
            {
                request.settings.set(Setting::Model, model, at);
            }
            let _: Metadata = reading.rest();
            Ok(request)
        }

        /// The array of tools.
        pub fn write_tools(run: &mut Run, request: &Request) -> Result<()> {
            let write: Write<Request> = match run.to { $(Dialect::$variant => $module::tools::write_tools),+ };
            write(run, request)
        }

        /// The wire form of a choice alone.
        pub fn write_choice(run: &mut Run, choice: (&ToolChoice, At), settings: &Settings) -> Result<()> {
            match run.to { $(Dialect::$variant => $module::tools::write_choice_alone(run, choice, settings)),+ }
        }

        /// Tools, choice and parallel control together: the wire fields, as an object.
        pub fn write_tool_config(run: &mut Run, request: &Request) -> Result<()> {
            let write: fn(&mut Run, &mut Writing, &Request) -> Result<()> =
                match run.to { $(Dialect::$variant => $module::tools::write_config),+ };
            let mut object = run.begin();
            write(run, &mut object, request)?;
            object.end(run, &Metadata::default(), request.at);
            Ok(())
        }
    };
}
crate::dialects!(dispatch);

/// Whether a result belongs to the turn: used by writers that group.
pub fn is_result(message: &Message) -> bool {
    matches!(message, Message::Tool(_))
}
