//! The words that providers use for kinds of errors (WIRE §10.7). Servers use each other's words: Vertex AI sends Google's for Anthropic's models,
//! and many servers follow OpenAI.

use crate::model::ChatErrorCode::{self, *};
use crate::value::Word;

/// A word, its meaning, and the HTTP status that it usually comes with.
type Table = [(Word, ChatErrorCode, u16)];

/// Words that mean the same as their code.
pub const EXACT: &Table = &[
    (Word::authentication_error, Authentication, 401),
    (Word::billing_error, Billing, 402),
    (Word::permission_error, Permission, 403),
    (Word::not_found_error, NotFound, 404),
    (Word::conflict_error, Conflict, 409),
    (Word::request_too_large, TooLarge, 413),
    (Word::rate_limit_error, RateLimit, 429),
    (Word::overloaded_error, Overloaded, 529),
    (Word::timeout_error, Timeout, 504),
    (Word::INVALID_ARGUMENT, InvalidRequest, 400),
    (Word::UNAUTHENTICATED, Authentication, 401),
    (Word::PERMISSION_DENIED, Permission, 403),
    (Word::NOT_FOUND, NotFound, 404),
    (Word::ABORTED, Conflict, 409),
    (Word::RESOURCE_EXHAUSTED, RateLimit, 429),
    (Word::CANCELLED, Cancelled, 499),
    (Word::INTERNAL, ApiError, 500),
    (Word::UNIMPLEMENTED, Unsupported, 501),
    (Word::UNAVAILABLE, Overloaded, 503),
    (Word::DEADLINE_EXCEEDED, Timeout, 504),
    (Word::invalid_api_key, Authentication, 401),
    (Word::insufficient_quota, Billing, 429),
    (Word::request_forbidden, Permission, 403),
    (Word::rate_limit_exceeded, RateLimit, 429),
    (Word::requests, RateLimit, 429),
    // Mistral
    (Word::rate_limited, RateLimit, 429),
    (Word::tokens, RateLimit, 429),
    (Word::server_is_overloaded, Overloaded, 503),
    (Word::service_unavailable_error, Overloaded, 503),
    (Word::not_found, NotFound, 404),
    (Word::conflict, Conflict, 409),
    (Word::timeout, Timeout, 504),
    (Word::cancelled, Cancelled, 499),
    (Word::unsupported, Unsupported, 501),
    (Word::context_length_exceeded, ContextLength, 400),
    // AWS: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html and CommonErrors.html
    (Word::AccessDeniedException, Permission, 403),
    (Word::UnrecognizedClientException, Authentication, 403),
    (Word::ExpiredTokenException, Authentication, 403),
    (Word::InvalidSignatureException, Authentication, 403),
    (Word::ValidationException, InvalidRequest, 400),
    (Word::ResourceNotFoundException, NotFound, 404),
    (Word::ConflictException, Conflict, 400),
    (Word::ThrottlingException, RateLimit, 429),
    (Word::InternalServerException, ApiError, 500),
    (Word::ServiceUnavailableException, Overloaded, 503),
    (Word::ModelTimeoutException, Timeout, 408),
    // llama.cpp and GitHub Copilot
    (Word::exceed_context_size_error, ContextLength, 400),
    (Word::model_max_prompt_tokens_exceeded, ContextLength, 400),
];

/// Words that are more specific than their code.
pub const FINER: &Table = &[
    (Word::billing_hard_limit_reached, Billing, 429),
    (Word::billing_not_active, Billing, 429),
    (Word::model_not_found, NotFound, 404),
    (Word::content_policy_violation, InvalidRequest, 400),
    (Word::slow_down, RateLimit, 429),
    // Mistral
    (Word::invalid_model, InvalidRequest, 400),
    (Word::service_tier_capacity_exceeded, Overloaded, 429),
    (Word::FAILED_PRECONDITION, InvalidRequest, 400),
    (Word::OUT_OF_RANGE, InvalidRequest, 400),
    (Word::ALREADY_EXISTS, Conflict, 409),
    (Word::DATA_LOSS, ApiError, 500),
    (Word::API_KEY_INVALID, Authentication, 400),
    (Word::BILLING_DISABLED, Billing, 403),
    (Word::TooManyRequestsException, RateLimit, 429),
    (Word::ServiceQuotaExceededException, RateLimit, 400),
    (Word::ModelErrorException, ApiError, 424),
    (Word::ModelNotReadyException, Overloaded, 429),
    (Word::ModelStreamErrorException, ApiError, 424),
];

/// Words that are less specific than the HTTP status that comes with them.
pub const VAGUE: &Table = &[
    (Word::invalid_request_error, InvalidRequest, 400),
    (Word::api_error, ApiError, 500),
    (Word::server_error, ApiError, 500),
    (Word::UNKNOWN, ApiError, 500),
];

pub fn find(tables: &[&Table], word: Word) -> Option<(ChatErrorCode, u16)> {
    tables.iter().flat_map(|table| table.iter()).find(|row| row.0 == word).map(|row| (row.1, row.2))
}
