// What leaves the process: the one list of what a client, a hook and a message may contain. What it does not name stays inside.

import type { ChatError, ChatResponse, InvalidToolCall, StreamEvent, ToolCall } from "toolwire";
import type { AgentEvent, AgentOutcome } from "./agent/outcome.js";
import type { Execution } from "./execution.js";
import { toJson } from "./json.js";

// ---- hooks: requests and responses of `sendTo`

/** Headers without keys. Any other header may carry one. */
const harmlessHeaders =
  /^(?:accept|accept-encoding|accept-language|cache-control|content-(?:encoding|length|type)|date|retry-after(?:-ms)?|server|transfer-encoding|user-agent|x-should-retry|anthropic-(?:beta|dangerous-direct-browser-access|version|ratelimit-[a-z-]+)|openai-(?:beta|model|processing-ms|version)|x-ratelimit-[a-z-]+|(?:x-)?request-id|x-stainless-[a-z-]+|traceparent)$/i;
/** Parameters of a query without keys. */
const harmlessParameters = /^(?:alt|api-?version|beta|stream)$/i;
const HIDDEN = "[hidden]";
/** Shorter texts are not recognized within other texts. */
const SHORTEST_SECRET = 6;

export function shownHeaders(headers: Iterable<[string, string]>): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => harmlessHeaders.test(name)));
}

/** A URL without credentials and without the values of unknown parameters. */
export function shownUrl(url: string): string {
  const shown = new URL(url);
  shown.username = "";
  shown.password = "";
  for (const name of [...shown.searchParams.keys()])
    if (!harmlessParameters.test(name)) shown.searchParams.set(name, HIDDEN);
  return shown.href;
}

/** What a request contains that must not appear in messages and reports. */
export function secretsOf(url: string, headers: Iterable<[string, string]>): string[] {
  const { username, password, searchParams } = new URL(url);
  const values = [...headers].filter(([name]) => !harmlessHeaders.test(name)).map(([, value]) => value);
  const parameters = [...searchParams].filter(([name]) => !harmlessParameters.test(name)).map(([, value]) => value);
  const parts = values.flatMap((value) => value.split(/\s+/));
  return [...values, ...parts, ...parameters, username, password, decodeURIComponent(password)];
}

/** The text without secrets. Servers and libraries repeat keys in their errors. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const found = secrets.filter((secret) => secret.length >= SHORTEST_SECRET && text.includes(secret));
  return found.sort((a, b) => b.length - a.length).reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
}

// ---- clients: the events of a run, as `agentResponse` and `agUiEvents` send them

/** What a client may receive beyond text, reasoning, calls and the status of executions. */
export type Included = "results" | "arguments" | "usage" | "requests";

/** The errors whose text was not written for a client: it may contain anything. */
const internalErrors = new WeakSet<object>();

export function markInternal(error: object): void {
  internalErrors.add(error);
}

/** An event of a run as a client receives it, as plain JSON. */
export type ClientEvent = { runId: string; iteration: number; type: AgentEvent["type"] } & Record<string, any>;

/** Undefined for an event that a client does not receive. */
export function clientEvent(event: AgentEvent, include: readonly Included[]): ClientEvent | undefined {
  const body = new ClientView(include).bodyOf(event);
  return body && { type: event.type, runId: event.runId, iteration: event.iteration, ...body };
}

class ClientView {
  readonly #include: readonly Included[];

  constructor(include: readonly Included[]) {
    this.#include = include;
  }

  #with<Fields extends object>(what: Included, fields: () => Fields): Fields | undefined {
    return this.#include.includes(what) ? fields() : undefined;
  }

  bodyOf(event: AgentEvent): object | undefined {
    switch (event.type) {
      case "request": {
        const { model, tools = [] } = event.request;
        const names = tools.flatMap((tool) => ("name" in tool ? [tool.name] : []));
        return { time: event.time, ...this.#with("requests", () => ({ request: { model, tools: names } })) };
      }
      case "model":
        return this.#model(event.event);
      case "response":
        return { time: event.time, response: this.#response(event.response) };
      case "toolStart":
        return { time: event.time, call: this.#call(event.call), tool: event.tool.name, attempt: event.attempt };
      case "toolProgress":
        return {
          time: event.time,
          call: this.#call(event.call),
          ...this.#with("results", () => ({ value: jsonOrText(event.value) })),
        };
      case "toolEnd":
        return { time: event.time, execution: this.#execution(event.execution) };
      case "approval":
        return { call: this.#call(event.call), tool: event.tool.name };
      case "repair":
        return {
          problems: event.problems.map(({ code, path, message }) => ({
            code,
            ...this.#with("arguments", () => ({ path, message })),
          })),
        };
      case "end":
        return { outcome: this.#outcome(event.outcome) };
    }
  }

  #model(event: StreamEvent): object | undefined {
    switch (event.type) {
      case "start":
        return { event: { type: "start", id: event.id, model: event.model } };
      case "textDelta":
      case "refusalDelta":
      case "reasoningDelta":
        return { event: { type: event.type, block: event.block, text: event.text } };
      case "reasoningEnd":
        return { event: { type: event.type, block: event.block } };
      case "toolCallStart":
        return { event: { type: event.type, block: event.block, id: event.id, name: event.name } };
      case "toolCallDelta":
        return this.#with("arguments", () => ({
          event: { type: event.type, block: event.block, id: event.id, text: event.text },
        }));
      case "toolCallEnd":
        return { event: { type: event.type, block: event.block, call: this.#call(event.call) } };
      case "usage":
        return this.#with("usage", () => ({ event: { type: event.type, usage: event.usage } }));
      case "finish":
        return { event: { type: event.type, finishReason: event.finishReason } };
      case "error":
        return { event: { type: event.type, error: clientError(event.error) } };
      default:
        return undefined;
    }
  }

  #call(call: ToolCall | InvalidToolCall): object {
    const given = () => ("rawArguments" in call ? { rawArguments: call.rawArguments } : { arguments: call.arguments });
    return { id: call.id, name: call.name, ...this.#with("arguments", given) };
  }

  #response({ text, reasoningText, toolCalls, invalidToolCalls, finishReason, usage }: ChatResponse): object {
    return {
      text,
      reasoningText,
      toolCalls: toolCalls.map((call) => this.#call(call)),
      invalidToolCalls: invalidToolCalls.map((call) => this.#call(call)),
      finishReason,
      ...this.#with("usage", () => ({ usage })),
    };
  }

  #execution(execution: Execution): object {
    const { call, status, durationMs, attempts } = execution;
    return {
      call: this.#call(call),
      status,
      durationMs,
      attempts,
      ...(execution.status === "failed" && { error: { type: execution.error.type } }),
      ...("result" in execution && this.#with("results", () => ({ result: resultOf(execution) }))),
      ...this.#with("usage", () => ({ usage: execution.usage, cost: execution.cost })),
    };
  }

  #outcome(outcome: AgentOutcome): object {
    const { runId, reason, message, text, output, iterations, usage, cost } = outcome;
    return {
      ...{ runId, reason, message, text, output, iterations },
      ...(outcome.reason === "error" && { error: clientError(outcome.error) }),
      ...("pending" in outcome && { pending: outcome.pending.map((call) => this.#call(call)) }),
      ...this.#with("usage", () => ({ usage, cost })),
    };
  }
}

function resultOf({ result }: Extract<Execution, { result: unknown }>): object {
  const { toolCallId, name, kind, value } = result;
  return { toolCallId, name, kind, value, ...("isError" in result && { isError: result.isError }) };
}

/** An error as a client receives it. */
export function clientError(error: ChatError): { code: string; message: string } {
  const isInternal = internalErrors.has(error);
  return { code: error.code, message: isInternal ? "The request to the model failed." : error.message };
}

/** A value as JSON, or as text if JSON can't represent it. */
function jsonOrText(value: unknown): unknown {
  try {
    return toJson(value);
  } catch {
    return typeof value === "bigint" ? String(value) : `[${typeof value}]`;
  }
}
