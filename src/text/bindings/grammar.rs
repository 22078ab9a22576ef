//! Bindings for grammars.

use super::{JsResult, read_json, thrown};
use crate::json::{Value, json};
use crate::text::grammar::{Grammar, GrammarOptions, Syntax};
use crate::text::write::WriteWarning;
use crate::text::{Tool, grammar};
use wasm_bindgen::prelude::*;

/// Returns `{syntax, warnings}` as JSON text. A grammar that is text follows after a line break, any other one is a field.
#[wasm_bindgen(js_name = toolGrammar)]
pub fn tool_grammar(tools: &str, options: &str) -> JsResult<String> {
    let tools = Tool::list(&read_json("the tools", tools)?).map_err(|error| thrown(&error))?;
    let options = GrammarOptions::of(&read_json("the options", options)?).map_err(|error| thrown(&error))?;
    grammar::tool_grammar(&tools, &options).map(written).map_err(|error| thrown(&error))
}

/// Returns what `toolGrammar` returns.
#[wasm_bindgen(js_name = schemaGrammar)]
pub fn schema_grammar(schema: &str, syntax: &str) -> JsResult<String> {
    let schema = read_json("the schema", schema)?;
    let syntax = Syntax::of(syntax).map_err(|error| thrown(&error))?;
    grammar::schema_grammar(&schema, syntax).map(written).map_err(|error| thrown(&error))
}

/// Returns `{schema, warnings}` as JSON text: the schema for a server that enforces JSON Schema, by what converts it there.
#[wasm_bindgen(js_name = serverSchema)]
pub fn server_schema(schema: &str, converter: &str) -> JsResult<String> {
    let (schema, warnings) =
        grammar::server_schema(&read_json("the schema", schema)?, converter).map_err(|error| thrown(&error))?;
    Ok(json!({ "schema": schema, "warnings": listed(&warnings) }).to_string())
}

fn listed(warnings: &[WriteWarning]) -> Value {
    warnings.iter().map(|warning| json!({ "path": warning.path, "message": warning.message })).collect()
}

fn written(grammar: Grammar) -> String {
    let (syntax, warnings) = (grammar.syntax.name(), listed(&grammar.warnings));
    match grammar.grammar {
        // a large text takes time to be written as JSON, and to be read
        Value::String(text) => format!("{}\n{text}", json!({ "syntax": syntax, "warnings": warnings })),
        grammar => json!({ "syntax": syntax, "grammar": grammar, "warnings": warnings }).to_string(),
    }
}
