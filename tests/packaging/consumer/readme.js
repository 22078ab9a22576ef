// The driver and the gateway of the guides, compiled, against loopback servers that simulate their providers. As a program, it prints the outcome:
// `node readme.js FOLDER`, with driver.js and gateway.js in the folder.

import { createServer } from "node:http";
import { resolve } from "node:path";
import { argv, env } from "node:process";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const listening = async (server) => {
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, close };
};
const textOf = async (message) => {
  const chunks = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

const calling = (name, text, id) => ({ id, type: "function", function: { name, arguments: text } });
/** The model's responses: one that is cut off in a call, a call of an unknown tool, a call that succeeds, and text. */
const turns = [
  { content: null, tool_calls: [calling("get_weather", '{"city":"Par', "call_1")] },
  { content: null, tool_calls: [calling("constructor", "{}", "call_2")] },
  { content: null, tool_calls: [calling("get_weather", '{"city":"Paris"}', "call_3")] },
  { content: "It is 22 °C in Paris." },
];

/** The output of the driver, and the results that it sends. */
export async function outcomeOfDriver(file) {
  const left = [...turns];
  const results = [];
  const server = await listening(
    createServer(async (request, response) => {
      const { messages } = JSON.parse(await textOf(request));
      const last = messages.at(-1);
      if (last.role === "tool") results.push([last.tool_call_id, last.content]);
      const message = { role: "assistant", refusal: null, ...left.shift() };
      const finish_reason = message.tool_calls ? "tool_calls" : "stop";
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({ id: "c", object: "chat.completion", choices: [{ index: 0, message, finish_reason }] }),
      );
    }),
  );
  Object.assign(env, { OPENAI_API_KEY: "key", OPENAI_BASE_URL: `${server.url}/v1` });
  const printed = [];
  const { log } = console;
  console.log = (...words) => printed.push(words.join(" "));
  try {
    await import(file);
    return { printed, results };
  } finally {
    console.log = log;
    server.close();
  }
}

const part = {
  candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] }, finishReason: "STOP" }],
  responseId: "r",
};
const whole = JSON.stringify(part);
const stream = `data: ${whole}\n\n`;
const error = (code, status, message) => JSON.stringify({ error: { code, status, message } });
const sse = { "content-type": "text/event-stream" };
const json = { "content-type": "application/json; charset=UTF-8" };
const html = { "content-type": "text/html" };

/** Possible responses of an upstream: status, headers, body. For those named after a stream, the request has `stream`. */
const answers = {
  "with a length": [200, { ...json, "content-length": Buffer.byteLength(whole) }, whole],
  "with gzip": [200, { ...json, "content-encoding": "gzip" }, gzipSync(whole)],
  "without a content type": [200, {}, whole],
  "a stream": [200, sse, stream],
  "a stream with gzip": [200, { ...sse, "content-encoding": "gzip" }, gzipSync(stream)],
  "a stream without a content type": [200, {}, stream],
  "a rejected request": [400, json, error(400, "INVALID_ARGUMENT", "no such model")],
  "a limit": [429, { ...json, "retry-after": "7", "set-cookie": "a=b" }, error(429, "RESOURCE_EXHAUSTED", "slow down")],
  "a limit instead of a stream": [429, { ...json, "retry-after": "7" }, error(429, "RESOURCE_EXHAUSTED", "slow down")],
  "a page of HTML": [502, html, "<html>bad gateway</html>"],
  "a page of HTML with status 200": [200, html, "<html>busy</html>"],
  "no body": [500, { "content-length": 0 }, ""],
};

const hello = { model: "m", messages: [{ role: "user", content: "Hello" }] };

/** What a client receives for each of these responses. `serve` makes a server of a fetch handler. */
export async function outcomeOfGateway(file, serve) {
  const upstream = await listening(
    createServer(async (request, response) => {
      await textOf(request);
      const [status, headers, body] = answers[request.headers["x-case"]];
      response.writeHead(status, headers).end(body);
    }),
  );
  const { handle } = await import(file);
  const { warn } = console;
  console.warn = () => {};
  let target;
  const server = await serve((request) => handle(request, target), { port: 0 });
  const ask = async (body) => {
    const response = await fetch(server.url, { method: "POST", body });
    return outcomeOf(response, await response.text());
  };
  const outcome = {};
  try {
    for (const name of Object.keys(answers)) {
      target = { url: upstream.url, headers: { "x-case": name } };
      outcome[name] = await ask(JSON.stringify({ ...hello, stream: name.includes("stream") }));
    }
    for (const wrong of ['{"model":"m","messages":7}', "{"]) outcome[wrong] = (await ask(wrong)).slice(0, 2);
    upstream.close();
    outcome["nobody there"] = await ask(JSON.stringify(hello));
    return outcome;
  } finally {
    console.warn = warn;
    await server.stop();
    upstream.close();
  }
}

/** The status, the content that the client reads, and the forwarded headers. */
function outcomeOf(response, text) {
  const { status, headers } = response;
  const type = headers.get("content-type");
  const others = ["retry-after", "content-encoding", "set-cookie"].filter((name) => headers.has(name));
  if (type !== "text/event-stream") {
    const { choices, error } = JSON.parse(text);
    return [status, type, choices?.[0].message.content ?? error.message, ...others];
  }
  const events = text.split("\n\n").filter(Boolean);
  const texts = events.slice(0, -1).map((event) => JSON.parse(event.slice(6)).choices[0]?.delta.content ?? "");
  return [status, type, texts.join(""), events.at(-1), ...others];
}

if (argv[1] && import.meta.url === pathToFileURL(argv[1]).href) {
  const module = (name) => pathToFileURL(resolve(argv[2], name)).href;
  const { serve } = await import("toolwire/gateway/node");
  const driver = await outcomeOfDriver(module("driver.js"));
  console.log(JSON.stringify({ driver, gateway: await outcomeOfGateway(module("gateway.js"), serve) }));
}
