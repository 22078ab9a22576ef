// Generated bodies of growing size (OpenAI Chat). `size` is the number of the parts that a case is named after.

const call = (id, name = "get_weather") => ({
  id,
  type: "function",
  function: { name, arguments: '{"city":"Paris","days":3}' },
});
const result = (tool_call_id) => ({ role: "tool", tool_call_id, content: "21 degrees, partly cloudy" });
const assistant = (...tool_calls) => ({ role: "assistant", content: null, tool_calls });
const user = { role: "user", content: "And what about the next city? Please compare it with the last one." };
const schema = {
  type: "object",
  properties: { city: { type: "string", description: "City and country" }, days: { type: "integer", minimum: 1 } },
  required: ["city"],
};
const tool = (name, parameters = schema) => ({
  type: "function",
  function: { name, description: "Gets the weather at a place, for some days.", parameters },
});

const list = (size, make) => Array.from({ length: size }, (_, index) => make(index));
const request = (messages, tools = [tool("get_weather")]) => ({
  model: "m",
  max_completion_tokens: 9,
  messages,
  tools,
});
const ids = (size) => list(size, (index) => `call_${index}`);
const oneTurn = (calls, results) => request([user, assistant(...calls), ...results, user]);

function rounds(size) {
  const messages = [user];
  for (let index = 0; messages.length < size - 1; index++) {
    messages.push(assistant(call(`call_${index}`)), result(`call_${index}`));
  }
  return request(messages);
}

function answer(size) {
  const message = {
    role: "assistant",
    content: "Two calls.",
    refusal: null,
    tool_calls: ids(size).map((id) => call(id)),
  };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: "tool_calls" }];
  const usage = { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 };
  return { id: "chatcmpl-1", object: "chat.completion", created: 1763000000, model: "m", choices, usage };
}

/** A call for each of many tools. */
function namedAnswer(size) {
  const body = answer(size);
  for (const [index, { function: made }] of body.choices[0].message.tool_calls.entries()) made.name = `get_${index}`;
  return body;
}

/** A tool with a schema of this many definitions, each used once. */
function definitions(size) {
  const $defs = Object.fromEntries(list(size, (index) => [`d${index}`, schema]));
  const properties = Object.fromEntries(list(size, (index) => [`p${index}`, { $ref: `#/$defs/d${index}` }]));
  return tool("get_weather", { type: "object", properties, $defs });
}

/** A strict tool with a schema of this many definitions, each with a reference to the next. */
function chain(size) {
  const link = (index) => ({ type: "object", properties: { next: { $ref: `#/$defs/d${index}` } } });
  const $defs = Object.fromEntries(list(size, (index) => [`d${index}`, index + 1 < size ? link(index + 1) : schema]));
  const strict = tool("get_weather", { ...link(0), $defs });
  strict.function.strict = true;
  return strict;
}

/** An object with this many properties, the widest part of any schema. */
function properties(size) {
  return tool("get_weather", {
    type: "object",
    properties: Object.fromEntries(list(size, (index) => [`p${index}`, { type: "string", minLength: 1 }])),
  });
}

const thousands = [10, 100, 1000, 10_000];
const hundreds = [1, 10, 100, 1000];

/** The first two are run for all pairs of dialects; those with `isFromAll` from each source to one target; the others from OpenAI. */
export const cases = {
  "messages: rounds of a call and its result": { sizes: thousands, isEverywhere: true, make: rounds },
  tools: {
    sizes: hundreds,
    isEverywhere: true,
    make: (size) =>
      request(
        [user],
        list(size, (index) => tool(`get_weather_${index}`)),
      ),
  },
  "messages: text": {
    isFromAll: true,
    sizes: thousands,
    make: (size) => request(list(size, (index) => (index % 2 === 0 ? user : { role: "assistant", content: "Fine." }))),
  },
  "messages: system messages in between": {
    sizes: thousands,
    make: (size) => request(list(size, (index) => (index % 2 === 0 ? user : { role: "system", content: "Be brief." }))),
  },
  "parts of one message": {
    isFromAll: true,
    sizes: thousands,
    make: (size) => request([{ role: "user", content: list(size, () => ({ type: "text", text: user.content })) }]),
  },
  "calls of one turn": {
    isFromAll: true,
    sizes: thousands,
    make: (size) =>
      oneTurn(
        ids(size).map((id) => call(id)),
        ids(size).map(result),
      ),
  },
  "calls of one turn, results in reverse": {
    sizes: thousands,
    make: (size) =>
      oneTurn(
        ids(size).map((id) => call(id)),
        ids(size).reverse().map(result),
      ),
  },
  "calls of one turn, each in its message": {
    sizes: thousands,
    make: (size) => request([user, ...ids(size).map((id) => assistant(call(id))), ...ids(size).map(result), user]),
  },
  "calls with one id for all": {
    sizes: thousands,
    make: (size) =>
      oneTurn(
        list(size, () => call("call_1")),
        list(size, () => result("call_1")),
      ),
  },
  "calls without ids": {
    sizes: thousands,
    make: (size) =>
      oneTurn(
        list(size, () => call("")),
        list(size, () => result("")),
      ),
  },
  "calls with ids to rewrite": {
    sizes: thousands,
    make: (size) =>
      oneTurn(
        ids(size).map((id) => call(`${id}.${"x".repeat(64)}`)),
        ids(size).map((id) => result(`${id}.${"x".repeat(64)}`)),
      ),
  },
  "calls without results": {
    sizes: thousands,
    make: (size) =>
      oneTurn(
        ids(size).map((id) => call(id)),
        [],
      ),
  },
  "results without calls": { sizes: thousands, make: (size) => oneTurn([call("other")], ids(size).map(result)) },
  "second results": {
    sizes: thousands,
    make: (size) =>
      oneTurn(
        [call("call_1")],
        list(size, () => result("call_1")),
      ),
  },
  "calls in a response": { isFromAll: true, sizes: thousands, kind: "response", make: answer },
  "calls in a response, names restored": {
    sizes: thousands,
    kind: "response",
    make: namedAnswer,
    context: (size) => ({ names: Object.fromEntries(list(size, (index) => [`get_${index}`, `get.${index}`])) }),
  },
  "calls in a response, of freeform tools": {
    sizes: hundreds,
    kind: "response",
    make: namedAnswer,
    context: (size) => ({ freeform: list(size, (index) => `get_${index}`) }),
  },
  "tools with names to rewrite": {
    sizes: hundreds,
    make: (size) =>
      request(
        [user],
        list(size, (index) => tool(`get.weather/${"x".repeat(140)}${index}`)),
      ),
  },
  "tools with one name but for punctuation": {
    sizes: hundreds,
    make: (size) =>
      request(
        [user],
        list(size, (index) => tool(`get${"/".repeat(index % 40)}.${"!".repeat(index / 40)}`)),
      ),
  },
  "tools allowed by name": {
    sizes: hundreds,
    make: (size) => {
      const tools = list(size, (index) => tool(`get_weather_${index}`));
      const allowed = tools.map(({ function: { name } }) => ({ type: "function", function: { name } }));
      const tool_choice = { type: "allowed_tools", allowed_tools: { mode: "auto", tools: allowed } };
      return { ...request([user], tools), tool_choice };
    },
  },
  "definitions of a schema": { sizes: hundreds, make: (size) => request([user], [definitions(size)]) },
  // Longer chains are refused if they have to be inlined.
  "definitions one after another": { sizes: [2, 10, 50, 150], make: (size) => request([user], [chain(size)]) },
  "properties of a schema": { sizes: hundreds, make: (size) => request([user], [properties(size)]) },
  "properties of a strict schema": {
    sizes: hundreds,
    make: (size) => {
      const strict = properties(size);
      strict.function.strict = true;
      return request([user], [strict]);
    },
  },
  "properties of schemas that are joined": {
    sizes: hundreds,
    make: (size) => {
      const part = (name) => {
        const names = list(size, (index) => `${name}${index}`);
        return { type: "object", properties: Object.fromEntries(names.map((key) => [key, schema])), required: names };
      };
      return request([user], [tool("get_weather", { type: "object", allOf: [part("a"), part("b")] })]);
    },
  },
  "unknown keywords of schemas that are joined": {
    sizes: thousands,
    make: (size) => {
      const part = (name) => Object.fromEntries(list(size, (index) => [`${name}${index}`, index]));
      return request([user], [tool("get_weather", { type: "object", allOf: [part("a"), part("b")] })]);
    },
  },
  "unknown fields": {
    sizes: thousands,
    make: (size) => ({ ...request([user]), ...Object.fromEntries(list(size, (index) => [`field_${index}`, index])) }),
  },
  "duplicate keys": {
    sizes: thousands,
    text: (size) => JSON.stringify(request([user])).replace("{", `{${'"user":"u",'.repeat(size)}`),
  },
  "stop sequences": {
    sizes: thousands,
    make: (size) => ({ ...request([user]), stop: list(size, (index) => `end ${index}`) }),
  },
};
