// The public functions of the agent loop.

import type { MessageInput } from "toolwire";
import { ToolkitError } from "../errors.js";
import { Queue } from "../queue.js";
import { ofSettings, requireField, requireOptions } from "../requirements.js";
import { onAbort } from "../signals.js";
import { hostOf } from "../toolkit.js";
import { decisionIds } from "./inner-runs.js";
import type { AgentOptions, ResumeOptions } from "./options.js";
import type { AgentEvent, AgentOutcome, AgentState } from "./outcome.js";
import { AgentRun, type RunEvents, type RunSettings } from "./run.js";
import { verified } from "./sign.js";

/**
 * A run as an iterable of its events, which can be read once. While they are read slowly, the run waits. `outcome`
 * resolves when the run ends; `cancel` ends it.
 */
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

const what = "the agent";

/** @throws ToolkitError `invalid_options` */
function requireAgent(options: RunSettings): void {
  requireOptions(options, ofSettings, { what });
  requireField(options, "request", { what }, "a request with messages, such as {model, messages: []}");
  requireField(options, "toolkit", { what }, "a Toolkit");
  requireField(options, "send", { what }, "a function that sends a request, such as sendTo({to, apiKey})");
  if (Array.isArray(options.request.messages)) return;
  const message = "the request of the agent requires messages: pass an array, which may be empty";
  throw new ToolkitError("invalid_options", message, "/request/messages");
}

function requireState(options: Partial<ResumeOptions>): void {
  if (options.state === undefined)
    throw new ToolkitError("invalid_state", "pass the state of the run to resume", "/state");
}

async function start<Output>(
  options: RunSettings,
  events?: RunEvents,
  onStart: (run: AgentRun) => void = () => {},
): Promise<AgentOutcome<Output>> {
  requireAgent(options);
  const run = new AgentRun(options, options.state && (await usable(options, options.state)), events);
  onStart(run);
  return (await run.run()) as AgentOutcome<Output>;
}

/**
 * The verified state of a run, whose decisions were not used before.
 *
 * @throws ToolkitError `invalid_state`
 */
async function usable(options: RunSettings, given: AgentState): Promise<AgentState> {
  const { secret, decisions = {}, toolkit } = options;
  const state = await verified(given, secret, hostOf(toolkit).now());
  for (const id of options.claimState ? decisionIds(state, decisions) : []) {
    if ((await options.claimState?.(id)) === true) continue;
    const message = "a decision on this state was used before: pass the state that the run returned after it";
    throw new ToolkitError("invalid_state", message, "/decisions");
  }
  return state;
}

/** How many events a reader may be behind before the run waits for it. */
const MOST_UNREAD = 256;

/** Buffers events until they are read. A reader that is slow slows the run down. */
class RunStream<Output> implements AgentStream<Output>, RunEvents {
  readonly outcome: Promise<AgentOutcome<Output>>;
  readonly #events = new Queue<AgentEvent<Output>>();
  readonly #controller = new AbortController();
  readonly #steered: MessageInput[] = [];
  #run: AgentRun | undefined;
  #wake = () => {};
  #continue = () => {};
  #isRead = false;
  #isDone = false;

  constructor(options: RunSettings) {
    const { signal } = options;
    const forget = signal && onAbort(signal, () => this.cancel(signal.reason));
    const started = (run: AgentRun) => {
      this.#run = run;
      for (const message of this.#steered.splice(0)) run.steer(message);
    };
    this.outcome = start<Output>({ ...options, signal: this.#controller.signal }, this, started).finally(() => {
      forget?.();
      this.#isDone = true;
      this.#wake();
    });
    // avoid an unhandled rejection, because the iteration reports the error too
    this.outcome.catch(() => {});
  }

  push(event: AgentEvent): void {
    this.#events.push(event as AgentEvent<Output>);
    this.#wake();
  }

  /** A promise while the reader is too far behind. Without a reader, events are kept. */
  get room(): Promise<void> | undefined {
    if (!this.#isRead || this.#events.length < MOST_UNREAD) return undefined;
    return new Promise((resolve) => {
      this.#continue = resolve;
    });
  }

  steer(message: MessageInput): boolean {
    if (this.#run) return this.#run.steer(message);
    if (!this.#isDone) this.#steered.push(message);
    return !this.#isDone;
  }

  cancel(reason?: unknown): void {
    this.#controller.abort(reason ?? new DOMException("The run was cancelled.", "AbortError"));
  }

  /** @throws ToolkitError `invalid_options` for a second reader */
  [Symbol.asyncIterator](): AsyncGenerator<AgentEvent<Output>, void, undefined> {
    if (this.#isRead) {
      const message =
        "the events of this stream are read already, and can be read only once: pass them on from the first reader";
      throw new ToolkitError("invalid_options", message);
    }
    this.#isRead = true;
    return this.#all();
  }

  async *#all(): AsyncGenerator<AgentEvent<Output>, void, undefined> {
    try {
      for (;;) {
        const event = this.#events.shift();
        if (this.#events.length < MOST_UNREAD) this.#continue();
        if (event) {
          yield event;
          continue;
        }
        if (this.#isDone) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      await this.outcome;
    } finally {
      if (!this.#isDone) this.cancel();
    }
  }
}
