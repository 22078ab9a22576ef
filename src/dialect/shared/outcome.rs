//! Tool results for targets that accept text only.

use crate::model::{Block, Media, Metadata, Outcome, ToolResult};
use crate::run::{At, Dialect, ErrorStyle, Failed, JsonResults, Result, Run, WarningCode};
use crate::value::{Fault, Kind, Value, Word};

/// Reads a result string: as text, unless the options ask for JSON to be parsed.
pub fn read_text(run: &mut Run, text: Value) -> Outcome {
    if run.options.json_results == JsonResults::Text {
        return Outcome::Text(text);
    }
    let Ok(value) = run.store.parse(text) else { return Outcome::Text(text) };
    match run.store.kind(value) {
        Kind::Object => only_error(run, value).map_or(Outcome::Data { value, is_error: false }, Outcome::Error),
        Kind::Array => Outcome::Data { value, is_error: false },
        _ => Outcome::Text(text),
    }
}

/// The string of an object that is exactly `{"error": string}`.
fn only_error(run: &mut Run, value: Value) -> Option<Value> {
    match run.members(value).as_slice() {
        [only] if only.word == Word::error && run.store.kind(only.value) == Kind::String => Some(only.value),
        _ => None,
    }
}

impl Run<'_> {
    /// Writes a value as JSON in a string.
    pub fn put_json_text(&mut self, value: Value, at: At) -> Result<()> {
        self.store.put_stringified(value).map_err(|fault| self.fault(fault, at))
    }

    /// A value as JSON in a string.
    pub fn json_text(&mut self, value: Value, at: At) -> Result<Value> {
        self.store.stringify(value).map_err(|fault| self.fault(fault, at))
    }

    /// Writes the data of a result or block as JSON in a string; `at` is the position of its owner.
    pub fn put_data_text(&mut self, data: Value, at: At) -> Result<()> {
        self.store.put_stringified(data).map_err(|fault| self.data_fault(fault, at))
    }

    /// Data as JSON in a string; `at` is the position of its owner.
    pub fn data_text(&mut self, data: Value, at: At) -> Result<Value> {
        self.store.stringify(data).map_err(|fault| self.data_fault(fault, at))
    }

    /// The error for data that can't be written. It has the position of the owner, as only the canonical format has data in a field of its own.
    fn data_fault(&mut self, fault: Fault, at: At) -> Failed {
        if self.from != Dialect::Canonical {
            return self.fault(fault.whole(), at);
        }
        let at = self.down(at, Word::value);
        self.fault(fault, at)
    }
}

/// An error as text, in the style of the option `errorStyle`.
pub fn error_text(run: &mut Run, value: Value, at: At) -> Result<Value> {
    match run.options.error_style {
        ErrorStyle::Json => {
            let object = run.build_object(|run, object| {
                object.put(run, Word::error, value);
            });
            // the path would have one key more than the data
            run.store.stringify(object).map_err(|fault| run.fault(fault.whole(), at))
        }
        ErrorStyle::Prefix => {
            let text = if run.store.kind(value) == Kind::String { value } else { run.data_text(value, at)? };
            let prefix = run.store.string("Execution Error: ");
            Ok(run.store.join(&[prefix, text]))
        }
    }
}

/// The texts of blocks, with data as JSON; media and other blocks are left out.
pub fn texts(run: &mut Run, blocks: &[Block]) -> Result<Vec<Value>> {
    let mut texts = Vec::new();
    for block in blocks {
        match block {
            Block::Text { text, .. } | Block::Refusal { text, .. } => texts.push(*text),
            Block::Data { at, value, .. } => texts.push(run.data_text(*value, *at)?),
            Block::Media(_) | Block::Native(_) | Block::Reasoning(_) | Block::Call(_) => {}
        }
    }
    Ok(texts)
}

/// Warns about losses in blocks that are written as text. Media are written elsewhere.
pub fn warn_losses(run: &mut Run, blocks: &[Block]) {
    for block in blocks {
        match block {
            Block::Text { at, metadata, .. } | Block::Data { at, metadata, .. } => run.warn_metadata(metadata, *at),
            Block::Refusal { at, metadata, .. } => {
                run.warn(WarningCode::RefusalAsText, *at, "only assistant messages can contain a refusal");
                run.warn_metadata(metadata, *at);
            }
            Block::Native(native) => run.warn_native_block(native.at),
            Block::Reasoning(reasoning) => run.warn_reasoning(reasoning),
            Block::Media(_) | Block::Call(_) => {}
        }
    }
}

/// The media of a result that can't contain media, fitted to be written elsewhere.
pub fn moved_media(run: &mut Run, blocks: &[Block], fit: fn(&mut Run, &Media) -> Option<Media>) -> Vec<Media> {
    let mut fitting = Vec::new();
    for block in blocks {
        if let Block::Media(media) = block {
            fitting.extend(fit(run, media));
        }
    }
    fitting
}

/// The text before the media of a result.
pub fn media_label(run: &Run, id: Value) -> String {
    format!("Media of tool result {}:", run.store.text(id))
}

/// Writes media after a text that names their result (Q93).
pub fn write_moved(
    run: &mut Run,
    result: &ToolResult,
    moved: &[Media],
    write_text: fn(&mut Run, Value, &Metadata, At),
    write_media: fn(&mut Run, &Media),
) {
    if moved.is_empty() {
        return;
    }
    let label = media_label(run, result.id);
    let label = run.store.string(&label);
    write_text(run, label, &Metadata::default(), result.at);
    for media in moved {
        run.warn(
            WarningCode::MediaMoved,
            media.at,
            "a result of the target can contain text only: this is sent after it",
        );
        write_media(run, media);
    }
}

/// The outcome of a result as a single text.
pub fn outcome_text(run: &mut Run, outcome: &Outcome, at: At) -> Result<Value> {
    match outcome {
        Outcome::Text(text) => Ok(*text),
        Outcome::Error(value) | Outcome::Data { value, is_error: true } => error_text(run, *value, at),
        Outcome::Data { value, is_error: false } => run.data_text(*value, at),
        Outcome::Multimodal { blocks, is_error } => {
            let texts = texts(run, blocks)?;
            let joined = run.store.join(&texts);
            if *is_error { error_text(run, joined, at) } else { Ok(joined) }
        }
    }
}
