// A run of an agent: performs the steps that the state machine returns.

import type { ChatError, ChatResponse, Message, MessageInput } from "toolwire";
import { after } from "../clock.js";
import type { Execution } from "../execution.js";
import { hostOf } from "../toolkit.js";
import { Deadline } from "./deadline.js";
import { History } from "./history.js";
import { Machine, type NextStep } from "./machine.js";
import { ModelTurn } from "./model-turn.js";
import type { AgentOptions, ResumeOptions } from "./options.js";
import type { AgentEvent, AgentOutcome, AgentState } from "./outcome.js";
import { OutputCheck } from "./output.js";
import { signed } from "./sign.js";
import { ToolSet } from "./tool-set.js";
import { ToolTurn } from "./tool-turn.js";
import { TwoStages } from "./two-stages.js";

export type RunSettings = AgentOptions & Partial<ResumeOptions>;
export type Emit = (event: AgentEventBody) => void;
type WithoutHead<Event> = Event extends unknown ? Omit<Event, "runId" | "iteration"> : never;
type AgentEventBody = WithoutHead<AgentEvent>;

export class AgentRun {
  readonly options: RunSettings;
  readonly machine: Machine;
  readonly history: History;
  readonly deadline: Deadline;
  readonly tools: ToolSet;
  readonly output: OutputCheck | undefined;
  /** Only with `strategy: "twoStage"`. */
  readonly stages: TwoStages | undefined;
  readonly executions: Execution[] = [];
  readonly steering: Message[] = [];
  readonly runId: string;
  /** Whether usage or cost is limited. */
  readonly isBudgeted: boolean;
  iteration: number;
  response: ChatResponse | undefined;
  /** The value of `output`, once the model has provided it. */
  value: { output: unknown } | undefined;
  error: (ChatError & { cause?: unknown }) | undefined;
  /** The model turn of the current iteration. Its response may already have started calls. */
  modelTurn: ModelTurn | undefined;
  isOver = false;
  #saving: Promise<void> = Promise.resolve();
  /** Undefined if no events are requested. */
  readonly #emit: ((event: AgentEvent) => void) | undefined;

  /** `state` is the verified state of `options`. */
  constructor(options: RunSettings, state: AgentState | undefined, emit?: (event: AgentEvent) => void) {
    const now = () => hostOf(options.toolkit).now();
    this.options = options;
    this.#emit = emit;
    this.tools = new ToolSet(options);
    this.output = options.output === undefined ? undefined : new OutputCheck(options.output);
    this.stages = options.strategy === "twoStage" ? new TwoStages() : undefined;
    this.machine = new Machine(options, state, now);
    this.history = new History(options.request.messages);
    this.deadline = new Deadline(this.machine, options.signal);
    this.runId = this.machine.runId;
    this.iteration = (state?.iterations as number | undefined) ?? 0;
    this.isBudgeted = options.maxUsage !== undefined || options.maxCost !== undefined;
  }

  emit: Emit = (event) => {
    this.#emit?.({ ...event, runId: this.runId, iteration: this.iteration } as AgentEvent);
  };

  now(): number {
    return hostOf(this.options.toolkit).now();
  }

  /** Runs to the end. Rejects only if a function of the caller (`prepare`, `stopWhen`, `onState`) throws. */
  async run(): Promise<AgentOutcome> {
    try {
      this.deadline.start();
      for (;;) {
        const step = this.machine.next();
        if (step.type === "done" || step.type === "ask") return await this.#end(step);
        await this.#perform(step);
      }
    } finally {
      this.isOver = true;
      this.deadline.end();
      this.machine.free();
    }
  }

  #perform(step: Exclude<NextStep, { type: "done" | "ask" }>): Promise<void> | undefined {
    if (this.deadline.signal.aborted && step.type !== "run") {
      this.machine.stop(this.abortReason);
      return undefined;
    }
    switch (step.type) {
      case "send":
        this.iteration = step.iteration;
        this.modelTurn = new ModelTurn(this);
        return this.modelTurn.perform(step);
      case "run":
        return new ToolTurn(this, step).perform();
      case "wait":
        return this.#wait(step.until);
    }
  }

  async #wait(until: number): Promise<void> {
    const { signal } = this.deadline;
    await new Promise<void>((resolve) => {
      const end = () => {
        cancel();
        signal.removeEventListener("abort", end);
        resolve();
      };
      const cancel = after(until - this.now(), end);
      signal.addEventListener("abort", end, { once: true });
    });
  }

  /** Ends the run if the caller's `stopWhen` returns true. */
  async stopIfAsked(response: ChatResponse, executions: Execution[]): Promise<void> {
    const { iteration, options } = this;
    if (await options.stopWhen?.({ iteration, response, executions })) this.machine.stop("stopped");
  }

  get abortReason(): "timeout" | "cancelled" {
    return this.deadline.timedOut ? "timeout" : "cancelled";
  }

  /** Passes the state to `onState`, in order. Resolves when it is stored. */
  save(): Promise<void> {
    const { onState } = this.options;
    const [state, messages] = [this.machine.state, this.history.messages];
    this.#saving = this.#saving.then(async () => onState?.(await signed(state, this.options.secret), messages));
    // avoid an unhandled rejection: callers that await the promise still get the error
    this.#saving.catch(() => {});
    return this.#saving;
  }

  /** Adds a message for the next turn. */
  steer(message: MessageInput): boolean {
    if (this.isOver) return false;
    this.steering.push(message as Message);
    return true;
  }

  async #end(step: Extract<NextStep, { type: "done" | "ask" }>): Promise<AgentOutcome> {
    await this.#saving;
    const state = this.machine.state as AgentState & { iterations: number; usage: object; cost: number };
    const base = {
      runId: this.runId,
      text: this.response?.text ?? "",
      ...this.value,
      ...(this.response && { response: this.response }),
      messages: this.history.messages,
      executions: this.executions,
      iterations: state.iterations,
      usage: state.usage,
      cost: state.cost,
    };
    const { onState, secret } = this.options;
    const isStateless = isFinal(step.reason) && !onState;
    const resumable = isStateless ? undefined : { state: secret === undefined ? state : await signed(state, secret) };
    const outcome = { ...base, ...this.#ending(step, resumable) } as AgentOutcome;
    if (resumable) await onState?.(resumable.state, outcome.messages);
    this.emit({ type: "end", outcome });
    return outcome;
  }

  #ending(step: Extract<NextStep, { type: "done" | "ask" }>, resumable: { state: AgentState } | undefined): object {
    const { reason } = step;
    if (step.type === "ask") return { reason, ...resumable, pending: step.calls.map(({ call }) => call) };
    if (reason === "error") return { reason, ...resumable, error: this.error };
    return isFinal(reason) ? { reason } : { reason, ...resumable };
  }
}

function isFinal(reason: string): boolean {
  return ["answer", "stopped", "length", "refusal", "content_filter"].includes(reason);
}
