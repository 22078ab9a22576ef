//! Conversion from one dialect through the model to another, independent of where the values are stored. No code here depends on a wire format.

mod choice;
mod citations;
mod compaction;
mod context;
mod echoes;
mod envelope;
mod error_media;
mod examples;
mod finish;
mod grammars;
mod ids;
mod late;
mod lists;
#[cfg(test)]
mod missing_tests;
mod names;
mod namespaces;
mod new_ids;
mod open_words;
mod opened;
mod pairing;
mod requests;
mod schemas;
mod shown;
mod signatures;
mod stored;
pub(crate) mod stream;
mod tool_search;
#[cfg(feature = "trace")]
pub mod trace;
mod turns;
mod twins;
mod updates;

pub use context::context_of;
#[cfg(target_arch = "wasm32")]
pub use context::read as read_context;
pub use requests::Prepared;

use crate::dialect::canonical::calls::{CANONICAL, write_calls};
use crate::dialect::{self, source, target};
use crate::fit::{explanations, finish as endings, responses};
use crate::format::is_unfinished;
use crate::model::{Finish, Formed, Response, StreamFailure};
use crate::run::{At, Dialect, ErrorCode, Lossy, Options, Result, Run, ToolwireError, Warning, error, fault_error};
use crate::value::text::{Source, TextStore, quoted};
use crate::value::{Fault, Store, Value, Word};
use serde::Serialize;

/// What is converted: a whole body or a piece of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Subject {
    Request,
    Response,
    /// An error response.
    Error,
    Tools,
    ToolChoice,
    ToolConfig,
    Messages,
    /// A single JSON Schema, with the options `strict` and `for`.
    Schema,
    /// A request of any format: the result is its path and query below the provider's base URL, as a string.
    Path,
    /// The calls of one assistant message, as `{toolCalls, invalidToolCalls}`.
    ToolCalls,
}

/// Reads `input` and writes the result into the run's store. `failure` is the failure of a streamed response whose body does not state it.
pub fn convert(run: &mut Run, subject: Subject, input: Value, failure: Option<StreamFailure>) -> error::Result<()> {
    let outcome = convert_value(run, subject, input, failure).and_then(|()| refuse_lossy(run));
    run.report.outcome(outcome)
}

fn convert_value(run: &mut Run, subject: Subject, input: Value, failure: Option<StreamFailure>) -> Result<()> {
    run.route.is_response = matches!(subject, Subject::Response | Subject::Error | Subject::ToolCalls);
    run.route.is_piece = !matches!(subject, Subject::Request | Subject::Response | Subject::Error);
    match subject {
        Subject::Response => convert_response(run, input, failure),
        Subject::Error => {
            let mut error = (source(run).read_error)(run, input)?;
            leave(run, &mut error);
            (target(run).write_error)(run, &error)
        }
        Subject::Request | Subject::Tools | Subject::ToolChoice | Subject::ToolConfig | Subject::Messages => {
            requests::convert(run, subject, input)
        }
        Subject::Schema => schemas::write(run, input),
        Subject::Path => dialect::write_path(run, input),
        Subject::ToolCalls => write_tool_calls(run, input),
    }
}

// A separate function, which requests never call: engines compile whole functions when they are first called.
#[inline(never)]
fn convert_response(run: &mut Run, input: Value, failure: Option<StreamFailure>) -> Result<()> {
    let mut response = (source(run).read_response)(run, input)?;
    pairing::complete_response(run, &mut response);
    if !run.route.stays() {
        shown::show(run, &mut response.message)?;
    }
    leave(run, &mut response);
    context::restore(run, &mut response);
    finish::match_response(run, &mut response);
    let is_whole = failure.is_none();
    if let Some(failure) = failure {
        fail(run, &mut response, failure)?;
    }
    let stays = run.route.stays();
    if stays {
        new_ids::restore_ids(run, &mut response.message);
    } else {
        adopt_response(run, &mut response)?;
        (target(run).fit_response)(run, &mut response)?;
    }
    if !stays || !is_whole {
        responses::complete(run, &mut response, dialect::required(run));
    }
    (target(run).write_response)(run, &response)
}

/// Makes a response of another format what the target's clients expect of all responses.
fn adopt_response(run: &mut Run, response: &mut Response) -> Result<()> {
    if !run.route.is_to_provider() {
        return Ok(());
    }
    refuse_failed(run, response)?;
    citations::carry(run, &mut response.message);
    explanations::carry(run, response);
    echoes::forget(run, &mut response.metadata);
    new_ids::assign_response_ids(run, &mut response.message);
    signatures::seal_all(run, &mut response.message);
    Ok(())
}

/// Fails if a response failed or is not finished, and those of the target can't state that: their clients would take it for an end.
fn refuse_failed(run: &mut Run, response: &Response) -> Result<()> {
    if run.route.to.format().limits.failed_responses {
        return Ok(());
    }
    if let Some(error) = &response.error {
        let message = format!("the response failed: {}", run.store.text(error.message));
        return run.fail(ErrorCode::ResponseFailed, error.at, &message);
    }
    let Response { finish, raw_finish, finish_at, metadata, .. } = response;
    let reasons = dialect::required(run).reasons;
    if let Some(why) = reasons.and_then(|reasons| endings::failure(run, reasons, *finish, *raw_finish, metadata)) {
        return run.fail(ErrorCode::ResponseFailed, *finish_at, &why);
    }
    let status = response.raw_finish.map_or(Word::Unknown, |raw| run.store.word(raw));
    if is_unfinished(status) {
        let message = format!("the response is not finished, its status is {}: read it again later", status.text());
        return run.fail(ErrorCode::ResponseFailed, response.finish_at, &message);
    }
    Ok(())
}

/// Leaves behind what only the source's format and provider understand.
fn leave(run: &Run, formed: &mut impl Formed) {
    if let Some(leaves) = run.route.leaves() {
        formed.leave(leaves);
    }
}

/// Marks a response whose stream failed.
fn fail(run: &mut Run, response: &mut Response, failure: StreamFailure) -> Result<()> {
    response.finish = Finish::Error;
    if let (None, Some(error)) = (&response.error, failure.error) {
        let error = run.import(&error)?;
        response.error = Some(dialect::canonical::error::read_at(run, error, At::ROOT)?);
    }
    Ok(())
}

fn write_tool_calls(run: &mut Run, input: Value) -> Result<()> {
    let mut message = (source(run).read_assistant)(run, input, At::ROOT)?;
    let seed = pairing::Seed::of_response(run, None);
    pairing::complete_calls(run, message.calls_mut(), &seed);
    message.calls_mut().for_each(|call| context::restore_call(run, call));
    let mut object = run.begin();
    write_calls(run, &mut object, message.calls(), &CANONICAL, [true; 2]);
    object.close(run);
    Ok(())
}

/// With `lossy: 'error'`, the first lossy warning becomes an error.
fn refuse_lossy(run: &Run) -> Result<()> {
    if run.options.lossy == Lossy::Allow {
        return Ok(());
    }
    match run.report.first_lossy() {
        None => Ok(()),
        Some(warning) => Err(run.report.fail(Box::new(ToolwireError {
            code: ErrorCode::Lossy,
            message: format!("{}: {}", warning.code.name(), warning.message),
            path: warning.path.clone(),
            dialect: Some(warning.dialect),
            stream: None,
        }))),
    }
}

/// The result of converting a text, with its warnings.
#[derive(Clone, Debug, PartialEq)]
pub struct Converted {
    /// UTF-8 JSON.
    pub body: Vec<u8>,
    pub warnings: Vec<Warning>,
}

/// Converts UTF-8 JSON text.
///
/// ```
/// use toolwire::{Dialect, Subject, Options, convert_text};
/// let body = br#"{"messages":[{"role":"user","content":"Hi"}]}"#.to_vec();
/// let converted = convert_text(body, Subject::Request, Dialect::OpenAI, Dialect::Gemini, Options::default()).unwrap();
/// assert_eq!(converted.body, br#"{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}"#);
/// ```
///
/// # Errors
/// [`ToolwireError`] with a code (`docs/format.md`) and the path of the invalid value.
pub fn convert_text(
    body: Vec<u8>,
    subject: Subject,
    from: Dialect,
    to: Dialect,
    options: Options,
) -> error::Result<Converted> {
    let (store, warnings) = convert_store(Source::Bytes(body), subject, from, to, &options, None)?;
    Ok(Converted { body: store.into_output(), warnings })
}

/// Converts a request, and returns what a gateway needs beside its body, in one pass: [`convert_text`], [`context_of`] and the path.
///
/// # Errors
/// Those of converting the request, and of its path.
pub fn prepare_request(
    body: Vec<u8>,
    from: Dialect,
    to: Dialect,
    options: Options,
) -> error::Result<(Converted, Prepared)> {
    let (store, warnings, prepared) = prepare_store(Source::Bytes(body), from, to, &options)?;
    Ok((Converted { body: store.into_output(), warnings }, prepared))
}

/// Like [`prepare_request`], but the result stays in its store.
pub(crate) fn prepare_store(
    body: Source,
    from: Dialect,
    to: Dialect,
    options: &Options,
) -> error::Result<(TextStore, Vec<Warning>, Prepared)> {
    let (mut store, root) = Store::of_text(body, options.max_depth())
        .map_err(|fault| fault_error(fault, String::new(), from.provider().map(|_| from)))?;
    let mut run = Run::new(&mut store, from, to, options);
    let prepared = prepare(&mut run, root)?;
    let warnings = run.report.warnings;
    Ok((store.text, warnings, prepared))
}

/// Converts the request `input` into the run's store.
pub(crate) fn prepare(run: &mut Run, input: Value) -> error::Result<Prepared> {
    let prepared = requests::prepare(run, input).and_then(|prepared| refuse_lossy(run).map(|()| prepared));
    run.report.outcome(prepared)
}

/// Like [`convert_text`], but the result stays in its store. `failure` is the failure of a streamed response whose body does not state it.
pub(crate) fn convert_store(
    body: Source,
    subject: Subject,
    from: Dialect,
    to: Dialect,
    options: &Options,
    failure: Option<StreamFailure>,
) -> error::Result<(TextStore, Vec<Warning>)> {
    let body = if subject == Subject::Error && from.provider().is_some() { as_json(body, options) } else { body };
    let (mut store, root) = Store::of_text(body, options.max_depth())
        .map_err(|fault| fault_error(fault, String::new(), from.provider().map(|_| from)))?;
    let mut run = Run::new(&mut store, from, to, options);
    convert(&mut run, subject, root, failure)?;
    let warnings = run.report.warnings;
    Ok((store.text, warnings))
}

/// Error bodies may be JSON, HTML, plain text or empty. Turns a body that is not JSON into a JSON string.
fn as_json(body: Source, options: &Options) -> Source {
    match TextStore::new(body.clone(), options.max_depth()) {
        Err(Fault::Syntax { .. } | Fault::Depth { .. }) => {
            Source::String(quoted(&String::from_utf8_lossy(body.bytes())).into_bytes())
        }
        Ok(_) | Err(Fault::TooLarge | Fault::Refused { .. }) => body,
    }
}
