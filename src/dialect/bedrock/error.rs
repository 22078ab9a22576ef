//! Errors (WIRE §10.7): `{message}`, with the name of the exception in a header or under `__type`; in a stream, under the name.

use crate::dialect::shared::errors::context_length::BEDROCK;
use crate::dialect::shared::errors::{self, Shape, Tag};
use crate::model::{ChatError, ChatErrorCode};
use crate::run::{Key, Result, Run, Writing};
use crate::value::{Value, Word};

/// The exceptions, and their keys in a stream: those that `ConverseStreamOutput` has in the types of the AWS SDK.
const STREAMED: &[(Word, Word)] = &[
    (Word::InternalServerException, Word::internalServerException),
    (Word::ModelStreamErrorException, Word::modelStreamErrorException),
    (Word::ServiceUnavailableException, Word::serviceUnavailableException),
    (Word::ThrottlingException, Word::throttlingException),
    (Word::ValidationException, Word::validationException),
    (Word::ModelTimeoutException, Word::modelTimeoutException),
];

fn word(code: ChatErrorCode) -> Word {
    match code {
        ChatErrorCode::InvalidRequest
        | ChatErrorCode::ContextLength
        | ChatErrorCode::TooLarge
        | ChatErrorCode::Unsupported => Word::ValidationException,
        ChatErrorCode::Authentication => Word::UnrecognizedClientException,
        ChatErrorCode::Permission | ChatErrorCode::Billing => Word::AccessDeniedException,
        ChatErrorCode::NotFound => Word::ResourceNotFoundException,
        ChatErrorCode::Conflict => Word::ConflictException,
        ChatErrorCode::RateLimit => Word::ThrottlingException,
        ChatErrorCode::ApiError | ChatErrorCode::Cancelled | ChatErrorCode::Unknown => Word::InternalServerException,
        ChatErrorCode::Overloaded => Word::ServiceUnavailableException,
        ChatErrorCode::Timeout => Word::ModelTimeoutException,
    }
}

pub fn read(run: &mut Run, body: Value) -> Result<ChatError> {
    errors::read(run, body, Tag::Flat)
}

pub fn write(run: &mut Run, error: &ChatError) -> Result<()> {
    errors::write(run, error, &Shape { tag: Tag::Flat, fields: write_type, too_long: Some(BEDROCK), demanded: &[] })
}

fn write_type(run: &mut Run, object: &mut Writing, error: &ChatError) {
    object.word(run, Word::__type, word(error.code_or_status()));
}

/// Whether this is the key of an exception in a stream.
pub fn is_exception(key: Word) -> bool {
    STREAMED.iter().any(|(_, known)| *known == key)
}

/// Reads the exception under `key` of an event; None if the key is none of an exception.
pub fn read_streamed(run: &mut Run, key: Key, exception: Value) -> Result<Option<ChatError>> {
    let known = STREAMED.iter().find(|(_, known)| *known == key.word()).map(|(name, _)| name.text().to_owned());
    let name = known.or_else(|| capitalised(&run.key_text(key)).filter(|name| name.ends_with("Exception")));
    let Some(name) = name else { return Ok(None) };
    let body = run.build_object(|run, object| {
        object.text(run, Word::__type, &name);
        object.add_rest(run, Some(exception));
    });
    errors::read(run, body, Tag::Flat).map(Some)
}

/// The name of an exception: its key in a stream begins with a small letter.
fn capitalised(key: &str) -> Option<String> {
    let (first, rest) = key.split_at_checked(1)?;
    Some([&first.to_ascii_uppercase(), rest].concat())
}

/// The key of the exception in a stream, for an error: one that streams have.
pub fn streamed(error: &ChatError) -> Word {
    let name = word(error.code_or_status());
    let known = |name: Word| STREAMED.iter().find(|(known, _)| *known == name).map(|(_, key)| *key);
    known(name).unwrap_or(match name {
        Word::ConflictException | Word::ResourceNotFoundException => Word::validationException,
        Word::AccessDeniedException | Word::UnrecognizedClientException => Word::validationException,
        _ => Word::internalServerException,
    })
}
