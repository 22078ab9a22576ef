//! Reads parts (WIRE §4.3, §4.4, §4.9).

use super::partial;
use crate::dialect::shared::arguments;
use crate::dialect::shared::shapes::{Absent, Field, Id, Presence};
use crate::dialect::shared::turns::TurnPart;
use crate::fit::media;
use crate::fit::results::{is_typed_error, states_its_error};
use crate::model::{
    Add, Block, Call, ENCODED_ENVELOPE, Media, MediaKind, Metadata, Native, Outcome, Reasoning, Source, ToolResult,
};
use crate::run::{At, Elements, GeminiResultKey, Reading, Result, Run};
use crate::value::{Kind, Value, Word};

pub fn read_piece(run: &mut Run, value: Value, at: At) -> Result<TurnPart> {
    let mut reading = run.object(value, at)?;
    leave_default(run, &mut reading);
    if reading.holds(run, Word::functionCall) {
        return read_call(run, reading, value).map(TurnPart::Block);
    }
    if reading.holds(run, Word::functionResponse) {
        return read_result(run, reading).map(TurnPart::Result);
    }
    if reading.holds(run, Word::inlineData) || reading.holds(run, Word::fileData) {
        return read_media(run, reading, value).map(TurnPart::Block);
    }
    let is_state = is_state(run, &reading, value);
    if !reading.holds(run, Word::text) && !is_state {
        let value = run.spelled(value, at);
        let native = Native::of_source(run, value, at);
        return Ok(TurnPart::Block(Block::Native(native)));
    }
    let text = reading.string_or_empty(run, Word::text)?;
    if is_state {
        reading.note_omitted(run, Word::text);
    }
    let thought = THOUGHT.take(run, &mut reading)?;
    if is_state || thought.is_some_and(|(thought, _)| run.store.boolean(thought)) {
        let signature = reading.string(run, Word::thoughtSignature)?;
        return Ok(TurnPart::Block(Block::Reasoning(Reasoning {
            signature,
            metadata: reading.rest(),
            ..Reasoning::of_text(at, run.route.source_provider(), text)
        })));
    }
    if run.store.is_empty(text) && !run.route.is_response && !reading.has(Word::thoughtSignature) {
        reading.note(Word::text, text);
    }
    let metadata = with_signature(run, reading)?;
    Ok(TurnPart::Block(Block::Text { at, text, metadata }))
}

/// Leaves out that a part is no thought: some clients state it for every part (rig 0.44). Formats that have the field get it as it is.
pub fn leave_default(run: &Run, part: &mut Reading) {
    let thought = part.peek(Word::thought).filter(|_| !run.route.keeps_family());
    if thought.is_some_and(|thought| run.store.kind(thought) == Kind::Boolean && !run.store.boolean(thought)) {
        part.take_any(Word::thought);
    }
}

/// Whether a part is a thought without a text, or nothing but an envelope. Clients return these so (Genkit 1.42, google-genai-haystack 7.0).
fn is_state(run: &mut Run, reading: &Reading, value: Value) -> bool {
    let signature = reading.peek(Word::thoughtSignature).filter(|signature| run.store.kind(*signature) == Kind::String);
    let is_read = signature.is_some_and(|signature| {
        let is_envelope = run.store.head(signature, ENCODED_ENVELOPE.len()) == ENCODED_ENVELOPE;
        let is_thought = reading.has(Word::thought);
        if run.route.stays() { is_envelope && is_thought } else { is_envelope || is_thought }
    });
    let fields = [Word::thought, Word::thoughtSignature].into_iter().filter(|word| reading.has(*word)).count();
    is_read && run.members(value).into_iter().count() == fields
}

/// The text of a thought.
pub const TEXT: Field = Field { key: Word::text, kind: Kind::String, absent: Absent::EmptyText };

pub const THOUGHT: Field = Field { key: Word::thought, kind: Kind::Boolean, absent: Absent::OmittedIfFalse };

/// Takes the signature, which may be on any part, into the field of the metadata where all dialects look for it (Q165).
fn with_signature(run: &mut Run, mut reading: Reading) -> Result<Metadata> {
    let signature = reading.string(run, Word::thoughtSignature)?;
    let mut metadata = reading.rest();
    if let Some(signature) = signature {
        metadata.set_thought_signature(signature);
    }
    Ok(metadata)
}

pub const ID: Id = Id { key: Word::id, form: Word::id, presence: Presence::Optional };

fn read_call(run: &mut Run, mut reading: Reading, whole: Value) -> Result<Block> {
    let mut call = reading.require_object(run, Word::functionCall)?;
    if partial::is_piece(run, &call) {
        let metadata = Metadata::default();
        return Ok(Block::Native(Native {
            at: reading.at(),
            provider: run.route.source_provider(),
            value: whole,
            metadata,
        }));
    }
    let id = ID.take(run, &mut call)?;
    let (name, arguments) = arguments::take(run, &mut call, (Word::args, arguments::Usual::OnlyObject))?;
    let at = reading.at();
    let mut metadata = with_signature(run, reading)?;
    call.rest_into(run, Word::functionCall, &mut metadata);
    Ok(Block::Call(Call { at, id, name, arguments, metadata }))
}

fn read_media(run: &mut Run, mut reading: Reading, whole: Value) -> Result<Block> {
    let at = reading.at();
    let word = if reading.holds(run, Word::inlineData) { Word::inlineData } else { Word::fileData };
    let mut inner = reading.require_object(run, word)?;
    let key = if word == Word::inlineData { Word::data } else { Word::fileUri };
    let Some(source) = inner.string(run, key)? else {
        return Ok(Block::Native(Native::of_source(run, whole, at)));
    };
    let source = if word == Word::inlineData { Source::Base64(source) } else { Source::Url(source) };
    let media_type = inner.text(run, Word::mimeType)?;
    if media_type.is_none() {
        inner.note(Word::mimeType, run.store.word_value(Word::omitted));
    }
    let name = inner.string(run, Word::displayName)?;
    let kind = media_type.and_then(|media_type| media::kind_of(&run.store.text(media_type)));
    let kind = kind.unwrap_or(MediaKind::Document);
    let mut metadata = with_signature(run, reading)?;
    inner.rest_into(run, word, &mut metadata);
    Ok(Block::Media(Media { at, kind, source, media_type, name, metadata }))
}

fn read_result(run: &mut Run, mut reading: Reading) -> Result<ToolResult> {
    let (result, result_at) = reading.require(run, Word::functionResponse)?;
    let mut result = run.object(result, result_at)?;
    let id = ID.take(run, &mut result)?;
    let name = result.require_string(run, Word::name)?;
    let response = result.take_any(Word::response);
    let response_at = run.down(result_at, Word::response);
    let mut outcome = read_response(run, response, response_at)?;
    if response.is_none_or(|response| run.store.kind(response) == Kind::Null) {
        result.note(Word::response, response.unwrap_or_else(|| run.store.word_value(Word::omitted)));
    }
    // the value would be written without the object around it
    if let Outcome::Data { value, is_error: true } = outcome
        && response != Some(value)
        && states_its_error(run, value)
    {
        result.note(Word::error, run.store.boolean_value(true));
    }
    if let Some((parts, at)) = result.take_at(run, Word::parts) {
        let elements = run.elements(parts, at)?;
        if elements.is_empty() {
            result.note(Word::parts, parts);
        } else {
            outcome = read_parts(run, elements, at, outcome)?;
        }
    }
    let at = reading.at();
    let mut metadata = reading.rest();
    result.rest_into(run, Word::functionResponse, &mut metadata);
    Ok(ToolResult { at, id, name, outcome, metadata })
}

/// Results are wrapped in an object: in `output` or `error`; any other object is a result itself (Q88).
fn read_response(run: &mut Run, response: Option<Value>, at: At) -> Result<Outcome> {
    let Some(response) = response.filter(|response| run.store.kind(*response) != Kind::Null) else {
        return Ok(Outcome::Text(run.store.string("")));
    };
    if run.store.kind(response) != Kind::Object {
        return run.wrong_type(response, at, "an object");
    }
    let fields = run.fields(response, at)?;
    let [only] = fields.as_slice() else {
        return Ok(Outcome::Data { value: response, is_error: is_typed_error(run, response) });
    };
    let kind = run.store.kind(only.value);
    let boxed = result_key(run);
    Ok(match (only.word, kind) {
        (Word::error, Kind::String) => Outcome::Error(only.value),
        (Word::error, _) => Outcome::Data { value: only.value, is_error: true },
        (word, Kind::String) if word == boxed => Outcome::Text(only.value),
        (word, kind) if word == boxed && kind != Kind::Object => Outcome::Data { value: only.value, is_error: false },
        _ => Outcome::Data { value: response, is_error: false },
    })
}

/// The key of a result that is not an object itself.
pub fn result_key(run: &Run) -> Word {
    match run.options.gemini_result_key {
        GeminiResultKey::Output => Word::output,
        GeminiResultKey::Result => Word::result,
    }
}

/// Adds media beside a result: together they are a multimodal result.
fn read_parts(run: &mut Run, parts: Elements, at: At, outcome: Outcome) -> Result<Outcome> {
    let is_error = outcome.is_error();
    let first = match outcome {
        Outcome::Text(text) if run.store.is_empty(text) => None,
        Outcome::Text(text) | Outcome::Error(text) => Some(Block::Text { at, text, metadata: Metadata::default() }),
        Outcome::Data { value, .. } => Some(Block::Data { at, value, metadata: Metadata::default() }),
        Outcome::Multimodal { .. } => None,
    };
    let mut blocks: Vec<Block> = first.into_iter().collect();
    for (part, at) in parts {
        match read_piece(run, part, at)?.by_user(part, run.route.source_provider()) {
            TurnPart::Block(Block::Media(mut media)) => {
                if matches!(media.source, Source::Url(_)) {
                    media.metadata.add_form(Word::parts, run.store.boolean_value(true));
                }
                blocks.add(Block::Media(media));
            }
            TurnPart::Block(block) => blocks.add(block),
            TurnPart::Result(_) => return run.wrong_type(part, at, "a media part"),
        }
    }
    Ok(Outcome::Multimodal { blocks, is_error })
}
