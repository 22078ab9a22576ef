#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use super::*;
use serde_json::{Value, json};

fn call(id: &str, arguments: Value) -> Value {
    json!({"id": id, "name": "search", "arguments": arguments})
}

fn response(finish: &str, calls: &[Value]) -> Response {
    Response { finish_reason: finish.into(), calls: calls.to_vec(), ..Response::default() }
}

fn ended(index: usize, result: &str) -> CallEnd {
    CallEnd { index, result: json!(result), ..CallEnd::default() }
}

/// Runs one turn with one call, and returns the next step.
fn turn(agent: &mut Agent, now: f64, arguments: Value, end: CallEnd) -> Step {
    assert!(matches!(agent.next(now), Step::Send(_)), "{:?}", agent.state());
    agent.responded(response("tool_calls", &[call("c", arguments)]), now);
    assert!(matches!(agent.next(now), Step::Run { .. }));
    agent.call_started(0);
    agent.call_ended(&end);
    agent.turn_ended(now);
    agent.next(now)
}

#[test]
fn ends_after_five_requests_with_the_last_calls_run() {
    let mut agent = Agent::new("r", Bounds::default());
    for iteration in 1..5 {
        let step = turn(&mut agent, 0.0, json!({"n": iteration}), ended(0, "ok"));
        assert!(matches!(step, Step::Send(send) if send.iteration == iteration + 1));
        // reading the state has no side effects
        agent.state_at(0.0);
    }
    assert_eq!(turn(&mut agent, 0.0, json!({"n": 5}), ended(0, "ok")), Step::Done { reason: Reason::MaxIterations });
    assert_eq!(agent.state().iterations, 5);
}

#[test]
fn a_step_of_several_requests_counts_each() {
    let usage = Usage { output: Some(5.0), ..Usage::default() };
    let bounds = Bounds { max_iterations: 3, ..Bounds::default() };
    let mut agent = Agent::new("r", bounds.clone());
    assert!(matches!(agent.next(0.0), Step::Send(send) if send.iteration == 1));
    assert!(agent.send_more(Some(&usage), 0.0));
    agent.responded(response("tool_calls", &[call("c", json!({}))]), 0.0);
    assert_eq!((agent.state().iterations, agent.state().usage.output), (2, Some(5.0)));
    agent.call_ended(&ended(0, "ok"));
    agent.turn_ended(0.0);
    assert!(matches!(agent.next(0.0), Step::Send(send) if send.iteration == 3));
    assert!(!agent.send_more(None, 0.0));
    assert_eq!(agent.next(0.0), Step::Done { reason: Reason::MaxIterations });

    let mut agent = Agent::new("r", Bounds { at_limit: AtLimit::Answer, max_iterations: 1, ..bounds.clone() });
    agent.next(0.0);
    assert!(!agent.send_more(None, 0.0));
    assert!(matches!(agent.next(0.0), Step::Send(send) if send.choice == Choice::None && send.iteration == 2));

    let limit = Usage { output: Some(4.0), ..Usage::default() };
    let mut agent = Agent::new("r", Bounds { max_usage: Some(limit), ..bounds });
    agent.next(0.0);
    assert!(!agent.send_more(Some(&usage), 0.0));
    assert_eq!(agent.next(0.0), Step::Done { reason: Reason::Budget });
}

#[test]
fn one_more_request_without_calls_at_the_limit() {
    let bounds = Bounds { max_iterations: 1, at_limit: AtLimit::Answer, ..Bounds::default() };
    let mut agent = Agent::new("r", bounds);
    let step = turn(&mut agent, 0.0, json!({}), ended(0, "ok"));
    assert!(matches!(step, Step::Send(send) if send.choice == Choice::None));
    agent.responded(response("stop", &[]), 0.0);
    assert_eq!(agent.next(0.0), Step::Done { reason: Reason::MaxIterations });
}

#[test]
fn a_call_in_the_last_response_ends_the_run_after_its_error_result() {
    let bounds = Bounds { max_iterations: 1, at_limit: AtLimit::Answer, ..Bounds::default() };
    let mut agent = Agent::new("r", bounds);
    turn(&mut agent, 0.0, json!({}), ended(0, "ok"));
    agent.responded(response("tool_calls", &[call("d", json!({}))]), 0.0);
    assert!(matches!(agent.next(0.0), Step::Run { .. }));
    agent.call_ended(&CallEnd { error_type: Some("not_allowed".into()), ..ended(0, "no") });
    agent.turn_ended(0.0);
    assert_eq!(agent.next(0.0), Step::Done { reason: Reason::MaxIterations });
}

#[test]
fn the_third_same_result_ends_the_run_and_the_second_is_reported() {
    let mut agent = Agent::new("r", Bounds::default());
    assert!(
        matches!(turn(&mut agent, 0.0, json!({"a": 1, "b": 2}), ended(0, "x")), Step::Send(send) if send.repeated.is_empty())
    );
    assert!(
        matches!(turn(&mut agent, 0.0, json!({"b": 2, "a": 1.0}), ended(0, "x")), Step::Send(send) if send.repeated == ["search"])
    );
    assert_eq!(turn(&mut agent, 0.0, json!({"a": 1, "b": 2}), ended(0, "x")), Step::Done { reason: Reason::Repeating });
}

#[test]
fn another_result_or_a_turn_in_between_is_not_a_repetition() {
    let mut agent = Agent::new("r", Bounds { max_iterations: 10, ..Bounds::default() });
    for result in ["x", "y", "x", "y"] {
        assert!(
            matches!(turn(&mut agent, 0.0, json!({}), ended(0, result)), Step::Send(send) if send.repeated.is_empty())
        );
    }
}

#[test]
fn repairs_are_consecutive() {
    let bad = |result: &str| CallEnd { error_type: Some("invalid_arguments".into()), ..ended(0, result) };
    let mut agent = Agent::new("r", Bounds { max_iterations: 20, ..Bounds::default() });
    turn(&mut agent, 0.0, json!(1), bad("1"));
    turn(&mut agent, 0.0, json!(2), bad("2"));
    turn(&mut agent, 0.0, json!(3), ended(0, "ok"));
    turn(&mut agent, 0.0, json!(4), bad("4"));
    assert!(matches!(turn(&mut agent, 0.0, json!(5), bad("5")), Step::Send(_)));
    assert_eq!(turn(&mut agent, 0.0, json!(6), bad("6")), Step::Done { reason: Reason::RepairsExhausted });
}

#[test]
fn an_error_without_calls_is_a_repair_and_a_pause_an_iteration() {
    let mut agent = Agent::new("r", Bounds { max_repairs: 0, ..Bounds::default() });
    agent.next(0.0);
    agent.responded(response("pause", &[]), 0.0);
    assert!(matches!(agent.next(0.0), Step::Send(send) if send.iteration == 2));
    agent.responded(response("error", &[]), 0.0);
    assert_eq!(agent.next(0.0), Step::Done { reason: Reason::RepairsExhausted });
}

#[test]
fn a_response_without_the_required_value_is_a_repair() {
    let mut agent = Agent::new("r", Bounds { max_repairs: 1, ..Bounds::default() });
    for _ in 0..2 {
        assert!(matches!(agent.next(0.0), Step::Send(_)));
        agent.responded(Response { output_failed: true, ..response("stop", &[]) }, 0.0);
    }
    assert_eq!(agent.next(0.0), Step::Done { reason: Reason::RepairsExhausted });
}

#[test]
fn only_active_time_counts() {
    let mut agent = Agent::new("r", Bounds { timeout_ms: 100.0, ..Bounds::default() });
    agent.next(0.0);
    agent.responded(response("tool_calls", &[call("c", json!({}))]), 40.0);
    assert!(matches!(agent.next(40.0), Step::Run { time_left_ms: 60.0, .. }));
    agent.pause(50.0);
    assert_eq!(agent.time_left(9_000.0), 50.0);
    agent.unpause(10_000.0);
    agent.call_ended(&ended(0, "ok"));
    agent.turn_ended(10_020.0);
    assert!(matches!(agent.next(10_020.0), Step::Send(send) if send.time_left_ms == 30.0));
    agent.responded(response("stop", &[]), 10_060.0);
    assert_eq!(agent.next(10_060.0), Step::Done { reason: Reason::Answer });
}

#[test]
fn a_run_without_time_ends_before_the_next_request() {
    let mut agent = Agent::new("r", Bounds { timeout_ms: 100.0, ..Bounds::default() });
    assert!(matches!(agent.next(0.0), Step::Send(_)));
    agent.responded(response("tool_calls", &[call("c", json!({}))]), 10.0);
    agent.call_ended(&ended(0, "ok"));
    agent.turn_ended(200.0);
    assert_eq!(agent.next(200.0), Step::Done { reason: Reason::Timeout });
}

#[test]
fn usage_and_cost_end_the_run() {
    let bounds = Bounds { max_cost: Some(1.0), ..Bounds::default() };
    let mut agent = Agent::new("r", bounds);
    assert_eq!(
        turn(&mut agent, 0.0, json!({}), CallEnd { cost: 2.0, ..ended(0, "x") }),
        Step::Done { reason: Reason::Budget }
    );

    let maximum = Usage { total: Some(10.0), ..Usage::default() };
    let mut agent = Agent::new("r", Bounds { max_usage: Some(maximum), ..Bounds::default() });
    agent.next(0.0);
    let usage = Usage { input: Some(8.0), output: Some(4.0), ..Usage::default() };
    agent.responded(Response { usage: Some(usage), ..response("tool_calls", &[call("c", json!({}))]) }, 0.0);
    assert!(!agent.has_budget());
}

#[test]
fn a_forced_choice_falls_back_to_auto() {
    let mut agent = Agent::new("r", Bounds::default());
    assert!(matches!(agent.next(0.0), Step::Send(send) if send.choice == Choice::Requested));
    assert!(matches!(turn(&mut agent, 0.0, json!({}), ended(0, "x")), Step::Send(send) if send.choice == Choice::Auto));
}

#[test]
fn a_pending_call_survives_its_state() {
    let mut agent = Agent::new("r", Bounds::default());
    agent.next(0.0);
    agent.responded(response("tool_calls", &[call("a", json!({})), call("b", json!({"x": 1}))]), 5.0);
    agent.next(5.0);
    agent.call_ended(&ended(0, "done"));
    let as_run = Some(call("b", json!({"x": 2})));
    agent.call_ended(&CallEnd { index: 1, pending: Some(CallStatus::Unapproved), call: as_run, ..CallEnd::default() });
    agent.turn_ended(10.0);
    let Step::Ask { calls, reason } = agent.next(10.0) else { panic!("expected to ask") };
    assert_eq!((calls.len(), reason), (1, Reason::Unapproved));

    let text = agent.state().to_json().to_string();
    let mut resumed = Agent::resume(&serde_json::from_str(&text).unwrap(), Bounds::default()).unwrap();
    assert_eq!(resumed.state().active_ms, 10.0);
    let Step::Run { calls, .. } = resumed.next(1e9) else { panic!("expected to run") };
    assert_eq!(calls[1].status, CallStatus::Unapproved);
    assert_eq!(calls[1].call["arguments"], json!({"x": 2}));
    assert_eq!(calls[1].idempotency_key, "r:1:b");
    resumed.call_ended(&ended(1, "ok"));
    resumed.turn_ended(1e9);
    assert!(matches!(resumed.next(1e9), Step::Send(send) if send.iteration == 2));
}

#[test]
fn a_call_that_started_without_an_end_is_visible_after_a_crash() {
    let mut agent = Agent::new("r", Bounds::default());
    agent.next(0.0);
    agent.responded(response("tool_calls", &[call("a", json!({}))]), 0.0);
    agent.call_started(0);
    let state = agent.state().to_json();
    let mut resumed = Agent::resume(&state, Bounds::default()).unwrap();
    assert!(matches!(resumed.next(0.0), Step::Run { calls, .. } if calls[0].status == CallStatus::Started));
}

#[test]
fn a_state_with_other_arguments_or_keys_or_version_is_refused() {
    let mut agent = Agent::new("r", Bounds::default());
    agent.next(0.0);
    agent.responded(response("tool_calls", &[call("a", json!({"to": "alice"}))]), 0.0);
    let state = agent.state().to_json();

    let mut changed = state.clone();
    changed["calls"][0]["call"]["arguments"]["to"] = json!("mallory");
    assert_eq!(Agent::resume(&changed, Bounds::default()).unwrap_err().path, "/calls/0/call/arguments");

    let mut unknown = state.clone();
    unknown["more"] = json!(1);
    assert!(Agent::resume(&unknown, Bounds::default()).unwrap_err().message.contains("more"));

    let mut newer = state;
    newer["version"] = json!(3);
    assert_eq!(Agent::resume(&newer, Bounds::default()).unwrap_err().path, "/version");
}

#[test]
fn a_raised_bound_lets_an_ended_run_continue() {
    let bounds = Bounds { max_iterations: 1, ..Bounds::default() };
    let mut agent = Agent::new("r", bounds);
    turn(&mut agent, 0.0, json!({}), ended(0, "x"));
    let state = agent.state().to_json();
    let mut same = Agent::resume(&state, Bounds { max_iterations: 1, ..Bounds::default() }).unwrap();
    assert_eq!(same.next(0.0), Step::Done { reason: Reason::MaxIterations });
    let mut raised = Agent::resume(&state, Bounds { max_iterations: 2, ..Bounds::default() }).unwrap();
    assert!(matches!(raised.next(0.0), Step::Send(send) if send.iteration == 2));
}

#[test]
fn waits_before_a_retry_only_if_time_remains() {
    let mut agent = Agent::new("r", Bounds { timeout_ms: 100.0, ..Bounds::default() });
    agent.next(0.0);
    agent.send_failed(Some(50.0), 10.0);
    assert_eq!(agent.next(10.0), Step::Wait { until: 50.0 });
    assert!(matches!(agent.next(50.0), Step::Send(send) if send.iteration == 2));
    agent.send_failed(Some(500.0), 60.0);
    assert_eq!(agent.next(60.0), Step::Done { reason: Reason::Timeout });
}

#[test]
fn the_state_is_small_whatever_the_number_of_turns() {
    let mut agent = Agent::new("r", Bounds { max_iterations: 1000, ..Bounds::default() });
    let mut sizes = Vec::new();
    for number in 0..500 {
        turn(&mut agent, 0.0, json!({"n": number}), ended(0, &number.to_string()));
        sizes.push(agent.state().to_json().to_string().len());
    }
    assert!(sizes[499] < sizes[9] + 20, "{} bytes after 10 turns, {} after 500", sizes[9], sizes[499]);
}

#[test]
fn a_state_with_the_largest_counts_does_not_overflow() {
    let mut agent = Agent::new("r", Bounds::default());
    agent.next(0.0);
    let mut state = agent.state().to_json();
    for field in ["iterations", "repairs"] {
        state[field] = json!(u32::MAX);
    }
    let bounds =
        Bounds { max_iterations: u32::MAX, at_limit: AtLimit::Answer, max_repairs: u32::MAX, ..Bounds::default() };
    let mut resumed = Agent::resume(&state, bounds).unwrap();
    assert!(matches!(resumed.next(0.0), Step::Send(send) if send.iteration == u32::MAX));
    resumed.responded(Response { calls: vec![call("c", json!({}))], ..response("error", &[]) }, 0.0);
    resumed.call_started(0);
    resumed.call_ended(&CallEnd { error_type: Some("invalid_arguments".into()), ..ended(0, "x") });
    resumed.turn_ended(0.0);
    resumed.send_more(None, 0.0);
    resumed.next(0.0);
    assert_eq!(resumed.state().repairs, u32::MAX);
}

#[test]
fn a_call_that_starts_early_is_in_the_ledger_and_continues() {
    let mut agent = Agent::new("r", Bounds { max_cost: Some(5.0), ..Bounds::default() });
    agent.next(0.0);
    let early = call("a", json!({}));
    assert_eq!(agent.call_started_early(early.clone()), 0);
    assert_eq!((agent.cost_left(), agent.state().calls[0].status), (Some(5.0), CallStatus::Started));

    let mut resumed = Agent::resume(&agent.state().to_json(), Bounds::default()).unwrap();
    assert!(matches!(resumed.next(0.0), Step::Send(send) if send.iteration == 2));
    assert!(resumed.state().calls.is_empty());

    agent.responded(response("tool_calls", &[call("b", json!({})), early]), 0.0);
    let Step::Run { calls, .. } = agent.next(0.0) else { panic!("expected to run") };
    let known: Vec<_> = calls.iter().map(|call| (call.idempotency_key.as_str(), call.status, call.starts)).collect();
    assert_eq!(known, [("r:1:b", CallStatus::New, 0), ("r:1:a", CallStatus::Started, 1)]);
}

#[test]
fn a_call_beyond_the_budget_ends_the_run() {
    let mut agent = Agent::new("r", Bounds { max_cost: Some(5.0), ..Bounds::default() });
    let end = CallEnd { error_type: Some("budget_exceeded".into()), ..ended(0, "x") };
    assert_eq!(turn(&mut agent, 0.0, json!({}), end), Step::Done { reason: Reason::Budget });
}

#[test]
fn a_state_keeps_what_the_request_allowed_and_the_runs_of_agents() {
    let mut agent = Agent::new("r", Bounds::default());
    agent.next(0.0);
    let cut = Response { allowed: Some(vec!["search".into()]), ..response("length", &[call("a", json!({}))]) };
    agent.responded(cut, 0.0);
    let mut state = agent.state().to_json();
    assert_eq!((&state["allowed"], &state["isTruncated"]), (&json!(["search"]), &json!(true)));
    state["children"] = json!({"a": {"state": {}, "messages": []}});
    state["steering"] = json!([{"role": "user", "content": "Stop."}]);
    assert_eq!(Agent::resume(&state, Bounds::default()).unwrap().state().to_json(), state);
}
