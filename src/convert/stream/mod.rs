//! Streams: wire events in, canonical events or another provider's wire events out, as they come.

mod ending;
mod events;
mod flow;
mod frames;
mod halves;
mod identities;
mod json_frames;
mod repeats;
mod sse;

use super::{Kind, convert_store};
use crate::dialect::shared::stream::Output;
use crate::model::StreamFailure;
use crate::run::error::Result;
use crate::run::{Dialect, Options, Warning};
use crate::value::text::Source;
use flow::Flow;

/// Converts a stream of one dialect into a stream of another, piece by piece.
///
/// Bytes go in as they come, whatever pieces they come in; each event leaves with the call that completes it, unless the target's
/// order demands that it waits (`docs/streams.md`).
pub struct StreamConverter(Flow);

impl StreamConverter {
    /// # Errors
    /// `unsupported` for a dialect without streams.
    pub fn new(from: Dialect, to: Dialect, options: Options) -> Result<StreamConverter> {
        let output = Output::new(Some(to.format().framing));
        Flow::new(from, to, options, output, false).map(StreamConverter)
    }

    /// Takes a piece of the source's stream; gives what the target's stream goes on with.
    ///
    /// # Errors
    /// `invalid_stream`, `invalid_json`, `too_large` and the errors of reading an answer, with the place in the stream. What was
    /// complete before is delivered first: then the next call fails. After that every call fails with `stream_failed`, and so does this one
    /// after [`StreamConverter::finish`].
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<u8>> {
        self.0.push(bytes)
    }

    /// The source's stream ended; gives the rest of the target's. A stream that broke off ends with an error in the target's words.
    ///
    /// # Errors
    /// As [`StreamConverter::push`].
    pub fn finish(&mut self) -> Result<Vec<u8>> {
        self.0.end()
    }

    /// Takes back the memory of what a push gave, for what comes next.
    pub fn reuse(&mut self, written: Vec<u8>) {
        self.0.reuse(written);
    }

    /// What was changed or lost so far. What many events have in common is told once.
    pub fn warnings(&self) -> &[Warning] {
        self.0.warnings()
    }
}

/// Reads a stream of one dialect as canonical events, and gives the whole answer at its end.
pub struct StreamReader(Flow, Option<Answer>);

impl StreamReader {
    /// # Errors
    /// `unsupported` for a dialect without streams.
    pub fn new(from: Dialect, options: Options) -> Result<StreamReader> {
        Flow::new(from, Dialect::Canonical, options, Output::new(None), true).map(|flow| StreamReader(flow, None))
    }

    /// Takes a piece of the stream; gives the events that it completes, as a JSON array.
    ///
    /// # Errors
    /// As [`StreamConverter::push`].
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<u8>> {
        self.0.push(bytes).map(array)
    }

    /// Takes one wire event as JSON text, as an SDK's stream gives it.
    ///
    /// # Errors
    /// As [`StreamConverter::push`].
    pub fn push_event(&mut self, json: &[u8]) -> Result<Vec<u8>> {
        self.0.push_event(json).map(array)
    }

    /// The stream ended; gives the last events, as a JSON array.
    ///
    /// # Errors
    /// As [`StreamConverter::push`].
    pub fn end(&mut self) -> Result<Vec<u8>> {
        self.0.end().map(array)
    }

    /// The whole response, as JSON text of a `ChatResponse`. After an error in the stream its `error` states it. So it does after an
    /// error that a push has returned, unless that is `lossy`: the response then has what was complete before.
    ///
    /// # Errors
    /// As [`StreamConverter::push`], and as reading the same response whole.
    pub fn finish(&mut self) -> Result<Vec<u8>> {
        let answer = self.answer()?;
        let (from, to) = (self.0.from(), Dialect::Canonical);
        let (written, _) =
            convert_store(Source::Bytes(answer.body), Kind::Response, from, to, self.options(), answer.failure)?;
        Ok(written.into_output())
    }

    /// What the stream is read with.
    pub fn options(&self) -> &Options {
        self.0.options()
    }

    /// The answer as its provider gives it whole; whoever asks again gets the same.
    pub(crate) fn answer(&mut self) -> Result<Answer> {
        if let Some(answer) = &self.1 {
            return Ok(answer.clone());
        }
        if !self.0.is_broken() {
            self.0.end()?;
            // an error that waited for what came before it
            self.0.end()?;
        }
        let (body, failure) = self.0.body()?;
        Ok(self.1.insert(Answer { body, failure }).clone())
    }

    /// Takes back the memory of what a push gave, for what comes next.
    pub fn reuse(&mut self, written: Vec<u8>) {
        self.0.reuse(written);
    }

    /// What was changed or lost so far.
    pub fn warnings(&self) -> &[Warning] {
        self.0.warnings()
    }
}

/// A streamed response as its provider gives it whole, and how the stream failed if it did.
#[derive(Clone)]
pub(crate) struct Answer {
    pub body: Vec<u8>,
    pub failure: Option<StreamFailure>,
}

fn array(events: Vec<u8>) -> Vec<u8> {
    [b"[", events.as_slice(), b"]"].concat()
}
