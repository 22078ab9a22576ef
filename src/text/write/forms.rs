//! Templates for calls, results and reasoning of each format, built from the rows of the format table.
//!
//! Placeholders: `%n` is the tool name, `%N` the name as JSON, `%a` the arguments, `%d` the call id, `%i` and `%j` the
//! index of the call from 0 and from 1, `%r` a result, `%t` text. For one argument, `%k` is the name, `%v` the value,
//! `%s` whether it is a string, `%w` whether it is raw text or JSON, and `%y` its type.

use crate::text::formats::{
    Body, Channels, Definitions, Flag, Format, Ids, Json, Named, Results, Tagged, all, by_id, unknown,
};
use crate::text::{Result, TextError};
use std::sync::LazyLock;

/// The encoding of arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arguments {
    Json,
    /// One element per argument. Strings are written verbatim, other values as JSON.
    Tagged(String),
    /// As `Tagged`, with strings that contain markup in CDATA sections.
    Cdata(String),
    /// Keyword arguments with Python literals.
    Python,
    /// `key:value`. Strings are enclosed in the delimiter, other values are bare.
    Gemma(&'static str),
    /// `key:value`. All values are enclosed in the delimiter.
    Delimited(&'static str),
    /// One nested element per value. The prefix starts each tag.
    Nested(&'static str),
}

/// The templates of one format.
#[derive(Clone, Debug)]
pub struct Form {
    pub id: &'static str,
    pub reasoning: String,
    /// The template of text before calls.
    pub text: String,
    /// The template of text without calls after it.
    pub answer: String,
    /// Text between the content and the calls after it.
    pub gap: &'static str,
    pub open: String,
    pub call: String,
    pub between: String,
    pub close: String,
    pub arguments: Arguments,
    pub ids: Ids,
    /// Whether a response has at most one call.
    pub single: bool,
    /// Whether a response is either text or calls.
    pub alone: bool,
    /// Whether a call without any marker is read where a line begins with its bracket.
    pub(super) bare: bool,
    /// Markers that end the message of a call wherever they occur.
    ends: Vec<&'static str>,
    pub definitions: Definitions,
    pub results: Results,
}

/// The templates of every format that has calls.
static FORMS: LazyLock<Vec<Form>> =
    LazyLock::new(|| all().filter(|format| !matches!(format.body, Body::None)).map(Form::new).collect());

impl Form {
    /// The templates of a format id. `auto` is the generic format.
    ///
    /// # Errors
    /// The format id is unknown, or the format has no calls.
    pub fn of(id: &str) -> Result<&'static Self> {
        let id = if id == "auto" { "json" } else { id };
        let format = by_id(id).ok_or_else(|| unknown(id))?;
        Self::all().iter().find(|form| form.id == format.id).ok_or_else(|| {
            TextError::new("/format", format!("the text format `{id}` has no calls: it reads text only"))
        })
    }

    /// The templates of every format that has calls.
    pub fn all() -> &'static [Self] {
        &FORMS
    }

    fn new(format: &'static Format) -> Self {
        if let Body::Channels(channels) = &format.body {
            return Self::of_channels(format, channels);
        }
        let Format { header, text, section, call, .. } = format;
        let list = match &format.body {
            Body::Json(json) => json.list,
            Body::Pythonic(pythonic) if pythonic.list => crate::text::formats::pair("[", "]"),
            _ => crate::text::formats::NONE,
        };
        let body = one_call(format);
        // the array is written between the markers of a single call
        let listed = !list.open.is_empty();
        let marked = |inner: &str| format!("{}{inner}{}", call.open, call.close);
        let [open, close] = match listed {
            true => [
                format!("{}{}{}", section.open, call.open, list.open),
                format!("{}{}{}", list.close, call.close, section.close),
            ],
            false => [section.open.to_owned(), section.close.to_owned()],
        };
        let named = if header.is_empty() { String::new() } else { format!("{header}%n") };
        let written = format!("{header}{}%t{}", text.open, text.close);
        let reasoning =
            format.reasoning.first().map(|pair| format!("{header}{}%t{}", pair.open, pair.close)).unwrap_or_default();
        Self {
            reasoning,
            text: written.clone(),
            answer: written,
            open,
            call: named + &if listed { body } else { marked(&body) },
            between: format.separator.to_owned(),
            close,
            ..Self::plain(format)
        }
    }

    /// The templates of a format whose messages have headers.
    fn of_channels(format: &'static Format, channels: &'static Channels) -> Self {
        let Channels { channel, message, next, recipient: to, call, between, close, .. } = channels;
        let [end, ..] = channels.ends else { return Self::plain(format) };
        let header = |kind: &str| if channel.is_empty() { format!(" {to}{kind}") } else { format!("{channel}{kind}") };
        let passage = |kind: &str| format!("{}{message}%t{end}", header(kind));
        let inner = channels.inner.map(Self::new);
        let body = match (&inner, channels.message_tags()) {
            (Some(form), None) => [&*form.open, &*form.call, &*form.close].concat(),
            _ => "%a".to_owned(),
        };
        Self {
            reasoning: passage(channels.reasoning) + next,
            text: passage(channels.text) + next,
            answer: passage(channels.answer),
            call: call.replace("%a", &body),
            between: (*between).to_owned(),
            close: (*close).to_owned(),
            arguments: inner.map_or(Arguments::Json, |form| form.arguments),
            ends: channels.ends.iter().copied().chain([channels.start]).collect(),
            ..Self::plain(format)
        }
    }

    fn plain(format: &'static Format) -> Self {
        Self {
            id: format.id,
            reasoning: String::new(),
            text: "%t".to_owned(),
            answer: "%t".to_owned(),
            gap: format.gap,
            open: String::new(),
            call: String::new(),
            between: String::new(),
            close: String::new(),
            arguments: arguments(format),
            ids: format.ids,
            single: !format.parallel,
            alone: format.alone,
            bare: is_bare(format),
            ends: Vec::new(),
            definitions: format.definitions,
            results: format.results,
        }
    }

    /// Whether the name is written outside JSON, where it can't be escaped.
    pub(super) fn has_bare_name(&self) -> bool {
        self.call.contains("%n") || self.ids == Ids::Indexed
    }

    /// Strings that a bare value must not contain: the literal parts of the templates around it.
    pub(super) fn delimiters(&self) -> impl Iterator<Item = &str> {
        let item = match &self.arguments {
            Arguments::Tagged(item) | Arguments::Cdata(item) => item.as_str(),
            Arguments::Gemma(mark) | Arguments::Delimited(mark) | Arguments::Nested(mark) => mark,
            Arguments::Json | Arguments::Python => "",
        };
        let fixed = [item, &self.call, &self.close].into_iter().flat_map(super::template::fixed);
        fixed.chain(self.ends.iter().copied()).filter(|part| part.len() > 2)
    }
}

fn is_bare(format: &Format) -> bool {
    match &format.body {
        Body::Json(json) => json.bare,
        Body::Pythonic(python) => python.bare,
        Body::Named(named) => named.lines,
        _ => false,
    }
}

/// The template of one call between its markers.
fn one_call(format: &Format) -> String {
    match &format.body {
        Body::Json(json) => object(json, format.ids),
        Body::Named(named) => self::named(named),
        Body::Tagged(tagged) => self::tagged(tagged),
        Body::Pythonic(_) => "%n(%a)".to_owned(),
        Body::Literal(literal) => [literal.open, "%n{%a}"].concat(),
        Body::Nested(nested) => format!("{} name=\"%n\">%a{}", nested.open, nested.close),
        Body::Channels(_) | Body::None => String::new(),
    }
}

fn object(json: &Json, ids: Ids) -> String {
    let Json { name, arguments, id, .. } = json;
    if name.is_empty() {
        return "{%N: %a}".to_owned();
    }
    let id = if ids == Ids::None || id.is_empty() { String::new() } else { format!("\"{id}\": \"%d\"") };
    let mut fields = vec![format!("\"{name}\": %N"), format!("\"{arguments}\": %a")];
    if !id.is_empty() {
        fields.insert(if json.id_first { 0 } else { fields.len() }, id);
    }
    format!("{{{}}}", fields.join(", "))
}

fn named(named: &Named) -> String {
    let Named { before, separator, after, id, .. } = named;
    let name = match (named.indexed, named.id_first) {
        (true, _) => "%d".to_owned(),
        (false, true) => format!("%d{id}%n"),
        (false, false) => "%n".to_owned(),
    };
    format!("{before}{name}{separator}%a{after}")
}

fn tagged(tagged: &Tagged) -> String {
    let Tagged { open, name_end, newline, close, .. } = tagged;
    let name = match tagged.second {
        _ if !tagged.quoted => "%n".to_owned(),
        "" => "\"%n\"".to_owned(),
        "name" => "\"%d\" name=\"%n\"".to_owned(),
        second => format!("\"%n\" {second}=\"%j\""),
    };
    format!("{open}{name}{name_end}{newline}%a{close}")
}

fn arguments(format: &Format) -> Arguments {
    match &format.body {
        Body::Tagged(tagged) if tagged.cdata => Arguments::Cdata(argument(tagged)),
        Body::Tagged(tagged) => Arguments::Tagged(argument(tagged)),
        Body::Pythonic(_) => Arguments::Python,
        Body::Literal(literal) if literal.quotes_all => Arguments::Delimited(literal.quote),
        Body::Literal(literal) => Arguments::Gemma(literal.quote),
        Body::Nested(nested) => Arguments::Nested(nested.prefix),
        _ => Arguments::Json,
    }
}

fn argument(tagged: &Tagged) -> String {
    let Tagged { key, key_end, value, value_close, pad, newline, .. } = tagged;
    let name = if tagged.quoted { "\"%k\"" } else { "%k" };
    let flag = match tagged.flag {
        Flag::None => "",
        Flag::String => " string=\"%s\"",
        Flag::Type => " type=\"%y\"",
        Flag::Raw => " type=\"%w\"",
    };
    let value = if value.is_empty() { String::new() } else { format!("{newline}{value}") };
    format!("{key}{name}{flag}{key_end}{value}{pad}%v{pad}{value_close}{newline}")
}
