// An upstream, the gateway and what it is compared with. Each runs in a process of its own: `start(NAME, PORT)`.

import { fork } from "node:child_process";
import { Agent, createServer, request as httpRequest } from "node:http";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const self = fileURLToPath(import.meta.url);
const EVENTS = 50;
/** Its port; the others follow. */
const UPSTREAM = Number(process.env.BENCH_PORT ?? 18_700);
const base = `http://127.0.0.1:${UPSTREAM}`;
export const ports = {
  upstream: UPSTREAM,
  toolwire: UPSTREAM + 1,
  "fetch and serve": UPSTREAM + 2,
  "node:http": UPSTREAM + 3,
};

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

/** The package: `pkg/`, or the folder TOOLWIRE_PKG. */
const packed = (file) =>
  import(
    pathToFileURL(resolve(process.env.TOOLWIRE_PKG ?? fileURLToPath(new URL("../../pkg", import.meta.url)), file))
  );

/** What is compared, and the upstream. Each listens at a port; those that are compared, in front of the upstream. */
const sides = {
  /** In the format of Chat Completions. */
  async upstream(port) {
    const server = createServer(async (request, response) => {
      let text = "";
      for await (const piece of request) text += piece;
      if (!/"stream":\s*true/.test(text))
        return response.writeHead(200, { "content-type": "application/json" }).end(whole);
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of events) response.write(event);
      response.end("data: [DONE]\n\n");
    });
    await new Promise((ready) => server.listen(port, "127.0.0.1", ready));
  },
  async toolwire(port) {
    const { createGateway } = await packed("dist/gateway/node.js");
    const { serve } = await packed("dist/gateway/serve.js");
    const main = { dialect: "openai", baseUrl: base, key: "the-key", limits: { concurrent: 512 } };
    await serve(createGateway({ upstreams: { main }, open: "loopback" }, { onWarning: () => {} }), { port });
  },
  async "fetch and serve"(port) {
    const { serve } = await packed("dist/gateway/serve.js");
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
  async "node:http"(port) {
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

/** Starts one of them. `args` are arguments of Node. */
export function start(name, { args = [] } = {}) {
  return new Promise((ready, fail) => {
    const child = fork(self, [name], { execArgv: args });
    child.once("message", () => ready(child));
    child.once("exit", (code) => fail(new Error(`${name} ended with ${code}`)));
  });
}

const [name] = process.argv.slice(2);
if (process.argv[1] === self && process.send) {
  await sides[name](ports[name]);
  process.on("disconnect", () => process.exit());
  // a measurement after a collection, where Node allows it
  process.on("message", () => {
    globalThis.gc?.();
    process.send({ ...process.memoryUsage(), cpu: process.cpuUsage() });
  });
  process.send("ready");
}
