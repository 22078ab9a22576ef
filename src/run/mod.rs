//! The state of one conversion: the store of its values, its options, positions, warnings and errors.

mod build;
pub mod error;
mod json_text;
mod losses;
mod made;
mod metadata;
mod models;
mod options;
mod path;
mod queues;
mod read;
mod report;
mod route;
mod settings;
mod spelling;
mod texts;
mod values;
mod warning;
mod write;

pub use crate::format::{Dialect, Provider};
pub use error::{ErrorCode, Failed, StreamPlace, ToolwireError};
pub use losses::is_hint;
pub use made::{Fields, Made};
pub use metadata::{Leaves, Member, Metadata};
pub use models::model_facts;
pub use options::*;
pub use path::{At, Paths, Place, Step};
pub use queues::Queues;
pub use read::Reading;
pub use report::Report;
pub use route::Route;
#[cfg(target_arch = "wasm32")]
pub use settings::{choice, choice_or_default};
pub use texts::{Names, Texts};
pub use values::Elements;
pub use warning::{Level, Warning, WarningCode};
pub use write::{Building, Writing};

use crate::value::{Fault, Field, Kind, Notice, Store, Value, Word};

/// A conversion in progress.
pub struct Run<'a> {
    pub store: &'a mut Store,
    pub options: &'a Options,
    /// What is converted to what.
    pub route: Route,
    /// Where the values are in the input.
    pub paths: Paths,
    pub report: Report,
    /// What is being built.
    pub building: Building,
    /// The strings and numbers that may differ in the next event of a stream if that is otherwise the same: see [`Run::may_repeat`].
    pub varying: Vec<Value>,
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
        let is_hosted = options.platform.is_some();
        let route = Route { server: options.server, is_hosted, ..Route::new(from, to) };
        let (report, building, varying) = (Report::default(), Building::default(), Vec::new());
        let mut run = Run { store, options, route, paths, report, building, varying };
        run.warn_notices(At::ROOT);
        run
    }

    /// Declares that the next event need not be read if it differs from this one only in these values, one of which is the text of the delta that
    /// this event gave. It would give the same delta with another text, and change nothing in the decoder but what `Decode::repeat` does. Only
    /// non-empty strings and integers count.
    pub fn may_repeat(&mut self, varying: &[Option<Value>]) {
        self.varying.extend(varying.iter().flatten().copied());
    }

    // ── positions ────────────────────────────────────────────────────────────────────────────────────────────────

    /// The position of a canonical field if the input is canonical; else that of its owner.
    pub fn canonical_or(&mut self, at: At, word: Word) -> At {
        if !self.route.is_from_provider() { self.down(at, word) } else { at }
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
        self.warn_of(code, at, message, self.route.to);
    }

    fn warn_of(&mut self, code: WarningCode, at: At, message: &str, dialect: Dialect) {
        if code.level() == Level::Bookkeeping && !self.options.bookkeeping {
            return;
        }
        if ONCE.contains(&code)
            && !self.options.bookkeeping
            && self.report.warnings.iter().any(|warning| warning.code == code)
        {
            return;
        }
        let path = self.pointer(at);
        let message = worded(message, self.route.to, &path);
        self.report.warnings.push(Warning { code, message, path, dialect });
    }

    #[inline(always)]
    pub fn fail<T>(&self, code: ErrorCode, at: At, message: &str) -> Result<T> {
        Err(self.failed(code, at, message))
    }

    fn failed(&self, code: ErrorCode, at: At, message: &str) -> Failed {
        let (message, path, dialect) = (message.to_owned(), self.pointer(at), Some(self.route.wire()));
        self.report.fail(Box::new(ToolwireError { code, message, path, dialect, stream: None }))
    }

    /// Runs a step whose failure does not fail the conversion.
    pub fn attempt<T>(&mut self, step: impl FnOnce(&mut Self) -> Result<T>) -> error::Result<T> {
        let before = self.report.set_aside();
        let open = self.building.mark();
        let outcome = step(self);
        // the failed step may have left objects open
        self.building.close_after(open);
        self.report.restore(before, outcome)
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
        self.report.fail(fault_error(fault, self.pointer(at), Some(self.route.wire())))
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
            let is_known = self.report.warnings.last().is_some_and(|last| last.code == code && last.path == path);
            if is_known {
                continue;
            }
            self.report.warnings.push(Warning { code, message: message.into(), path, dialect: self.route.from });
        }
    }

    /// Reports members that the store noticed, by their keys: duplicates, and those that cannot be read.
    pub(crate) fn report_noticed(&mut self, at: At, fields: &[Field], noticed: Vec<Value>) {
        for key in noticed {
            let at = self.paths.down(at, Step::Key(key));
            let field = fields.iter().find(|field| field.key == key && field.value.reason().is_some());
            let Some(Field { value, .. }) = field else {
                self.warn_of(WarningCode::DuplicateKey, at, DUPLICATE_KEY, self.route.from);
                continue;
            };
            self.report.add_unreadable(*value, at);
            let reason = value.reason().map(|reason| self.store.owned_text(reason));
            let message = format!("{REFUSED}: {}", reason.unwrap_or_default());
            self.warn_of(WarningCode::FieldDropped, at, &message, self.route.from);
        }
    }

    /// Fails if the output needs a value that cannot be read.
    #[cfg(target_arch = "wasm32")]
    pub fn check_readable(&self) -> std::result::Result<(), Box<ToolwireError>> {
        let Some(value) = self.store.unreadable() else { return Ok(()) };
        let at = self.report.position_of(value);
        let reason = value.reason().map(|reason| self.store.owned_text(reason)).unwrap_or_default();
        Err(fault_error(Fault::refused(reason), self.pointer(at), Some(self.route.wire())))
    }
}

/// Codes of which only the first is reported at the default level, as all have the same cause and nothing follows from the others.
const ONCE: &[WarningCode] = &[WarningCode::ReasoningDropped];

/// The message with the name of the target, and that of the field which it does not have.
fn worded(message: &str, target: Dialect, path: &str) -> String {
    let field = path
        .rsplit('/')
        .next()
        .filter(|name| !name.is_empty() && !name.starts_with(|first: char| first.is_ascii_digit()));
    match (message, field) {
        (NO_FIELD | NO_SETTING, Some(field)) => {
            format!("{} has no `{}`", target.title(), field.replace("~1", "/").replace("~0", "~"))
        }
        _ => message.replace("the target", target.title()),
    }
}

/// A field that the target does not have.
pub const NO_FIELD: &str = "the target does not have this field";
/// A setting that the target does not have.
pub const NO_SETTING: &str = "the target does not have this setting";
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
