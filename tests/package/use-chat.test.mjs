// The component of the recipe for `useChat`, unchanged, in React and a DOM: it sends to the recipe's handler, which is served on loopback,
// and the handler sends to a scripted provider.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transformSync } from "esbuild";
import { Window } from "happy-dom";
import { startProvider } from "../toolkit/support/provider.mjs";
import { markdownBlocks } from "./support/snippets/blocks.mjs";
import { makeProject } from "./support/snippets/programs.mjs";

const blocks = markdownBlocks("docs/recipes/use-chat.md");
const [handler, component] = ["ts", "tsx"].map((name) => blocks.find(({ language }) => language === name));
const project = makeProject("use-chat", [handler]);
const { fetch } = globalThis;
const window = new Window({ url: "http://localhost/" });
const { document } = window;
let provider;
let server;
let mounted;

before(async () => {
  project.compile("typescript");
  provider = await startProvider();
  process.env.OPENAI_API_KEY = "key";
  globalThis.fetch = (url, init) =>
    fetch(String(url).replace("https://api.openai.com", `${provider.url}/openai-responses`), init);
  const globals = { window, document, navigator: window.navigator };
  // Node has a navigator of its own since version 21, without a setter
  for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, { value });
  const { POST } = await import(project.fileOf(handler));
  server = createServer((request, response) => respond(POST, request, response));
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const { createElement } = await import("react");
  const { createRoot } = await import("react-dom/client");
  const { Chat } = await import(writeComponent());
  mounted = createRoot(document.body.appendChild(document.createElement("div")));
  const api = `http://127.0.0.1:${server.address().port}/api/chat`;
  mounted.render(createElement(Chat, { api }));
  await until(() => document.querySelector("button"), "nothing was rendered");
});
after(async () => {
  mounted?.unmount();
  globalThis.fetch = fetch;
  provider?.close();
  server?.closeAllConnections();
  server?.close();
  await window.happyDOM.close();
});

/** The component as JavaScript, beside the compiled handler. */
function writeComponent() {
  const folder = fileURLToPath(new URL(".", project.fileOf(handler)));
  const { code } = transformSync(component.code, { loader: "tsx", jsx: "automatic" });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "chat.js"), code);
  return pathToFileURL(join(folder, "chat.js")).href;
}

async function respond(POST, request, response) {
  const body = Readable.toWeb(request);
  const made = new Request(`http://localhost${request.url}`, { method: request.method, body, duplex: "half" });
  const { status, headers, body: events } = await POST(made);
  response.writeHead(status, Object.fromEntries(headers));
  await pipeline(Readable.fromWeb(events), response);
}

const text = (...pieces) => ({ blocks: [{ type: "text", pieces }], finish: "stop" });
const call = { type: "call", id: "call_1", name: "get_weather", pieces: ['{"city":"Paris"}'] };

/** Resolves when React has rendered what makes `isSo` true. */
async function until(isSo, what) {
  for (let waited = 0; !isSo(); waited += 10) {
    assert.ok(waited < 5000, what);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Types a message as a user would, and resolves when the response has ended. */
async function say(words) {
  const [input, button] = ["input", "button"].map((name) => document.querySelector(name));
  const before = document.querySelectorAll("article").length;
  // React reads a value that its own setter has not seen
  Object.getOwnPropertyDescriptor(window.HTMLInputElement.prototype, "value").set.call(input, words);
  input.dispatchEvent(new window.Event("input", { bubbles: true }));
  button.click();
  const shows = () => document.querySelectorAll("article").length === before + 2;
  await until(() => shows() && !button.disabled, "the response has not ended");
  assert.equal(input.value, "");
}

const shown = () =>
  [...document.querySelectorAll("article")].map((article) => [
    article.className,
    ...[...article.children].map((child) => `${child.tagName.toLowerCase()}: ${child.textContent}`),
  ]);

test("the hook shows the text and the call of an agent", async () => {
  provider.play({ blocks: [call], finish: "tool_calls" }, text("It is ", "22 °C."));
  await say("Weather?");
  assert.deepEqual(shown(), [
    ["user", "p: Weather?"],
    ["assistant", 'pre: get_weather: {"city":"Paris","celsius":22}', "p: It is 22 °C."],
  ]);
  assert.equal(document.querySelector("[role=alert]"), null);
  assert.equal(provider.received[1].body.input.at(-1).output, '{"city":"Paris","celsius":22}');
});

test("the next message continues the conversation", async () => {
  provider.play(text("Bring an umbrella."));
  await say("And tomorrow?");
  assert.deepEqual(shown().slice(2), [
    ["user", "p: And tomorrow?"],
    ["assistant", "p: Bring an umbrella."],
  ]);
  assert.deepEqual(
    provider.received[0].body.input.map(({ role }) => role),
    ["user", "assistant", "user"],
  );
});
