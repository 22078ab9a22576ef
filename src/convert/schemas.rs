//! Makes the schemas of tools and of the response what the target accepts.

use crate::dialect::{self, SchemaFit, Schemas};
use crate::model::{Definition, Request, ResponseFormat, Tool};
use crate::run::{At, Result, Run, SchemaUse, WarningCode};
use crate::schema;
use crate::value::{Value, Word};

/// Fits all schemas of a request.
pub fn fit(run: &mut Run, request: &mut Request) -> Result<()> {
    if run.route.to.format().limits.missing.contains(&Word::strict) {
        drop_strict(run, request);
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

/// Drops the strict mode of tools, which the target does not have.
fn drop_strict(run: &mut Run, request: &mut Request) {
    for tool in request.tools.iter_mut().flatten() {
        if let Tool::Definition(definition) = tool
            && let Some((true, at)) = definition.strict.take()
        {
            run.warn(WarningCode::StrictDropped, at, "the target has no strict mode");
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
