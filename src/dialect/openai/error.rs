//! Error bodies (WIRE §10.7): `{error: {message, type, param, code}}`.

use crate::dialect::shared::errors::context_length::OPENAI;
use crate::dialect::shared::errors::{self, Shape, Tag};
use crate::model::{ChatError, ChatErrorCode};
use crate::run::{Dialect, Result, Run, Writing};
use crate::value::{Value, Word};

/// The `type` and `code` of each kind of error.
fn words(code: ChatErrorCode) -> (Word, Option<Word>) {
    match code {
        ChatErrorCode::InvalidRequest => (Word::invalid_request_error, None),
        ChatErrorCode::ContextLength => (Word::invalid_request_error, Some(Word::context_length_exceeded)),
        ChatErrorCode::Authentication => (Word::invalid_request_error, Some(Word::invalid_api_key)),
        ChatErrorCode::Billing => (Word::insufficient_quota, Some(Word::insufficient_quota)),
        ChatErrorCode::Permission => (Word::request_forbidden, None),
        ChatErrorCode::NotFound => (Word::invalid_request_error, Some(Word::not_found)),
        ChatErrorCode::Conflict => (Word::invalid_request_error, Some(Word::conflict)),
        ChatErrorCode::TooLarge => (Word::invalid_request_error, Some(Word::request_too_large)),
        ChatErrorCode::RateLimit => (Word::requests, Some(Word::rate_limit_exceeded)),
        ChatErrorCode::Cancelled => (Word::server_error, Some(Word::cancelled)),
        ChatErrorCode::ApiError | ChatErrorCode::Unknown => (Word::server_error, None),
        ChatErrorCode::Unsupported => (Word::invalid_request_error, Some(Word::unsupported)),
        ChatErrorCode::Overloaded => (Word::service_unavailable_error, Some(Word::server_is_overloaded)),
        ChatErrorCode::Timeout => (Word::server_error, Some(Word::timeout)),
    }
}

/// Mistral's are flat: `{object: "error", message, type, param, code}`.
fn tag(dialect: Dialect) -> Tag {
    if dialect.format().chunks { Tag::Object } else { Tag::None }
}

pub fn read(run: &mut Run, body: Value) -> Result<ChatError> {
    errors::read(run, body, tag(run.route.from))
}

pub fn write(run: &mut Run, error: &ChatError) -> Result<()> {
    errors::write(
        run,
        error,
        &Shape { tag: tag(run.route.to), fields: write_fields, too_long: Some(OPENAI), demanded: &[] },
    )
}

fn write_fields(run: &mut Run, object: &mut Writing, error: &ChatError) {
    let (kind, code) = match error.code_or_status() {
        ChatErrorCode::RateLimit if tag(run.route.to) == Tag::Object => (Word::rate_limited, None),
        other => words(other),
    };
    object.word(run, Word::r#type, kind);
    object.null(run, Word::param);
    match code {
        Some(code) => object.word(run, Word::code, code),
        None => object.null(run, Word::code),
    }
}
