//! Grammars that restrict a model to valid responses.
//!
//! Tools, a text format and a tool choice become one intermediate representation (`rule::Expression`), which each syntax prints. Constraints that
//! a syntax can't express are relaxed and reported, so that every valid call is accepted.

mod arguments;
mod bounds;
mod calls;
mod gbnf;
mod json_schema;
mod keywords;
mod lark;
#[cfg(test)]
mod matcher;
mod merge;
mod names;
mod number;
mod pattern;
mod regex;
mod rule;
mod schema;
mod server;
mod stated;
mod structural_tag;
mod template;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
mod unique;
mod until;
mod values;

use super::write::{Choice, Form, Report, WriteWarning, choice};
use super::{Result, TextError, Tool};
use crate::json::Value;
use crate::table::Table;
use crate::words::{listed, named, word_of, words};
use bounds::{check_nesting, located};
use calls::{Calls, chosen};
use keywords::Policy;
use rule::Rules;
use schema::{Cleaner, Raw};
pub use server::server_schema;
use unique::Names;
use values::{Notation, Values};

words! {
    /// The syntax of a grammar.
    pub enum Syntax as "GrammarSyntax" {
        /// GBNF, the grammars of llama.cpp.
        Gbnf "gbnf",
        /// Lark, in the dialect of llguidance.
        Lark "lark",
        /// Lark as the custom tools of `OpenAI` accept it: without JSON Schema.
        OpenAi "openai",
        Regex "regex",
        /// A JSON Schema of the union of all calls.
        JsonSchema "jsonSchema",
        /// Structural tags of `XGrammar`.
        StructuralTag "structuralTag",
    }
}

impl Syntax {
    /// # Errors
    /// The name is unknown.
    pub fn of(name: &str) -> Result<Self> {
        named(Self::WORDS, name)
            .ok_or_else(|| TextError::new("/syntax", format!("`syntax` must be {}", listed(Self::WORDS))))
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        word_of(Self::WORDS, &self)
    }

    fn policy(self) -> &'static Policy {
        match self {
            Self::Gbnf => &keywords::RULES,
            Self::OpenAi => &keywords::OPENAI,
            Self::Regex => &keywords::REGEX,
            Self::Lark => &keywords::LARK,
            Self::StructuralTag | Self::JsonSchema => &keywords::TAGS,
        }
    }

    fn print(self, rules: &Rules) -> Result<Value> {
        Ok(match self {
            Self::Gbnf => gbnf::print(rules).into(),
            Self::Lark | Self::OpenAi => lark::print(rules)?.into(),
            Self::Regex => regex::print(rules)?.into(),
            Self::StructuralTag | Self::JsonSchema => structural_tag::print(rules)?,
        })
    }
}

/// The options of a grammar of calls.
#[derive(Clone, Debug)]
pub struct GrammarOptions {
    pub syntax: Syntax,
    pub form: &'static Form,
    pub choice: Choice,
    /// Whether a response may contain several calls.
    pub parallel: bool,
}

impl GrammarOptions {
    /// Reads the options of `toolGrammar`.
    ///
    /// # Errors
    /// The syntax, format or choice is unknown.
    pub fn of(options: &Value) -> Result<Self> {
        let text = |key: &str| options.get(key).and_then(Value::as_str).unwrap_or_default();
        let parallel = options.get("parallelToolCalls") != Some(&Value::Bool(false));
        Ok(Self {
            syntax: Syntax::of(text("syntax"))?,
            form: Form::of(text("format"))?,
            choice: choice(options.get("toolChoice"))?,
            parallel,
        })
    }
}

/// A grammar, with warnings for constraints that it does not enforce.
#[derive(Clone, Debug, PartialEq)]
pub struct Grammar {
    pub syntax: Syntax,
    /// A string, or an object if the syntax is JSON.
    pub grammar: Value,
    pub warnings: Vec<WriteWarning>,
}

/// A grammar of responses with calls of these tools. The paths of warnings are relative to the tools.
///
/// # Errors
/// The chosen tool does not exist, the syntax can't express the format, no tool has a valid call, or a schema or the grammar is too large:
/// 127 levels of nested objects and arrays, 64 nested subschemas and 100,000 parts once references are followed, 4 MB where a syntax has no rules.
pub fn tool_grammar(tools: &[Tool], options: &GrammarOptions) -> Result<Grammar> {
    let GrammarOptions { syntax, form, .. } = *options;
    let (list, required) = chosen(tools, &options.choice)?;
    let parameters = |index: usize| tools.get(index).map(|tool| Value::Object(tool.parameters.clone()));
    for (index, _) in &list {
        check_nesting(&parameters(*index).unwrap_or_default(), &format!("/{index}/parameters"))?;
    }
    let parallel = options.parallel && !form.single;
    let mut report = Report::default();
    let grammar = if syntax == Syntax::JsonSchema {
        json_schema::union(form, &list, required, parallel, &mut report)?
    } else {
        let calls = Calls { form, parallel, policy: syntax.policy(), report: &mut report };
        syntax.print(&calls.grammar(tools, &list, required)?).map_err(|error| in_tools(error, &parameters))?
    };
    Ok(Grammar { syntax, grammar, warnings: report.warnings })
}

/// The error with its path as it is in the schema of its tool.
fn in_tools(error: TextError, parameters: &dyn Fn(usize) -> Option<Value>) -> TextError {
    let (tool, path) = match error.path.strip_prefix('/').and_then(|path| path.split_once("/parameters")) {
        Some((tool, path)) => (tool, path),
        None => return error,
    };
    let schema = tool.parse().ok().and_then(parameters).unwrap_or_default();
    TextError::new(format!("/{tool}/parameters{}", located(&schema, path)), error.message)
}

/// A grammar of one JSON value. The paths of warnings are relative to the schema.
///
/// # Errors
/// The syntax is not textual, the schema accepts no value, or it or the grammar is too large, as in `tool_grammar`.
pub fn schema_grammar(schema: &Value, syntax: Syntax) -> Result<Grammar> {
    if matches!(syntax, Syntax::JsonSchema | Syntax::StructuralTag) {
        return Err(TextError::new("/syntax", "`syntax` must be gbnf, lark, openai or regex"));
    }
    check_nesting(schema, "")?;
    let policy = syntax.policy();
    let mut report = Report::default();
    let mut cleaner = Cleaner { policy, raw: Raw::Nowhere, report: &mut report, names: Names::default() };
    let clean = cleaner.clean(schema, schema, "value", "")?;
    let (mut rules, mut known) = (Rules::default(), Table::new());
    let mut values = Values::of(&mut rules, Notation::Json, &clean, &mut known, "");
    (values.native, values.flat) = (policy.native, policy.flat);
    let value = values.whole(&clean.schema, "value");
    if value == rule::or([]) || clean.schema == Value::Bool(false) {
        return Err(TextError::new("", "this schema accepts no value"));
    }
    rules.start = Some(value);
    let printed = syntax.print(&rules);
    let grammar = printed.map_err(|error| TextError::new(located(schema, &error.path), error.message))?;
    Ok(Grammar { syntax, grammar, warnings: report.warnings })
}
