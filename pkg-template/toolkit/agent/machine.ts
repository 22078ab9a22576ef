// The state machine of a run, in the wasm instance.

import type { AgentCore, CallEnd, EndReason, ResponseFacts, Step } from "#core";
import { callCore } from "../core/instance.js";
import { ToolkitError } from "../errors.js";
import type { AgentOptions, ResumeOptions } from "./options.js";
import type { AgentState } from "./outcome.js";

export type { CallEnd, EndReason, ResponseFacts, Step } from "#core";

/** Decides what a run does next. Every method takes the time from the clock of the toolkit. */
export class Machine {
  readonly core: AgentCore;
  readonly runId: string;
  readonly #now: () => number;

  constructor(options: AgentOptions & Partial<ResumeOptions>, state: AgentState | undefined, now: () => number) {
    this.#now = now;
    const bounds = boundsOf(options);
    this.runId = state?.runId ?? crypto.randomUUID();
    this.core = callCore((core) =>
      state === undefined
        ? new core.AgentCore(this.runId, bounds)
        : core.AgentCore.resume(JSON.stringify(state), bounds),
    );
  }

  next(): Step {
    return callCore(() => this.core.next(this.#now()));
  }

  responded(facts: ResponseFacts): void {
    callCore(() => this.core.responded(JSON.stringify(facts), this.#now()));
  }

  sendFailed(): void {
    callCore(() => this.core.sendFailed(undefined, this.#now()));
  }

  callStarted(index: number): void {
    callCore(() => this.core.callStarted(index));
  }

  callEnded(end: CallEnd): void {
    callCore(() => this.core.callEnded(JSON.stringify(end)));
  }

  turnEnded(): void {
    callCore(() => this.core.turnEnded(this.#now()));
  }

  stop(reason: EndReason): void {
    callCore(() => this.core.stop(reason, this.#now()));
  }

  get hasBudget(): boolean {
    return callCore(() => this.core.hasBudget());
  }

  get isAsking(): boolean {
    return callCore(() => this.core.isAsking());
  }

  get state(): AgentState {
    return JSON.parse(callCore(() => this.core.state(this.#now()))) as AgentState;
  }

  free(): void {
    this.core.free();
  }
}

const counts = ["maxIterations", "maxRepairs", "maxRepeats"] as const;

function boundsOf(options: AgentOptions): string {
  for (const name of counts) {
    const value = options[name];
    if (value !== undefined && (!Number.isInteger(value) || value < (name === "maxRepairs" ? 0 : 1))) {
      throw new ToolkitError("invalid_options", `${name}: expected a positive integer, received ${value}`, `/${name}`);
    }
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
  return JSON.stringify({ maxIterations, timeoutMs: longest, maxRepairs, maxRepeats, maxUsage, maxCost, atLimit });
}
