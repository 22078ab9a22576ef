//! Values of fields that mean the same as no field: leaving them out changes nothing. From the providers' references of their APIs (WIRE).

use crate::value::Word;

/// A value that is the default.
#[derive(Clone, Copy)]
pub enum Usual {
    False,
    True,
    Number(f64),
    Text(&'static str),
    /// A list of only this text.
    Only(&'static str),
    /// An object of only this member.
    Member(Word, &'static Usual),
    /// An object with this member, and perhaps others.
    With(Word, &'static Usual),
    /// A list of such values.
    Each(&'static Usual),
}

/// Each field with its default. A field has several rows if providers differ in the spelling of the value.
pub const DEFAULTS: &[(Word, Usual)] = &[
    (Word::background, Usual::False),
    (Word::truncation, Usual::Text("disabled")),
    (Word::modalities, Usual::Only("text")),
    (Word::responseModalities, Usual::Only("TEXT")),
    (Word::n, Usual::Number(1.0)),
    (Word::logprobs, Usual::False),
    (Word::responseLogprobs, Usual::False),
    (Word::top_logprobs, Usual::Number(0.0)),
    (Word::defer_loading, Usual::False),
    (Word::eager_input_streaming, Usual::False),
    (Word::r#type, Usual::Text("custom")),
    (Word::allowed_callers, Usual::Only("direct")),
    (Word::caller, Usual::Member(Word::r#type, &Usual::Text("direct"))),
    (Word::citations, Usual::Member(Word::enabled, &Usual::False)),
    (Word::tool_choice, Usual::Text("auto")),
    (Word::function_call, Usual::Text("auto")),
    (Word::detail, Usual::Text("auto")),
    (Word::speed, Usual::Text("standard")),
    (Word::behavior, Usual::Text("UNSPECIFIED")),
    (Word::mediaResolution, Usual::Text("MEDIA_RESOLUTION_UNSPECIFIED")),
    (Word::serviceTier, Usual::Text("standard")),
    (Word::mode, Usual::Text("MODE_UNSPECIFIED")),
    (Word::behavior, Usual::Text("BLOCKING")),
    (Word::inference_geo, Usual::Text("global")),
    (Word::audioTimestamp, Usual::False),
    (Word::enableEnhancedCivicAnswers, Usual::False),
    (Word::mirostat, Usual::Number(0.0)),
    (Word::min_p, Usual::Number(0.0)),
    (Word::typical_p, Usual::Number(1.0)),
    (Word::tfs_z, Usual::Number(1.0)),
    (Word::repeat_penalty, Usual::Number(1.1)),
    (Word::repeat_last_n, Usual::Number(64.0)),
    // reasoning of earlier turns is sent to its issuer only
    (
        Word::context_management,
        Usual::Member(Word::edits, &Usual::Each(&Usual::With(Word::r#type, &Usual::Text("clear_thinking_20251015")))),
    ),
    (Word::raw, Usual::False),
    (Word::truncate, Usual::True),
    (Word::shift, Usual::True),
    // of Mistral's thinking
    (Word::closed, Usual::True),
];

/// How a request is cached, stored, billed and run, and what the response repeats of that. The model's output does not depend on it.
pub const HINTS: &[Word] = &[
    Word::store,
    Word::include,
    Word::cache_control,
    Word::cachePoint,
    Word::prompt_cache_key,
    Word::prompt_cache_retention,
    Word::prompt_cache_options,
    Word::service_tier,
    Word::serviceTier,
    Word::client_metadata,
    Word::labels,
    Word::keep_alive,
    Word::eager_input_streaming,
    Word::defer_loading,
    Word::detail,
    Word::stream_options,
    Word::safety_identifier,
    Word::num_ctx,
    Word::num_gpu,
    Word::num_thread,
    Word::num_batch,
    Word::main_gpu,
    Word::use_mmap,
];
