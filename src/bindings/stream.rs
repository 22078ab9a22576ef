//! Streams: one object per stream. Functions that use JavaScript's own streams are in `pkg-template/runtime/streams.js`.

use super::call::{Task, dialects, value_of};
use super::error::{Input, JsResult, refused, thrown, thrown_in};
use super::genai;
use super::{options, warnings};
use crate::convert::Subject;
use crate::convert::stream::{StreamConverter as Converter, StreamReader as Reader};
use crate::run::error::Result;
use crate::run::{Dialect, ErrorCode, ToolwireError, Warning, WarningCode};
use crate::value::js::transport;
use js_sys::{Array, JSON};
use wasm_bindgen::prelude::*;

/// Passes bytes without allocating in JavaScript, which writes them into `input` and reads them from `output` (`push` in
/// `pkg-template/runtime/streams.js`).
#[derive(Default)]
struct Passage {
    input: Vec<u8>,
    output: Vec<u8>,
    /// What is reported after the bytes.
    failure: Option<Box<ToolwireError>>,
}

impl Passage {
    fn reserve(&mut self, length: u32) -> u32 {
        if self.input.len() < length as usize {
            self.input.resize(length as usize, 0);
        }
        self.input.as_ptr() as u32
    }

    fn input(&self, length: u32) -> &[u8] {
        self.input.get(..length as usize).unwrap_or_default()
    }

    /// Keeps the output. Returns its length, or a negative number if there are warnings or an error.
    fn keep(&mut self, written: Result<Vec<u8>>, listener: &Listener, warnings: &[Warning]) -> i32 {
        match written {
            Ok(written) => self.output = written,
            Err(error) => self.failure = Some(error),
        }
        let is_quiet = self.failure.is_none() && listener.delivered == warnings.len();
        if is_quiet { self.length() } else { -1 }
    }

    fn length(&self) -> i32 {
        i32::try_from(self.output.len()).unwrap_or(i32::MAX)
    }

    /// Delivers warnings, and then the error, as every other function does.
    fn deliver(&mut self, listener: &mut Listener, warnings: &[Warning]) -> std::result::Result<i32, JsValue> {
        let failure = self.failure.take();
        listener.deliver(warnings)?;
        failure.map_or_else(|| Ok(self.length()), |error| Err(listener.thrown(&error)))
    }
}

/// The methods of both classes that pass bytes.
macro_rules! passing {
    ($class:ident, $flow:ident) => {
        #[wasm_bindgen]
        impl $class {
            #[wasm_bindgen(skip_typescript)]
            pub fn reserve(&mut self, length: u32) -> u32 {
                self.passage.reserve(length)
            }

            #[wasm_bindgen(skip_typescript)]
            pub fn advance(&mut self, length: u32) -> i32 {
                // the previous output has been read
                self.$flow.reuse(std::mem::take(&mut self.passage.output));
                let written = self.$flow.push(self.passage.input(length));
                self.passage.keep(written, &self.listener, self.$flow.warnings())
            }

            #[wasm_bindgen(skip_typescript)]
            pub fn deliver(&mut self) -> std::result::Result<i32, JsValue> {
                self.passage.deliver(&mut self.listener, self.$flow.warnings())
            }

            #[wasm_bindgen(skip_typescript)]
            pub fn written(&self) -> u32 {
                self.passage.output.as_ptr() as u32
            }

            #[wasm_bindgen(skip_typescript)]
            pub fn memory(&self) -> JsValue {
                wasm_bindgen::memory()
            }
        }
    };
}
passing!(StreamReader, reader);
passing!(StreamConverter, converter);

fn parse(json: &[u8]) -> JsResult {
    JSON::parse(&String::from_utf8_lossy(json))
}

/// The options of a stream, and how many of its warnings were delivered.
struct Listener {
    options: JsValue,
    from: Dialect,
    delivered: usize,
}

impl Listener {
    fn new(options: JsValue, from: Dialect) -> Listener {
        Listener { options, from, delivered: 0 }
    }

    /// An error of the stream, for which the facade can describe what the stream appears to be instead.
    fn thrown(&self, error: &ToolwireError) -> JsValue {
        thrown_in(error, Some(Input { subject: Subject::Response, from: self.from, is_value: false }))
    }

    fn deliver(&mut self, all: &[Warning]) -> std::result::Result<(), JsValue> {
        let news = all.get(self.delivered..).unwrap_or_default().to_vec();
        self.delivered = all.len();
        warnings::deliver(&self.options, news)
    }
}

#[wasm_bindgen(skip_typescript)]
pub struct StreamReader {
    reader: Reader,
    listener: Listener,
    passage: Passage,
    has_answered: bool,
}

#[wasm_bindgen(js_name = readStream, skip_typescript)]
pub fn read_stream(options: JsValue) -> std::result::Result<StreamReader, JsValue> {
    let read = || -> Result<(Reader, Dialect)> {
        let given = options::read(&options)?;
        let from = given
            .from
            .ok_or_else(|| options::wrong(ErrorCode::MissingField, "/from", "is missing: a stream needs a dialect"))?;
        Ok((Reader::new(from, given.options.clone())?, from))
    };
    let (reader, from) = read().map_err(|error| thrown(&error))?;
    let listener = Listener::new(options, from);
    Ok(StreamReader { reader, listener, passage: Passage::default(), has_answered: false })
}

#[wasm_bindgen]
impl StreamReader {
    /// What is no bytes.
    #[wasm_bindgen(js_name = pushValue, skip_typescript)]
    pub fn push_value(&mut self, chunk: JsValue) -> JsResult {
        let events = match transport::string_to_bytes(&chunk) {
            Some(bytes) => self.reader.push(&bytes),
            None => self.push_event(&chunk),
        };
        self.give(events)
    }

    #[wasm_bindgen(skip_typescript)]
    pub fn end(&mut self) -> JsResult {
        let events = self.reader.end();
        self.give(events)
    }

    #[wasm_bindgen(skip_typescript)]
    pub fn finish(&mut self) -> JsResult {
        let whole = self.reader.whole().map_err(|error| self.listener.thrown(&error))?;
        self.listener.deliver(self.reader.warnings())?;
        let body = parse(&whole.body)?;
        let task = Task {
            stream_failure: whole.failure,
            ..Task::new(Subject::Response, self.listener.from, Dialect::Canonical)
        };
        let (value, mut warnings) = value_of(task, &body, self.reader.options()).map_err(|error| thrown(&error))?;
        // already reported at the event that ended the response; not reported again with the path in the whole response
        let is_end = |warning: &Warning| warning.code == WarningCode::FinishChanged;
        if self.reader.warnings().iter().any(is_end) {
            warnings.retain(|warning| !is_end(warning));
        }
        if !std::mem::replace(&mut self.has_answered, true) {
            warnings::deliver(&self.listener.options, warnings)?;
        }
        Ok(value)
    }

    fn push_event(&mut self, event: &JsValue) -> Result<Vec<u8>> {
        if !event.is_object() {
            return Err(refused(ErrorCode::InvalidType, "expected a Uint8Array, a string or an event"));
        }
        let text = JSON::stringify(&genai::body_of(self.listener.from, Subject::Response, event));
        let text = text.map_err(|cause| super::error::unreadable("the event cannot be read", &cause))?;
        self.reader.push_event(&transport::string_to_bytes(&text).unwrap_or_default())
    }

    /// Warnings first, as with every other function.
    fn give(&mut self, events: Result<Vec<u8>>) -> JsResult {
        self.listener.deliver(self.reader.warnings())?;
        let events = events.map_err(|error| self.listener.thrown(&error))?;
        parse(&events)
    }
}

#[wasm_bindgen(skip_typescript)]
pub struct StreamConverter {
    converter: Converter,
    listener: Listener,
    passage: Passage,
}

#[wasm_bindgen(js_name = convertStream, skip_typescript)]
pub fn convert_stream(conversion: JsValue) -> std::result::Result<StreamConverter, JsValue> {
    let converter = || -> Result<(Converter, Dialect)> {
        let given = options::read(&conversion)?;
        let (from, to) = dialects(&given)?;
        Ok((Converter::new(from, to, given.options.clone())?, from))
    };
    let (converter, from) = converter().map_err(|error| thrown(&error))?;
    let listener = Listener::new(conversion, from);
    Ok(StreamConverter { converter, listener, passage: Passage::default() })
}

#[wasm_bindgen]
impl StreamConverter {
    /// What is no bytes is refused.
    #[wasm_bindgen(js_name = pushValue, skip_typescript)]
    pub fn push_value(&mut self, _chunk: JsValue) -> JsResult {
        self.give(Err(refused(ErrorCode::InvalidType, "expected a Uint8Array")))
    }

    #[wasm_bindgen(skip_typescript)]
    pub fn finish(&mut self) -> JsResult {
        let written = self.converter.finish();
        self.give(written)
    }

    #[wasm_bindgen(getter, skip_typescript)]
    pub fn warnings(&self) -> JsResult {
        let all = Array::new();
        for warning in self.converter.warnings() {
            all.push(&warnings::object(warning)?);
        }
        Ok(all.into())
    }

    fn give(&mut self, written: Result<Vec<u8>>) -> JsResult {
        self.listener.deliver(self.converter.warnings())?;
        written.map(|bytes| transport::bytes_to_array(&bytes)).map_err(|error| self.listener.thrown(&error))
    }
}

#[wasm_bindgen(typescript_custom_section)]
const STREAMS: &str = r#"
declare global {
    // older TypeScript libraries lack `Symbol.dispose`
    interface SymbolConstructor {
        readonly dispose: unique symbol;
    }
}

/** Returned by {@link readStream}: reads one streamed response. Its memory is freed automatically; `free()` or `using` free it earlier. */
export class StreamReader {
    private constructor();
    /**
     * Reads the next piece of the stream, of any size: bytes, text, or one event of an SDK's stream.
     *
     * @returns The events that the piece completes.
     * @throws {ToolwireError} `invalid_stream`, `invalid_json`, `too_large` or an error of the event, with `offset` and `event`. Events that were complete before are
     * returned first, and the next call throws. After that, every call throws `stream_failed`, as does this method after `end()` or `finish()`.
     */
    push(chunk: Uint8Array | string | object): StreamEvent[];
    /**
     * Ends the stream. {@link StreamReader.finish} also ends it.
     *
     * @returns The last events. For a stream that was cut off, an `error`, and `finish` with the reason `error`.
     */
    end(): StreamEvent[];
    /**
     * The whole response, the same as if it had not been streamed. It includes what the events of `end()` state.
     *
     * After an error in the stream, its `error` states it. This also holds after `push()` or `end()` has thrown, unless the error was `lossy`:
     * the response then has what was complete before.
     *
     * @throws {ToolwireError} An error of the stream that has not been thrown yet. The next call returns the response.
     */
    finish(): ChatResponse;
    /** Frees the memory. Calling it again has no effect; every other call then throws `stream_failed`. */
    free(): void;
    [Symbol.dispose](): void;
}

/**
 * Returned by {@link convertStream}: converts one provider's stream into another's. Its memory is freed automatically; `free()` or `using`
 * free it earlier.
 */
export class StreamConverter {
    private constructor();
    /**
     * Converts the next piece of the source's stream, of any size.
     *
     * @returns The next piece of the target's stream, which is often empty. Short pieces of one stream share a buffer, so pass on the array,
     * not its `buffer`.
     * @throws {ToolwireError} As {@link StreamReader.push}; `stream_failed` after `finish()`.
     */
    push(chunk: Uint8Array): Uint8Array;
    /**
     * Ends the source's stream.
     *
     * @returns The rest of the target's stream. A stream that was cut off ends with an error in the target's format.
     * @throws {ToolwireError} As {@link StreamReader.push}. If there is output from before an error, the next call throws it.
     */
    finish(): Uint8Array;
    /** The conversion as a transform stream. Can be called once; a second call throws `stream_failed`. */
    transform(): TransformStream<Uint8Array, Uint8Array>;
    /** What was changed or lost so far. A warning that occurs in many events is listed once. Paths begin with the event's number. */
    readonly warnings: Warning[];
    /** As {@link StreamReader.free}. A pipe that ends, fails or is cancelled does this automatically, and keeps the warnings. */
    free(): void;
    [Symbol.dispose](): void;
}

/**
 * Reads a streamed response: events as they arrive, and the whole response at the end.
 *
 * ```js
 * const reader = readStream({ from: "openai" });
 * for await (const chunk of response.body) for (const event of reader.push(chunk)) show(event);
 * const { message, toolCalls } = reader.finish();
 * ```
 *
 * @param options - The dialect of the stream, and options.
 * @throws {ToolwireError} `unsupported` for a dialect without streams.
 */
export function readStream(options: Options & { from: Dialect }): StreamReader;
/**
 * Converts a stream between any two dialects, as bytes.
 *
 * ```js
 * const { readable, writable } = convertStream({ from: "anthropic", to: "openai", context }).transform();
 * ```
 *
 * @param conversion - The two dialects, and options; `context` as for a whole response.
 * @throws {ToolwireError} `unsupported` for a dialect without streams.
 */
export function convertStream(conversion: Conversion): StreamConverter;
/**
 * The events of a streamed response: of a body (`response.body`), or of the stream object of an official SDK. The whole response is what
 * the generator returns, and `response` is a promise of it. With {@link readStream}, it is available after an exception as well.
 *
 * ```js
 * for await (const event of streamEvents(response.body, { from: "gemini" })) {
 *   if (event.type === "textDelta") process.stdout.write(event.text);
 *   if (event.type === "toolCallEnd") run(event.call);
 * }
 * ```
 *
 * @param source - Bytes, text or events, in pieces. It is cancelled when the loop ends early.
 * @param options - The dialect of the stream, and options.
 * @throws {ToolwireError} As {@link StreamReader.push}.
 */
export function streamEvents(
    source: AsyncIterable<unknown> | ReadableStream<Uint8Array>,
    options: Options & { from: Dialect },
): EventStream;
/** The events of a streamed response. */
export interface EventStream extends AsyncGenerator<StreamEvent, ChatResponse, undefined> {
    /**
     * The whole response, once the events are read to their end, by any reader. It does not read them itself. Rejects if reading fails or
     * ends early, without an unhandled rejection.
     */
    readonly response: Promise<ChatResponse>;
}
"#;
