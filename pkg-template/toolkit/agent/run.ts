// A run of an agent: performs the steps that the state machine returns.

import type { ChatError, ChatRequest, ChatResponse, Message, MessageInput } from "toolwire";
import type { Budget } from "../budget.js";
import { after } from "../clock.js";
import type { Execution } from "../execution.js";
import { hostOf } from "../toolkit.js";
import { Deadline } from "./deadline.js";
import { isFinal, messageOfEnd } from "./ending.js";
import { History } from "./history.js";
import { InnerRuns, pendingCalls, totalsOf } from "./inner-runs.js";
import { Machine, type NextStep } from "./machine.js";
import { ModelTurn } from "./model-turn.js";
import type { AgentOptions, ResumeOptions } from "./options.js";
import type { AgentEvent, AgentOutcome, AgentState } from "./outcome.js";
import { OutputCheck } from "./output.js";
import { DEFAULT_TTL_MS, signed } from "./sign.js";
import { ToolSet } from "./tool-set.js";
import { ToolTurn } from "./tool-turn.js";
import { TwoStages } from "./two-stages.js";

export type RunSettings = AgentOptions &
  Partial<ResumeOptions> & {
    /** For the run of a call that is an agent. */
    inner?: { readonly runId: string; readonly budget: Budget };
  };
/** Where events go. `room` is a promise while there are too many. */
export interface RunEvents {
  push(event: AgentEvent): void;
  readonly room: Promise<void> | undefined;
}

export type Emit = (event: AgentEventBody) => void;
type WithoutHead<Event> = Event extends unknown ? Omit<Event, "runId" | "iteration"> : never;
type WorkStep = Exclude<NextStep, { type: "done" | "ask" }>;
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
  /** The fields that are the same in every request. */
  readonly settings: Omit<ChatRequest, "messages" | "toolChoice">;
  /** Whether usage or cost is limited. */
  readonly isBudgeted: boolean;
  iteration: number;
  response: ChatResponse | undefined;
  /** The value of `output`, once the model has provided it. */
  value: { output: unknown } | undefined;
  error: (ChatError & { cause?: unknown }) | undefined;
  /** The model turn of the current iteration. Its response may already have started calls. */
  modelTurn: ModelTurn | undefined;
  /** The runs of calls that are agents. */
  readonly inner: InnerRuns;
  /** Whether the response was cut off, so that its calls must not run. */
  isTruncated: boolean;
  isOver = false;
  #saving: Promise<void> = Promise.resolve();
  /** Undefined if no events are requested. */
  readonly #events: RunEvents | undefined;

  /** `saved` is the verified state of `options`. */
  constructor(options: RunSettings, saved: AgentState | undefined, events?: RunEvents) {
    const now = () => hostOf(options.toolkit).now();
    const { children: _, steering = [], ...state }: Partial<AgentState> = saved ?? {};
    this.options = options;
    this.#events = events;
    this.tools = new ToolSet(options, state.allowed as string[] | undefined);
    this.isTruncated = state.isTruncated === true;
    this.inner = new InnerRuns(this, saved, (settings, child) => new AgentRun(settings, child).run());
    this.steering.push(...(steering as Message[]));
    this.output = options.output === undefined ? undefined : new OutputCheck(options.output);
    this.stages = options.strategy === "twoStage" ? new TwoStages() : undefined;
    this.machine = new Machine(options, saved && (state as AgentState), now);
    this.history = new History(options.request.messages);
    this.deadline = new Deadline(this.machine, options.signal);
    const { messages: _messages, toolChoice: _choice, ...settings } = options.request as ChatRequest;
    this.settings = settings;
    this.runId = this.machine.runId;
    this.iteration = (state.iterations as number | undefined) ?? 0;
    this.isBudgeted = options.maxUsage !== undefined || options.maxCost !== undefined;
  }

  emit: Emit = (event) => {
    this.#events?.push({ ...event, runId: this.runId, iteration: this.iteration } as AgentEvent);
  };

  /** A promise while the reader of the events is too far behind. */
  get room(): Promise<void> | undefined {
    return this.#events?.room;
  }

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
        try {
          await this.#perform(step);
        } catch (error) {
          this.#requireReason(error);
        }
      }
    } finally {
      this.isOver = true;
      this.deadline.end();
      this.machine.free();
    }
  }

  /** A function of the caller that does not end ends the run when its time is over, or when it is cancelled. */
  #requireReason(error: unknown): void {
    if (!this.deadline.isReason(error)) throw error;
    this.machine.stop(this.abortReason);
  }

  #perform(step: WorkStep): Promise<void> | undefined {
    if (this.deadline.isAborted && step.type !== "run") {
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
    let cancel = () => {};
    const waited = new Promise<void>((resolve) => {
      cancel = after(until - this.now(), resolve);
    });
    try {
      await this.deadline.until(waited);
    } finally {
      cancel();
    }
  }

  /** Ends the run if the caller's `stopWhen` returns true. */
  async stopIfAsked(response: ChatResponse, executions: Execution[]): Promise<void> {
    const { iteration, options } = this;
    const isDone = options.stopWhen?.({ iteration, response, executions });
    if (await this.deadline.bounded(isDone)) this.machine.stop("stopped");
  }

  /** Whether the tokens of the responses exceed `maxUsage`. */
  get isOverUsage(): boolean {
    const { maxUsage, maxCost = Number.POSITIVE_INFINITY } = this.options;
    return maxUsage !== undefined && !this.machine.hasBudget && !((this.machine.state.cost as number) > maxCost);
  }

  get abortReason(): "timeout" | "cancelled" {
    return this.deadline.timedOut ? "timeout" : "cancelled";
  }

  /** Passes the state to `onState`, in order. Resolves when it is stored, or when the run is aborted. */
  save(): Promise<void> {
    const { onState } = this.options;
    const [state, messages] = [this.#state(), this.history.messages];
    this.#saving = this.#saving.then(async () => onState?.(await this.#signed(state), messages));
    // avoid an unhandled rejection: callers that await the promise still get the error
    this.#saving.catch(() => {});
    return this.deadline.settled(this.#saving);
  }

  #state(): AgentState {
    const { steering } = this;
    return { ...this.machine.state, ...this.inner.state, ...(steering.length > 0 && { steering: [...steering] }) };
  }

  async #signed(state: AgentState): Promise<AgentState> {
    const { secret, stateTtlMs = DEFAULT_TTL_MS } = this.options;
    return secret === undefined ? state : signed(state, secret, this.now() + stateTtlMs);
  }

  /** Adds a message for the next turn. */
  steer(message: MessageInput): boolean {
    if (this.isOver) return false;
    this.steering.push(message as Message);
    return true;
  }

  async #end(step: Extract<NextStep, { type: "done" | "ask" }>): Promise<AgentOutcome> {
    this.isOver = true;
    await this.deadline.settled(this.#saving);
    const { onState } = this.options;
    // after pending calls, a message would be the user's reaction to them: it waits in the state
    if (step.type === "done") for (const message of this.steering.splice(0)) this.history.add(message);
    const state = this.#state();
    const base = {
      runId: this.runId,
      ...messageOfEnd(step, this),
      text: this.response?.text ?? "",
      ...this.value,
      ...(this.response && { response: this.response }),
      messages: this.history.messages,
      executions: this.executions,
      iterations: state.iterations as number,
      ...totalsOf(state),
    };
    const isStateless = isFinal(step.reason) && !onState;
    const resumable = isStateless ? undefined : { state: await this.#signed(state) };
    const outcome = { ...base, ...this.#ending(step, state, resumable) } as AgentOutcome;
    if (resumable && onState) {
      await this.deadline.settled(Promise.resolve(onState(resumable.state, outcome.messages)));
    }
    this.emit({ type: "end", outcome });
    return outcome;
  }

  #ending(
    step: Extract<NextStep, { type: "done" | "ask" }>,
    state: AgentState,
    resumable: { state: AgentState } | undefined,
  ): object {
    const { reason } = step;
    if (step.type === "ask") return { reason, ...resumable, pending: pendingCalls(state) };
    if (reason === "error") return { reason, ...resumable, error: this.error };
    return isFinal(reason) ? { reason } : { reason, ...resumable };
  }
}
