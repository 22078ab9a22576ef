// With `exactOptionalPropertyTypes`: options may be passed as undefined.

import type { ChatRequestInput, Options } from "../../pkg/dist/index.js";
import {
  convertError,
  convertRequest,
  readStream,
  requestPath,
  setDefaultOptions,
  streamEvents,
  toOpenAI,
  toOpenAISchema,
} from "../../pkg/dist/index.js";
import * as text from "../../pkg/dist/text/index.js";
import { pruneMessages, runAgent, sendTo, Toolkit, tool } from "../../pkg/dist/toolkit/index.js";

declare const env: { [name: string]: string | undefined };
declare const stream: ReadableStream<Uint8Array>;
declare const n: number | undefined;
declare const is: boolean | undefined;
declare const signal: AbortSignal | undefined;
declare const onWarning: Options["onWarning"] | undefined;

convertRequest({}, { from: "openai", to: "anthropic", onWarning, idSeed: env.SEED, context: undefined });
convertError("", { from: "openai", to: "gemini", status: n });
requestPath({}, { to: "gemini", model: env.MODEL, stream: is });
readStream({ from: "openai", onWarning, maxEventBytes: n });
streamEvents(stream, { from: "openai", onWarning });
setDefaultOptions({ onWarning });
toOpenAISchema({}, { strict: is, onWarning });

const tools = is ? [{ name: "f", description: env.D }] : undefined;
const request: ChatRequestInput = { model: env.MODEL, messages: [], temperature: n, maxTokens: n, stream: is, tools };
toOpenAI(request, { onWarning });
toOpenAI({ ...request, toolChoice: undefined, reasoning: { budgetTokens: n } }, undefined);

text.simulateTools({ format: "json", definitions: undefined });
text.convertRequest({}, { from: "openai", to: "openai", simulateTools: undefined, onWarning });
text.toolPrompt([], { format: "json", toolChoice: undefined });
text.parseToolText("", { format: "json", tools: undefined, prefill: env.PREFILL });

const city = { name: "city", type: "string", description: env.D, required: is } as const;
const weather = tool({ name: "f", description: env.D, parameters: [city], timeoutMs: n, execute: () => 1 });
const toolkit = new Toolkit([weather], { concurrency: n, coerce: is });
toolkit.run([], { signal, timeoutMs: n });
const send = sendTo({ to: "openai", apiKey: env.KEY, baseUrl: env.URL, headers: undefined, maxRetries: n });
runAgent({ request, toolkit, send, signal, maxIterations: n });
pruneMessages([], { keepTurns: n });
