// Converts the events of a run to the AG-UI protocol (https://docs.ag-ui.com/concepts/events).

import { type ClientEvent, clientEvent, type Included } from "../outgoing.js";
import type { AgentStream } from "./agent.js";

type AgUiEvent = Record<string, unknown> & { type: string };

/** How the events of a run are translated. */
export interface AgUiOptions {
  /** Default: the id of the run. */
  threadId?: string;
  /** Default: the id of the run. */
  runId?: string;
  /** What the events contain beyond text, reasoning, calls and the status of executions. Default: arguments and results. */
  include?: readonly Included[];
}

/** Yields the events of a run in the AG-UI protocol, which front ends use. Ids default to the id of the run. */
export async function* agUiEvents(
  stream: AgentStream,
  { include = ["arguments", "results"], ...ids }: AgUiOptions = {},
): AsyncGenerator<AgUiEvent, void, undefined> {
  const translation = new Translation(ids);
  for await (const event of stream) {
    const shown = clientEvent(event, include);
    if (shown) yield* translation.of(shown);
  }
}

/** Translates events as clients receive them. */
export async function* agUiOf(
  events: AsyncIterable<ClientEvent>,
  ids: { threadId?: string },
): AsyncGenerator<AgUiEvent, void, undefined> {
  const translation = new Translation(ids);
  for await (const event of events) yield* translation.of(event);
}

class Translation {
  readonly #given: { threadId?: string; runId?: string };
  #ids = { threadId: "", runId: "" };
  #hasStarted = false;
  /** The open message of each block of the response, with its id and the event that closes it. */
  readonly #open = new Map<number, { id: string; end: string }>();
  #hasStreamed = false;
  #messageId = "";

  constructor(ids: { threadId?: string; runId?: string }) {
    this.#given = ids;
  }

  *of(event: ClientEvent): Generator<AgUiEvent> {
    if (!this.#hasStarted) yield this.#start(event.runId);
    switch (event.type) {
      case "request":
        this.#hasStreamed = false;
        this.#messageId = `${event.runId}:${event.iteration}`;
        yield { type: "STEP_STARTED", stepName: `iteration ${event.iteration}` };
        return;
      case "model":
        this.#hasStreamed = true;
        yield* this.#model(event.event);
        return;
      case "response":
        yield* this.#response(event);
        yield { type: "STEP_FINISHED", stepName: `iteration ${event.iteration}` };
        return;
      case "toolEnd":
        yield* this.#result(event);
        return;
      case "toolProgress":
        yield custom("toolProgress", { toolCallId: event.call.id, value: event.value });
        return;
      case "approval":
        yield custom("approval", { toolCallId: event.call.id, name: event.call.name, arguments: event.call.arguments });
        return;
      case "repair":
        yield custom("repair", { problems: event.problems });
        return;
      case "end":
        yield* this.#end(event.outcome);
        return;
      case "toolStart":
        return;
    }
  }

  #start(runId: string): AgUiEvent {
    this.#hasStarted = true;
    this.#ids = { threadId: this.#given.threadId ?? runId, runId: this.#given.runId ?? runId };
    return { type: "RUN_STARTED", ...this.#ids };
  }

  *#model(event: ClientEvent["event"]): Generator<AgUiEvent> {
    switch (event.type) {
      case "textDelta":
      case "refusalDelta":
        yield* this.#text(event.block, event.text);
        return;
      case "reasoningDelta":
        yield* this.#reasoning(event.block, event.text);
        return;
      case "reasoningEnd":
        yield* this.#close(event.block);
        return;
      case "toolCallStart":
        yield* this.#closeAll();
        yield this.#call(event.id, event.name);
        return;
      case "toolCallDelta":
        if (event.text !== "") yield { type: "TOOL_CALL_ARGS", toolCallId: event.id, delta: event.text };
        return;
      case "toolCallEnd":
        yield { type: "TOOL_CALL_END", toolCallId: event.call.id };
        return;
      case "finish":
        yield* this.#closeAll();
        return;
    }
  }

  *#text(block: number, text: string): Generator<AgUiEvent> {
    if (text === "") return;
    let open = this.#open.get(block);
    if (!open) {
      yield* this.#closeAll();
      open = { id: `${this.#messageId}:${block}`, end: "TEXT_MESSAGE_END" };
      this.#open.set(block, open);
      yield { type: "TEXT_MESSAGE_START", messageId: open.id, role: "assistant" };
    }
    yield { type: "TEXT_MESSAGE_CONTENT", messageId: open.id, delta: text };
  }

  *#reasoning(block: number, text: string): Generator<AgUiEvent> {
    if (text === "") return;
    let open = this.#open.get(block);
    if (!open) {
      yield* this.#closeAll();
      open = { id: `${this.#messageId}:${block}`, end: "REASONING_END" };
      this.#open.set(block, open);
      yield { type: "REASONING_START", messageId: open.id };
      yield { type: "REASONING_MESSAGE_START", messageId: open.id, role: "reasoning" };
    }
    yield { type: "REASONING_MESSAGE_CONTENT", messageId: open.id, delta: text };
  }

  *#close(block: number): Generator<AgUiEvent> {
    const open = this.#open.get(block);
    if (!open) return;
    this.#open.delete(block);
    if (open.end === "REASONING_END") yield { type: "REASONING_MESSAGE_END", messageId: open.id };
    yield { type: open.end, messageId: open.id };
  }

  *#closeAll(): Generator<AgUiEvent> {
    for (const block of [...this.#open.keys()]) yield* this.#close(block);
  }

  #call(id: string, name: string): AgUiEvent {
    return { type: "TOOL_CALL_START", toolCallId: id, toolCallName: name, parentMessageId: this.#messageId };
  }

  /** The events of a response that was not streamed. */
  *#response({ response }: ClientEvent): Generator<AgUiEvent> {
    if (!this.#hasStreamed) {
      yield* this.#text(0, response.text);
      yield* this.#closeAll();
      for (const call of [...response.toolCalls, ...response.invalidToolCalls]) {
        const delta = call.rawArguments ?? JSON.stringify(call.arguments) ?? "";
        yield this.#call(call.id, call.name);
        if (delta !== "") yield { type: "TOOL_CALL_ARGS", toolCallId: call.id, delta };
        yield { type: "TOOL_CALL_END", toolCallId: call.id };
      }
    }
    yield* this.#closeAll();
  }

  *#result({ execution }: ClientEvent): Generator<AgUiEvent> {
    if (execution.status !== "done" && execution.status !== "failed") return;
    // the protocol requires a content
    const value = execution.result ? execution.result.value : execution.status;
    const toolCallId = execution.call.id;
    const content = typeof value === "string" ? value : JSON.stringify(value);
    yield { type: "TOOL_CALL_RESULT", messageId: `${toolCallId}:result`, toolCallId, content, role: "tool" };
  }

  *#end(outcome: ClientEvent["outcome"]): Generator<AgUiEvent> {
    yield* this.#closeAll();
    if (outcome.reason === "error") {
      yield { type: "RUN_ERROR", message: outcome.error.message, code: outcome.error.code };
      return;
    }
    yield { type: "RUN_FINISHED", ...this.#ids, result: { reason: outcome.reason, text: outcome.text } };
  }
}

function custom(name: string, value: unknown): AgUiEvent {
  return { type: "CUSTOM", name: `toolwire.${name}`, value };
}
