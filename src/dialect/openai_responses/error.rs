//! Error bodies: the same as those of Chat Completions (WIRE §10.7).

use crate::model::{ChatError, ChatErrorCode};
use crate::value::Word;

pub use crate::dialect::openai::error::{read, write};

/// The error code of a failed response, which is one of a few words.
pub fn code(error: &ChatError) -> Word {
    match error.code_or_status() {
        // Codex compacts on this code, which the SDK's list lacks
        ChatErrorCode::ContextLength => Word::context_length_exceeded,
        ChatErrorCode::RateLimit => Word::rate_limit_exceeded,
        ChatErrorCode::InvalidRequest | ChatErrorCode::TooLarge | ChatErrorCode::Unsupported => Word::invalid_prompt,
        ChatErrorCode::Authentication
        | ChatErrorCode::Billing
        | ChatErrorCode::Permission
        | ChatErrorCode::NotFound
        | ChatErrorCode::Conflict
        | ChatErrorCode::Cancelled
        | ChatErrorCode::ApiError
        | ChatErrorCode::Overloaded
        | ChatErrorCode::Timeout
        | ChatErrorCode::Unknown => Word::server_error,
    }
}
