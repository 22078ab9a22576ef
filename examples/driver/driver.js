// A driver: the same `query` and `streamQuery` over every provider's official SDK. It runs the tools and sends their results.

import {
  fromAnthropic,
  fromGoogleGenAI,
  fromOllama,
  fromOpenAI,
  readStream,
  toAnthropic,
  toGoogleGenAI,
  toOllama,
  toOpenAI,
  toolResult,
} from "toolwire";

/** How each provider's SDK sends a request. Everything else is the same for all of them. */
const providers = {
  openai: {
    dialect: "openai",
    to: toOpenAI,
    from: fromOpenAI,
    ask: (client, body, options) => client.chat.completions.create(body, options),
  },
  anthropic: {
    dialect: "anthropic",
    to: toAnthropic,
    from: fromAnthropic,
    ask: (client, body, options) => client.messages.create(body, options),
  },
  google: {
    dialect: "gemini",
    to: toGoogleGenAI,
    from: fromGoogleGenAI,
    ask(client, body, { signal, streams }) {
      const sent = { ...body, config: { ...body.config, abortSignal: signal } };
      return streams ? client.models.generateContentStream(sent) : client.models.generateContent(sent);
    },
  },
  ollama: { dialect: "ollama", to: toOllama, from: fromOllama, ask: (client, body) => client.chat(body) },
};

/**
 * @typedef {object} Driving
 * @property {Record<string, (args: Record<string, unknown>) => unknown>} [tools] The functions that run the calls, by the tool's name.
 * @property {number} [mostRounds] Maximum number of requests to the model. Default 10.
 * @property {AbortSignal} [signal]
 * @property {(warning: import("toolwire").Warning) => void} [onWarning] Receives what a provider's format could not express.
 */

/**
 * @param {keyof typeof providers} provider
 * @param client - The provider's official SDK client.
 */
export function createDriver(provider, client) {
  const { dialect, to, from, ask } = providers[provider];

  /**
   * Sends requests until the model calls no more tools.
   * @param {import("toolwire").ChatRequest} request
   * @param {Driving} [driving]
   * @returns {Promise<{ response: import("toolwire").ChatResponse, messages: import("toolwire").Message[] }>} The last response,
   * and the whole conversation, ready for the next request.
   */
  async function query(request, driving = {}) {
    const { signal, onWarning } = driving;
    const converse = rounds(request, driving);
    let { value: sent } = await converse.next();
    for (;;) {
      const body = to({ ...sent, stream: false }, { onWarning });
      const response = from(await ask(client, body, { signal, streams: false }), { onWarning });
      const { done, value } = await converse.next(response);
      if (done) return value;
      sent = value;
    }
  }

  /**
   * Like `query`, but yields the events of every response as they arrive, and `{ type: "result", result }` for every tool that ran.
   * Returns what `query` returns.
   * @param {import("toolwire").ChatRequest} request
   * @param {Driving} [driving]
   */
  async function* streamQuery(request, driving = {}) {
    const { signal, onWarning } = driving;
    const converse = rounds(request, driving);
    let { value: sent } = await converse.next();
    for (;;) {
      const body = to({ ...sent, stream: true }, { onWarning });
      const reader = readStream({ from: dialect, onWarning });
      for await (const chunk of await ask(client, body, { signal, streams: true })) yield* reader.push(chunk);
      yield* reader.end();
      const { done, value } = await converse.next(reader.finish());
      if (done) return value;
      // The messages of the request are followed by the response, then by the results.
      for (const result of value.messages.slice(sent.messages.length + 1)) yield { type: "result", result };
      sent = value;
    }
  }

  return { query, streamQuery };
}

/** The conversation, independent of the provider: yields each request, receives its response, and runs the tools that it calls. */
async function* rounds(request, { tools = {}, mostRounds = 10 }) {
  const messages = [...request.messages];
  for (let round = 1; ; round++) {
    const response = yield { ...request, messages: [...messages] };
    messages.push(response.message);
    const calls = [...response.toolCalls, ...response.invalidToolCalls];
    // A provider that paused continues when it receives its own message. A stream that failed may have cut a call off: that is not
    // the model's mistake, and the caller decides whether to ask again.
    const goesOn = !response.error && (calls.length > 0 || response.finishReason === "pause");
    if (!goesOn || round === mostRounds) return { response, messages };
    messages.push(...(await Promise.all(calls.map((call) => run(call, tools)))));
  }
}

/** An invalid call, a missing tool and an exception become error results: the model reads them and tries again. */
async function run(call, tools) {
  if (call.error !== undefined) return toolResult(call, new Error(call.error));
  try {
    const tool = Object.hasOwn(tools, call.name) ? tools[call.name] : undefined;
    if (!tool) throw new Error(`there is no tool ${call.name}`);
    return toolResult(call, await tool(call.arguments));
  } catch (error) {
    return toolResult(call, error instanceof Error ? error : new Error(String(error)));
  }
}
