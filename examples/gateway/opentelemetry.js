// Spans of OpenTelemetry, by the conventions for generative AI: one for each request to a model.
//
//   createGateway(config, { onExchange: tracedExchanges(trace.getTracer("gateway")) });

import { SpanKind, SpanStatusCode } from "@opentelemetry/api";

/** The names of the conventions for the providers' formats. */
const providers = {
  openai: "openai",
  "openai-responses": "openai",
  anthropic: "anthropic",
  gemini: "gcp.gemini",
  vertexai: "gcp.vertex_ai",
};

/**
 * @param {import("@opentelemetry/api").Tracer} tracer
 * @returns {(event: import("toolwire/gateway").GatewayEvent) => void}
 */
export function tracedExchanges(tracer) {
  const running = new Map();
  return (event) => {
    const { requestId, stage } = event;
    if (stage === "sent") running.set(requestId, started(tracer, event));
    const span = running.get(requestId);
    if (stage === "failed") fail(span, event);
    if (stage === "delivered") finish(span, event);
    // a request that failed may be sent again, as a span of its own
    if (stage === "delivered" || stage === "failed") {
      span?.end();
      running.delete(requestId);
    }
  };
}

function started(tracer, { from, to, model, upstream, attempt, requestId, client }) {
  const attributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": providers[to] ?? to,
    ...(model && { "gen_ai.request.model": model }),
    "toolwire.request.id": requestId,
    "toolwire.client.format": from,
    "toolwire.upstream": upstream,
    "toolwire.attempt": attempt,
    ...(client && { "toolwire.client": client }),
  };
  return tracer.startSpan(`chat ${model ?? upstream}`, { kind: SpanKind.CLIENT, attributes });
}

function finish(span, { status, usage, firstByteMs, error }) {
  if (error) return fail(span, { status, error });
  span?.setAttributes({
    "http.response.status_code": status,
    ...(usage?.input !== undefined && { "gen_ai.usage.input_tokens": usage.input }),
    ...(usage?.output !== undefined && { "gen_ai.usage.output_tokens": usage.output }),
    ...(firstByteMs !== undefined && { "toolwire.first_byte_ms": firstByteMs }),
  });
}

function fail(span, { status, error }) {
  span?.setAttribute("error.type", error.code);
  if (status) span?.setAttribute("http.response.status_code", status);
  span?.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
}
