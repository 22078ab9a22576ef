// The most likely mistakes, and their messages: the position of the mistake, the value found, and the remedy.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as toolwire from "../../pkg/dist/index.js";
import { dialects } from "../../scripts/lib/dialects.mjs";

const user = [{ role: "user", content: "Hi" }];
const call = { id: "1", name: "f", arguments: {} };
const openAI = {
  id: "c",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
};
const anthropic = {
  type: "message",
  role: "assistant",
  content: [{ type: "text", text: "Hi" }],
  stop_reason: "end_turn",
};
const openAITool = { type: "function", function: { name: "f", parameters: { type: "object" } } };
const otherTool = { type: "function", function: { ...openAITool.function, description: "Another." } };

const names = dialects.map(({ name }) => `"${name}"`);
const anyDialect = `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
const toAnthropicFromOllama = { from: "ollama", to: "anthropic" };

/** The mistake, the call, and the message of the error. */
const errors = [
  [
    "messages instead of a request",
    () => toolwire.toOpenAI(user),
    "expected an object, found an array (these look like messages: pass them as { messages })",
  ],
  [
    "another provider's response",
    () => toolwire.fromOpenAI(anthropic),
    "/choices is missing (this looks like an Anthropic response)",
  ],
  [
    "OpenAI's response for Anthropic's",
    () => toolwire.fromAnthropic(openAI),
    "/content is missing (this looks like an OpenAI response)",
  ],
  [
    "OpenAI's response for Gemini's",
    () => toolwire.fromGemini(openAI),
    "/candidates: expected candidates, promptFeedback or usageMetadata (this looks like an OpenAI response)",
  ],
  [
    "a request for a response",
    () => toolwire.fromOpenAI({ model: "m", messages: [{ role: "developer", content: "Hi" }] }),
    "/choices is missing (this looks like an OpenAI request)",
  ],
  [
    "an error body",
    () => toolwire.fromOpenAI({ error: { message: "Slow down.", type: "tokens", code: "rate_limit_exceeded" } }),
    "/choices is missing (this is an error body: see convertError)",
  ],
  [
    "an error body as text",
    () =>
      toolwire.convertResponse('{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', {
        from: "anthropic",
        to: "openai",
      }),
    "/content is missing (this is an error body: see convertError)",
  ],
  [
    "no await",
    () => toolwire.fromOpenAI(Promise.resolve(openAI)),
    "expected a plain object, found a Promise: await it",
  ],
  [
    "fetch's response",
    () => toolwire.fromOpenAI(new Response("{}")),
    "expected a plain object, found a Response: pass what its json() or text() resolves to",
  ],
  [
    "text",
    () => toolwire.fromOpenAI(JSON.stringify(openAI)),
    "expected an object, found a string (this is JSON text: parse it first)",
  ],
  [
    "a stream",
    () => toolwire.fromOpenAI((async function* () {})()),
    "expected a plain object, found a stream: use streamEvents, readStream or convertStream",
  ],
  [
    "a stream's body",
    () => toolwire.convertResponse(new ReadableStream(), { from: "openai", to: "anthropic" }),
    "expected a plain object, found a stream: use streamEvents, readStream or convertStream",
  ],
  [
    "text that is no JSON",
    () => toolwire.convertRequest("<html>", { from: "openai", to: "anthropic" }),
    "not JSON: expected a value at byte 0",
  ],
  [
    "a wrong from",
    () => toolwire.convertRequest({ contents: [{ parts: [{ text: "Hi" }] }] }, { from: "openai", to: "anthropic" }),
    "/messages is missing (this looks like a Gemini request)",
  ],
  [
    "no from",
    () => toolwire.convertRequest({ messages: user }, { to: "openai" }),
    "/options/from is missing: a conversion needs a dialect",
  ],
  [
    "no to",
    () => toolwire.convertRequest({ messages: user }, { from: "openai" }),
    "/options/to is missing: a conversion needs a dialect",
  ],
  [
    "a model family as dialect",
    () => toolwire.convertRequest({ messages: user }, { from: "openai", to: "claude" }),
    `/options/to: expected ${anyDialect}, found "claude"`,
  ],
  [
    "a misspelt dialect",
    () => toolwire.convertRequest({ messages: user }, { from: "open-ai", to: "gemini" }),
    `/options/from: expected ${anyDialect}, found "open-ai"; did you mean "openai"?`,
  ],
  [
    "a misspelt option",
    () => toolwire.toOpenAI({ messages: user }, { onwarning() {} }),
    "/options/onwarning: unknown option; did you mean onWarning?",
  ],
  [
    "an unknown option",
    () => toolwire.toOpenAI({ messages: user }, { retries: 3 }),
    "/options/retries: unknown option",
  ],
  [
    "a wrong word for an option",
    () => toolwire.toOpenAI({ messages: user }, { lossy: "warn" }),
    '/options/lossy: expected "allow" or "error", found "warn"',
  ],
  [
    "a wrong type for an option",
    () => toolwire.toOpenAI({ messages: user }, { idSeed: 7 }),
    "/options/idSeed: expected a string, found a number",
  ],
  [
    "too much depth",
    () => toolwire.toOpenAI({ messages: user }, { maxDepth: 1e9 }),
    "/options/maxDepth: expected at most 2000, found 1000000000",
  ],
  [
    "OpenAI's tools",
    () => toolwire.toAnthropic({ model: "m", messages: user, tools: [openAITool] }),
    '/tools/0/type: expected "native", found "function" (this looks like an OpenAI request)',
  ],
  [
    "a body that Ollama and OpenAI have alike",
    () =>
      toolwire.convertRequest({ model: "m", messages: user, tools: [openAITool, otherTool] }, toAnthropicFromOllama),
    "/tools/1: the target does not accept two tools with the name f",
  ],
  ["no role", () => toolwire.toOpenAI({ messages: [{ content: "Hi" }] }), "/messages/0/role is missing"],
  [
    "OpenAI's name for the call id",
    () => toolwire.toOpenAI({ messages: [{ role: "tool", tool_call_id: "1", content: "Sunny" }] }),
    "/messages/0/toolCallId is missing (this looks like an OpenAI request)",
  ],
  [
    "a role that does not exist",
    () => toolwire.toOpenAI({ messages: [{ role: "bot", content: "Hi" }] }),
    '/messages/0/role: expected "system", "user", "assistant" or "tool", found "bot"',
  ],
  [
    "content null",
    () => toolwire.toOpenAI({ messages: [{ role: "assistant", content: null, toolCalls: [call] }] }),
    "/messages/0/content: expected a string or an array of blocks, found null",
  ],
  [
    "arguments as text",
    () =>
      toolwire.toOpenAI({ messages: [{ role: "assistant", content: "", toolCalls: [{ ...call, arguments: "{}" }] }] }),
    "/messages/0/toolCalls/0/arguments: expected an object, found a string",
  ],
  [
    "Anthropic's tool choice",
    () => toolwire.toOpenAI({ messages: user, toolChoice: "any" }),
    '/toolChoice: expected "auto", "none", "required" or an object, found "any"',
  ],
  [
    "an image without a media type",
    () =>
      toolwire.toOpenAI({
        messages: [{ role: "user", content: [{ type: "image", source: { type: "base64", data: "AA==" } }] }],
      }),
    "/messages/0/content/0/mediaType is missing",
  ],
  [
    "no model in the path",
    () => toolwire.requestPath({ messages: user }, { to: "gemini" }),
    "/model is missing: the path contains the model",
  ],
  [
    "a result that was not awaited",
    () => toolwire.toolResult(call, Promise.resolve("Sunny")),
    "a Promise (await it first) is not a result of a tool",
  ],
  ["a call without an id", () => toolwire.toolResult({ name: "f" }, "Sunny"), "/id is missing"],
];

for (const [mistake, act, message] of errors) {
  test(mistake, () => {
    assert.throws(act, (error) => {
      assert.ok(error instanceof toolwire.ToolwireError, String(error));
      assert.equal(error.message, message);
      assert.ok(message.includes(error.path));
      return true;
    });
  });
}

/** Mistakes that lose a field: reported as warnings, as `path: message`. */
const warnings = [
  [
    "misspelt calls",
    (onWarning) =>
      toolwire.toOpenAI({ messages: [{ role: "assistant", content: "Hi", toolcalls: [call] }] }, { onWarning }),
    "/messages/0/toolcalls: unknown field; did you mean toolCalls?",
  ],
  [
    "OpenAI's name for the limit",
    (onWarning) => toolwire.toOpenAI({ messages: user, max_tokens: 5 }, { onWarning }),
    "/max_tokens: unknown field; did you mean maxTokens?",
  ],
];

for (const [mistake, act, expected] of warnings) {
  test(mistake, () => {
    const reported = [];
    act(({ code, path, message }) => reported.push([code, `${path}: ${message}`]));
    assert.deepEqual(reported, [["unknown_field", expected]]);
  });
}
