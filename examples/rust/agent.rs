//! Runs an agent on tokio: `cargo run --example agent --features schemars`.
//!
//! The agent decides what happens next; this program sends the requests, runs the calls and owns the conversation. The model is scripted.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};
use toolwire::toolkit::agent::{Agent, Bounds, CallEnd, PendingCall, Reason, Response, Step};
use toolwire::toolkit::{Call, Registry, RegistryOptions, Tool};

/// Adds two numbers.
#[derive(Deserialize, JsonSchema)]
struct Add {
    a: i64,
    b: i64,
}

/// The response of the model to a conversation. A program sends a request here.
async fn send(messages: &[Value]) -> Value {
    sleep(Duration::from_millis(5)).await;
    let call = |id: &str, arguments: Value| json!({ "toolCalls": [{ "id": id, "name": "add", "arguments": arguments }], "finishReason": "tool_calls" });
    match messages.len() {
        1 => call("1", json!({ "a": "two", "b": 3 })),
        3 => call("2", json!({ "a": 2, "b": 3 })),
        _ => json!({ "content": "2 + 3 = 5", "finishReason": "stop" }),
    }
}

fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_string()
}

/// Runs one call. A mistake by the model is an error result, which the model can act on.
async fn run_call(tools: &Registry, call: &Value, time_left: Duration) -> (Value, Option<String>) {
    let arguments = call.get("arguments").cloned().unwrap_or_default();
    let checked = tools.check(Call::new(text(call, "id"), text(call, "name"), arguments));
    if !checked.problems.is_empty() {
        let messages: Vec<_> = checked.problems.into_iter().map(|problem| problem.message).collect();
        return (messages.join("\n").into(), Some("invalid_arguments".into()));
    }
    let execute = async {
        let Add { a, b } =
            serde_json::from_value(Value::Object(checked.call.arguments)).map_err(|error| error.to_string())?;
        a.checked_add(b).map(Value::from).ok_or("the sum is too large".to_string())
    };
    match timeout(time_left, execute).await {
        Ok(Ok(value)) => (value, None),
        Ok(Err(error)) => (error.into(), Some("Error".into())),
        Err(_) => ("the call took too long".into(), Some("timeout".into())),
    }
}

/// Runs the calls of one turn and adds their results to the conversation.
async fn run_turn(agent: &mut Agent, tools: &Registry, calls: &[PendingCall], messages: &mut Vec<Value>, left: f64) {
    for (index, pending) in calls.iter().enumerate() {
        agent.call_started(index);
        let (result, error_type) = run_call(tools, &pending.call, Duration::from_secs_f64(left / 1000.0)).await;
        println!("{} → {result}", pending.call);
        let kind = if error_type.is_some() { "error" } else { "data" };
        messages.push(json!({ "role": "tool", "toolResults": [
            { "toolCallId": text(&pending.call, "id"), "name": pending.name(), "kind": kind, "value": result },
        ] }));
        agent.call_ended(&CallEnd { index, result, error_type, ..CallEnd::default() });
    }
}

async fn run(tools: &Registry, mut messages: Vec<Value>) -> (Reason, Vec<Value>) {
    let start = Instant::now();
    let now = || start.elapsed().as_secs_f64() * 1000.0;
    let mut agent = Agent::new("run-1", Bounds::default());
    loop {
        match agent.next(now()) {
            Step::Send(request) => {
                let time_left = Duration::from_secs_f64(request.time_left_ms / 1000.0);
                let Ok(response) = timeout(time_left, send(&messages)).await else {
                    agent.stop(Reason::Timeout, now());
                    continue;
                };
                messages.push(json!({ "role": "assistant", "content": response.get("content"), "toolCalls": response.get("toolCalls") }));
                let calls = response.get("toolCalls").and_then(Value::as_array).cloned().unwrap_or_default();
                let finish_reason = text(&response, "finishReason");
                agent.responded(Response { finish_reason, calls, ..Response::default() }, now());
            }
            Step::Run { calls, time_left_ms, .. } => {
                run_turn(&mut agent, tools, &calls, &mut messages, time_left_ms).await;
                agent.turn_ended(now());
            }
            Step::Wait { until } => sleep(Duration::from_secs_f64((until - now()).max(0.0) / 1000.0)).await,
            // A program stores `agent.state()`, and resumes the run once it has a decision.
            Step::Ask { reason, .. } | Step::Done { reason } => return (reason, messages),
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut tools = Registry::new(RegistryOptions::default());
    tools.register(Tool::of::<Add>("add").description("Adds two numbers."), false)?;
    let (reason, messages) = run(&tools, vec![json!({ "role": "user", "content": "What is 2 + 3?" })]).await;
    println!("{reason:?}: {}", messages.last().map(|message| text(message, "content")).unwrap_or_default());
    Ok(())
}
