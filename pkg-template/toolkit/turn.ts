// A run of the calls of one turn: the state that the calls share, and when it ends.

import type { Message, ToolCall } from "toolwire";
import { Budget } from "./budget.js";
import type { Checks } from "./check.js";
import { after } from "./clock.js";
import type { Registry } from "./core/registry.js";
import type { AnyCall, Execution, RunOptions, ToolEvent } from "./execution.js";
import { Failure } from "./failure.js";
import { onAbort } from "./signals.js";
import { Slots } from "./slots.js";
import type { Tool } from "./tool.js";
import type { ToolkitOptions } from "./toolkit.js";

/** The parts of a toolkit that a run uses. */
export interface Host {
  readonly registry: Registry;
  readonly checks: Checks;
  readonly options: ToolkitOptions<unknown>;
  now(): number;
  tool(name: string): Tool | undefined;
  /** The lock of a tool that never runs in parallel. */
  lockOf(name: string): Slots;
}

/** The hooks of an agent for its runs of calls. */
export interface Surroundings {
  /** The conversation so far. */
  messages?(): readonly Message[];
  readonly iteration?: number;
  /** Wraps the execution of a call, with all its attempts. */
  around?(call: ToolCall, next: () => Promise<Execution>): Promise<Execution>;
  /** Whether a tool may run, instead of the filter. */
  allows?(name: string): boolean;
  /** Default: derived from session, agent and call id. */
  idempotencyKey?(call: AnyCall): string;
  /** Whether a call requires approval, whatever its tool says. Undefined: as its tool says. */
  requiresApproval?(call: AnyCall): boolean | undefined;
  /** The run that a call belongs to. */
  agent?(call: AnyCall): CallingAgent;
  /** The budget of the calling run, if the run is an inner one. */
  readonly outerBudget?: Budget | undefined;
}

/** Runs an agent within the run that a call belongs to. */
export interface CallingAgent {
  run(options: object): Promise<unknown>;
}

/** Thrown by a tool whose call waits: for decisions (`unapproved`), or for results (`external`). */
export class Waiting {
  readonly status: "unapproved" | "external";

  constructor(status: "unapproved" | "external") {
    this.status = status;
  }
}

/** The value of `approve` if no decision can be made. The call stays pending. */
export const UNDECIDED = Symbol("undecided");

/** The key under which a call context holds the run that the call belongs to. `Object.keys` does not list it. */
export const CALLING_AGENT = Symbol("calling agent");

/** The agent run that a call belongs to, if any. */
export function agentOf(context: object): CallingAgent | undefined {
  return (context as { [CALLING_AGENT]?: CallingAgent })[CALLING_AGENT];
}

const DEFAULT_CONCURRENCY = 8;

export class Turn {
  readonly host: Host;
  readonly options: RunOptions<unknown>;
  readonly surroundings: Surroundings;
  readonly slots: Slots;
  /** The time at which the turn must end, by the host's clock. */
  readonly deadline: number;
  readonly emit: (event: ToolEvent) => void;
  readonly budget: Budget;
  #failure: Failure | undefined;
  readonly #onEnd = new Set<(failure: Failure) => void>();
  readonly #release: (() => void)[] = [];

  constructor(host: Host, options: RunOptions<unknown>, surroundings: Surroundings, emit: (event: ToolEvent) => void) {
    this.host = host;
    this.options = options;
    this.surroundings = surroundings;
    this.emit = emit;
    this.slots = new Slots(host.options.concurrency ?? DEFAULT_CONCURRENCY);
    this.budget = new Budget(options.maxCost, surroundings.outerBudget);
    const { timeoutMs, signal } = options;
    this.deadline = timeoutMs === undefined ? Number.POSITIVE_INFINITY : host.now() + timeoutMs;
    if (timeoutMs !== undefined) {
      const stop = () =>
        this.end(new Failure("timeout", `The time limit of ${timeoutMs} ms for all calls was reached.`));
      if (timeoutMs > 0) this.#release.push(after(timeoutMs, stop));
      else stop();
    }
    if (signal) this.#follow(signal);
  }

  /** Calls `release` when the turn is disposed of. */
  onDispose(release: () => void): void {
    this.#release.push(release);
  }

  /** Ends the turn when the signal aborts. */
  #follow(signal: AbortSignal): void {
    const cancel = () => this.end(new Failure("cancelled", "The call was cancelled.", { cause: signal.reason }));
    this.onDispose(onAbort(signal, cancel));
  }

  /** Ends the turn. Calls that have not ended fail with this failure. */
  end(failure: Failure): void {
    if (this.#failure) return;
    this.#failure = failure;
    for (const listener of [...this.#onEnd]) listener(failure);
  }

  get isOver(): boolean {
    return this.#failure !== undefined;
  }

  /** Calls `listener` when the turn ends, unless the returned function is called first. */
  onEnd(listener: (failure: Failure) => void): () => void {
    if (this.#failure) listener(this.#failure);
    else this.#onEnd.add(listener);
    return () => this.#onEnd.delete(listener);
  }

  /** Throws if the turn has ended. */
  check(): void {
    if (this.#failure) throw this.#failure;
  }

  /** Waits for work until the turn ends. Then it throws the failure that ended the turn. */
  until<Value>(work: Value | PromiseLike<Value>): Value | Promise<Value> {
    this.check();
    return isThenable(work) ? unlessStopped(work, (stop) => this.onEnd(stop)) : work;
  }

  async sleep(ms: number): Promise<void> {
    let cancel = () => {};
    const slept = new Promise<void>((resolve) => {
      cancel = after(ms, resolve);
    });
    try {
      await this.until(slept);
    } finally {
      cancel();
    }
  }

  /** Releases timers and listeners. */
  dispose(): void {
    for (const release of this.#release) release();
  }
}

/**
 * The outcome of the work, or a rejection if `onStop` calls back first. `onStop` returns a function that
 * unsubscribes.
 */
export function unlessStopped<Value>(
  work: PromiseLike<Value>,
  onStop: (stop: (reason: unknown) => void) => () => void,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const forget = onStop(reject);
    work.then(
      (value) => {
        forget();
        resolve(value);
      },
      (error) => {
        forget();
        reject(error);
      },
    );
  });
}

export function isThenable<Value>(work: Value | PromiseLike<Value>): work is PromiseLike<Value> {
  return typeof (work as PromiseLike<Value> | undefined)?.then === "function";
}
