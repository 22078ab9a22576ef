//! The registry: lookup, filters, relevance, rate limits, lint, parameter definitions.

use serde_json::{Value, json};
use toolwire::toolkit::{
    Call, Caller, ErrorCode, RateLimit, Registry, RegistryOptions, Tool, ToolFilter, parameters_schema,
};

fn tools(tools: impl IntoIterator<Item = Tool>) -> Registry {
    let mut registry = Registry::new(RegistryOptions::default());
    for tool in tools {
        registry.register(tool, false).unwrap();
    }
    registry
}

fn check(registry: &Registry, name: &str, arguments: Value) -> Value {
    json!(registry.check(Call::new("1", name, arguments)))
}

#[test]
fn names_are_found_in_order_of_likeness() {
    let registry = tools([Tool::new("search"), Tool::new("Fetch"), Tool::new("fetch_all"), Tool::new("FETCH_ALL")]);
    for (name, found) in [
        ("search", "search"),
        ("functions.search", "search"),
        ("SEARCH", "search"),
        ("functions.fetch", "Fetch"),
        ("search<|channel|>commentary", "search"),
        ("FETCH_ALL", "FETCH_ALL"),
    ] {
        let checked = check(&registry, name, json!({}));
        assert_eq!(checked["call"]["name"], found, "{name}");
        assert_eq!(checked["problems"], json!([]));
        let renamed = json!([{ "kind": "renamed", "path": "", "from": name, "to": found }]);
        assert_eq!(checked["changes"], if name == found { json!([]) } else { renamed });
    }
    for name in ["constructor", "__proto__", "toString", "fetch_ALL", "searc", ""] {
        let checked = check(&registry, name, json!({}));
        assert_eq!(checked["problems"][0]["code"], "unknown_tool", "{name}");
    }
    let message = check(&registry, "serach", json!({}))["problems"][0]["message"].to_string();
    assert!(message.contains("Did you mean") && message.contains("search, Fetch, fetch_all, FETCH_ALL"), "{message}");
}

#[test]
fn arguments_as_text() {
    let registry =
        tools([Tool::new("a").parameters(json!({ "type": "object", "properties": { "x": { "type": "string" } } }))]);
    let check = |text: &str| json!(registry.check(Call::with_text("1", "a", text)));
    for (text, arguments) in
        [("", json!({})), ("null", json!({})), (" {} ", json!({})), ("{\"x\": \"y\"}", json!({ "x": "y" }))]
    {
        assert_eq!(check(text)["call"]["arguments"], arguments);
        assert_eq!(check(text)["changes"], json!([]));
    }
    for text in ["{'x': 'y'}", "```json\n{\"x\": \"y\"}\n```", "\"{\\\"x\\\": \\\"y\\\"}\"", "{\"x\": \"y\""] {
        assert_eq!(check(text)["call"]["arguments"], json!({ "x": "y" }), "{text}");
        assert_eq!(check(text)["changes"][0]["kind"], "repaired", "{text}");
        assert_eq!(check(text)["problems"], json!([]), "{text}");
    }
    for (text, code) in [
        ("{\"x\": \"y", "truncated"),
        ("{\"x\":", "truncated"),
        ("{\"x\": \"y\",", "truncated"),
        ("sorry", "invalid_json"),
        ("{\"x\": 1} {\"x\": 2}", "invalid_json"),
        ("[1]", "wrong_type"),
        ("5", "wrong_type"),
    ] {
        assert_eq!(check(text)["problems"][0]["code"], code, "{text}");
        assert_eq!(check(text)["call"]["arguments"], json!({}), "{text}");
    }
}

#[test]
fn a_whole_call_is_no_arguments() {
    let declared = json!({ "properties": { "name": { "type": "string" }, "to": { "type": "object" } } });
    let registry =
        tools([Tool::new("open").parameters(json!({ "type": "object" })), Tool::new("own").parameters(declared)]);
    let check = |name: &str, text: &str| registry.check(Call::with_text("1", name, text));
    for text in [
        r#"{"name": "open", "parmeters": {"x": 1}}"#,
        r#"{"function": "open", "id": "1", "values": {"x": 1}}"#,
        r#"{'tool': 'open', 'args': {'x': 1}}"#,
    ] {
        assert_eq!(json!(check("open", text).problems[0].code), "invalid_json", "{text}");
    }
    for (name, text) in [
        ("open", r#"{"name": "other", "to": {"x": 1}}"#),
        ("open", r#"{"name": "open"}"#),
        ("own", r#"{"name": "own", "to": {"x": 1}}"#),
    ] {
        assert_eq!(check(name, text).problems, [], "{text}");
    }
}

#[test]
fn the_schema_is_quoted_for_arguments_that_are_not_json_unless_it_is_long() {
    let field = |length: usize| json!({ "properties": { "x": { "description": "a".repeat(length) } } });
    let registry = tools([Tool::new("short").parameters(field(10)), Tool::new("long").parameters(field(100_000))]);
    let message = |name: &str| registry.check(Call::with_text("1", name, "sorry")).problems[0].message.clone();
    assert!(
        message("short")
            .ends_with(r#"that follows this JSON Schema: {"properties":{"x":{"description":"aaaaaaaaaa"}}}."#)
    );
    assert!(message("long").ends_with("Send them again as one JSON object."));
}

#[test]
fn filters() {
    let registry = tools([
        Tool::new("read").category("files"),
        Tool::new("delete").category("files").dangerous(),
        Tool { cost_per_use: 5.0, ..Tool::new("render").category("images") },
        Tool::new("plain"),
    ]);
    let names = |filter: Value| registry.names(&serde_json::from_value(filter).unwrap()).join(" ");
    assert_eq!(names(json!({})), "read render plain");
    assert_eq!(names(json!({ "excludeDangerous": false })), "read delete render plain");
    assert_eq!(names(json!({ "categories": ["files"], "excludeDangerous": false })), "read delete");
    assert_eq!(names(json!({ "maxCostPerUse": 1 })), "read plain");
    assert_eq!(names(json!({ "names": ["plain", "delete", "other"] })), "plain");
    assert_eq!(registry.categories(), ["files", "images"]);
    assert!(!registry.allows("delete", &ToolFilter::default()));
    assert!(!registry.allows("other", &ToolFilter::default()));
}

#[test]
fn a_misspelled_criterion_of_a_filter_is_an_error() {
    let error = ToolFilter::from_json(&json!({ "category": ["web"] })).unwrap_err();
    assert_eq!((error.code, error.path.as_str()), (ErrorCode::InvalidOptions, "/category"));
}

#[test]
fn an_unknown_tool_lists_the_tools_that_are_shown() {
    let registry = tools([Tool::new("read"), Tool::new("write"), Tool::new("erase").dangerous()]);
    let filter = ToolFilter {
        names: Some(vec!["read".into(), "erase".into()]),
        exclude_dangerous: false,
        ..ToolFilter::default()
    };
    let message = registry.unknown_tool("erased", &filter).message;
    assert_eq!(message, "there is no tool \"erased\". Did you mean \"erase\"? The tools are read, erase.");
    assert_eq!(
        registry.unknown_tool("erased", &ToolFilter::default()).message,
        "there is no tool \"erased\". Use one of these tools: read, write."
    );
}

#[test]
fn relevance() {
    let registry = tools(
        [
            Tool::new("getWeather").description("Current temperature and forecast for a city."),
            Tool::new("send_email").description("Sends a message to one or more recipients."),
            Tool::new("search_flights").description("Finds flights between two airports."),
        ]
        .into_iter()
        .chain([
            Tool::new("weather_zh").description("查询城市的天气预报"),
            Tool::new("train_ja").description("電車の時刻表を検索します"),
        ]),
    );
    let best = |text: &str| {
        let filter = ToolFilter { relevant_to: Some(text.into()), limit: 1, ..ToolFilter::default() };
        registry.names(&filter).join(" ")
    };
    assert_eq!(best("What is the weather in Paris?"), "getWeather");
    assert_eq!(best("email Ada the minutes"), "send_email");
    assert_eq!(best("a flight to Lisbon"), "search_flights");
    assert_eq!(best("北京今天天气怎么样"), "weather_zh");
    assert_eq!(best("次の電車は何時ですか"), "train_ja");
    assert_eq!(best("xyzzy"), "getWeather");
    let filter = ToolFilter { relevant_to: Some("weather".into()), limit: 1, ..ToolFilter::default() };
    assert!(registry.allows("getWeather", &filter) && !registry.allows("send_email", &filter));
}

#[test]
fn rate_limits() {
    let mut registry = tools([
        Tool::new("slow").rate_limit(RateLimit::PerMinute(30.0)),
        Tool::new("fast").rate_limit(RateLimit::PerMinute(100.0)),
        Tool::new("window").rate_limit(RateLimit::Window { calls: 2, per_ms: 1000.0 }),
    ]);
    let who = Caller { session: Some("s".into()), agent: None };
    let other = Caller { session: Some("s".into()), agent: Some("a".into()) };
    assert_eq!(registry.reserve("slow", &who, 0.0), Ok(()));
    assert_eq!(registry.reserve("slow", &who, 500.0), Err(1500.0));
    assert_eq!(registry.wait("slow", &who, 1999.0), 1.0);
    assert_eq!(registry.reserve("slow", &other, 500.0), Ok(()));
    assert_eq!(registry.reserve("slow", &Caller::default(), 500.0), Ok(()));
    assert_eq!(registry.reserve("slow", &who, 2000.0), Ok(()));
    // a clock that goes backwards never makes callers wait longer than the limit
    assert_eq!(registry.reserve("slow", &who, -1e9), Err(2000.0));
    for now in 0..10 {
        assert_eq!(registry.reserve("fast", &who, f64::from(now)), Ok(()));
    }
    assert_eq!(registry.reserve("window", &who, 0.0), Ok(()));
    assert_eq!(registry.reserve("window", &who, 400.0), Ok(()));
    assert_eq!(registry.reserve("window", &who, 900.0), Err(100.0));

    let state = registry.rate_limits();
    let mut restored = tools([Tool::new("window").rate_limit(RateLimit::Window { calls: 2, per_ms: 1000.0 })]);
    restored.restore_rate_limits(&state).unwrap();
    assert_eq!(restored.reserve("window", &who, 900.0), Err(100.0));
    assert_eq!(restored.rate_limits(), state);
    for wrong in [json!(null), json!({}), json!({ "version": 2, "keys": [] }), json!({ "version": 1, "keys": [1] })] {
        assert_eq!(restored.restore_rate_limits(&wrong).unwrap_err().code, ErrorCode::InvalidState);
    }
}

#[test]
fn the_number_of_rate_limit_keys_is_bounded() {
    let mut registry = tools([Tool::new("a").rate_limit(RateLimit::PerMinute(1.0))]);
    for session in 0..15_000 {
        let who = Caller { session: Some(session.to_string()), agent: None };
        assert_eq!(registry.reserve("a", &who, 0.0), Ok(()));
    }
    assert!(registry.rate_limits()["keys"].as_array().unwrap().len() <= 10_000);
    // the keys used last are kept
    let last = Caller { session: Some("14999".into()), agent: None };
    assert!(registry.reserve("a", &last, 1.0).is_err());
}

#[test]
fn registration_fails() {
    let schema = |schema: Value| Tool::new("a").parameters(schema);
    let nested = json!({ "properties": { "x": { "type": "string", "pattern": r"(a+)\1$" } } });
    let groups = format!("{}(a+)+{}$", "(?:".repeat(52), ")".repeat(52));
    let deep = json!({ "properties": { "x": { "type": "string", "pattern": groups } } });
    for (tool, code, path) in [
        (Tool::new("b"), ErrorCode::DuplicateTool, "/name"),
        (Tool::new(""), ErrorCode::InvalidName, "/name"),
        (Tool::new("get weather"), ErrorCode::InvalidName, "/name"),
        (schema(json!({ "type": "strnig" })), ErrorCode::InvalidSchema, "/parameters/type"),
        (schema(nested), ErrorCode::InvalidSchema, "/parameters/properties/x/pattern"),
        (schema(deep), ErrorCode::InvalidSchema, "/parameters/properties/x/pattern"),
        (schema(json!({ "$ref": "#/$defs/x" })), ErrorCode::InvalidSchema, "/parameters/$ref"),
        (schema(json!([{ "name": "x", "type": "int" }])), ErrorCode::InvalidSchema, "/parameters/0/type"),
        (
            schema(json!([{ "name": "x", "type": "string", "minLength": 1 }])),
            ErrorCode::InvalidSchema,
            "/parameters/0/minLength",
        ),
        (Tool { output_schema: Some(json!(5)), ..Tool::new("a") }, ErrorCode::InvalidSchema, "/outputSchema"),
        (Tool::new("a").rate_limit(RateLimit::PerMinute(0.0)), ErrorCode::InvalidOptions, "/rateLimit"),
    ] {
        let mut registry = tools([Tool::new("b")]);
        let error = registry.register(tool, false).unwrap_err();
        assert_eq!((error.code, error.path.as_str()), (code, path), "{error}");
        assert_eq!(registry.names(&ToolFilter::default()), ["b"]);
    }
}

#[test]
fn patterns_of_common_libraries_are_accepted() {
    let patterns = [
        r"^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$",
        r"^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])$",
        r"^$|^(?:[0-9a-zA-Z+/]{4})*(?:(?:[0-9a-zA-Z+/]{2}==)|(?:[0-9a-zA-Z+/]{3}=))?$",
        r"^(?=.{1,253}\.?$)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[-0-9a-zA-Z]{0,61}[0-9a-zA-Z])?)*\.?$",
        r"^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])))T(?:(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z))$",
        r"^[a-z0-9]+(?:-[a-z0-9]+)*$",
        r"^[^\s/]+(/[^\s/]+)*$",
    ];
    for pattern in patterns {
        let tool = Tool::new("a").parameters(json!({ "properties": { "x": { "pattern": pattern } } }));
        tools([tool]);
    }
}

#[test]
fn parameter_definitions() {
    let schema = parameters_schema(&json!([
        { "name": "q", "type": "string", "description": "What to look for.", "pattern": "^.+$" },
        { "name": "n", "type": "float", "default": 1.5, "minValue": 0, "maxValue": 2 },
        { "name": "tags", "type": "array", "required": false, "items": { "type": "string", "enum": ["a", "b"] } },
        { "name": "place", "type": "object", "properties": [{ "name": "city", "type": "string" }] },
    ]))
    .unwrap();
    assert_eq!(
        schema,
        json!({
            "type": "object",
            "properties": {
                "q": { "type": "string", "description": "What to look for.", "pattern": "^.+$" },
                "n": { "type": "number", "default": 1.5, "minimum": 0, "maximum": 2 },
                "tags": { "type": "array", "items": { "type": "string", "enum": ["a", "b"] } },
                "place": {
                    "type": "object",
                    "properties": { "city": { "type": "string" } },
                    "required": ["city"],
                    "additionalProperties": false,
                },
            },
            "required": ["q", "place"],
            "additionalProperties": false,
        })
    );
    for (wrong, path) in [
        (json!({}), ""),
        (json!([{ "type": "string" }]), "/0"),
        (json!([{ "name": "a", "type": "string" }, { "name": "a", "type": "string" }]), "/1"),
        (json!([{ "name": "a", "type": "string", "minValue": 1 }]), "/0/minValue"),
    ] {
        assert_eq!(parameters_schema(&wrong).unwrap_err().path, path, "{wrong}");
    }
}
