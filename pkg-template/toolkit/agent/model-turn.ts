// One model request and its response.

import type { ChatRequest, ChatResponse, StreamEvent, ToolCall } from "toolwire";
import { CallRun } from "../call-run.js";
import { ToolkitError } from "../errors.js";
import type { Execution } from "../execution.js";
import { uniqueIds } from "../ids.js";
import { ChatFailure, chatErrorOf } from "../send/chat-failure.js";
import { isThenable, type Turn } from "../turn.js";
import { withCalls } from "./history.js";
import type { NextStep, ResponseFacts } from "./machine.js";
import { malformedNote, outputNote, repeatedNote } from "./notes.js";
import type { AgentRun } from "./run.js";
import { newTurn } from "./surroundings.js";
import type { Combined } from "./two-stages.js";

type SendStep = Extract<NextStep, { type: "send" }>;
type Sent = ChatResponse | AsyncGenerator<StreamEvent, ChatResponse, undefined>;

export class ModelTurn {
  readonly #run: AgentRun;
  /** Calls that started before the response was complete, by call id. */
  readonly started = new Map<string, Promise<Execution>>();
  turn: Turn | undefined;
  isLast = false;

  constructor(run: AgentRun) {
    this.#run = run;
  }

  async perform(step: SendStep): Promise<void> {
    const run = this.#run;
    const { options } = run;
    this.isLast = step.choice === "none";
    const request = options.prepare ? await this.#prepared(this.#request(step)) : this.#request(step);
    run.tools.showed(request);
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
    await this.#received(combined);
    const { response } = combined;
    const hasCalls = response.toolCalls.length + response.invalidToolCalls.length > 0;
    if (options.stopWhen && !hasCalls) await run.stopIfAsked(response, []);
  }

  /** Sends one request. The stages of a two-stage turn emit no events. */
  async #sent(request: ChatRequest, isShown: boolean): Promise<Combined> {
    const run = this.#run;
    const { options, deadline, iteration } = run;
    if (options.onState) await run.save();
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
        const isAllowed = run.machine.sendMore(counted(usage).usage);
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
    const { toolChoice, ...settings } = run.options.request as ChatRequest;
    const request: ChatRequest = { ...settings, messages: run.history.messages, ...run.tools.forRequest() };
    if (run.output) request.responseFormat ??= run.output.format;
    if (toolChoice !== undefined) request.toolChoice = choice === "auto" ? fallback(toolChoice) : toolChoice;
    if (choice === "none" && request.tools) request.toolChoice = "none";
    return request;
  }

  async #prepared(request: ChatRequest): Promise<ChatRequest> {
    const { options, iteration } = this.#run;
    return { ...request, ...(await options.prepare?.({ iteration, request })) };
  }

  async #read(events: AsyncGenerator<StreamEvent, ChatResponse, undefined>, isShown: boolean): Promise<ChatResponse> {
    const { deadline, emit } = this.#run;
    for (;;) {
      const { done, value } = await events.next();
      if (deadline.signal.aborted) void events.return(undefined as never).catch(() => {});
      deadline.signal.throwIfAborted();
      if (done) return value;
      if (!isShown) continue;
      emit({ type: "model", event: value });
      if (value.type === "toolCallEnd" && !("rawArguments" in value.call)) this.#startEarly(value.call);
    }
  }

  /** Starts a call before the response is complete, if its tool allows it. */
  #startEarly(call: ToolCall): void {
    const { options } = this.#run;
    const tool = options.toolkit.get(call.name);
    if (!options.eager || this.isLast || !tool || this.started.has(call.id)) return;
    const mayWait = tool.needsApproval ?? tool.dangerous ?? false;
    if (mayWait !== false || tool.dangerous || tool.idempotent === false) return;
    this.turn ??= newTurn(this.#run, undefined);
    this.started.set(call.id, new CallRun(this.turn, call).run());
  }

  #failed(thrown: unknown): void {
    const { machine, deadline } = this.#run;
    if (deadline.signal.aborted) {
      machine.stop(this.#run.abortReason);
    } else {
      this.#run.error = chatErrorOf(thrown);
      machine.sendFailed();
    }
  }

  #received({ response: received, usage }: Combined): Promise<void> | undefined {
    const run = this.#run;
    const calls = uniqueIds([...received.toolCalls, ...received.invalidToolCalls]);
    const message = withCalls(received.message, calls);
    const response = { ...received, message };
    run.response = response;
    run.emit({ type: "response", response, time: run.now() });
    const isEmpty = calls.length === 0 && message.content.length === 0;
    if (!isEmpty) run.history.addResponse(message);
    const { finishReason } = response;
    const facts = { finishReason, calls, hasSteering: run.steering.length > 0, outputFailed: false, ...counted(usage) };
    if (calls.length === 0 && finishReason === "error") run.history.add(malformedNote());
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
    const read = await run.output?.read(text);
    if (!run.output || !read) return true;
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

function counted(usage: ChatResponse["usage"]) {
  if (!usage) return {};
  const { metadata, ...counts } = usage;
  return { usage: counts };
}

function isStream(value: Sent): value is Exclude<Sent, ChatResponse> {
  return Symbol.asyncIterator in value;
}

/** Validates a response, because a custom `send` can return anything. */
function checkResponse({ message, toolCalls, invalidToolCalls }: ChatResponse): void {
  if ([message?.content, toolCalls, invalidToolCalls].every(Array.isArray)) return;
  throw new ToolkitError(
    "invalid_options",
    "send: expected a ChatResponse with `message`, `toolCalls` and `invalidToolCalls`. Return what `convertResponse` or a function such as `fromOpenAI` returns",
    "/send",
  );
}
