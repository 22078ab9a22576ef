//! Makes the schemas of tools and of the response what the target accepts.

use crate::dialect::{self, SchemaFit, Schemas};
use crate::model::{Definition, Request, ResponseFormat, Tool};
use crate::run::{At, Result, Run, SchemaUse, WarningCode};
use crate::schema;
use crate::value::{Value, Word};

/// Fits all schemas of a request.
pub fn fit(run: &mut Run, request: &mut Request) -> Result<()> {
    let limits = run.route.to.format().limits;
    if limits.missing.contains(&Word::strict) {
        drop_strict(run, request, "the target has no strict mode");
    } else if limits.most_strict_properties > 0 && strict_properties(run, request) > limits.most_strict_properties {
        let most = limits.most_strict_properties;
        drop_strict(run, request, &format!("the target has at most {most} properties in all strict tools"));
    }
    let SchemaFit::ByPolicy(schemas) = dialect::target(run).schemas else { return Ok(()) };
    if let Some(tools) = &mut request.tools {
        fit_tools(run, tools, schemas)?;
    }
    if let Some((ResponseFormat::Schema { schema: (schema, at), strict, .. }, _)) =
        &mut request.settings.response_format
        && !run.is_void(*schema)
    {
        let strict_at = strict.map(|(_, at)| at);
        let policies = (schemas.format, schemas.strict_format);
        let (fitted, is_strict) = schema::fit_strict(run, *schema, *at, *strict, policies)?;
        *schema = fitted;
        *strict = is_strict.zip(strict_at);
    }
    Ok(())
}

fn fit_tools(run: &mut Run, tools: &mut [Tool], schemas: &Schemas) -> Result<()> {
    for tool in tools {
        let Tool::Definition(Definition { at, parameters, strict, .. }) = tool else { continue };
        let strict_at = strict.map(|(_, at)| at);
        let (schema, schema_at) = match (&parameters, &strict) {
            (Some((schema, at)), _) => (*schema, *at),
            // strict mode requires an explicit empty schema
            (None, Some((true, _))) => (no_parameters(run), *at),
            (None, _) => continue,
        };
        let policies = (schemas.tool, schemas.strict_tool);
        let (fitted, is_strict) = schema::fit_strict(run, schema, schema_at, *strict, policies)?;
        *parameters = Some((fitted, schema_at));
        *strict = is_strict.zip(strict_at);
    }
    Ok(())
}

/// The properties of all strict tools.
fn strict_properties(run: &mut Run, request: &Request) -> usize {
    let tools = request.tools.iter().flatten().filter_map(Tool::as_definition);
    let strict = tools.filter(|tool| matches!(tool.strict, Some((true, _))));
    let schemas = strict.filter_map(|tool| tool.parameters);
    schemas.map(|(schema, _)| schema::count::properties(run, schema)).sum()
}

/// Drops the strict mode of tools, which the target does not have, or not for these.
fn drop_strict(run: &mut Run, request: &mut Request, why: &str) {
    for tool in request.tools.iter_mut().flatten() {
        if let Tool::Definition(definition) = tool
            && let Some((true, at)) = definition.strict.take()
        {
            run.warn(WarningCode::StrictDropped, at, why);
        }
    }
}

/// Writes a single fitted schema.
pub fn write(run: &mut Run, schema: Value) -> Result<()> {
    let schema = run.plain_object(schema, At::ROOT)?;
    let fitted = match dialect::target(run).schemas {
        SchemaFit::ByPolicy(schemas) => {
            let policies = match run.options.schema_use {
                SchemaUse::Tool => (schemas.tool, schemas.strict_tool),
                SchemaUse::Format => (schemas.format, schemas.strict_format),
            };
            let strict = run.options.strict.then_some((true, At::ROOT));
            schema::fit_strict(run, schema, At::ROOT, strict, policies)?.0
        }
        SchemaFit::Own(write) => write(run, schema, At::ROOT, run.options.schema_use)?,
        SchemaFit::None => schema,
    };
    run.store.put(fitted);
    Ok(())
}

fn no_parameters(run: &mut Run) -> Value {
    run.build_object(|run, object| {
        object.word(run, Word::r#type, Word::object);
        object.key(run, Word::properties);
        run.begin().close(run);
    })
}

#[cfg(test)]
mod tests {
    use crate::{Dialect, Options, Subject, convert_text};
    use serde_json::{Map, Value, json};

    /// The warnings about a strict tool with this many properties, half of them within another one.
    fn warnings(to: Dialect, properties: usize) -> Vec<&'static str> {
        let named = |count: usize| -> Map<String, Value> {
            (0..count).map(|index| (format!("p{index}"), json!({ "type": "string" }))).collect()
        };
        let inner = json!({ "type": "object", "properties": named(properties / 2), "required": ["p0"] });
        let mut outer = named(properties - properties / 2 - 1);
        outer.insert("inner".to_owned(), inner);
        let parameters = json!({ "type": "object", "properties": outer, "required": ["inner"] });
        let body = json!({
            "model": "m",
            "messages": [{ "role": "user", "content": "?" }],
            "tools": [{ "name": "f", "parameters": parameters, "strict": true }]
        });
        let body = body.to_string().into_bytes();
        let converted = convert_text(body, Subject::Request, Dialect::Canonical, to, Options::default()).unwrap();
        converted.warnings.iter().map(|warning| warning.code.name()).collect()
    }

    #[test]
    fn strict_tools_have_at_most_as_many_properties_as_the_target_takes() {
        let most = |dialect: &Dialect| dialect.format().limits.most_strict_properties;
        let limited: Vec<&Dialect> = Dialect::ALL.iter().filter(|dialect| most(dialect) > 0).collect();
        assert!(!limited.is_empty());
        for dialect in limited {
            assert_eq!(warnings(*dialect, most(dialect)), Vec::<&str>::new());
            assert_eq!(warnings(*dialect, most(dialect) + 1), vec!["strict_dropped"]);
        }
    }
}
