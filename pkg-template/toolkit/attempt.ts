// One attempt of a call: the function runs within its time limit, and what it yields is reported.

import { after, afterIdle } from "./clock.js";
import { Failure } from "./failure.js";
import type { CallContext, Tool } from "./tool.js";
import type { Turn } from "./turn.js";
import { limitsOf } from "./worker/limits.js";

const DEFAULT_TIMEOUT_MS = 30_000;

export interface Attempt {
  readonly tool: Tool;
  readonly input: unknown;
  readonly context: Omit<CallContext<unknown>, "signal">;
  onProgress(value: unknown): void;
  /** Called if the function ends after the attempt failed. */
  onLate(outcome: { output: unknown } | { thrown: unknown }): void;
  /** Called when the function ends; or, if it ignores that it was stopped, after another `timeoutMs`. */
  onEnd(): void;
}

/**
 * Resolves to the output. Throws what the function throws, or the failure of a time limit or of the turn; then the function is told
 * by its signal, but not waited for.
 */
export async function runAttempt(turn: Turn, attempt: Attempt): Promise<unknown> {
  const controller = new AbortController();
  const timeoutMs = attempt.tool.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  let release = () => {};
  const stopped = new Promise<never>((_, reject) => {
    const stop = (failure: Failure) => {
      reject(failure);
      controller.abort(new DOMException(failure.error.message, abortName(failure)));
    };
    const forget = turn.onEnd(stop);
    const cancel = after(timeoutMs, () => stop(timeoutFailure(attempt.tool.name, timeoutMs)));
    release = () => {
      forget();
      cancel();
    };
  });
  const work = start(attempt, controller.signal);
  work.then(attempt.onEnd, attempt.onEnd);
  try {
    return await Promise.race([work, stopped]);
  } catch (error) {
    if (controller.signal.aborted) {
      work.then(
        (output) => attempt.onLate({ output }),
        (thrown) => attempt.onLate({ thrown }),
      );
      afterIdle(timeoutMs, attempt.onEnd);
    }
    throw error;
  } finally {
    release();
  }
}

function abortName({ error }: Failure): string {
  return error.type === "timeout" ? "TimeoutError" : "AbortError";
}

function timeoutFailure(name: string, timeoutMs: number): Failure {
  return new Failure("timeout", `${name} did not finish within ${timeoutMs} ms. Try a smaller task, or do without it.`);
}

async function start({ tool, input, context, onProgress }: Attempt, signal: AbortSignal): Promise<unknown> {
  const given = { ...context, signal };
  if (tool.sandboxed) limitsOf.set(given, { memoryLimitMb: tool.memoryLimitMb });
  const output = await tool.execute?.(input, given);
  return isGenerator(output) ? drained(output, signal, onProgress) : output;
}

function isGenerator(output: unknown): output is AsyncGenerator<unknown> {
  const generator = output as Partial<AsyncGenerator<unknown>> | null | undefined;
  return typeof generator?.[Symbol.asyncIterator] === "function" && typeof generator.next === "function";
}

/** The return value of a generator, or else the last value that it yielded. */
async function drained(
  generator: AsyncGenerator<unknown>,
  signal: AbortSignal,
  onProgress: (value: unknown) => void,
): Promise<unknown> {
  const stop = () => void Promise.resolve(generator.return?.(undefined)).catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (let last: unknown; ; ) {
      const { done, value } = await generator.next();
      if (done) return value === undefined ? last : value;
      last = value;
      if (!signal.aborted) onProgress(value);
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
