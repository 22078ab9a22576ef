// One attempt of a call: runs the function within its time limit, and reports the values that it yields.

import { after, afterIdle, rests } from "./clock.js";
import { Failure } from "./failure.js";
import type { CallContext, Tool } from "./tool.js";
import { isThenable, type Turn } from "./turn.js";
import { limitsOf } from "./worker/limits.js";

export const DEFAULT_TIMEOUT_MS = 30_000;

export interface Attempt {
  readonly tool: Tool;
  readonly input: unknown;
  contextWith(signal: () => AbortSignal): CallContext<unknown>;
  onProgress(value: unknown): void;
  /** Called if the function ends after the attempt failed. */
  onLate(outcome: { output: unknown } | { thrown: unknown }): void;
  /** Called when the function ends. If it ignores the abort signal, called after another `timeoutMs`. */
  onEnd?(): void;
}

/** The abort signal of an attempt. It is created on first access. */
class Stopping {
  #controller: AbortController | undefined;
  #failure: Failure | undefined;

  readonly signal = (): AbortSignal => {
    this.#controller ??= new AbortController();
    if (this.#failure) this.#abort(this.#failure);
    return this.#controller.signal;
  };

  get isStopped(): boolean {
    return this.#failure !== undefined;
  }

  stop(failure: Failure): void {
    this.#failure ??= failure;
    this.#abort(this.#failure);
  }

  #abort(failure: Failure): void {
    this.#controller?.abort(new DOMException(failure.error.message, abortName(failure)));
  }
}

/**
 * Returns the output. Throws the function's error, or the failure of a time limit or of the turn. In the latter case,
 * the function's signal is aborted, but the attempt does not wait for the function.
 */
export function runAttempt(turn: Turn, attempt: Attempt): unknown {
  const stopping = new Stopping();
  const output = started(attempt, stopping.signal);
  const last = (value: unknown) => (isGenerator(value) ? drained(value, stopping.signal(), attempt.onProgress) : value);
  if (isGenerator(output)) return raced(turn, attempt, stopping, Promise.resolve(last(output)));
  if (isThenable(output)) return raced(turn, attempt, stopping, Promise.resolve(output).then(last));
  // the function has ended, so it can't be stopped
  attempt.onEnd?.();
  return output;
}

function started({ tool, input, contextWith, onEnd }: Attempt, signal: () => AbortSignal): unknown {
  try {
    const context = contextWith(signal);
    if (tool.sandboxed) limitsOf.set(context, { memoryLimitMb: tool.memoryLimitMb });
    return tool.execute?.(input, context);
  } catch (error) {
    onEnd?.();
    throw error;
  }
}

/** Waits for a function until it ends, its time limit is reached, or the turn ends. */
async function raced(turn: Turn, attempt: Attempt, stopping: Stopping, work: Promise<unknown>): Promise<unknown> {
  const timeoutMs = attempt.tool.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  let release = () => {};
  const stopped = new Promise<never>((_, reject) => {
    const stop = (failure: Failure) => {
      reject(failure);
      stopping.stop(failure);
    };
    const forget = turn.onEnd(stop);
    const cancel = after(timeoutMs, () => stop(timeoutFailure(attempt.tool.name, timeoutMs)));
    release = () => {
      forget();
      cancel();
    };
  });
  const { onEnd } = attempt;
  if (onEnd) work.then(onEnd, onEnd);
  try {
    return await Promise.race([work, stopped]);
  } catch (error) {
    if (stopping.isStopped) {
      work.then(
        (output) => attempt.onLate({ output }),
        (thrown) => attempt.onLate({ thrown }),
      );
      if (onEnd) afterIdle(timeoutMs, onEnd);
    }
    throw error;
  } finally {
    release();
  }
}

function abortName({ error }: Failure): string {
  return error.type === "timeout" ? "TimeoutError" : "AbortError";
}

export function timeoutFailure(name: string, timeoutMs: number): Failure {
  return new Failure("timeout", `${name} did not finish within ${timeoutMs} ms. Try a smaller task, or do without it.`);
}

type AnyGenerator = AsyncGenerator<unknown> | Generator<unknown>;

/** Other iterators, such as that of a map, are not generators: they have no return value. */
function isGenerator(output: unknown): output is AnyGenerator {
  const generator = output as Partial<AsyncGenerator<unknown>> | null | undefined;
  if (typeof generator?.next !== "function") return false;
  return (
    typeof generator[Symbol.asyncIterator] === "function" ||
    Object.prototype.toString.call(generator) === "[object Generator]"
  );
}

/**
 * The return value of a generator or, if there is none, the last value that it yielded. Throws the signal's reason if
 * the generator was stopped before it returned a value.
 */
async function drained(
  generator: AnyGenerator,
  signal: AbortSignal,
  onProgress: (value: unknown) => void,
): Promise<unknown> {
  const stop = () => void Promise.resolve(generator.return?.(undefined)).catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  const rest = rests();
  try {
    for (let last: unknown; ; ) {
      const { done, value } = await generator.next();
      const pause = rest();
      if (pause) await pause;
      if (done && value === undefined) signal.throwIfAborted();
      if (done) return value === undefined ? last : value;
      last = value;
      if (!signal.aborted) onProgress(value);
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
