//! The wire formats: a folder for each family, with the same file names. A dialect reads its format into the model and writes the model in its
//! format. No dialect depends on another. What differs between formats of a family is data ([`crate::format`]).

use crate::fit::responses::Required;
use crate::fit::tools::Part;
use crate::model::{
    Assistant, Block, ChatError, Message, Metadata, Request, Response, Setting, Settings, Tool, ToolChoice,
};
use crate::run::{At, Dialect, Reading, Result, Run, SchemaUse, Writing};
use crate::schema::policy::Policy;
use crate::value::{Kind, Value, Word};
pub use shared::path::write as write_path;
use shared::stream::{Decode, Encode};

pub(crate) mod anthropic;
pub(crate) mod canonical;
pub(crate) mod gemini;
pub(crate) mod ollama;
pub(crate) mod openai;
pub(crate) mod openai_responses;
pub(crate) mod shared;
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

// Calls go through pointers, so that the dialects' functions are not inlined into a dispatching function: engines compile whole functions when they
// are first called.
type Read<T> = fn(&mut Run, Value) -> Result<T>;
type Write<T> = fn(&mut Run, &T) -> Result<()>;
type Fit = fn(&mut Run, &mut Request) -> Result<()>;

macro_rules! dispatch {
    ($(($variant:ident, $name:literal $title:literal, $module:ident :: $row:ident, $provider:expr $(, $($_functions:tt)+)?))+) => {
        /// How schemas are fitted for the target.
        pub fn schemas(dialect: Dialect) -> SchemaFit {
            match dialect { $(Dialect::$variant => $module::SCHEMAS),+ }
        }

        pub fn read_request(run: &mut Run, body: Value) -> Result<Request> {
            let read: Read<Request> = match run.route.from { $(Dialect::$variant => $module::request::read),+ };
            read(run, body)
        }

        /// Makes a request what the target accepts.
        pub fn fit_request(run: &mut Run, request: &mut Request) -> Result<()> {
            let fit: Fit = match run.route.to { $(Dialect::$variant => $module::fit::request),+ };
            fit(run, request)
        }

        /// Fits a request to the host and the API version that the options name.
        pub fn fit_host(run: &mut Run, request: &mut Request) {
            let fit: Option<fn(&mut Run, &mut Request)> = match run.route.to { $(Dialect::$variant => $module::fit::HOST),+ };
            if let Some(fit) = fit {
                fit(run, request);
            }
        }

        /// Fits messages that are converted on their own.
        pub fn fit_messages(run: &mut Run, request: &mut Request) -> Result<()> {
            let fit: Fit = match run.route.to { $(Dialect::$variant => $module::fit::messages),+ };
            fit(run, request)
        }

        /// Fits tools and choice that are converted on their own.
        pub fn fit_tools(run: &mut Run, request: &mut Request, part: Part) {
            let fit: fn(&mut Run, &mut Request, Part) = match run.route.to { $(Dialect::$variant => $module::fit::tools),+ };
            fit(run, request, part);
        }

        pub fn write_request(run: &mut Run, request: &Request) -> Result<()> {
            let write: Write<Request> = match run.route.to { $(Dialect::$variant => $module::request::write),+ };
            write(run, request)
        }

        pub fn read_response(run: &mut Run, body: Value) -> Result<Response> {
            let read: Read<Response> = match run.route.from { $(Dialect::$variant => $module::response::read),+ };
            read(run, body)
        }

        /// Makes a response what the target's clients accept.
        pub fn fit_response(run: &mut Run, response: &mut Response) -> Result<()> {
            let fit: fn(&mut Run, &mut Response) -> Result<()> =
                match run.route.to { $(Dialect::$variant => $module::fit::response),+ };
            fit(run, response)
        }

        /// Makes a whole block of a streamed response what the target's clients accept. None if nothing is left of it.
        pub fn fit_block(run: &mut Run, block: Block) -> Result<Option<Block>> {
            let fit: fn(&mut Run, Block) -> Result<Option<Block>> =
                match run.route.to { $(Dialect::$variant => $module::fit::block),+ };
            fit(run, block)
        }

        /// What the dialect's clients require of responses.
        pub fn required(dialect: Dialect) -> &'static Required {
            match dialect { $(Dialect::$variant => $module::response::REQUIRED),+ }
        }

        pub fn write_response(run: &mut Run, response: &Response) -> Result<()> {
            let write: Write<Response> = match run.route.to { $(Dialect::$variant => $module::response::write),+ };
            write(run, response)
        }

        pub fn read_error(run: &mut Run, body: Value) -> Result<ChatError> {
            let read: Read<ChatError> = match run.route.from { $(Dialect::$variant => $module::error::read),+ };
            read(run, body)
        }

        pub fn write_error(run: &mut Run, error: &ChatError) -> Result<()> {
            let write: Write<ChatError> = match run.route.to { $(Dialect::$variant => $module::error::write),+ };
            write(run, error)
        }

        /// A reader of the dialect's streams, if it has streams. With `keeps`, it can return the whole response at the end.
        pub fn decoder(dialect: Dialect, keeps: bool) -> Option<Box<dyn Decode>> {
            match dialect { $(Dialect::$variant => $module::read_stream::decoder(keeps)),+ }
        }

        /// A writer of the dialect's streams, if it has streams.
        pub fn encoder(dialect: Dialect) -> Option<Box<dyn Encode>> {
            match dialect { $(Dialect::$variant => $module::write_stream::encoder()),+ }
        }

        /// An assistant message as in a response or request.
        pub fn read_assistant(run: &mut Run, message: Value) -> Result<Assistant> {
            match run.route.from { $(Dialect::$variant => $module::messages::read_assistant_value(run, message, At::ROOT)),+ }
        }

        /// The wire fields that contain the messages, as an object.
        pub fn write_messages(run: &mut Run, request: &Request) -> Result<()> {
            let write: Write<Request> = match run.route.to { $(Dialect::$variant => $module::request::write_messages),+ };
            write(run, request)
        }

        /// The array of tools. How tools were grouped is stored in `metadata`.
        pub fn read_tools(
            run: &mut Run,
            tools: Value,
            metadata: &mut Metadata,
        ) -> Result<Vec<Tool>> {
            match run.route.from { $(Dialect::$variant => $module::tools::read_tools(run, tools, At::ROOT, metadata)),+ }
        }

        /// The wire form of a choice by itself.
        pub fn read_choice(run: &mut Run, choice: Value, request: &mut Request) -> Result<()> {
            match run.route.from { $(Dialect::$variant => $module::tools::read_choice(run, choice, At::ROOT, request)),+ }
        }

        /// Tools, choice and parallel control from an object that may have other fields.
        pub fn read_tool_config(run: &mut Run, body: Value) -> Result<Request> {
            let read: fn(&mut Run, &mut Reading, &mut Request) -> Result<()> =
                match run.route.from { $(Dialect::$variant => $module::tools::read_config),+ };
            let mut reading = run.object(body, At::ROOT)?;
            let mut request = Request::new(At::ROOT);
            read(run, &mut reading, &mut request)?;
            // callers may pass a whole request; apart from the tools, only the model matters
            if let Some((model, at)) = reading.take_at(run, Word::model)
                && run.store.kind(model) == Kind::String
            {
                request.settings.set(Setting::Model, model, at);
            }
            let _: Metadata = reading.rest();
            Ok(request)
        }

        pub fn write_tools(run: &mut Run, request: &Request) -> Result<()> {
            let write: Write<Request> = match run.route.to { $(Dialect::$variant => $module::tools::write_tools),+ };
            write(run, request)
        }

        /// The wire form of a choice by itself.
        pub fn write_choice(run: &mut Run, choice: (&ToolChoice, At), settings: &Settings) -> Result<()> {
            match run.route.to { $(Dialect::$variant => $module::tools::write_choice_alone(run, choice, settings)),+ }
        }

        /// Tools, choice and parallel control: the wire fields, as an object.
        pub fn write_tool_config(run: &mut Run, request: &Request) -> Result<()> {
            let write: fn(&mut Run, &mut Writing, &Request) -> Result<()> =
                match run.route.to { $(Dialect::$variant => $module::tools::write_config),+ };
            let mut object = run.begin();
            write(run, &mut object, request)?;
            object.end(run, &Metadata::default(), request.at);
            Ok(())
        }
    };
}
crate::dialects!(dispatch);

/// Whether the message is a result. Used by writers that group results into turns.
pub fn is_result(message: &Message) -> bool {
    matches!(message, Message::Tool(_))
}
