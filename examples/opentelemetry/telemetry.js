// The spans of an agent, by OpenTelemetry's conventions for generative AI: `invoke_agent`, and in it `chat` for each request and
// `execute_tool` for each call. Register a context manager, so that the spans of a tool (HTTP, databases, sub-agents) are inside its own.

import { context, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { streamAgent } from "toolwire/toolkit";

/** Names of providers in the conventions, by dialect. Ollama has none, so its own is used. */
const providers = {
  openai: "openai",
  "openai-responses": "openai",
  anthropic: "anthropic",
  gemini: "gcp.gemini",
  vertexai: "gcp.vertex_ai",
};

/** Use as the option `around` of a `Toolkit`: one span for each call that runs, with all its attempts. */
export const tracedCalls = (tracer) => (call, tool, next) => {
  const attributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": call.name,
    "gen_ai.tool.call.id": call.id,
    "gen_ai.tool.type": "function",
    ...(tool.description && { "gen_ai.tool.description": tool.description }),
  };
  return tracer.startActiveSpan(`execute_tool ${call.name}`, { kind: SpanKind.INTERNAL, attributes }, async (span) => {
    try {
      const execution = await next();
      if (execution.status === "failed") failed(span, execution.error.type, execution.error.message);
      return execution;
    } finally {
      span.end();
    }
  });
};

/** Runs an agent in a span. `dialect` is what requests are sent to, `name` the name of the agent. Returns the outcome. */
export function tracedAgent(options, { tracer, name, dialect, onEvent = () => {} }) {
  const about = {
    "gen_ai.provider.name": providers[dialect] ?? dialect,
    ...(options.sessionId && { "gen_ai.conversation.id": options.sessionId }),
  };
  const { model } = options.request;
  const attributes = {
    ...about,
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": name,
    ...(model && { "gen_ai.request.model": model }),
  };
  return tracer.startActiveSpan(`invoke_agent ${name}`, { kind: SpanKind.INTERNAL, attributes }, async (span) => {
    const chats = new Chats(tracer, about);
    try {
      const stream = streamAgent(options);
      for await (const event of stream) {
        chats.see(event);
        onEvent(event);
      }
      return ended(span, await stream.outcome);
    } catch (error) {
      failed(span, error.name, error.message);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** A run that ends without an answer is an error of the agent only if something failed. */
function ended(span, outcome) {
  span.setAttributes(usageOf(outcome.usage));
  if (outcome.reason === "error") failed(span, outcome.error.code, outcome.error.message);
  else if ("state" in outcome && !("pending" in outcome)) failed(span, outcome.reason, `ended by ${outcome.reason}`);
  return outcome;
}

/** One span for each request: from when it was sent until its response was complete. */
class Chats {
  #tracer;
  #about;
  #span;

  constructor(tracer, about) {
    this.#tracer = tracer;
    this.#about = about;
  }

  see(event) {
    if (event.type === "request") this.#start(event);
    if (event.type === "response") this.#responded(event);
    if (event.type === "end" && this.#span) this.#failed(event.outcome);
  }

  #start({ request, time }) {
    const { model, maxTokens, temperature, topP } = request;
    const attributes = {
      ...this.#about,
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": model,
      "gen_ai.request.max_tokens": maxTokens,
      "gen_ai.request.temperature": temperature,
      "gen_ai.request.top_p": topP,
    };
    const options = { kind: SpanKind.CLIENT, startTime: time, attributes };
    this.#span = this.#tracer.startSpan(`chat ${model ?? ""}`.trim(), options, context.active());
  }

  #responded({ response: { id, model, finishReason, usage }, time }) {
    this.#span.setAttributes({
      "gen_ai.response.id": id,
      "gen_ai.response.model": model,
      "gen_ai.response.finish_reasons": [finishReason],
      ...usageOf(usage),
    });
    this.#span.end(time);
    this.#span = undefined;
  }

  /** The run ended while the request was under way. */
  #failed({ reason, error }) {
    failed(this.#span, error?.code ?? reason, error?.message ?? `ended by ${reason}`);
    if (error?.status) this.#span.setAttribute("http.response.status_code", error.status);
    this.#span.end();
    this.#span = undefined;
  }
}

function usageOf({ input, output, cached, cacheWrite, reasoning } = {}) {
  return {
    "gen_ai.usage.input_tokens": input,
    "gen_ai.usage.output_tokens": output,
    "gen_ai.usage.cache_read.input_tokens": cached,
    "gen_ai.usage.cache_creation.input_tokens": cacheWrite,
    "gen_ai.usage.reasoning.output_tokens": reasoning,
  };
}

function failed(span, type, message) {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}
