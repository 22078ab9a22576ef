// A run that stores its state in a folder and kills its own process at a given point: `program.mjs FOLDER SCENARIO POINT`. A point is a
// request, a stored state or an effect of a tool. Without a point, it runs to the end and prints the outcome.

import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { response } from "../model.mjs";
import { agentTool, resumeAgent, runAgent, Toolkit } from "../toolkit.mjs";

const [folder, scenario, last = "0"] = process.argv.slice(2);
let points = 0;

function point() {
  if (++points === Number(last)) process.kill(process.pid, "SIGKILL");
}

/** A tool that has an effect in the world: a line in a file. */
const effect = (name, policy) => ({
  name,
  parameters: { type: "object", properties: { n: { type: "integer" } } },
  ...policy,
  async execute({ n }, { idempotencyKey }) {
    point();
    appendFileSync(join(folder, "effects"), `${JSON.stringify({ name, n, key: idempotencyKey })}\n`);
    point();
    return `${name} ${n}`;
  },
});
const tools = [effect("pay", { idempotent: false }), effect("look")];

/** A model that makes the same calls in each run: one response for each number of results so far. */
const model = (...turns) =>
  async function* ({ messages }) {
    point();
    const calls = turns[messages.filter(({ role }) => role === "assistant").length] ?? [];
    for (const [block, [id, name, args]] of calls.entries()) {
      yield { type: "toolCallStart", block, id, name };
      yield { type: "toolCallEnd", block, call: { id, name, arguments: args } };
      await new Promise((resolve) => setTimeout(resolve, 2));
      yield { type: "textDelta", block: block + 10, text: "." };
    }
    return response(calls.length > 0 ? "" : "Done.", calls);
  };

const work = [
  [["a", "look", { n: 1 }]],
  [
    ["b", "pay", { n: 2 }],
    ["c", "look", { n: 3 }],
  ],
];
const base = { maxIterations: 30, maxRepeats: 30, timeoutMs: 20_000 };
const nested = (name, within, turns) =>
  agentTool({ name, agent: () => ({ ...base, request: { messages: [] }, toolkit: within, send: model(...turns) }) });
const agent = (depth) => {
  const inner = nested("agent1", new Toolkit(tools), work);
  if (depth === 1) return new Toolkit([inner, ...tools]);
  return new Toolkit([nested("agent2", new Toolkit([inner]), [[["i", "agent1", {}]]]), ...tools]);
};
const scenarios = {
  plain: { toolkit: new Toolkit(tools), send: model(...work) },
  eager: { toolkit: new Toolkit(tools), send: model(...work), eager: true },
  "sub-agent": {
    toolkit: agent(1),
    send: model([
      ["o", "agent1", {}],
      ["p", "look", { n: 9 }],
    ]),
  },
  "sub-agent of a sub-agent": { toolkit: agent(2), send: model([["o", "agent2", {}]]), eager: true },
};

const file = join(folder, "state.json");
const onState = (state, messages) => {
  point();
  writeFileSync(`${file}.new`, JSON.stringify({ state, messages }));
  renameSync(`${file}.new`, file);
  point();
};
const options = { ...base, request: { messages: [{ role: "user", content: "Go." }] }, onState, ...scenarios[scenario] };
const saved = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
const decisions = existsSync(join(folder, "decisions"))
  ? JSON.parse(readFileSync(join(folder, "decisions"), "utf8"))
  : {};
const outcome = await (saved
  ? resumeAgent({ ...options, request: { messages: saved.messages }, state: saved.state, decisions })
  : runAgent(options));
process.stdout.write(
  JSON.stringify({ points, reason: outcome.reason, pending: outcome.pending, messages: outcome.messages }),
);
