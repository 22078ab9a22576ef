// The likeliest mistakes of programmers, with the text of each error.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agentResponse,
  checkValue,
  mcpTools,
  pruneMessages,
  repairJson,
  runAgent,
  sendTo,
  streamAgent,
  Toolkit,
} from "./support/toolkit.mjs";

const toolkit = new Toolkit();
const send = async () => ({ message: { role: "assistant", content: "Hi" } });
const request = { messages: [{ role: "user", content: "Hi" }] };
const agent = (options) => runAgent({ request, toolkit, send, ...options });
const named = (fields) => new Toolkit([{ name: "t", ...fields }]);
const schema = { type: "object", properties: { city: { type: "string" } } };
const client = { listTools: async () => ({ tools: [] }), callTool: async () => {} };
/** The shape of a schema of zod 3.23. */
const zod3 = { _def: { typeName: "ZodObject" }, safeParse() {}, parse() {} };
/** The shape of a schema of zod 3.24 and later. */
const zod324 = { "~standard": { version: 1, vendor: "zod", validate() {} } };

const mistakes = [
  [() => named({ needApproval: true }), "the tool t has no field needApproval. Did you mean needsApproval?"],
  [() => named({ paramaters: schema }), "the tool t has no field paramaters. Did you mean parameters?"],
  [() => named({ timeout: 5 }), /^the tool t has no field timeout\. /],
  [() => named({ excute: () => 1 }), "the tool t has no field excute. Did you mean execute?"],
  [() => named({ handler: () => 1 }), /^the tool t has no field handler\. There are name, title, description, /],
  [() => named({ execute: "ls" }), "the execute of the tool t is ls, expected a function"],
  [() => named({ needsApproval: "yes" }), "the needsApproval of the tool t is yes, expected a boolean or a function"],
  [
    () => named({ parameters: schema, inputSchema: schema }),
    "the tool t has parameters and inputSchema, which are two names of one field: pass one",
  ],
  [
    () => named({ parameters: { city: { type: "string" } } }),
    'the parameters of t are not a JSON Schema, because they have no type and no properties: pass {type: "object", properties: {city: …}}, or an array of parameter definitions',
  ],
  [() => named({ parameters: { title: { type: "string" } } }), /^the parameters of t are not a JSON Schema/],
  [
    () => named({ parameters: zod3 }),
    "the parameters of t are a schema of zod 3, which provides no JSON Schema: use zod 4.2 or later, or pass a JSON Schema",
  ],
  [
    () => named({ parameters: zod324 }),
    "the zod schema provides no JSON Schema: use zod 4.2 or later, or pass a JSON Schema",
  ],
  [() => new Toolkit([], { concurency: 2 }), "the toolkit has no option concurency. Did you mean concurrency?"],
  [() => new Toolkit([], { repairJSON: true }), "the toolkit has no option repairJSON. Did you mean repairJson?"],
  [() => new Toolkit({ a: {} }), "tools must be an array or another iterable of tools"],
  [
    () => new Toolkit().register({ name: "t" }, { overide: true }),
    "register has no option overide. Did you mean override?",
  ],
  [() => toolkit.definitions({ category: "x" }), "there is no field `category`. Did you mean `categories`?"],
  [() => toolkit.run([], { timeoutms: 5 }), "the run has no option timeoutms. Did you mean timeoutMs?"],
  [() => toolkit.run({ id: "1" }), "calls must be an array of calls"],
  [() => agent({ maxIteration: 3 }), "the agent has no option maxIteration. Did you mean maxIterations?"],
  [() => agent({ maxSteps: 3 }), /^the agent has no option maxSteps\. /],
  [() => agent({ model: "m" }), /^the agent has no option model\. There are /],
  [
    () => agent({ send: undefined }),
    "the agent requires send: pass a function that sends a request, such as sendTo({to, apiKey})",
  ],
  [() => agent({ toolkit: undefined }), "the agent requires toolkit: pass a Toolkit"],
  [
    () => agent({ request: undefined }),
    "the agent requires request: pass a request with messages, such as {model, messages: []}",
  ],
  [
    () => agent({ request: { model: "m" } }),
    "the request of the agent requires messages: pass an array, which may be empty",
  ],
  [() => agent({ send: "openai" }), "the send of the agent is openai, expected a function"],
  [
    () => streamAgent({ request, toolkit, send, onstate() {} }).outcome,
    "the agent has no option onstate. Did you mean onState?",
  ],
  [() => sendTo({ to: "openai", baseURI: "http://x" }), "sendTo has no option baseURI. Did you mean baseUrl?"],
  [() => sendTo({ to: "openai", apikey: "k" }), "sendTo has no option apikey. Did you mean apiKey?"],
  [() => sendTo({ dialect: "openai" }), /^sendTo has no option dialect\. /],
  [() => sendTo({}), 'sendTo requires to: pass the format of the server, such as "openai"'],
  [() => sendTo("openai"), "the options of sendTo must be an object"],
  [() => mcpTools(client, { trusted: true }), "mcpTools has no option trusted. Did you mean trust?"],
  [() => mcpTools({}), "expected an MCP client, which has a method listTools: pass a connected Client of the MCP SDK"],
  [() => checkValue(schema, {}, { coerse: false }), "there is no field `coerse`. Did you mean `coerce`?"],
  [() => repairJson("{}", { shema: schema }), "repairJson has no option shema. Did you mean schema?"],
  [() => pruneMessages([], { keepTurn: 1 }), "pruneMessages has no option keepTurn. Did you mean keepTurns?"],
  [
    () => agentResponse(streamAgent({ request, toolkit, send }), { formatt: "agui" }),
    "agentResponse has no option formatt. Did you mean format?",
  ],
];

test("there are 30 mistakes or more", () => assert.ok(mistakes.length >= 30));

for (const [make, message] of mistakes) {
  test(`${make}`.replace("() => ", ""), async () => {
    const error = await (async () => make())().then(
      () => undefined,
      (thrown) => thrown,
    );
    assert.equal(error?.name, "ToolkitError", String(error));
    if (typeof message === "string") assert.equal(error.message, message);
    else assert.match(error.message, message);
  });
}

test("the spellings of other libraries are accepted", async () => {
  const kit = new Toolkit([{ name: "t", inputSchema: schema, execute: ({ city }) => city }]);
  assert.deepEqual(kit.definitions()[0].parameters, schema);
  const [{ result }] = await kit.run([{ id: "1", name: "t", arguments: { city: "Oslo" } }]);
  assert.equal(result.value, "Oslo");
  const urls = [];
  const fetch = async (url) => {
    urls.push(String(url));
    return Response.json({ choices: [{ message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }] });
  };
  const target = { to: "openai", baseURL: "http://localhost:1/v1", stream: false, fetch };
  await sendTo(target)({ model: "m", ...request }, { signal: new AbortController().signal, iteration: 1 });
  assert.deepEqual(urls, ["http://localhost:1/v1/chat/completions"]);
});
