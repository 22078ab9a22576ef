//! The wire formats: a folder for each family, with the same file names. A dialect reads its format into the model and writes the model in its
//! format. Three borrow from another: `universal` reads and writes pieces as `canonical` does, `openai_responses` has the errors of `openai`, and
//! `cohere` its texts and images. What differs between formats of a family is data ([`crate::format`]).

use crate::fit::responses::Required;
use crate::fit::tools::ToolFields;
use crate::format::Format;
use crate::model::{
    Assistant, Block, ChatError, Message, Metadata, Request, Response, Setting, Settings, Tool, ToolChoice,
};
use crate::run::{At, Dialect, Reading, Result, Run, SchemaUse, Writing};
use crate::schema::policy::Policy;
use crate::value::{Kind, Value, Word};
pub use shared::path::{of as path_of, write as write_path};
use shared::stream::{Decode, Encode};

pub(crate) mod anthropic;
#[cfg(feature = "all-formats")]
pub(crate) mod bedrock;
pub(crate) mod canonical;
#[cfg(feature = "all-formats")]
pub(crate) mod cohere;
pub(crate) mod gemini;
#[cfg(feature = "all-formats")]
pub(crate) mod gemini_interactions;
#[cfg(feature = "all-formats")]
pub(crate) mod ollama;
pub(crate) mod openai;
pub(crate) mod openai_responses;
pub(crate) mod shared;
#[cfg(feature = "all-formats")]
pub(crate) mod universal;

/// Makes a schema what the target accepts.
pub type WriteSchema = fn(&mut Run, Value, At, SchemaUse) -> Result<Value>;

/// What a target accepts of JSON Schema.
pub struct Schemas {
    pub tool: &'static Policy,
    pub strict_tool: &'static Policy,
    /// For the schema of a response.
    pub format: &'static Policy,
    pub strict_format: &'static Policy,
}

/// How schemas are fitted for a target.
pub enum SchemaFit {
    /// Any schema is accepted.
    None,
    ByPolicy(&'static Schemas),
    Own(WriteSchema),
}

/// The functions of a dialect, in the files of its folder.
pub struct Functions {
    /// How schemas are fitted for the target.
    pub schemas: SchemaFit,
    pub read_request: Read<Request>,
    /// Makes a request what the target accepts.
    pub fit_request: fn(&mut Run, &mut Request) -> Result<()>,
    /// Fits a request to the host and the API version that the options name.
    pub fit_host: Option<fn(&mut Run, &mut Request)>,
    /// Fits a request, or a piece of one, to the models of the target.
    pub fit_to_model: Option<fn(&mut Run, &mut Request, ToolFields)>,
    pub write_request: Write<Request>,
    pub read_response: Read<Response>,
    /// Makes a response what the target's clients accept.
    pub fit_response: fn(&mut Run, &mut Response) -> Result<()>,
    /// Makes a whole block of a streamed response what the target's clients accept. None if nothing is left of it.
    pub fit_block: fn(&mut Run, Block) -> Result<Option<Block>>,
    pub write_response: Write<Response>,
    /// What clients of the format require of another provider's response.
    required: fn(&Format) -> &'static Required,
    pub read_error: Read<ChatError>,
    pub write_error: Write<ChatError>,
    /// A reader of the dialect's streams, if it has streams. With `keeps`, it can return the whole response at the end.
    pub decoder: fn(bool) -> Option<Box<dyn Decode>>,
    /// A writer of the dialect's streams, if it has streams.
    pub encoder: fn() -> Option<Box<dyn Encode>>,
    /// An assistant message as in a response or request.
    pub read_assistant: fn(&mut Run, Value, At) -> Result<Assistant>,
    /// Fits messages that are converted on their own.
    pub fit_messages: fn(&mut Run, &mut Request) -> Result<()>,
    /// The wire fields that contain the messages, as an object.
    pub write_messages: Write<Request>,
    /// The array of tools. How tools were grouped is stored in the metadata.
    pub read_tools: fn(&mut Run, Value, At, &mut Metadata) -> Result<Vec<Tool>>,
    pub write_tools: Write<Request>,
    /// The wire form of a choice by itself.
    pub read_choice: fn(&mut Run, Value, At, &mut Request) -> Result<()>,
    pub write_choice: fn(&mut Run, (&ToolChoice, At), &Settings) -> Result<()>,
    /// Tools, choice and parallel control from an object that may have other fields.
    read_config: fn(&mut Run, &mut Reading, &mut Request) -> Result<()>,
    write_config: fn(&mut Run, &mut Writing, &Request) -> Result<()>,
    /// Fits tools and choice that are converted on their own.
    pub fit_tools: fn(&mut Run, &mut Request, ToolFields),
}

type Read<T> = fn(&mut Run, Value) -> Result<T>;
type Write<T> = fn(&mut Run, &T) -> Result<()>;

macro_rules! functions {
    ($(($variant:ident, $name:literal $title:literal, $module:ident :: $row:ident, $provider:expr $(, $($_functions:tt)+)?))+) => {
        /// The functions of a dialect.
        pub fn of(dialect: Dialect) -> &'static Functions {
            match dialect {
                $(Dialect::$variant => &Functions {
                    schemas: $module::SCHEMAS,
                    read_request: $module::request::read,
                    fit_request: $module::fit::request,
                    fit_host: $module::fit::HOST,
                    fit_to_model: $module::fit::MODEL,
                    write_request: $module::request::write,
                    read_response: $module::response::read,
                    fit_response: $module::fit::response,
                    fit_block: $module::fit::block,
                    write_response: $module::response::write,
                    required: $module::response::required,
                    read_error: $module::error::read,
                    write_error: $module::error::write,
                    decoder: $module::read_stream::decoder,
                    encoder: $module::write_stream::encoder,
                    read_assistant: $module::messages::read_assistant_value,
                    fit_messages: $module::fit::messages,
                    write_messages: $module::request::write_messages,
                    read_tools: $module::tools::read_tools,
                    write_tools: $module::tools::write_tools,
                    read_choice: $module::tools::read_choice,
                    write_choice: $module::tools::write_choice_alone,
                    read_config: $module::tools::read_config,
                    write_config: $module::tools::write_config,
                    fit_tools: $module::fit::tools,
                }),+
            }
        }
    };
}
crate::dialects!(functions);

/// The functions of the source.
pub fn source(run: &Run) -> &'static Functions {
    of(run.route.from)
}

/// The functions of the target.
pub fn target(run: &Run) -> &'static Functions {
    of(run.route.to)
}

/// What the target's clients require of another format's response.
pub fn required(run: &Run) -> &'static Required {
    required_by(run.route.to)
}

/// What clients of a format require of another format's response.
pub fn required_by(dialect: Dialect) -> &'static Required {
    (of(dialect).required)(dialect.format())
}

/// Reads tools, choice and parallel control from an object that may have other fields.
pub fn read_tool_config(run: &mut Run, body: Value) -> Result<Request> {
    let mut reading = run.object(body, At::ROOT)?;
    let mut request = Request::new(At::ROOT);
    (source(run).read_config)(run, &mut reading, &mut request)?;
    // callers may pass a whole request; apart from the tools, only the model matters
    if let Some((model, at)) = reading.take_at(run, Word::model)
        && run.store.kind(model) == Kind::String
    {
        request.settings.set(Setting::Model, model, at);
    }
    let _: Metadata = reading.rest();
    Ok(request)
}

/// Tools, choice and parallel control: the wire fields, as an object.
pub fn write_tool_config(run: &mut Run, request: &Request) -> Result<()> {
    let mut object = run.begin();
    (target(run).write_config)(run, &mut object, request)?;
    object.end(run, &Metadata::default(), request.at);
    Ok(())
}

/// Whether the message is a result. Used by writers that group results into turns.
pub fn is_result(message: &Message) -> bool {
    matches!(message, Message::Tool(_))
}
