//! A provider's error.

use super::Metadata;
use super::closed::closed;
use crate::run::At;
use crate::value::{Value, Word};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct ChatError {
    pub at: At,
    /// The HTTP status.
    pub status: Option<u16>,
    pub code: ChatErrorCode,
    pub message: Value,
    pub retryable: bool,
    pub context_length: ContextLength,
    pub metadata: Metadata,
}

/// How long the request was, and may be, in tokens: for [`ChatErrorCode::ContextLength`], where the provider states it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContextLength {
    pub limit: Option<f64>,
    pub requested: Option<f64>,
}

impl ChatError {
    /// An error of which only the message is known.
    pub fn of_api(at: At, message: Value) -> ChatError {
        let code = ChatErrorCode::ApiError;
        ChatError {
            at,
            status: None,
            code,
            message,
            retryable: code.retryable(None),
            context_length: ContextLength::default(),
            metadata: Metadata::default(),
        }
    }
}

closed! {
    /// The kind of error. `context_length`: the request is too long for the model. `unknown`: neither the body nor the status determines it.
    ChatErrorCode {
        InvalidRequest invalid_request,
        ContextLength context_length,
        Authentication authentication,
        Billing billing,
        Permission permission,
        NotFound not_found,
        Conflict conflict,
        TooLarge too_large,
        RateLimit rate_limit,
        Cancelled cancelled,
        ApiError api_error,
        Unsupported unsupported,
        Overloaded overloaded,
        Timeout timeout,
        Unknown unknown,
    }
}

/// What an HTTP status implies: first single codes, then ranges of a hundred.
const STATUSES: &[(u16, u16, ChatErrorCode)] = &[
    (401, 401, ChatErrorCode::Authentication),
    (402, 402, ChatErrorCode::Billing),
    (403, 403, ChatErrorCode::Permission),
    (404, 404, ChatErrorCode::NotFound),
    (408, 408, ChatErrorCode::Timeout),
    (409, 409, ChatErrorCode::Conflict),
    (413, 413, ChatErrorCode::TooLarge),
    (429, 429, ChatErrorCode::RateLimit),
    (499, 499, ChatErrorCode::Cancelled),
    (400, 499, ChatErrorCode::InvalidRequest),
    (501, 501, ChatErrorCode::Unsupported),
    (503, 503, ChatErrorCode::Overloaded),
    (504, 504, ChatErrorCode::Timeout),
    (529, 529, ChatErrorCode::Overloaded),
    (500, 599, ChatErrorCode::ApiError),
];

impl ChatErrorCode {
    /// Whether the same request may succeed later.
    fn is_retryable(self) -> bool {
        use ChatErrorCode::{ApiError, Conflict, Overloaded, RateLimit, Timeout};
        matches!(self, Conflict | RateLimit | ApiError | Overloaded | Timeout)
    }

    pub fn of_status(status: u16) -> ChatErrorCode {
        let found = STATUSES.iter().find(|(first, last, _)| (*first..=*last).contains(&status));
        found.map_or(ChatErrorCode::Unknown, |(_, _, code)| *code)
    }

    /// Whether the same request may succeed later. For an unknown error, the status decides.
    pub fn retryable(self, status: Option<u16>) -> bool {
        match (self, status) {
            (ChatErrorCode::Unknown, Some(status)) => ChatErrorCode::of_status(status).is_retryable(),
            _ => self.is_retryable(),
        }
    }
}

impl ChatError {
    /// The code; for an unknown one, the code that the status implies.
    pub fn code_or_status(&self) -> ChatErrorCode {
        match (self.code, self.status) {
            (ChatErrorCode::Unknown, Some(status)) => ChatErrorCode::of_status(status),
            (code, _) => code,
        }
    }
}
