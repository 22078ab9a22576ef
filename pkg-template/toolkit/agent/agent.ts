// The public functions of the agent loop.

import type { MessageInput } from "toolwire";
import { ToolkitError } from "../errors.js";
import type { AgentOptions, ResumeOptions } from "./options.js";
import type { AgentEvent, AgentOutcome } from "./outcome.js";
import { AgentRun, type RunSettings } from "./run.js";
import { verified } from "./sign.js";

/** A run as an iterable of its events. `outcome` resolves when it ends; `cancel` ends it. */
export interface AgentStream<Output = unknown> extends AsyncIterable<AgentEvent<Output>> {
  readonly outcome: Promise<AgentOutcome<Output>>;
  /** Adds a message for the next turn. Returns false if the run has ended. */
  steer(message: MessageInput): boolean;
  cancel(reason?: unknown): void;
}

/**
 * Runs an agent: sends the request, runs the calls of the response, and repeats until there is a final response or a
 * bound is reached. Never rejects because of what a model or a tool does.
 *
 * @throws ToolkitError `invalid_options`, `duplicate_tool`, and what `prepare`, `stopWhen` or `onState` throws
 */
export function runAgent<AppContext = any, Output = unknown>(
  options: AgentOptions<AppContext, Output>,
): Promise<AgentOutcome<Output>> {
  return start<Output>(options as RunSettings);
}

/** Like `runAgent`, but yields events as they happen. Breaking out of the loop cancels the run. */
export function streamAgent<AppContext = any, Output = unknown>(
  options: AgentOptions<AppContext, Output>,
): AgentStream<Output> {
  return new RunStream<Output>(options as RunSettings);
}

/**
 * Resumes a run from its state.
 *
 * @throws ToolkitError `invalid_state` if the state was modified or comes from an unknown version
 */
export function resumeAgent<AppContext = any, Output = unknown>(
  options: AgentOptions<AppContext, Output> & ResumeOptions,
): Promise<AgentOutcome<Output>> {
  requireState(options);
  return start<Output>(options as RunSettings);
}

/** Like `resumeAgent`, but yields events as they happen. Breaking out of the loop cancels the run. */
export function streamResumedAgent<AppContext = any, Output = unknown>(
  options: AgentOptions<AppContext, Output> & ResumeOptions,
): AgentStream<Output> {
  requireState(options);
  return new RunStream<Output>(options as RunSettings);
}

function requireState(options: Partial<ResumeOptions>): void {
  if (options.state === undefined)
    throw new ToolkitError("invalid_state", "pass the state of the run to resume", "/state");
}

async function start<Output>(
  options: RunSettings,
  emit?: (event: AgentEvent) => void,
  onStart: (run: AgentRun) => void = () => {},
): Promise<AgentOutcome<Output>> {
  const state = options.state && (await verified(options.state, options.secret));
  const run = new AgentRun(options, state, emit);
  onStart(run);
  return (await run.run()) as AgentOutcome<Output>;
}

/** Buffers events until they are read. */
class RunStream<Output> implements AgentStream<Output> {
  readonly outcome: Promise<AgentOutcome<Output>>;
  readonly #events: AgentEvent<Output>[] = [];
  readonly #controller = new AbortController();
  readonly #steered: MessageInput[] = [];
  #run: AgentRun | undefined;
  #wake = () => {};
  #isDone = false;

  constructor(options: RunSettings) {
    const { signal } = options;
    if (signal?.aborted) this.cancel(signal.reason);
    const forward = () => this.cancel(signal?.reason);
    signal?.addEventListener("abort", forward, { once: true });
    const push = (event: AgentEvent) => {
      this.#events.push(event as AgentEvent<Output>);
      this.#wake();
    };
    const started = (run: AgentRun) => {
      this.#run = run;
      for (const message of this.#steered.splice(0)) run.steer(message);
    };
    this.outcome = start<Output>({ ...options, signal: this.#controller.signal }, push, started).finally(() => {
      signal?.removeEventListener("abort", forward);
      this.#isDone = true;
      this.#wake();
    });
    // avoid an unhandled rejection, because the iteration reports the error too
    this.outcome.catch(() => {});
  }

  steer(message: MessageInput): boolean {
    if (this.#run) return this.#run.steer(message);
    this.#steered.push(message);
    return !this.#isDone;
  }

  cancel(reason?: unknown): void {
    this.#controller.abort(reason ?? new DOMException("The run was cancelled.", "AbortError"));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AgentEvent<Output>, void, undefined> {
    try {
      for (;;) {
        yield* this.#events.splice(0);
        if (this.#events.length > 0) continue;
        if (this.#isDone) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      await this.outcome;
    } finally {
      this.cancel();
    }
  }
}
