//! The state of one conversion: the store of its values, its options, positions, warnings and errors.

pub mod error;
mod json_text;
mod losses;
mod metadata;
mod nearest;
mod options;
mod path;
mod queues;
mod read;
mod settings;
mod spelling;
mod texts;
mod warning;
mod write;

pub use crate::format::{Dialect, Provider};
pub use error::{ErrorCode, Failed, Failure, StreamPlace, ToolwireError};
pub use losses::is_hint;
pub use metadata::{Member, Metadata};
pub use nearest::nearest;
pub use options::*;
pub use path::{At, Paths, Place, Step};
pub use queues::Queues;
pub use read::{Elements, Reading};
#[cfg(target_arch = "wasm32")]
pub use settings::{choice, choice_or_default};
pub use texts::{Names, Texts};
pub use warning::{Warning, WarningCode};
use write::Entry;
pub use write::Writing;

use crate::value::{Fault, Field, Kind, Notice, Store, Value, Word};

/// A conversion in progress.
pub struct Run<'a> {
    pub store: &'a mut Store,
    pub options: &'a Options,
    pub from: Dialect,
    pub to: Dialect,
    /// The provider of the wire side: the model exposes its fields under `metadata`.
    pub family: Option<Provider>,
    /// Whether a response is converted, not a request.
    pub is_response: bool,
    /// Whether a piece of a body is converted, while the caller has the rest.
    pub is_piece: bool,
    /// Set while another provider's response is written: fills in the fields that the client's types require.
    pub fills_types: bool,
    /// Whether a Gemini request is written in the flat shape of Google's SDK.
    pub flat: bool,
    pub paths: Paths,
    /// The strings and numbers that may differ in the next event of a stream if that is otherwise the same: see [`Run::may_repeat`].
    pub varying: Vec<Value>,
    /// The keys of all objects that are being written, those of the innermost last: see [`Writing`].
    written: Vec<(Word, Entry)>,
    /// Objects that were merged into written ones, each with those of its fields that were not written.
    merged: Vec<(Value, Vec<Field>)>,
    /// Members that cannot be read, and their positions. The conversion fails if the target needs one.
    unreadable: Vec<(Value, At)>,
    pub warnings: Vec<Warning>,
    /// An error that occurred where none could be returned. The conversion fails with it at the end.
    pub failure: Failure,
}

/// The result of one step of a conversion.
pub type Result<T> = std::result::Result<T, Failed>;

/// A key of an object: a known word or any other text.
#[derive(Clone, Copy, Debug)]
pub enum Key {
    Word(Word),
    Text(Value),
}

impl From<Field> for Key {
    fn from(field: Field) -> Key {
        if field.word == Word::Unknown { Key::Text(field.key) } else { Key::Word(field.word) }
    }
}

impl Key {
    pub fn word(&self) -> Word {
        match self {
            Key::Word(word) => *word,
            Key::Text(_) => Word::Unknown,
        }
    }
}

impl<'a> Run<'a> {
    pub fn new(store: &'a mut Store, from: Dialect, to: Dialect, options: &'a Options) -> Run<'a> {
        Run::with_paths(store, from, to, options, Paths::new())
    }

    /// Starts a run that continues with the positions of an earlier one.
    pub fn with_paths(store: &'a mut Store, from: Dialect, to: Dialect, options: &'a Options, paths: Paths) -> Run<'a> {
        let family = from.provider().or(to.provider());
        let mut run = Run {
            store,
            options,
            from,
            to,
            family,
            is_response: false,
            is_piece: false,
            fills_types: false,
            flat: false,
            paths,
            varying: Vec::new(),
            written: Vec::new(),
            merged: Vec::new(),
            unreadable: Vec::new(),
            warnings: Vec::new(),
            failure: Failure::default(),
        };
        run.warn_notices(At::ROOT);
        run
    }

    /// The dialect that is not the canonical one; if both are wire formats, the source.
    pub fn wire(&self) -> Dialect {
        if self.from == Dialect::Canonical { self.to } else { self.from }
    }

    /// Whether the body stays in its format. If so, nothing is fitted, and what is unknown here is written as it came.
    pub fn stays(&self) -> bool {
        self.from == self.to
    }

    /// Whether the target is the source's wire format, or keeps its metadata. The nested fields and forms of a format have no meaning elsewhere, not
    /// even in another format of the same provider.
    pub fn keeps_family(&self) -> bool {
        self.to.provider().is_none()
            || self.to.provider() == self.family
                && (self.from.provider().is_none() || self.from.format().form == self.to.format().form)
    }

    // ── positions ────────────────────────────────────────────────────────────────────────────────────────────────

    /// The position of a canonical field if the input is canonical; else that of its owner.
    pub fn canonical_or(&mut self, at: At, word: Word) -> At {
        if self.from.provider().is_none() { self.down(at, word) } else { at }
    }

    pub fn down(&mut self, at: At, word: Word) -> At {
        self.paths.down(at, Step::Word(word))
    }

    pub fn nth(&mut self, at: At, index: usize) -> At {
        self.paths.down(at, Step::Index(index))
    }

    pub fn down_key(&mut self, at: At, key: Key) -> At {
        let step = match key {
            Key::Word(word) => Step::Word(word),
            Key::Text(value) => Step::Key(value),
        };
        self.paths.down(at, step)
    }

    pub fn pointer(&self, at: At) -> String {
        self.paths.pointer(self.store, at)
    }

    /// Makes a position outlive its event.
    pub fn keep_place(&self, at: At) -> Place {
        self.paths.keep(self.store, at)
    }

    /// Restores a position that was kept.
    pub fn recall(&mut self, place: &Place) -> At {
        self.paths.recall(place)
    }

    // ── reporting ────────────────────────────────────────────────────────────────────────────────────────────────

    /// Emits a warning.
    #[inline(never)]
    pub fn warn(&mut self, code: WarningCode, at: At, message: &str) {
        self.warn_of(code, at, message, self.to);
    }

    fn warn_of(&mut self, code: WarningCode, at: At, message: &str, dialect: Dialect) {
        let path = self.pointer(at);
        self.warnings.push(Warning { code, message: message.to_owned(), path, dialect });
    }

    #[inline(always)]
    pub fn fail<T>(&self, code: ErrorCode, at: At, message: &str) -> Result<T> {
        Err(self.failed(code, at, message))
    }

    fn failed(&self, code: ErrorCode, at: At, message: &str) -> Failed {
        let (message, path, dialect) = (message.to_owned(), self.pointer(at), Some(self.wire()));
        self.failure.keep(Box::new(ToolwireError { code, message, path, dialect, stream: None }))
    }

    /// Runs a step whose failure does not fail the conversion.
    pub fn attempt<T>(&mut self, step: impl FnOnce(&mut Self) -> Result<T>) -> error::Result<T> {
        let before = std::mem::take(&mut self.failure);
        let written = self.written.len();
        let outcome = step(self);
        // the failed step may have left objects open
        self.written.truncate(written);
        std::mem::replace(&mut self.failure, before).outcome(outcome)
    }

    /// The error for a value of the wrong type. `expected` reads like "a string".
    #[inline(always)]
    pub fn wrong_type<T>(&self, value: Value, at: At, expected: &str) -> Result<T> {
        Err(self.is_wrong_type(value, at, expected))
    }

    fn is_wrong_type(&self, value: Value, at: At, expected: &str) -> Failed {
        if let Some(reason) = value.reason() {
            return self.fault(Fault::refused(self.store.owned_text(reason)), at);
        }
        let found = self.store.kind(value).name();
        self.failed(ErrorCode::InvalidType, at, &format!("expected {expected}, found {found}"))
    }

    /// The error for a string that is not one of the allowed ones.
    #[inline(always)]
    pub fn wrong_word<T>(&self, value: Value, at: At, expected: &str) -> Result<T> {
        Err(self.is_wrong_word(value, at, expected))
    }

    fn is_wrong_word(&self, value: Value, at: At, expected: &str) -> Failed {
        if self.store.kind(value) != Kind::String {
            return self.is_wrong_type(value, at, expected);
        }
        let found: String = self.store.text(value).chars().take(40).collect();
        self.failed(ErrorCode::InvalidValue, at, &format!("expected {expected}, found \"{found}\""))
    }

    pub fn fault(&self, fault: Fault, at: At) -> Failed {
        self.failure.keep(fault_error(fault, self.pointer(at), Some(self.wire())))
    }

    /// Turns what the store noticed in the value at `at` into warnings.
    pub fn warn_notices(&mut self, at: At) {
        for (notice, below) in self.store.take_notices() {
            let (code, message) = match notice {
                Notice::DuplicateKey => (WarningCode::DuplicateKey, DUPLICATE_KEY),
                Notice::LoneSurrogate => (
                    WarningCode::LoneSurrogate,
                    "half of a surrogate pair is not a character: it was replaced by U+FFFD",
                ),
            };
            let path = self.pointer(at) + &below;
            let told = self.warnings.last().is_some_and(|last| last.code == code && last.path == path);
            if told {
                continue;
            }
            self.warnings.push(Warning { code, message: message.into(), path, dialect: self.from });
        }
    }

    /// Reports members that the store noticed, by their keys: duplicates, and those that cannot be read.
    pub(crate) fn tell_noticed(&mut self, at: At, fields: &[Field], noticed: Vec<Value>) {
        for key in noticed {
            let at = self.paths.down(at, Step::Key(key));
            let field = fields.iter().find(|field| field.key == key && field.value.reason().is_some());
            let Some(Field { value, .. }) = field else {
                self.warn_of(WarningCode::DuplicateKey, at, DUPLICATE_KEY, self.from);
                continue;
            };
            self.unreadable.push((*value, at));
            let reason = value.reason().map(|reason| self.store.owned_text(reason));
            let message = format!("{REFUSED}: {}", reason.unwrap_or_default());
            self.warn_of(WarningCode::FieldDropped, at, &message, self.from);
        }
    }

    /// Fails if the output needs a value that cannot be read.
    #[cfg(target_arch = "wasm32")]
    pub fn check_readable(&self) -> std::result::Result<(), Box<ToolwireError>> {
        let Some(value) = self.store.unreadable() else { return Ok(()) };
        let at = self.unreadable.iter().find(|(unreadable, _)| *unreadable == value).map_or(At::ROOT, |(_, at)| *at);
        let reason = value.reason().map(|reason| self.store.owned_text(reason)).unwrap_or_default();
        Err(fault_error(Fault::refused(reason), self.pointer(at), Some(self.wire())))
    }
}

const REFUSED: &str = "reading this value threw an error";
const DUPLICATE_KEY: &str = "this key occurs twice: the last value is used";

/// The error for a fault of the store.
pub fn fault_error(fault: Fault, mut path: String, dialect: Option<Dialect>) -> Box<ToolwireError> {
    let (code, message) = match fault {
        Fault::Syntax { message, offset } => (ErrorCode::InvalidJson, format!("not JSON: {message} at byte {offset}")),
        Fault::Depth { limit } => (ErrorCode::TooDeep, format!("nested deeper than {limit} levels")),
        Fault::TooLarge => (ErrorCode::TooLarge, "the input is larger than a conversion accepts".to_owned()),
        Fault::Refused { reason, below } => {
            path.push_str(&below);
            (ErrorCode::Unreadable, format!("{REFUSED}: {reason}"))
        }
    };
    Box::new(ToolwireError { code, message, path, dialect, stream: None })
}
