//! Options as JavaScript passes them: read once as JSON, and not again while they stay the same.

use super::error::{refused, unreadable};
use crate::run::error::Result;
use crate::run::{Choice, Context, Dialect, ErrorCode, Names, Options, Texts, ToolwireError};
use crate::value::js::transport;
use crate::value::text::Source;
use crate::value::{Kind, Store, Value, Word};
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// What the options of one call say.
#[derive(Default)]
pub struct Given {
    pub options: Options,
    pub from: Option<Dialect>,
    pub to: Option<Dialect>,
}

#[wasm_bindgen(module = "/src/bindings/options.js")]
extern "C" {
    fn note(options: &JsValue) -> u32;
    #[wasm_bindgen(js_name = numberOf)]
    fn number_of(options: &JsValue) -> u32;
    #[wasm_bindgen(catch, js_name = textOf)]
    fn text_of(options: &JsValue) -> std::result::Result<JsValue, JsValue>;
}

/// What JavaScript says instead of a number where there are no options.
const NONE: u32 = 1;

/// The last options: their JSON text, what it says, and the number that JavaScript noted them by, or 0. Only options that come
/// again are noted.
struct Known {
    text: JsValue,
    given: Rc<Given>,
    number: Option<u32>,
}

thread_local! {
    // Never borrowed while JavaScript runs: the caller's getters may call the package again.
    static KNOWN: RefCell<Option<Known>> = const { RefCell::new(None) };
}

/// Reads options; undefined and null are the defaults.
pub fn read(options: &JsValue) -> Result<Rc<Given>> {
    let number = number_of(options);
    if number == NONE {
        return Ok(Rc::default());
    }
    if let Some(given) = known(|known| number != 0 && known.number == Some(number)) {
        return Ok(given);
    }
    // `onWarning` is not in it
    let text = text_of(options).map_err(|cause| unreadable("the options cannot be read", &cause))?;
    let was_noted = KNOWN.with_borrow(|known| known.as_ref().is_some_and(|known| known.number.is_some()));
    let (given, number) = match known(|known| known.text == text) {
        Some(given) if was_noted => return Ok(given),
        Some(given) => (given, Some(note(options))),
        None => (Rc::new(parse(transport::string_to_bytes(&text))?), None),
    };
    KNOWN.with_borrow_mut(|known| *known = Some(Known { text, given: given.clone(), number }));
    Ok(given)
}

fn known(is_same: impl Fn(&Known) -> bool) -> Option<Rc<Given>> {
    KNOWN.with_borrow(|known| known.as_ref().filter(|known| is_same(known)).map(|known| known.given.clone()))
}

/// `text` is none where JSON cannot express the options: a function, a symbol.
fn parse(text: Option<Vec<u8>>) -> Result<Given> {
    const DEPTH: usize = 128;
    let no_object = || refused(ErrorCode::InvalidType, "expected the options to be an object");
    let (mut store, root) =
        Store::of_text(Source::String(text.ok_or_else(no_object)?), DEPTH).map_err(|_| unreadable_text())?;
    if store.kind(root) != Kind::Object {
        return Err(no_object());
    }
    let mut given = Given::default();
    for (name, value) in members(&mut store, root).ok_or_else(unreadable_text)? {
        if store.kind(value) != Kind::Null {
            let setting = &mut Setting { store: &mut store, name: &name, value };
            match setting.name {
                "from" => given.from = Some(setting.dialect()?),
                "to" => given.to = Some(setting.dialect()?),
                _ => set(&mut given.options, setting)?,
            }
        }
    }
    Ok(given)
}

fn unreadable_text() -> Box<ToolwireError> {
    refused(ErrorCode::InvalidValue, "the options cannot be read")
}

fn members(store: &mut Store, object: Value) -> Option<Vec<(String, Value)>> {
    if store.kind(object) != Kind::Object {
        return None;
    }
    let mut members = Vec::new();
    for field in store.fields(object, &mut Vec::new()).ok()? {
        members.push((store.owned_text(field.key), field.value));
    }
    Some(members)
}

// Not part of its caller: the options that most calls have are the two dialects, and engines compile what is called.
#[inline(never)]
fn set(options: &mut Options, setting: &mut Setting) -> Result<()> {
    // exhaustive, so that no option can be forgotten
    let Options {
        lossy,
        missing_results,
        orphan_results,
        duplicate_results,
        error_style,
        json_results,
        gemini_result_key,
        gemini_schema,
        anthropic_version,
        platform,
        system_role,
        mid_system,
        id_seed,
        context,
        status,
        model,
        stream,
        max_depth,
        max_event_bytes,
    } = options;
    match setting.name {
        "lossy" => *lossy = setting.choice()?,
        "missingResults" => *missing_results = Some(setting.choice()?),
        "orphanResults" => *orphan_results = Some(setting.choice()?),
        "duplicateResults" => *duplicate_results = Some(setting.choice()?),
        "errorStyle" => *error_style = setting.choice()?,
        "jsonResults" => *json_results = setting.choice()?,
        "geminiResultKey" => *gemini_result_key = setting.choice()?,
        "geminiSchema" => *gemini_schema = setting.choice()?,
        "anthropicVersion" => *anthropic_version = Some(setting.choice()?),
        "platform" => *platform = Some(setting.choice()?),
        "systemRole" => *system_role = setting.choice()?,
        "midSystem" => *mid_system = setting.choice()?,
        "idSeed" => *id_seed = Some(setting.text()?),
        "context" => *context = Some(setting.context()?),
        "status" => *status = Some(setting.whole_number(100.0..600.0, "an HTTP status")? as u16),
        "model" => *model = Some(setting.text()?),
        "stream" => *stream = Some(setting.boolean()?),
        "maxDepth" => *max_depth = Some(setting.whole_number(SIZES, "a depth")? as usize),
        "maxEventBytes" => *max_event_bytes = Some(setting.whole_number(SIZES, "a number of bytes")? as usize),
        "onWarning" => return Err(setting.wrong_type("a function")),
        _ => return Err(setting.wrong("there is no such option")),
    }
    Ok(())
}

const SIZES: Range<f64> = 0.0..4_294_967_296.0;

/// One option as the caller gave it.
struct Setting<'a> {
    store: &'a mut Store,
    name: &'a str,
    value: Value,
}

impl Setting<'_> {
    fn told(&self, code: ErrorCode, what: &str) -> Box<ToolwireError> {
        refused(code, format!("option {}: {what}", shown(self.name)))
    }

    fn wrong(&self, what: &str) -> Box<ToolwireError> {
        self.told(ErrorCode::InvalidValue, what)
    }

    fn wrong_type(&self, expected: &str) -> Box<ToolwireError> {
        self.told(ErrorCode::InvalidType, &format!("expected {expected}"))
    }

    fn text(&self) -> Result<String> {
        match self.store.kind(self.value) {
            Kind::String => Ok(self.store.owned_text(self.value)),
            _ => Err(self.wrong_type("a string")),
        }
    }

    fn boolean(&self) -> Result<bool> {
        match self.store.kind(self.value) {
            Kind::Boolean => Ok(self.store.boolean(self.value)),
            _ => Err(self.wrong_type("a boolean")),
        }
    }

    fn whole_number(&self, range: Range<f64>, what: &str) -> Result<f64> {
        if self.store.kind(self.value) != Kind::Number {
            return Err(self.wrong_type(what));
        }
        let number = self.store.number(self.value);
        if range.contains(&number) && number.fract() == 0.0 {
            Ok(number)
        } else {
            Err(self.wrong(&format!("expected {what}")))
        }
    }

    fn choice<T: Choice>(&self) -> Result<T> {
        let place = self.place(T::WORDS)?;
        T::ALL.get(place).copied().ok_or_else(|| self.wrong_type("one of few words"))
    }

    /// Which of the words the option is. Not generic, as there are many kinds of choice.
    fn place(&self, words: &[&str]) -> Result<usize> {
        let text = self.text()?;
        words.iter().position(|word| *word == text).ok_or_else(|| self.none_of(words, &text))
    }

    fn dialect(&self) -> Result<Dialect> {
        if self.store.kind(self.value) != Kind::String {
            return Err(self.wrong_type("the name of a dialect"));
        }
        self.choice()
    }

    fn none_of(&self, known: &[&str], found: &str) -> Box<ToolwireError> {
        self.wrong(&format!("expected one of {}, found \"{}\"", known.join(", "), shown(found)))
    }

    /// What [`crate::convert::context_of`] gave.
    fn context(&mut self) -> Result<Context> {
        self.known_context().ok_or_else(|| self.wrong("expected what contextOf gave"))
    }

    fn known_context(&mut self) -> Option<Context> {
        let mut context = Context::default();
        for (name, value) in members(self.store, self.value)? {
            match name.as_str() {
                "names" => context.names = self.texts(value)?,
                "ids" => context.ids = self.texts(value)?,
                "namespaces" => context.namespaces = self.texts(value)?,
                "freeform" if self.store.kind(value) == Kind::Array => {
                    let mut names = Vec::new();
                    for name in self.store.items(value).ok()? {
                        names.push(self.text_of(name)?);
                    }
                    context.freeform = Names::of(names);
                }
                _ => return None,
            }
        }
        Some(context)
    }

    fn texts(&mut self, object: Value) -> Option<Texts> {
        let mut texts = Vec::new();
        for (name, value) in members(self.store, object)? {
            texts.push((name, self.text_of(value)?));
        }
        Some(Texts::of(texts))
    }

    fn text_of(&self, value: Value) -> Option<String> {
        (self.store.kind(value) == Kind::String).then(|| self.store.owned_text(value))
    }
}

/// The beginning of what the caller wrote.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The context as a value: what says nothing is left out.
pub fn write_context(store: &mut Store, context: &Context) -> Value {
    let Context { names, ids, namespaces, freeform } = context;
    store.start();
    store.begin_object();
    for (word, texts) in [(Word::names, names), (Word::ids, ids), (Word::namespaces, namespaces)] {
        if !texts.is_empty() {
            store.key(word);
            write_texts(store, texts);
        }
    }
    if !freeform.is_empty() {
        store.key(Word::freeform);
        store.begin_array();
        freeform.iter().for_each(|name| store.put_text(name));
        store.end_array();
    }
    store.end_object();
    store.finish()
}

fn write_texts(store: &mut Store, texts: &Texts) {
    store.begin_object();
    for (name, text) in texts.iter() {
        let key = store.string(name);
        store.key_of(key);
        store.put_text(text);
    }
    store.end_object();
}
