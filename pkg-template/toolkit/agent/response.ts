// Converts a run to an HTTP response with server-sent events.

import { type ClientEvent, clientError, clientEvent, type Included } from "../outgoing.js";
import { ofAgentResponse, requireOptions } from "../requirements.js";
import { agUiOf } from "./ag-ui.js";
import type { AgentStream } from "./agent.js";
import type { AgentEvent, AgentOutcome } from "./outcome.js";

/** How the events of a run are written to an HTTP response. */
export interface AgentResponseOptions {
  /** `events` (default): the events of the run. `agui`: the AG-UI protocol. */
  format?: "events" | "agui";
  /** For `agui`. Default: the id of the run. */
  threadId?: string;
  /**
   * What a client receives beyond text, reasoning, calls and the status of executions: the `results` and the progress of
   * tools, the `arguments` of calls, `usage` and cost, or the model and the names of the tools of `requests`. Causes,
   * prompts, headers and states are never sent. Default: nothing.
   */
  include?: readonly Included[];
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
  requireOptions(options, ofAgentResponse, { what: "agentResponse" });
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
  return new Response(bytesOf(stream, replayed(first, iterator), options), {
    headers: { "content-type": "text/event-stream", "cache-control": "no-cache" },
  });
}

function isOutput({ type }: AgentEvent): boolean {
  return type === "model" || type === "response" || type === "toolStart";
}

function failure(outcome: AgentOutcome): Response | undefined {
  const { reason, message } = outcome;
  const status = reason === "error" ? errorStatus(outcome.error.status) : statuses[reason];
  if (status === undefined) return undefined;
  const error = reason === "error" ? clientError(outcome.error) : { code: reason, message };
  return Response.json({ reason, error, runId: outcome.runId }, { status });
}

/** Authentication errors concern the server's own key, so for the client they are server errors. */
function errorStatus(status: number | undefined): number {
  const isValid = status !== undefined && Number.isInteger(status) && status >= 400 && status <= 599;
  return !isValid || status === 401 || status === 403 ? 502 : status;
}

async function* replayed(
  first: readonly AgentEvent[],
  iterator: AsyncIterator<AgentEvent>,
): AsyncGenerator<AgentEvent, void, undefined> {
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
}

function bytesOf(
  stream: AgentStream,
  all: AsyncGenerator<AgentEvent, void, undefined>,
  { format = "events", threadId, include = [] }: AgentResponseOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const shown = clientEvents(all, include);
  const events = format === "agui" ? agUiOf(shown, threadId === undefined ? {} : { threadId }) : shown;
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

async function* clientEvents(
  events: AsyncIterable<AgentEvent>,
  include: readonly Included[],
): AsyncGenerator<ClientEvent, void, undefined> {
  for await (const event of events) {
    const shown = clientEvent(event, include);
    if (shown) yield shown;
  }
}
