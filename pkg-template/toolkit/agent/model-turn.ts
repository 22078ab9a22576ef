// One model request and its response.

import type { ChatRequest, ChatResponse, ContentBlock, StreamEvent, ToolCall } from "toolwire";
import { CallRun } from "../call-run.js";
import { rests } from "../clock.js";
import { ToolkitError } from "../errors.js";
import type { Execution } from "../execution.js";
import { Failure } from "../failure.js";
import { uniqueIds } from "../ids.js";
import { isDeep, MAX_DEPTH } from "../json.js";
import { ChatFailure, chatErrorOf } from "../send/chat-failure.js";
import { isThenable } from "../turn.js";
import { countsOf } from "../usage.js";
import { isAgentTool } from "./agent-functions.js";
import { withCalls } from "./history.js";
import type { NextStep, ResponseFacts } from "./machine.js";
import { emptyNote, malformedNote, outputNote, repeatedNote } from "./notes.js";
import type { AgentRun } from "./run.js";
import { CallTurn } from "./surroundings.js";
import { endOf } from "./tool-turn.js";
import { type Combined, incomplete } from "./two-stages.js";

type SendStep = Extract<NextStep, { type: "send" }>;
/** The events by which a model generates more. */
const generated: readonly StreamEvent["type"][] = [
  "textDelta",
  "refusalDelta",
  "reasoningDelta",
  "toolCallStart",
  "toolCallDelta",
  "block",
];
type Sent = ChatResponse | AsyncGenerator<StreamEvent, ChatResponse, undefined>;

export class ModelTurn {
  readonly #run: AgentRun;
  /** Calls that started before the response was complete, by call id. */
  readonly started = new Map<string, Promise<Execution>>();
  /** Complete calls that start if the response goes on. */
  readonly #complete: ToolCall[] = [];
  turn: CallTurn | undefined;
  isLast = false;

  constructor(run: AgentRun) {
    this.#run = run;
  }

  async perform(step: SendStep): Promise<void> {
    const run = this.#run;
    const { options } = run;
    this.isLast = step.choice === "none";
    const request = options.prepare ? await this.#prepared(this.#request(step)) : this.#request(step);
    run.tools.sends(request);
    run.isTruncated = false;
    let combined: Combined | undefined;
    try {
      const isStaged = run.stages && request.tools?.length && request.toolChoice !== "none";
      combined = await (isStaged ? this.#inStages(request) : this.#sent(request, true));
    } catch (thrown) {
      if (thrown instanceof ToolkitError) throw thrown;
      return this.#failed(thrown);
    }
    // the bounds do not allow the second stage
    if (!combined) return;
    const receiving = this.#received(combined);
    if (receiving) await receiving;
    const { response } = combined;
    if (this.started.size > 0) {
      const calls = new Set(response.toolCalls.map(({ id }) => id));
      await this.#abandon([...this.started.keys()].filter((id) => !calls.has(id)));
    }
    const hasCalls = response.toolCalls.length + response.invalidToolCalls.length > 0;
    if (options.stopWhen && !hasCalls) await run.stopIfAsked(response, []);
  }

  /** Sends one request. The stages of a two-stage turn emit no events. */
  async #sent(request: ChatRequest, isShown: boolean): Promise<Combined> {
    const run = this.#run;
    const { options, deadline, iteration } = run;
    if (options.onState) await run.save();
    deadline.throwIfAborted();
    run.emit({ type: "request", request, time: run.now() });
    const sent: Sent | PromiseLike<Sent> = options.send(request, { signal: deadline.signal, iteration });
    // not after the end of the run, even if `send` ignores the signal
    const received = isThenable(sent) ? await deadline.until(sent) : sent;
    const response = isStream(received) ? await deadline.until(this.#read(received, isShown)) : received;
    if (response.error) throw new ChatFailure(response.error);
    checkResponse(response);
    return { response, usage: response.usage };
  }

  #inStages(request: ChatRequest): Promise<Combined | undefined> | undefined {
    const run = this.#run;
    return run.stages?.response(request, {
      send: async (request) => (await this.#sent(request, false)).response,
      more: (usage) => {
        const isAllowed = run.machine.sendMore(usage && countsOf(usage));
        if (isAllowed) run.iteration++;
        return isAllowed;
      },
      // with some providers, a forced call disables reasoning; others reject the combination
      forcesCalls: run.options.send.forcesCalls === true && !reasons(request),
    });
  }

  #request({ choice, repeated = [] }: SendStep): ChatRequest {
    const run = this.#run;
    if (repeated.length > 0) run.history.add(repeatedNote(repeated));
    if (run.steering.length > 0) run.stages?.reset();
    for (const message of run.steering.splice(0)) run.history.add(message);
    const { toolChoice } = run.options.request as ChatRequest;
    const { messages } = run.history;
    const request: ChatRequest = Object.assign({ messages }, run.settings, run.tools.forRequest());
    if (run.output) request.responseFormat ??= run.output.format;
    if (toolChoice !== undefined) request.toolChoice = choice === "auto" ? fallback(toolChoice) : toolChoice;
    if (choice === "none" && request.tools) request.toolChoice = "none";
    return request;
  }

  async #prepared(request: ChatRequest): Promise<ChatRequest> {
    const { options, iteration } = this.#run;
    const { deadline } = this.#run;
    return { ...request, ...(await deadline.bounded(options.prepare?.({ iteration, request }))) };
  }

  async #read(events: AsyncGenerator<StreamEvent, ChatResponse, undefined>, isShown: boolean): Promise<ChatResponse> {
    const run = this.#run;
    const { deadline, emit, options } = run;
    const rest = rests();
    for (;;) {
      const { done, value } = await events.next();
      const pause = rest() ?? run.room;
      if (pause) await pause;
      if (deadline.isAborted) void events.return(undefined as never).catch(() => {});
      deadline.throwIfAborted();
      if (done) return value;
      if (!isShown) continue;
      emit({ type: "model", event: value });
      if (options.eager) this.#startComplete(value);
    }
  }

  /**
   * Starts complete calls before the response is complete. A call waits for the next event, which may be the end of a
   * response whose calls must not run.
   */
  #startComplete(event: StreamEvent): void {
    const isEnd = event.type === "finish" || event.type === "error";
    const isCut = event.type === "error" || (event.type === "finish" && incomplete.includes(event.finishReason));
    if (isCut) this.#complete.length = 0;
    if (isEnd || generated.includes(event.type)) for (const call of this.#complete.splice(0)) this.#startEarly(call);
    if (event.type === "toolCallEnd" && !("rawArguments" in event.call)) this.#complete.push(event.call);
  }

  /** Starts a call before the response is complete, if the request and its tool allow it, and if it may run twice. */
  #startEarly(call: ToolCall): void {
    const run = this.#run;
    const tool = run.options.toolkit.get(call.name);
    if (!tool?.execute || !run.tools.allows(call.name) || this.started.has(call.id)) return;
    const mayWait = tool.needsApproval ?? tool.dangerous ?? false;
    if (mayWait !== false || tool.dangerous || tool.idempotent === false || isAgentTool(tool)) return;
    if (run.isBudgeted && !run.machine.hasBudget) return;
    this.turn ??= CallTurn.of(run, run.machine.costLeft);
    this.started.set(call.id, new CallRun(this.turn, call).run());
  }

  /** Ends calls that started, but are not part of a complete response. What they did counts, and is reported. */
  async #abandon(ids: readonly string[]): Promise<void> {
    const run = this.#run;
    if (ids.length === 0 || !this.turn) return;
    if (ids.length === this.started.size)
      this.turn.end(new Failure("cancelled", "The response broke off, so its calls were cancelled."));
    for (const id of ids) {
      const execution = (await this.started.get(id)) as Execution;
      run.machine.callEnded(endOf(execution, run.machine.indexOf(id)));
      run.executions.push(execution);
      run.emit({ type: "toolEnd", execution, time: run.now() });
      this.started.delete(id);
    }
    if (this.started.size > 0) return;
    this.turn.dispose();
    this.turn = undefined;
  }

  async #failed(thrown: unknown): Promise<void> {
    const { machine, deadline } = this.#run;
    await this.#abandon([...this.started.keys()]);
    if (deadline.isAborted) {
      machine.stop(this.#run.abortReason);
    } else {
      this.#run.error = chatErrorOf(thrown);
      machine.sendFailed();
    }
  }

  #received({ response: given, usage }: Combined): Promise<void> | undefined {
    const run = this.#run;
    const received = withFlatCalls(given);
    const calls = uniqueIds([...received.toolCalls, ...received.invalidToolCalls]);
    const message = withCalls(received.message, calls);
    const response = message === received.message ? received : { ...received, message };
    run.response = response;
    run.emit({ type: "response", response, time: run.now() });
    if (calls.length > 0 || message.content.length > 0) run.history.addResponse(message);
    const { finishReason } = response;
    run.isTruncated = incomplete.includes(finishReason);
    const isEmpty =
      calls.length === 0 && finishReason === "stop" && !response.text?.trim() && message.content.every(isBlank);
    const facts: ResponseFacts = { finishReason, calls, hasSteering: run.steering.length > 0, outputFailed: isEmpty };
    if (calls.length > 0) facts.allowed = run.tools.restricted;
    if (usage) facts.usage = countsOf(usage);
    if (calls.length === 0 && finishReason === "error") run.history.add(malformedNote());
    if (isEmpty && !this.isLast && !run.output) run.history.add(emptyNote());
    if (calls.length === 0 && run.output && finishReason === "stop") return this.#receivedOutput(response.text, facts);
    run.machine.responded(facts);
    return undefined;
  }

  async #receivedOutput(text: string, facts: ResponseFacts): Promise<void> {
    const isValid = await this.#readOutput(text);
    this.#run.machine.responded({ ...facts, outputFailed: !isValid });
  }

  /** Whether the response is a valid value of `output`. */
  async #readOutput(text: string): Promise<boolean> {
    const run = this.#run;
    if (!run.output) return true;
    const read = await run.deadline.until(run.output.read(text));
    if (read.problems.length === 0) {
      run.value = { output: read.value };
      return true;
    }
    run.emit({ type: "repair", problems: read.problems });
    run.history.add(outputNote(run.output.schema, read.problems));
    return false;
  }
}

/** The choice after a forced call. Otherwise, every turn would have to call a tool. */
function fallback(choice: NonNullable<ChatRequest["toolChoice"]>): ChatRequest["toolChoice"] {
  if (typeof choice === "string") return choice === "required" ? "auto" : choice;
  if ("allowed" in choice) return { ...choice, mode: "auto" };
  return "name" in choice ? "auto" : choice;
}

const reasons = ({ reasoning }: ChatRequest): boolean =>
  reasoning !== undefined && reasoning.effort !== "none" && reasoning.budgetTokens !== 0;

function isStream(value: Sent): value is Exclude<Sent, ChatResponse> {
  return Symbol.asyncIterator in value;
}

/** The response, with calls whose arguments are nested too deeply as invalid calls, because no request can contain them. */
function withFlatCalls(response: ChatResponse): ChatResponse {
  if (!response.toolCalls.some((call) => isDeep(call.arguments))) return response;
  const toolCalls = response.toolCalls.filter((call) => !isDeep(call.arguments));
  const deep = response.toolCalls.filter((call) => isDeep(call.arguments));
  const made = deep.map(({ arguments: args, metadata: _, ...call }) => ({
    ...call,
    rawArguments: textOfDeep(args),
    error: `the arguments are nested more than ${MAX_DEPTH} levels deep`,
  }));
  const invalidToolCalls = [...made, ...response.invalidToolCalls];
  return { ...response, toolCalls, invalidToolCalls, message: { ...response.message, toolCalls, invalidToolCalls } };
}

function textOfDeep(args: unknown): string {
  try {
    return JSON.stringify(args);
  } catch {
    return "[…]";
  }
}

const isBlank = (block: ContentBlock): boolean => block.type === "text" && block.text.trim() === "";

const isCall = (call: unknown): boolean => {
  const { id, name, ...rest } = (call ?? {}) as Partial<ToolCall>;
  return typeof id === "string" && typeof name === "string" && ("arguments" in rest || "rawArguments" in rest);
};

/** Validates a response, because a custom `send` can return anything. */
function checkResponse({ message, toolCalls, invalidToolCalls }: ChatResponse): void {
  const isComplete = [message?.content, toolCalls, invalidToolCalls].every(Array.isArray);
  if (isComplete && [...toolCalls, ...invalidToolCalls].every(isCall)) return;
  throw new ToolkitError(
    "invalid_options",
    "send: expected a ChatResponse with `message`, `toolCalls` and `invalidToolCalls`. Return what `convertResponse` or a function such as `fromOpenAI` returns",
    "/send",
  );
}
