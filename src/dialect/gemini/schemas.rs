//! Schemas in one of the two forms that the API accepts, as the option `geminiSchema` decides: JSON Schema, or Google's own subset of OpenAPI.

use crate::run::{At, GeminiSchema, Result, Run, SchemaUse};
use crate::schema::{self, openapi, policy};
use crate::value::Value;

pub fn write(run: &mut Run, schema: Value, at: At, purpose: SchemaUse) -> Result<Value> {
    match (run.options.gemini_schema, purpose) {
        (GeminiSchema::JsonSchema, SchemaUse::Tool) => schema::fit(run, schema, at, &policy::GOOGLE_JSON),
        (GeminiSchema::JsonSchema, SchemaUse::Format) => schema::fit(run, schema, at, &policy::GOOGLE_JSON_FORMAT),
        (GeminiSchema::OpenApi, SchemaUse::Tool) => openapi::write(run, schema, at),
        (GeminiSchema::OpenApi, SchemaUse::Format) => openapi::write_format(run, schema, at),
    }
}
