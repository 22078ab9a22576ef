// Errors of providers, and the paths of errors, through the public API.

import assert from "node:assert/strict";
import { test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { ApiError } from "@google/genai";
import { APICallError } from "ai";
import OpenAI from "openai";
import { convertError, requestPath, ToolwireError, toUniversal } from "../../pkg/dist/index.js";

const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
const toCanonical = { from: "anthropic", to: "canonical" };

test("the shape that goes in comes out", () => {
  const canonical = { status: 529, code: "overloaded", message: "Overloaded", retryable: true };
  const metadata = { anthropic: { error: { type: "overloaded_error" } } };
  const expected = { ...canonical, metadata };
  const text = JSON.stringify(overloaded);
  assert.deepEqual(convertError(overloaded, toCanonical), expected);
  assert.deepEqual(JSON.parse(convertError(text, toCanonical)), expected);
  const bytes = convertError(new TextEncoder().encode(text), toCanonical);
  assert.deepEqual(JSON.parse(new TextDecoder().decode(bytes)), expected);
});

test("text that is not JSON is never refused", () => {
  for (const text of [
    "<html></html>",
    "",
    " ",
    "{",
    "[",
    "\ufeff",
    "nul",
    "data: {}\n\n",
    '"',
    "\u0000",
    "]".repeat(9),
  ]) {
    const error = JSON.parse(convertError(text, { from: "openai", to: "canonical", status: 502 }));
    assert.deepEqual([error.status, error.code, error.retryable], [502, "api_error", true], text);
    assert.ok(error.message.length > 0, text);
  }
  const broken = new Uint8Array([0x3c, 0xff, 0xc0, 0x3e]);
  const error = JSON.parse(new TextDecoder().decode(convertError(broken, toCanonical)));
  assert.match(error.message, /^<\ufffd+>$/);
});

test("a body that is nested too deeply becomes the message", () => {
  const deep = `{"error":{"message":"No.","details":${"[".repeat(300)}${"]".repeat(300)}}}`;
  assert.equal(JSON.parse(convertError(deep, toCanonical)).message, deep);
});

test("the error object of an SDK is read", () => {
  class APIError extends Error {
    status = 429;
    error = { message: "Slow down.", type: "tokens", code: "rate_limit_exceeded", param: null };
  }
  const { status, code, message } = convertError(new APIError("429 Slow down."), { from: "openai", to: "canonical" });
  assert.deepEqual([status, code, message], [429, "rate_limit", "Slow down."]);
});

const slow = { type: "error", error: { type: "rate_limit_error", message: "Slow down." } };
const google = (message) => JSON.stringify({ error: { code: 429, message, status: "RESOURCE_EXHAUSTED" } });
const named = (name, message, more) => Object.assign(new Error(message), { name, ...more });
const headers = new Headers();
const exceptions = {
  "openai (SDK of OpenAI)": OpenAI.APIError.generate(
    429,
    { error: { ...slow.error, param: null } },
    undefined,
    headers,
  ),
  "anthropic (SDK of Anthropic)": Anthropic.APIError.generate(429, slow, undefined, headers),
  "gemini (SDK of Google)": new ApiError({ message: google("Slow down."), status: 429 }),
  "gemini (a proxy's message)": new ApiError({ message: google(google("Slow down.")), status: 429 }),
  "ollama (client of Ollama)": named("ResponseError", "Slow down.", { error: "Slow down.", status_code: 429 }),
  "anthropic (AI SDK)": new APICallError({
    message: "Slow down.",
    url: "https://api.anthropic.com",
    requestBodyValues: {},
    statusCode: 429,
    responseBody: JSON.stringify(slow),
    data: slow,
  }),
  "openai (AI SDK, without data)": new APICallError({
    message: "Too Many Requests",
    url: "https://api.openai.com",
    requestBodyValues: {},
    statusCode: 429,
    responseBody: JSON.stringify({ error: slow.error }),
  }),
  "openai (SDK of Mistral)": named("SDKError", "API error occurred: Status 429.", {
    statusCode: 429,
    body: '{"object":"error","message":"Slow down.","type":"rate_limited"}',
  }),
  "anthropic (SDK of AWS)": named("ThrottlingException", "Slow down.", { $metadata: { httpStatusCode: 429 } }),
  "anthropic (JSON in the message)": new Error(`429 ${JSON.stringify(slow)}`, { cause: { status: 429 } }),
};

for (const [name, thrown] of Object.entries(exceptions)) {
  test(`an exception is read: ${name}`, () => {
    const { status, code, message, retryable } = convertError(thrown, { from: name.split(" ")[0], to: "canonical" });
    assert.deepEqual([status, code, message, retryable], [429, "rate_limit", "Slow down.", true]);
  });
}

test("an exception that repeats attempts has the last one; other exceptions have their message", () => {
  const retried = named("AI_RetryError", "Failed after 2 attempts.", {
    errors: [new Error("no"), exceptions["anthropic (AI SDK)"]],
  });
  const anthropic = { from: "anthropic", to: "canonical" };
  assert.equal(convertError(retried, anthropic).message, "Slow down.");
  assert.equal(convertError(new TypeError("fetch failed"), anthropic).message, "fetch failed");
  assert.equal(convertError(new Error("{not JSON}"), anthropic).message, "{not JSON}");
  // the status that the caller states wins
  assert.equal(convertError(exceptions["anthropic (AI SDK)"], { ...anthropic, status: 503 }).status, 503);
  // a canonical error may be an exception
  const canonical = named("SendError", "Slow down.", { code: "rate_limit", retryable: true });
  const given = { code: "rate_limit", message: "Slow down.", retryable: true };
  assert.deepEqual(
    convertError({ ...canonical, message: canonical.message, name: undefined }, { from: "canonical", to: "anthropic" })
      .error,
    convertError(given, { from: "canonical", to: "anthropic" }).error,
  );
  const unreadable = new Error("x");
  Object.defineProperty(unreadable, "error", {
    get() {
      throw new Error("no");
    },
  });
  assert.doesNotThrow(() => convertError(unreadable, anthropic));
});

test("invalid arguments of convertError and requestPath are ToolwireErrors", () => {
  const refused = (action, code) =>
    assert.throws(action, (error) => error instanceof ToolwireError && error.code === code);
  refused(() => convertError(5, toCanonical), "invalid_type");
  refused(() => convertError("{}", { ...toCanonical, status: "502" }), "invalid_type");
  refused(() => convertError("{}", { ...toCanonical, status: 5 }), "invalid_value");
  refused(() => convertError("{}", { from: "canonical", to: "openai" }), "missing_field");
  refused(() => convertError("{}", { from: "openai", to: "universal" }), "unsupported");
  refused(() => requestPath({ model: "m" }, {}), "missing_field");
  refused(() => requestPath({ model: "m" }, { to: "gemini", stream: "yes" }), "invalid_type");
  refused(() => requestPath({}, { to: "gemini" }), "missing_field");
  refused(() => requestPath("m", { to: "gemini" }), "invalid_json");
  refused(() => requestPath(7, { to: "gemini" }), "invalid_type");
  assert.equal(requestPath(JSON.stringify({ model: "m" }), { to: "gemini" }), "/v1beta/models/m:generateContent");
  const bytes = new TextEncoder().encode(JSON.stringify({ model: "m", stream: true }));
  assert.equal(requestPath(bytes, { to: "gemini" }), "/v1beta/models/m:streamGenerateContent?alt=sse");
});

test("a path is a plain string", () => {
  assert.equal(
    requestPath({ model: "m" }, { to: "gemini", stream: true }),
    "/v1beta/models/m:streamGenerateContent?alt=sse",
  );
  assert.equal(
    requestPath({ model: "m", stream: true }, { to: "vertexai" }),
    "/publishers/google/models/m:streamGenerateContent?alt=sse",
  );
});

test("content that the report format omits is reported", () => {
  const codes = [];
  const request = { model: "m", messages: [{ role: "user", content: "Hi" }] };
  assert.deepEqual(toUniversal(request, { onWarning: ({ code }) => codes.push(code) }), { messages: [] });
  assert.deepEqual(codes, ["setting_dropped", "content_dropped"]);
});
