// Requests per second and latency of a gateway on loopback, beside a pass-through with `node:http` and one with `fetch` and `serve`:
// `node bench/gateway/load.mjs [SECONDS]`. Upstream, gateway and driver are processes of their own on this machine; a run is bounded in time.

import { fork } from "node:child_process";
import { Agent, createServer, request as httpRequest } from "node:http";
import { fileURLToPath } from "node:url";
import { createGateway } from "../../pkg/dist/gateway/node.js";
import { serve } from "../../pkg/dist/gateway/serve.js";

const SIZES = { "2 kB": 2_000, "160 kB": 160_000 };
const CLIENTS = [1, 32, 256];
const EVENTS = 50;
const self = fileURLToPath(import.meta.url);

const chunk = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const words = "word ".repeat(8);
const whole = JSON.stringify({
  ...{ id: "c", object: "chat.completion", created: 0, model: "m" },
  choices: [{ index: 0, message: { role: "assistant", content: words.repeat(40) }, finish_reason: "stop" }],
  usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
});
const events = [
  chunk({ role: "assistant", content: "" }),
  ...Array(EVENTS).fill(chunk({ content: words })),
  chunk({}, "stop"),
];

/** An upstream in the format of Chat Completions. */
function upstream(port) {
  createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    if (!text.includes('"stream":true'))
      return response.writeHead(200, { "content-type": "application/json" }).end(whole);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of events) response.write(event);
    response.end("data: [DONE]\n\n");
  }).listen(port, "127.0.0.1", () => process.send("ready"));
}

/** What is compared. Each listens at a port, in front of the upstream at another one. */
const sides = {
  async toolwire(port, base) {
    const main = { dialect: "openai", baseUrl: base, key: "the-key", limits: { concurrent: 512 } };
    await serve(createGateway({ upstreams: { main }, open: "loopback" }, { onWarning: () => {} }), { port });
  },
  async "fetch and serve"(port, base) {
    const pass = async (request) => {
      const { pathname } = new URL(request.url);
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${base}${pathname}`, {
        method: "POST",
        headers,
        body: await request.arrayBuffer(),
      });
      return new Response(response.body, { headers: { "content-type": response.headers.get("content-type") } });
    };
    await serve(pass, { port });
  },
  async "node:http"(port, base) {
    const agent = new Agent({ keepAlive: true });
    const server = createServer((request, response) => {
      const { method, url, headers } = request;
      const out = httpRequest(base + url, { method, agent, headers }, (reply) => {
        response.writeHead(reply.statusCode, reply.headers);
        reply.pipe(response);
      });
      out.on("error", () => response.destroy());
      request.pipe(out);
    });
    await new Promise((ready) => server.listen(port, "127.0.0.1", ready));
  },
};

function bodyOf(size, stream, isAnthropic) {
  const turns = [];
  for (let left = size; left > 0; left -= 500) {
    turns.push({
      role: turns.length % 2 === 0 ? "user" : "assistant",
      content: "text ".repeat(Math.ceil(Math.min(left, 450) / 5)),
    });
  }
  if (turns.length % 2 === 0) turns.pop();
  return JSON.stringify({ model: "m", ...(isAnthropic && { max_tokens: 100 }), stream, messages: turns });
}

/** Sends requests with so many clients for so long. Returns requests per second, and latencies in milliseconds. */
async function drive(url, path, body, clients, seconds) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times = [];
  const begin = performance.now();
  const until = begin + seconds * 1000;
  const once = () =>
    new Promise((resolve, reject) => {
      const start = performance.now();
      const headers = { "content-type": "application/json", "content-length": body.length };
      const request = httpRequest(url + path, { method: "POST", agent, headers }, (response) => {
        response.on("data", () => {});
        response.on("end", () => {
          if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`));
          times.push(performance.now() - start);
          resolve();
        });
        response.on("error", reject);
      });
      request.on("error", reject);
      request.end(body);
    });
  const client = async () => {
    while (performance.now() < until) await once();
  };
  await Promise.all(Array.from({ length: clients }, client));
  // the requests that run at the end take longer than the time
  const elapsed = (performance.now() - begin) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(times.length * share)];
  return { rps: Math.round(times.length / elapsed), median: at(0.5), p99: at(0.99) };
}

const child = (...args) =>
  new Promise((resolve) => {
    const started = fork(self, args);
    started.once("message", () => resolve(started));
  });

async function main(seconds) {
  const ports = { upstream: 18_700, toolwire: 18_701, "fetch and serve": 18_702, "node:http": 18_703 };
  const base = `http://127.0.0.1:${ports.upstream}`;
  const children = [await child("upstream", String(ports.upstream))];
  for (const name of Object.keys(sides)) children.push(await child(name, String(ports[name]), base));
  const ways = [
    ["node:http", "node:http", "/v1/chat/completions", false],
    ["fetch and serve", "fetch and serve", "/v1/chat/completions", false],
    ["toolwire, Chat client", "toolwire", "/v1/chat/completions", false],
    ["toolwire, Anthropic client", "toolwire", "/v1/messages", true],
  ];
  console.log("| body | clients | side | requests/s | median ms | p99 ms |\n|---|---|---|---|---|---|");
  try {
    for (const [size, bytes] of Object.entries(SIZES)) {
      for (const stream of [false, true]) {
        for (const clients of CLIENTS) {
          for (const [label, side, path, isAnthropic] of ways) {
            const body = bodyOf(bytes, stream, isAnthropic);
            const url = `http://127.0.0.1:${ports[side]}`;
            await drive(url, path, body, clients, seconds / 4);
            const { rps, median, p99 } = await drive(url, path, body, clients, seconds);
            const what = `${size}, ${stream ? "streamed" : "whole"}`;
            console.log(`| ${what} | ${clients} | ${label} | ${rps} | ${median.toFixed(1)} | ${p99.toFixed(1)} |`);
          }
        }
      }
    }
  } finally {
    for (const one of children) one.kill();
  }
}

const [role, port, base] = process.argv.slice(2);
if (role === "upstream") upstream(Number(port));
else if (Object.hasOwn(sides, role ?? "")) sides[role](Number(port), base).then(() => process.send("ready"));
else await main(Number(role ?? 2));
