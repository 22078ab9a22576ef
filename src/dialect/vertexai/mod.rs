//! Gemini on Vertex AI: the format of the Gemini API, but for the fields that one of the two has alone (WIRE §4.11). Those
//! are a table beside the code that both share: `gemini/fields.rs`.

pub mod path;

pub use super::gemini::{FRAMING, LIMITS, error, messages, read_stream, request, response, tools, write_stream};
