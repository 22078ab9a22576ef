//! Runs the check of a vector on the text store.

use crate::support::cases::{Check, Outcome};
use serde_json::{Value, json};
use toolwire::{Dialect, Options, Subject, ToolwireError, Warning, convert_text};

pub fn kind(name: &str) -> Subject {
    match name {
        "request" => Subject::Request,
        "response" => Subject::Response,
        "error" => Subject::Error,
        "path" => Subject::Path,
        "tools" => Subject::Tools,
        "toolChoice" => Subject::ToolChoice,
        "toolConfig" => Subject::ToolConfig,
        "messages" => Subject::Messages,
        "toolCalls" => Subject::ToolCalls,
        "schema" => Subject::Schema,
        other => panic!("unknown kind {other}"),
    }
}

fn warning(warning: &Warning) -> Value {
    json!({ "code": warning.code.name(), "path": warning.path, "lossy": warning.lossy() })
}

fn error(error: &ToolwireError) -> Value {
    json!({ "code": error.code.name(), "path": error.path, "message": error.message })
}

pub fn run(check: &Check) -> Outcome {
    if matches!(check.kind.as_str(), "stream" | "answer") {
        return crate::support::streams::run(check);
    }
    let mut given = check.options.clone();
    let mut take = |name| given.as_object_mut().unwrap().remove(name);
    let [status, stream, strict, purpose] = ["status", "stream", "strict", "for"].map(&mut take);
    let mut options: Options = serde_json::from_value(given).unwrap();
    options.bookkeeping = true;
    options.strict = strict.is_some_and(|strict| strict.as_bool().unwrap());
    options.schema_use = purpose.map(|purpose| serde_json::from_value(purpose).unwrap()).unwrap_or_default();
    options.status = status.map(|status| status.as_u64().unwrap() as u16);
    options.stream = stream.map(|stream| stream.as_bool().unwrap());
    let (from, to) = (Dialect::of(&check.from).unwrap(), Dialect::of(&check.to).unwrap());
    match convert_text(check.input.text().into_bytes(), kind(&check.kind), from, to, options) {
        Ok(converted) => {
            let warnings = converted.warnings.iter().map(warning).collect();
            Ok((String::from_utf8(converted.body).unwrap(), Value::Array(warnings)))
        }
        Err(failed) => Err(error(&failed)),
    }
}
