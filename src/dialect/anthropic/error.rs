//! Error bodies (WIRE §10.7): `{type: "error", error: {type, message}, request_id}`.

use crate::dialect::shared::errors::context_length::ANTHROPIC;
use crate::dialect::shared::errors::{self, Shape, Tag};
use crate::model::{ChatError, ChatErrorCode};
use crate::run::{Result, Run, Writing};
use crate::value::{Value, Word};

fn word(code: ChatErrorCode) -> Word {
    match code {
        ChatErrorCode::InvalidRequest | ChatErrorCode::ContextLength | ChatErrorCode::Unsupported => {
            Word::invalid_request_error
        }
        ChatErrorCode::Authentication => Word::authentication_error,
        ChatErrorCode::Billing => Word::billing_error,
        ChatErrorCode::Permission => Word::permission_error,
        ChatErrorCode::NotFound => Word::not_found_error,
        ChatErrorCode::Conflict => Word::conflict_error,
        ChatErrorCode::TooLarge => Word::request_too_large,
        ChatErrorCode::RateLimit => Word::rate_limit_error,
        ChatErrorCode::ApiError | ChatErrorCode::Cancelled | ChatErrorCode::Unknown => Word::api_error,
        ChatErrorCode::Overloaded => Word::overloaded_error,
        ChatErrorCode::Timeout => Word::timeout_error,
    }
}

pub fn read(run: &mut Run, body: Value) -> Result<ChatError> {
    errors::read(run, body, Tag::Type)
}

pub fn write(run: &mut Run, error: &ChatError) -> Result<()> {
    errors::write(
        run,
        error,
        &Shape { tag: Tag::Type, fields: write_type, too_long: Some(ANTHROPIC), demanded: &[Word::request_id] },
    )
}

fn write_type(run: &mut Run, object: &mut Writing, error: &ChatError) {
    object.word(run, Word::r#type, word(error.code_or_status()));
}
