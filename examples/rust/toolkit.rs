//! Runs the calls of one turn on tokio: `cargo run --example toolkit --features schemars`.
//!
//! The toolkit decides what may run, with which arguments and when; this program does the rest: calling the functions, waiting, and
//! sending results back.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};
use toolwire::toolkit::{Call, Caller, CheckedCall, RateLimit, Registry, RegistryOptions, Tool, ToolFilter};

/// Adds two numbers.
#[derive(Deserialize, JsonSchema)]
struct Add {
    a: i64,
    b: i64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Weather {
    /// The name of a city.
    city: String,
    #[serde(default)]
    unit: Unit,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unit {
    #[default]
    Celsius,
    Fahrenheit,
}

fn tools() -> toolwire::toolkit::Result<Registry> {
    let mut tools = Registry::new(RegistryOptions::default());
    tools.register(Tool::of::<Add>("add").description("Adds two numbers."), false)?;
    let weather = Tool::of::<Weather>("get_weather").description("Returns the current weather of a city.");
    tools.register(weather.rate_limit(RateLimit::Window { calls: 1, per_ms: 50.0 }), false)?;
    tools.register(Tool::new("delete_everything").description("Deletes everything.").dangerous(), false)?;
    Ok(tools)
}

/// What the tools do.
async fn execute(name: &str, arguments: Map<String, Value>) -> Result<Value, String> {
    let arguments = Value::Object(arguments);
    let wrong = |error: serde_json::Error| error.to_string();
    match name {
        "add" => {
            let Add { a, b } = serde_json::from_value(arguments).map_err(wrong)?;
            a.checked_add(b).map(|sum| json!({ "sum": sum })).ok_or_else(|| "the sum is too large".to_string())
        }
        "get_weather" => {
            let Weather { city, unit } = serde_json::from_value(arguments).map_err(wrong)?;
            tokio::time::sleep(Duration::from_millis(10)).await;
            Ok(json!({ "city": city, "temperature": 18, "unit": format!("{unit:?}") }))
        }
        name => Err(format!("{name} has no implementation")),
    }
}

/// The error result that a model can act on.
fn failed(checked: &CheckedCall) -> Option<Value> {
    let first = checked.problems.first()?;
    let messages: Vec<&str> = checked.problems.iter().map(|problem| problem.message.as_str()).collect();
    let error_type = match json!(first.code).as_str() {
        Some(known @ ("unknown_tool" | "truncated")) => known.to_string(),
        _ => "invalid_arguments".to_string(),
    };
    Some(json!({ "error": messages.join("\n"), "error_type": error_type }))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut tools = tools()?;
    let filter = ToolFilter::default();
    let shown: Vec<String> = tools.definitions(&filter).into_iter().map(|definition| definition.name).collect();
    println!("tools: {}", shown.join(", "));

    let calls = [
        Call::new("1", "add", json!({ "a": 1, "b": "2" })),
        Call::with_text("2", "functions.get_weather", "{'city': 'Paris', unit: 'Celsius'}"),
        Call::with_text("3", "get_weather", "{\"city\": \"Oslo\"}"),
        Call::new("4", "get_weather", json!({})),
        Call::new("5", "delete_everything", json!({})),
        Call::new("6", "substract", json!({})),
    ];
    let start = Instant::now();
    let caller = Caller { session: Some("example".into()), agent: None };
    let mut running = Vec::new();
    for call in calls {
        let id = call.id.clone();
        let checked = tools.check(call);
        let name = checked.call.name.clone();
        if let Some(error) = failed(&checked) {
            running.push((id, tokio::spawn(async move { error })));
            continue;
        }
        if !tools.allows(&name, &filter) {
            let error = json!({ "error": format!("{name} is not allowed here."), "error_type": "not_allowed" });
            running.push((id, tokio::spawn(async move { error })));
            continue;
        }
        // The toolkit has no clock: it returns how long to wait.
        while let Err(wait) = tools.reserve(&name, &caller, start.elapsed().as_secs_f64() * 1000.0) {
            tokio::time::sleep(Duration::from_secs_f64(wait / 1000.0)).await;
        }
        let arguments = checked.call.arguments;
        let run = async move {
            let run = tokio::time::timeout(Duration::from_secs(5), execute(&name, arguments));
            match run.await {
                Ok(Ok(value)) => value,
                Ok(Err(error)) => json!({ "error": error, "error_type": "Error" }),
                Err(_) => json!({ "error": format!("{name} took longer than 5 s."), "error_type": "timeout" }),
            }
        };
        running.push((id, tokio::spawn(run)));
    }
    for (id, task) in running {
        println!("{id}: {}", task.await?);
    }
    Ok(())
}
