//! Error bodies (WIRE §10.7): `{error: {code, message, status, details}}`.

use crate::dialect::shared::errors::context_length::GOOGLE;
use crate::dialect::shared::errors::{self, Shape, Tag};
use crate::model::{ChatError, ChatErrorCode};
use crate::run::{Result, Run, Writing};
use crate::value::{Value, Word};

/// The status word, and the HTTP status that always comes with it.
fn words(code: ChatErrorCode) -> (Word, f64) {
    match code {
        ChatErrorCode::InvalidRequest | ChatErrorCode::ContextLength | ChatErrorCode::TooLarge => {
            (Word::INVALID_ARGUMENT, 400.0)
        }
        ChatErrorCode::Billing => (Word::FAILED_PRECONDITION, 400.0),
        ChatErrorCode::Authentication => (Word::UNAUTHENTICATED, 401.0),
        ChatErrorCode::Permission => (Word::PERMISSION_DENIED, 403.0),
        ChatErrorCode::NotFound => (Word::NOT_FOUND, 404.0),
        ChatErrorCode::Conflict => (Word::ABORTED, 409.0),
        ChatErrorCode::RateLimit => (Word::RESOURCE_EXHAUSTED, 429.0),
        ChatErrorCode::Cancelled => (Word::CANCELLED, 499.0),
        ChatErrorCode::ApiError => (Word::INTERNAL, 500.0),
        ChatErrorCode::Unknown => (Word::UNKNOWN, 500.0),
        ChatErrorCode::Unsupported => (Word::UNIMPLEMENTED, 501.0),
        ChatErrorCode::Overloaded => (Word::UNAVAILABLE, 503.0),
        ChatErrorCode::Timeout => (Word::DEADLINE_EXCEEDED, 504.0),
    }
}

pub fn read(run: &mut Run, body: Value) -> Result<ChatError> {
    errors::read(run, body, Tag::None)
}

pub fn write(run: &mut Run, error: &ChatError) -> Result<()> {
    errors::write(run, error, &Shape { tag: Tag::None, fields: write_fields, too_long: Some(GOOGLE), demanded: &[] })
}

fn write_fields(run: &mut Run, object: &mut Writing, error: &ChatError) {
    let (word, status) = words(error.code_or_status());
    object.number(run, Word::code, status);
    object.word(run, Word::status, word);
}
