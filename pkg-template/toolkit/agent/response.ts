// Converts a run to an HTTP response with server-sent events.

import { agUiEvents } from "./ag-ui.js";
import type { AgentStream } from "./agent.js";
import type { AgentEvent, AgentOutcome } from "./outcome.js";

/** How the events of a run are written to an HTTP response. */
export interface AgentResponseOptions {
  /** `events` (default): the events of the run. `agui`: the AG-UI protocol. */
  format?: "events" | "agui";
  /** For `agui`. Default: the id of the run. */
  threadId?: string;
}

/** The HTTP status of a run that ended before anything was sent, by reason. Runs with a response have status 200. */
const statuses: { readonly [reason in AgentOutcome["reason"]]?: number } = {
  timeout: 504,
  cancelled: 499,
  max_iterations: 500,
  repeating: 500,
  repairs_exhausted: 502,
  budget: 429,
};

/**
 * Returns an HTTP response with the server-sent events of a run. If the run ends before the model has sent anything,
 * the response is JSON, and its status depends on `reason`: `timeout` 504, `cancelled` 499, `max_iterations` and
 * `repeating` 500, `repairs_exhausted` 502, `budget` 429, `error` the provider's status, or 502. If the client
 * disconnects, the run is cancelled.
 */
export async function agentResponse(stream: AgentStream, options: AgentResponseOptions = {}): Promise<Response> {
  const iterator = stream[Symbol.asyncIterator]();
  const first: AgentEvent[] = [];
  for (;;) {
    const { done, value } = await iterator.next();
    if (done) break;
    first.push(value);
    if (value.type === "end") {
      const failed = failure(value.outcome);
      if (failed && !first.some(isOutput)) return failed;
      break;
    }
    if (isOutput(value)) break;
  }
  const replayed = replay(stream, first, iterator);
  return new Response(bytesOf(replayed, options), {
    headers: { "content-type": "text/event-stream", "cache-control": "no-cache" },
  });
}

function isOutput({ type }: AgentEvent): boolean {
  return type === "model" || type === "response" || type === "toolStart";
}

function failure(outcome: AgentOutcome): Response | undefined {
  const { reason } = outcome;
  const status = reason === "error" ? errorStatus(outcome.error.status) : statuses[reason];
  if (status === undefined) return undefined;
  const error = reason === "error" ? { code: outcome.error.code, message: outcome.error.message } : { code: reason };
  return Response.json({ reason, error, runId: outcome.runId }, { status });
}

/** Authentication errors concern the server's own key, so for the client they are server errors. */
function errorStatus(status: number | undefined): number {
  return status === undefined || status === 401 || status === 403 ? 502 : status;
}

function replay(stream: AgentStream, first: AgentEvent[], iterator: AsyncIterator<AgentEvent>): AgentStream {
  return {
    outcome: stream.outcome,
    steer: (message) => stream.steer(message),
    cancel: (reason) => stream.cancel(reason),
    async *[Symbol.asyncIterator]() {
      try {
        yield* first;
        for (;;) {
          const { done, value } = await iterator.next();
          if (done) return;
          yield value;
        }
      } finally {
        await iterator.return?.();
      }
    },
  };
}

function bytesOf(
  stream: AgentStream,
  { format = "events", threadId }: AgentResponseOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const events =
    format === "agui" ? agUiEvents(stream, threadId === undefined ? {} : { threadId }) : plainEvents(stream);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next();
      if (done) return controller.close();
      controller.enqueue(encoder.encode(`data: ${JSON.stringify(value)}\n\n`));
    },
    async cancel() {
      stream.cancel();
      await events.return(undefined);
    },
  });
}

/** The events as plain JSON: tools are replaced by their names, and causes of errors are removed. */
async function* plainEvents(stream: AgentStream): AsyncGenerator<object, void, undefined> {
  for await (const event of stream) yield plain(event);
}

function plain(event: AgentEvent): object {
  if ("tool" in event) return { ...event, tool: event.tool.name };
  if (event.type !== "end") return event;
  const { executions, messages, ...outcome } = event.outcome;
  if (outcome.reason !== "error") return { ...event, outcome };
  const { cause, ...error } = outcome.error;
  return { ...event, outcome: { ...outcome, error } };
}
