//! Streams: converts wire events to canonical events, or to another provider's wire events, as they arrive.

mod binary;
mod ending;
mod events;
mod fitting;
mod flow;
mod frames;
mod halves;
mod identities;
mod json_frames;
mod repeats;
mod sse;
mod stages;

use super::{Subject, convert_store};
use crate::dialect::shared::stream::Output;
use crate::model::StreamFailure;
use crate::run::error::Result;
use crate::run::{Dialect, Options, Warning};
use crate::value::text::Source;
use flow::Flow;

/// Converts a stream of one dialect into a stream of another, piece by piece.
///
/// The input can be split into pieces at any position. Each event is written by the call that completes it, unless the target's order requires it to
/// wait (`docs/streams.md`).
pub struct StreamConverter(Flow);

impl StreamConverter {
    /// # Errors
    /// `unsupported` for a dialect without streams.
    pub fn new(from: Dialect, to: Dialect, options: Options) -> Result<StreamConverter> {
        let output = Output::new(Some(to.format().framing));
        Flow::new(from, to, options, output, false).map(StreamConverter)
    }

    /// Converts a piece of the source's stream. Returns the next piece of the target's stream.
    ///
    /// # Errors
    /// `invalid_stream`, `invalid_json`, `too_large` and the errors of reading a response, with the position in the stream. If there is output from
    /// before the error, this call returns it, and the next call fails. After that, every call fails with `stream_failed`, as does a call after
    /// [`StreamConverter::finish`].
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<u8>> {
        self.0.push(bytes)
    }

    /// Ends the source's stream. Returns the rest of the target's. A stream that was cut off ends with an error in the target's format.
    ///
    /// # Errors
    /// As [`StreamConverter::push`].
    pub fn finish(&mut self) -> Result<Vec<u8>> {
        self.0.end()
    }

    /// Reuses the memory of output that was returned by `push`.
    pub fn reuse(&mut self, written: Vec<u8>) {
        self.0.reuse(written);
    }

    /// What was changed or lost so far. A warning that occurs in several events is reported once.
    pub fn warnings(&self) -> &[Warning] {
        self.0.warnings()
    }
}

/// Reads a stream of one dialect as canonical events, and returns the whole response at its end.
pub struct StreamReader(Flow, Option<WholeResponse>);

impl StreamReader {
    /// # Errors
    /// `unsupported` for a dialect without streams.
    pub fn new(from: Dialect, options: Options) -> Result<StreamReader> {
        Flow::new(from, Dialect::Canonical, options, Output::new(None), true).map(|flow| StreamReader(flow, None))
    }

    /// Reads a piece of the stream. Returns the events that it completes, as a JSON array.
    ///
    /// # Errors
    /// As [`StreamConverter::push`].
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<u8>> {
        self.0.push(bytes).map(array)
    }

    /// Reads a single wire event as JSON text, for example from an SDK's stream.
    ///
    /// # Errors
    /// As [`StreamConverter::push`].
    pub fn push_event(&mut self, json: &[u8]) -> Result<Vec<u8>> {
        self.0.push_event(json).map(array)
    }

    /// Ends the stream. Returns the last events, as a JSON array.
    ///
    /// # Errors
    /// As [`StreamConverter::push`].
    pub fn end(&mut self) -> Result<Vec<u8>> {
        self.0.end().map(array)
    }

    /// The whole response, as JSON text of a `ChatResponse`. If the stream contained an error, its `error` states that. The same holds if `push`
    /// returned an error, unless that was `lossy`: the response then contains what was complete before.
    ///
    /// # Errors
    /// As [`StreamConverter::push`], and those of reading the same response whole.
    pub fn finish(&mut self) -> Result<Vec<u8>> {
        let whole = self.whole()?;
        let (from, to) = (self.0.from(), Dialect::Canonical);
        let (written, _) =
            convert_store(Source::Bytes(whole.body), Subject::Response, from, to, self.options(), whole.failure)?;
        Ok(written.into_output())
    }

    /// The options of the stream.
    pub fn options(&self) -> &Options {
        self.0.options()
    }

    /// The response in its provider's format for whole responses. Further calls return the same.
    pub(crate) fn whole(&mut self) -> Result<WholeResponse> {
        if let Some(whole) = &self.1 {
            return Ok(whole.clone());
        }
        if !self.0.is_broken() {
            self.0.end()?;
            // returns a pending error
            self.0.end()?;
        }
        let (body, failure) = self.0.body()?;
        Ok(self.1.insert(WholeResponse { body, failure }).clone())
    }

    /// Reuses the memory of output that was returned by `push`.
    pub fn reuse(&mut self, written: Vec<u8>) {
        self.0.reuse(written);
    }

    pub fn warnings(&self) -> &[Warning] {
        self.0.warnings()
    }
}

/// A streamed response in its provider's format for whole responses, and the failure of the stream, if any.
#[derive(Clone)]
pub(crate) struct WholeResponse {
    pub body: Vec<u8>,
    pub failure: Option<StreamFailure>,
}

fn array(events: Vec<u8>) -> Vec<u8> {
    [b"[", events.as_slice(), b"]"].concat()
}
