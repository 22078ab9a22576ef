// A client of a server that never ends what it sends: `endless.mjs KIND`. Prints how the run ended, and how much memory it took, in MB.

import { fork } from "node:child_process";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";

const [kind, role] = process.argv.slice(2);
const text = "x".repeat(1000);
const chunk = JSON.stringify({
  id: "x",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta: { content: text }, finish_reason: null }],
});
const pieces = {
  stream: `data: ${chunk}\n\n`,
  "slow reader": `data: ${chunk}\n\n`,
  event: text,
  body: `{"${text}`,
  error: text,
};

function serve() {
  const piece = Buffer.from(pieces[kind].repeat(20));
  const isStream = kind !== "body" && kind !== "error";
  createServer((_, result) => {
    const headers = { "content-type": isStream ? "text/event-stream" : "application/json" };
    result.writeHead(kind === "error" ? 400 : 200, headers).on("error", () => {});
    const write = () => {
      while (!result.destroyed) if (!result.write(piece)) return result.once("drain", write);
    };
    write();
  }).listen(0, "127.0.0.1", function () {
    process.send(this.address().port);
  });
}

async function use(port) {
  const { sendTo, streamAgent, Toolkit } = await import("./toolkit.mjs");
  const send = sendTo({ to: "openai", baseUrl: `http://127.0.0.1:${port}`, stream: !["body", "error"].includes(kind) });
  const request = { model: "m", messages: [{ role: "user", content: "x" }] };
  const start = (timeoutMs) => streamAgent({ request, toolkit: new Toolkit([]), send, timeoutMs });
  // loads and compiles what each run needs
  await start(1).outcome;
  // without garbage, which an engine keeps as long as there is room
  const used = () => {
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 2 ** 20;
  };
  const before = used();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, used());
  }, 30);
  const stream = start(kind === "slow reader" ? 1500 : 20_000);
  if (kind === "slow reader") await stream[Symbol.asyncIterator]().next();
  else for await (const _ of stream);
  const { reason } = await stream.outcome;
  clearInterval(timer);
  process.stdout.write(JSON.stringify({ reason, grown: Math.round(Math.max(most, used()) - before) }));
}

if (role === "server") serve();
else {
  const child = fork(fileURLToPath(import.meta.url), [kind, "server"]);
  child.once("message", async (port) => {
    await use(port).finally(() => child.kill());
    process.exit();
  });
}
