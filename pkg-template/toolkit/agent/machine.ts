// The state machine of a run, which is in the wasm instance.

import type { AgentBounds, AgentCore, CallEnd, EndReason, Json, LedgerCall, ResponseFacts, Step } from "#core";
import { callCore } from "../core/instance.js";
import { parsed, textOf } from "../core/texts.js";
import { ToolkitError } from "../errors.js";
import type { AnyCall } from "../execution.js";
import type { AgentOptions } from "./options.js";
import type { AgentState } from "./outcome.js";
import type { RunSettings } from "./run.js";

export type { CallEnd, EndReason, LedgerCall, ResponseFacts } from "#core";

/** The tool choices, indexed by the numbers that `advance` returns. */
const choices = ["requested", "auto", "none"] as const;
const RUN = 3;

/** The next action of a run: a `Step` without fields that are rarely needed. */
export type NextStep =
  | { type: "send"; iteration: number; choice: (typeof choices)[number]; repeated?: string[] }
  | { type: "run"; calls: Pick<LedgerCall, "call" | "status">[]; costLeft?: number | null }
  | Exclude<Step, { type: "send" | "run" }>;

/** Decides the next action of a run. All methods use the clock of the toolkit. */
export class Machine {
  readonly #core: AgentCore;
  readonly runId: string;
  readonly #now: () => number;
  #iterations: number;
  /** The calls of the last response, if none has started. */
  #fresh: readonly AnyCall[] | undefined;
  /** The ledger at the end. */
  #kept: readonly LedgerCall[] | undefined;

  /** `state` has no `children` and no `steering`, which the core does not use. */
  constructor(options: RunSettings, state: AgentState | undefined, now: () => number) {
    this.#now = now;
    const bounds = boundsOf(options);
    this.runId = state?.runId ?? options.inner?.runId ?? crypto.randomUUID();
    this.#iterations = (state?.iterations as number | undefined) ?? 0;
    const saved = state && textOf(state);
    this.#core = callCore((core) => new core.AgentCore(this.runId, bounds, saved));
  }

  #call<Value>(operation: (core: AgentCore, now: number) => Value): Value {
    return callCore(() => operation(this.#core, this.#now()));
  }

  next(): NextStep {
    const step = this.#call((core, now) => core.advance(now));
    const choice = choices[step];
    if (choice) return { type: "send", iteration: ++this.#iterations, choice };
    const fresh = this.#fresh;
    this.#fresh = undefined;
    if (step === RUN && fresh) return { type: "run", calls: fresh.map((call) => ({ call, status: "new" })) };
    return this.#wholeStep();
  }

  #wholeStep(): NextStep {
    const step = parsed(this.#call((core, now) => core.next(now)));
    if (step.type === "send") this.#iterations = step.iteration;
    return step;
  }

  responded(facts: ResponseFacts): void {
    this.#fresh = facts.calls;
    // defaults are left out, here and in `callEnded`: reading the text takes most of the time
    const { finishReason: reason, usage, calls, allowed, hasSteering, outputFailed } = facts;
    const finishReason = reason === "tool_calls" ? undefined : reason;
    const needed = hasSteering || outputFailed ? facts : { finishReason, usage, calls, allowed };
    const text = textOf(needed as ResponseFacts);
    this.#call((core, now) => core.responded(text, now));
  }

  /**
   * Identical for every attempt of a call, including attempts after a crash. The ledger has the calls of the last turn, and those of the
   * turns before had the same form of key.
   */
  idempotencyKey(id: string, iteration: number, isLast: boolean): string {
    const known = isLast && (this.#kept ?? this.#calls).find(({ call }) => call.id === id);
    return known ? known.idempotencyKey : `${this.runId}:${iteration}:${id}`;
  }

  /** The position of a call in the ledger, or a position beyond its end. */
  indexOf(id: string): number {
    const calls = this.#calls;
    const index = calls.findIndex(({ call }) => call.id === id);
    return index < 0 ? calls.length : index;
  }

  get #calls(): readonly LedgerCall[] {
    return this.state.calls as LedgerCall[];
  }

  /** Whether the bounds allow another request within the same step. */
  sendMore(usage: ResponseFacts["usage"]): boolean {
    const text = textOf({ usage });
    const isAllowed = this.#call((core, now) => core.sendMore(text, now));
    if (isAllowed) this.#iterations++;
    return isAllowed;
  }

  sendFailed(): void {
    this.#call((core, now) => core.sendFailed(now));
  }

  callStarted(index: number): void {
    this.#call((core) => core.callStarted(index));
  }

  /** For a call that may run twice: if the response does not complete, the request is sent again. */
  callStartedEarly(call: AnyCall): void {
    const text = textOf(call);
    this.#call((core) => core.callStartedEarly(text));
  }

  callEnded(end: CallEnd): void {
    const { index, cost, pending, call, errorType, usage, result } = end;
    const needed = { index: index || undefined, cost: cost || undefined, pending, call, errorType, usage, result };
    const text = textOf(needed as CallEnd);
    this.#call((core) => core.callEnded(text));
  }

  turnEnded(): void {
    this.#call((core, now) => core.turnEnded(now));
  }

  stop(reason: EndReason): void {
    this.#call((core, now) => core.stop(reason, now));
  }

  get hasBudget(): boolean {
    return this.#call((core) => core.hasBudget());
  }

  /** Undefined without a limit. */
  get costLeft(): number | undefined {
    return this.#call((core) => core.costLeft());
  }

  get isAsking(): boolean {
    return this.#call((core) => core.isAsking());
  }

  pause(): void {
    this.#call((core, now) => core.pause(now));
  }

  unpause(): void {
    this.#call((core, now) => core.unpause(now));
  }

  /** In milliseconds. */
  get timeLeft(): number {
    return this.#call((core, now) => core.timeLeft(now));
  }

  get state(): AgentState {
    return parsed(this.#call((core, now) => core.state(now)));
  }

  free(): void {
    this.#kept = this.#calls;
    this.#core.free();
  }
}

const strategies: readonly unknown[] = [undefined, "native", "twoStage"];
const counts = ["maxIterations", "maxRepairs", "maxRepeats"] as const;

function boundsOf(options: AgentOptions): Json<AgentBounds> {
  for (const name of counts) {
    const value = options[name];
    if (value !== undefined && (!Number.isInteger(value) || value < (name === "maxRepairs" ? 0 : 1))) {
      throw new ToolkitError("invalid_options", `${name}: expected a positive integer, received ${value}`, `/${name}`);
    }
  }
  if (!strategies.includes(options.strategy)) {
    const message = `strategy: expected native or twoStage, received ${JSON.stringify(options.strategy)}`;
    throw new ToolkitError("invalid_options", message, "/strategy");
  }
  const { maxIterations, timeoutMs, maxRepairs, maxRepeats, maxUsage, maxCost, atLimit } = options;
  if (timeoutMs !== undefined && !(timeoutMs > 0)) {
    throw new ToolkitError(
      "invalid_options",
      `timeoutMs: expected a positive number, received ${timeoutMs}`,
      "/timeoutMs",
    );
  }
  const longest = timeoutMs === undefined ? undefined : Math.min(timeoutMs, Number.MAX_SAFE_INTEGER);
  return textOf({ maxIterations, timeoutMs: longest, maxRepairs, maxRepeats, maxUsage, maxCost, atLimit });
}
