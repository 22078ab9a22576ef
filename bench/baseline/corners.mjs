// Small bodies that together meet every condition of the baseline. They are not timed: they show that the baseline checks the conditions.

const user = (content, more) => ({ role: "user", content, ...more });
const call = (id, name = "f", args = "{}") => ({ id, type: "function", function: { name, arguments: args } });
const assistant = (...tool_calls) => ({ role: "assistant", content: null, tool_calls });
const result = (tool_call_id, content = "r", more = {}) => ({ role: "tool", tool_call_id, content, ...more });
const request = (messages, more) => ({ model: "m", max_tokens: 5, messages, ...more });
const tool = (name, more) => ({ type: "function", function: { name, ...more } });
const text = (value, more) => ({ type: "text", text: value, ...more });
const image = (url, more) => ({ type: "image_url", image_url: { url, ...more } });

export const requests = {
  "unknown fields": {
    messages: [user("hi", { name: "bob" })],
    foo: 1,
    store: true,
    service_tier: "x",
    id: "q",
    metadata: {},
    logprobs: true,
    empty: [],
  },
  "settings that the target lacks": request([user("hi")], {
    temperature: 1,
    top_p: 1,
    n: 2,
    seed: 2,
    presence_penalty: 1,
    frequency_penalty: 1,
    user: "a@b.c",
    stop: ["a", " "],
  }),
  "settings that it takes": request([user("hi")], {
    n: 1,
    user: "u1",
    stop: "end",
    stream: true,
    stream_options: { include_usage: true },
    reasoning_effort: "minimal",
  }),
  "two limits, one of them no whole number": request([user("hi")], {
    max_completion_tokens: 7.5,
    stop: " ",
    stream: false,
  }),
  "options of a stream that is none": request([user("hi")], {
    stream_options: { include_usage: true },
    reasoning_effort: "none",
  }),
  "one id for all, a second result, a result without a call": request([
    user("hi"),
    assistant(call("a"), call("a")),
    result("a", "1"),
    result("a", "2"),
    result("a", "3"),
    result("zz", "4"),
    user("x"),
  ]),
  "results after other words, an id that is not legal": request([
    user("hi"),
    assistant(call("a.b"), call("c")),
    user("between"),
    result("c", "1"),
    { role: "system", content: "late" },
    result("a.b", "2"),
  ]),
  "a result that is missing, and one that may come": request([
    user("hi"),
    assistant(call("a"), call("b")),
    result("b"),
    user("x"),
    assistant(call("c")),
  ]),
  "calls in several messages, white space at the end": request([
    user("hi"),
    assistant(call("a")),
    { role: "assistant", content: "and" },
    assistant(call("b")),
    result("b"),
    result("a"),
    { role: "assistant", content: "  done  " },
  ]),
  "nothing said": request([
    user(" "),
    user([]),
    user([text(""), text(" "), text("y")]),
    { role: "assistant", content: null },
    { role: "assistant", content: "z ", refusal: "no", tool_calls: [call("a", "f", "[1]"), call("b", "f", "")] },
    result("a", null),
    result("b", [text("p", { x: 1 }), text("")], { name: "f" }),
    assistant(call("c", "f", "null"), call("d", "f", "{bad"), { ...call(""), x: 1 }),
  ]),
  "nothing but the system": request([
    { role: "system", content: "a" },
    { role: "developer", content: [text("b"), text(" ")] },
    { role: "system", content: "" },
  ]),
  "the system in between": request([
    { role: "system", content: "a" },
    user("x"),
    { role: "system", content: "c", name: "n" },
  ]),
  media: request([
    user([
      image("data:image/bmp;base64,AAAA", { detail: "high" }),
      image("https://example.com/y.png", { detail: "low" }),
      image("data:image/png;base64,AAAA"),
      { type: "input_audio", input_audio: { data: "AA", format: "wav" } },
      { type: "other" },
    ]),
  ]),
  tools: request([user("hi"), assistant(call("a", "get.x")), result("a")], {
    tools: [
      { ...tool("get.x", { description: "d", parameters: { properties: {} }, strict: false, foo: 1 }), bar: 2 },
      tool("g"),
    ],
    tool_choice: tool("get.x"),
    parallel_tool_calls: false,
  }),
  "a choice without tools": request([user("hi")], { tools: [], tool_choice: "required", parallel_tool_calls: true }),
  "a choice of another tool": request([user("hi")], {
    tools: [tool("g")],
    tool_choice: tool("q"),
    parallel_tool_calls: false,
  }),
  "what the assistant thought": request([
    user("x"),
    { role: "assistant", content: "a", reasoning_content: "hm", audio: { id: "x" }, annotations: [] },
    user("y"),
  ]),
};

const response = (content, more) => ({
  id: "msg",
  type: "message",
  role: "assistant",
  model: "m",
  content,
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 2 },
  ...more,
});
const use = (id, input, more) => ({ type: "tool_use", id, name: "n", input, ...more });

export const responses = {
  "ids that are long or repeated, text after calls": response(
    [text("a"), use("t".repeat(50), { a: 1 }), text("b", { citations: [{ x: 1 }] }), use("t1", {}), use("t1", {})],
    { stop_reason: "tool_use", container: { id: "c" }, stop_sequence: "x", foo: 1 },
  ),
  "thoughts and a tool of the provider's": response(
    [
      { type: "thinking", thinking: "hm", signature: "s" },
      text(""),
      { type: "server_tool_use", id: "x", name: "web_search", input: {} },
    ],
    {
      stop_reason: "pause_turn",
      usage: { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: null, server_tool_use: { a: 1 }, zed: 4 },
    },
  ),
  empty: response([], { stop_reason: "max_tokens" }),
  "no reason": response([text("a"), text("b")], { stop_reason: null, stop_details: { type: "x" } }),
  refusal: response([text("no")], { stop_reason: "refusal" }),
  "calls that do not end the turn": response([use("a.b", null, { caller: { type: "direct" } }), text("after")]),
  "a call without an id": response([use("", {})], {
    stop_reason: "tool_use",
    usage: {
      input_tokens: 5,
      cache_creation_input_tokens: 3,
      output_tokens: 2,
      cache_creation: { a: 1 },
      service_tier: "standard",
    },
  }),
};
