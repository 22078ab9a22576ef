// A gateway in front of an upstream that fails, with clients that leave: `node --expose-gc bench/gateway/faults.mjs [REQUESTS [MS]]`. Each request has
// an id, from which its fate follows, and both sides count: nothing is lost, nothing is delivered twice, memory and handles stay flat.
// A response that takes longer than MS is one that hangs (5000; more on a machine that is busy). Only addresses of this machine are used.

import { Agent, createServer, request as httpRequest } from "node:http";
import { pathToFileURL } from "node:url";
import { createGateway } from "../../pkg/dist/gateway/node.js";
import { serve } from "../../pkg/dist/gateway/serve.js";

const FIRST_BYTE_MS = 5000;
const CONCURRENT = 64;

/** In percent: what becomes of the requests, by their ids. */
const fates = [
  ["reset", 5],
  ["hang", 2],
  ["cut", 3],
];
const LEAVES = 3;

/** A number from 0 to 99 for an id, different for each use. */
const lot = (id, salt) => (Math.imul(id + 1, salt) >>> 8) % 100;

function fateOf(id) {
  let left = lot(id, 2654435761);
  for (const [name, percent] of fates) {
    if (left < percent) return name;
    left -= percent;
  }
  return "good";
}
const leaves = (id) => lot(id, 2246822519) < LEAVES;
const streams = (id) => id % 2 === 0;

const event = (value) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const message = {
  id: "m",
  type: "message",
  role: "assistant",
  model: "m",
  usage: { input_tokens: 1, output_tokens: 1 },
};

/** An upstream in Anthropic's format that responds with the id of each request. `seen` counts them; `open` are those that run. */
async function startUpstream() {
  const upstream = { seen: new Map(), open: 0 };
  const server = createServer(async (request, response) => {
    upstream.open++;
    response.on("close", () => upstream.open--);
    let text = "";
    for await (const piece of request) text += piece;
    const { metadata, stream } = JSON.parse(text);
    const id = Number(metadata.user_id);
    upstream.seen.set(id, (upstream.seen.get(id) ?? 0) + 1);
    const fate = fateOf(id);
    if (fate === "hang") return;
    if (fate === "reset") return void response.socket.resetAndDestroy();
    if (stream) await respondStreamed(response, id, fate === "cut");
    else respondWhole(response, id, fate === "cut");
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  upstream.url = `http://127.0.0.1:${server.address().port}`;
  upstream.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return upstream;
}

function respondWhole(response, id, isCut) {
  const content = [{ type: "text", text: `id ${id}` }];
  const body = JSON.stringify({ ...message, content, stop_reason: "end_turn" });
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  if (!isCut) return response.end(body);
  response.write(body.slice(0, 20));
  setTimeout(() => response.socket?.resetAndDestroy(), 5);
}

async function respondStreamed(response, id, isCut) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(event({ type: "message_start", message: { ...message, content: [] } }));
  response.write(event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }));
  const delta = (text) => event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
  response.write(delta("id "));
  await new Promise((resolve) => setTimeout(resolve, 2));
  if (isCut) return response.socket?.resetAndDestroy();
  response.write(delta(String(id)));
  response.write(event({ type: "content_block_stop", index: 0 }));
  response.write(event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } }));
  response.end(event({ type: "message_stop" }));
}

/** What a client got: `{ status, text, error }`, or `left`. */
function ask(url, agent, id) {
  return new Promise((resolve) => {
    const body = JSON.stringify({
      model: "m",
      user: String(id),
      stream: streams(id),
      messages: [{ role: "user", content: "Hi" }],
    });
    const headers = { "content-type": "application/json", "content-length": body.length };
    const request = httpRequest(`${url}/v1/chat/completions`, { method: "POST", agent, headers });
    const end = (outcome) => resolve(leaves(id) ? { left: true } : outcome);
    request.on("response", async (response) => {
      let text = "";
      try {
        for await (const piece of response) text += piece;
        end({ status: response.statusCode, ...read(text, streams(id) && response.statusCode === 200) });
      } catch (error) {
        end({ status: response.statusCode, torn: error.message });
      }
    });
    request.on("error", (error) => end({ torn: error.message }));
    request.end(body);
    if (leaves(id)) setTimeout(() => request.destroy(), lot(id, 3266489917) / 5);
  });
}

function read(body, isStream) {
  if (!isStream) {
    const { choices, error } = JSON.parse(body);
    return { text: choices?.[0].message.content, error: error?.message };
  }
  const data = [...body.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json));
  const text = data.map(({ choices }) => choices?.[0]?.delta?.content ?? "").join("");
  return { text, error: data.find(({ error }) => error)?.error.message, isDone: body.includes("[DONE]") };
}

/** What is wrong with an outcome; undefined if it is as the id demands. */
function problemOf(id, { left, torn, status, text, error, isDone }) {
  if (left) return undefined;
  if (torn) return `torn: ${torn}`;
  const fate = fateOf(id);
  const good = status === 200 && text === `id ${id}` && error === undefined && (!streams(id) || isDone);
  if (fate === "good") return good ? undefined : `${status} ${text} ${error}`;
  if (fate === "cut" && streams(id))
    return status === 200 && error !== undefined ? undefined : `cut: ${status} ${text}`;
  return status === (fate === "hang" ? 504 : 502) && error ? undefined : `${fate}: ${status} ${error}`;
}

/** Sends so many requests. Returns counts, and what was not as it should be. `firstByteMs` ends those that hang. */
export async function runFaults(requests, firstByteMs = FIRST_BYTE_MS) {
  const upstream = await startUpstream();
  const main = {
    dialect: "anthropic",
    baseUrl: upstream.url,
    key: "the-key",
    retries: 0,
    limits: { firstByteMs },
  };
  const gateway = createGateway({ upstreams: { main }, open: "loopback" }, { onWarning: () => {} });
  const server = await serve(gateway, { port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT });
  const problems = [];
  const counts = { good: 0, reset: 0, hang: 0, cut: 0, left: 0 };
  const memory = [];
  let next = 0;
  const work = async () => {
    while (next < requests) {
      const id = next++;
      if (id % Math.ceil(requests / 10) === 0) memory.push(heapOf());
      const outcome = await ask(server.url, agent, id);
      const problem = problemOf(id, outcome);
      if (problem) problems.push(`${id}: ${problem}`);
      counts[outcome.left ? "left" : fateOf(id)]++;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, work));
  for (let i = 0; i < 200 && upstream.open > 0; i++) await new Promise((resolve) => setTimeout(resolve, 20));
  memory.push(heapOf());
  for (let id = 0; id < requests; id++) {
    const count = upstream.seen.get(id) ?? 0;
    if (count > 1 || (count === 0 && !leaves(id))) problems.push(`${id}: the upstream got it ${count} times`);
  }
  const stillOpen = upstream.open;
  agent.destroy();
  await server.stop();
  upstream.close();
  return { counts, problems, stillOpen, memory };
}

/** In MB. */
function heapOf() {
  globalThis.gc?.();
  return Math.round(process.memoryUsage().heapUsed / 1e5) / 10;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [requests = 100_000, firstByteMs] = process.argv.slice(2).map(Number);
  const start = performance.now();
  const { counts, problems, stillOpen, memory } = await runFaults(requests, firstByteMs);
  const handles = process.getActiveResourcesInfo().length;
  console.log({
    requests,
    seconds: Math.round((performance.now() - start) / 1000),
    counts,
    stillOpen,
    heapMB: memory,
    handles,
  });
  for (const problem of problems.slice(0, 20)) console.log(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
