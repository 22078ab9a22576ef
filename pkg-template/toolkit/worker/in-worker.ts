// Runs functions in their own thread or web worker, where they can be stopped.

import type { Usage } from "toolwire";
import { ToolError } from "../errors.js";
import { Inbox } from "../inbox.js";
import type { CallContext, Tool } from "../tool.js";
import { bootstrap } from "./bootstrap.js";
import { limitsOf } from "./limits.js";
import { startWorker, type WorkerHandle, workersExist } from "./platform.js";

export { workersExist };

const DEFAULT_MEMORY_LIMIT_MB = 512;

type Execute = NonNullable<Tool["execute"]>;

const inWorkers = new WeakSet<object>();

/** Whether a function comes from `inWorker`. */
export function isInWorker(execute: object): boolean {
  return inWorkers.has(execute);
}

/**
 * Returns an `execute` that runs a function in its own thread or web worker, where it can be stopped if it hangs. The
 * function is the default export of the module. Arguments, result and context are cloned. Each call gets a new worker.
 *
 * @param module - The URL of the module: `new URL("./tool.js", import.meta.url)`.
 */
export function inWorker(module: URL | string): Execute {
  const url = String(module);
  const execute: Execute = (args, call) => (call.signal.aborted ? undefined : events(url, args, call));
  inWorkers.add(execute);
  return execute;
}

/** A message from a worker. */
type Message =
  | { type: "progress"; value: unknown }
  | { type: "usage"; usage: Usage }
  | { type: "done"; output: unknown }
  | { type: "failed"; name: string; message: string; toolError?: { type: string; retryable: boolean } };

/** Yields what the function yields, and returns what it returns. Stops the worker when the call is stopped. */
async function* events(url: string, args: unknown, call: CallContext<unknown>): AsyncGenerator<unknown, unknown> {
  const { signal, addUsage, ...rest } = call;
  const memoryLimitMb = limitsOf.get(call)?.memoryLimitMb ?? DEFAULT_MEMORY_LIMIT_MB;
  const inbox = new Inbox<Message>();
  const worker = await startWorker(bootstrap, { memoryLimitMb });
  const stop = () => {
    inbox.close();
    void worker.terminate();
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    worker.listen(
      (message) => inbox.push(message as Message),
      (error) => inbox.fail(error),
    );
    post(worker, { url, args, call: rest });
    for (;;) {
      const message = await inbox.next();
      if (message === undefined) return undefined;
      if (message.type === "done") return message.output;
      if (message.type === "failed") throw thrown(message);
      if (message.type === "usage") addUsage(message.usage);
      else yield message.value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    void worker.terminate();
  }
}

function post(worker: WorkerHandle, message: unknown): void {
  try {
    worker.post(message);
  } catch (cause) {
    const reason = "the arguments or the context can't be cloned into a worker";
    throw new ToolError(`The tool could not start: ${reason}.`, { type: "sandbox_error", retryable: false, cause });
  }
}

function thrown({ name, message, toolError }: Extract<Message, { type: "failed" }>): Error {
  if (toolError) return new ToolError(message, toolError);
  const error = new Error(message);
  error.name = name;
  return error;
}
