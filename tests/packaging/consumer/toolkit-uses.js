// Uses of `toolwire/toolkit` with the same outcome in every runtime, however it is loaded.

import { failures } from "./toolkit-vectors.js";
import data from "./toolkit-vectors-data.js";

/** @typedef {typeof import("toolwire/toolkit")} Package */

const endless = "data:text/javascript,export default () => { for (;;); };";
const double = "data:text/javascript,export default ({ n }) => n * 2;";

/** @param {Package} toolkit */
export async function outcomes(toolkit) {
  /** @type {Record<string, unknown>} */
  const all = {};
  for (const [name, use] of Object.entries({ calls, agent, values, vectors, error, sandbox })) {
    try {
      all[name] = await use(toolkit);
    } catch (failure) {
      all[name] = String(failure);
    }
  }
  // other runtimes print the outcomes as JSON
  return JSON.parse(JSON.stringify(all));
}

/** Calls that succeed, are repaired, coerced, unknown, or fail. @param {Package} toolkit */
async function calls({ Toolkit, ToolError, tool }) {
  const forecast = tool({
    name: "forecast",
    parameters: [
      { name: "city", type: "string" },
      { name: "days", type: "integer", maxValue: 7, default: 3 },
    ],
    execute({ city, days }) {
      if (city === "Atlantis") throw new ToolError("no such city", { type: "not_found" });
      return { city, days };
    },
  });
  const executions = await new Toolkit([forecast]).run([
    { id: "c1", name: "forecast", arguments: { city: "Zürich" } },
    { id: "c2", name: "functions.forecast", rawArguments: "{'city': 'Zürich', days: '9',}", error: "not JSON" },
    { id: "c3", name: "Forecast", arguments: { city: "Atlantis" } },
    { id: "c4", name: "toString", arguments: {} },
    { id: "c5", name: "forecast", arguments: { days: 2 } },
  ]);
  return executions.map((execution) => ({
    status: execution.status,
    value: "result" in execution && execution.status === "done" ? execution.result.value : undefined,
    type: execution.status === "failed" ? execution.error.type : undefined,
    changes: execution.changes.map(({ kind, path }) => `${kind} ${path}`),
  }));
}

/** A run in which the model corrects its arguments, and one that the caller leaves after its first call. @param {Package} toolkit */
async function agent({ Toolkit, runAgent, streamAgent, tool }) {
  const add = tool({
    name: "add",
    parameters: [
      { name: "a", type: "number" },
      { name: "b", type: "number" },
    ],
    execute: ({ a, b }) => a + b,
  });
  /** @param {any[]} toolCalls */
  const response = (text = "", toolCalls = []) => ({
    message: { role: "assistant", content: text ? [{ type: "text", text }] : [], toolCalls },
    ...{ text, toolCalls, invalidToolCalls: [] },
    finishReason: toolCalls.length > 0 ? "tool_calls" : "stop",
  });
  const scripted = [
    response("", [{ id: "c1", name: "add", arguments: { a: 2 } }]),
    response("", [{ id: "c2", name: "add", arguments: { a: 2, b: 3 } }]),
    response("2 + 3 = 5"),
  ];
  /** @returns {any} */
  const options = () => {
    let turn = 0;
    const send = async () => scripted[turn++];
    return { request: { messages: [{ role: "user", content: "2 + 3?" }] }, toolkit: new Toolkit([add]), send };
  };
  const outcome = await runAgent(options());
  const stream = streamAgent(options());
  const types = [];
  for await (const { type } of stream) {
    types.push(type);
    if (type === "toolEnd") break;
  }
  const left = await stream.outcome;
  const results = outcome.messages
    .filter(({ role }) => role === "tool")
    .map((/** @type {any} */ { isError = false }) => isError);
  return { reason: outcome.reason, text: outcome.text, results, types, left: left.reason };
}

/** @param {Package} toolkit */
function values({ checkValue, repairJson, parametersSchema }) {
  const schema = parametersSchema([{ name: "code", type: "string", pattern: "^\\p{Lu}{3}$" }]);
  return {
    schema,
    problems: [{ code: "ÄÖÜ" }, { code: "abc" }].map((value) => checkValue(schema, value).problems.length),
    repaired: repairJson("```json\n{a: [1, 2,]}\n```").value,
  };
}

/** The vectors that fail. @param {Package} toolkit */
function vectors(toolkit) {
  return failures(toolkit, data);
}

/** @param {Package} toolkit */
function error({ Toolkit, ToolkitError }) {
  try {
    new Toolkit([{ name: "a" }, { name: "a" }]);
    return "nothing";
  } catch (/** @type {any} */ thrown) {
    return { ofItsClass: thrown instanceof ToolkitError, name: thrown.name, code: thrown.code };
  }
}

/** Stops an endless loop while another call runs; or the runtime has no workers. @param {Package} toolkit */
async function sandbox({ Toolkit, ToolkitError, inWorker }) {
  const parameters = { type: "object" };
  try {
    const toolkit = new Toolkit([
      { name: "endless", sandboxed: true, timeoutMs: 1500, execute: inWorker(endless) },
      { name: "double", sandboxed: true, parameters, execute: inWorker(double) },
    ]);
    const executions = await toolkit.run([
      { id: "c1", name: "endless", arguments: {} },
      { id: "c2", name: "double", arguments: { n: 4 } },
    ]);
    return executions.map((execution) =>
      execution.status === "done" ? execution.output : execution.status === "failed" && execution.error.type,
    );
  } catch (thrown) {
    return thrown instanceof ToolkitError ? thrown.code : String(thrown);
  }
}
