// Workers of each runtime: `worker_threads` in Node, Deno and Bun, web workers in browsers.

import { ToolError } from "../errors.js";

export interface WorkerHandle {
  post(message: unknown): void;
  listen(onMessage: (message: unknown) => void, onError: (error: unknown) => void): void;
  terminate(): unknown;
}

/** The part of `node:worker_threads` that is used here. */
interface Threads {
  Worker: new (
    source: string,
    options: { eval: true; resourceLimits: { maxOldGenerationSizeMb: number }; stdin: false },
  ) => {
    postMessage(message: unknown): void;
    on(event: string, listener: (value: unknown) => void): void;
    terminate(): unknown;
  };
}

interface Host {
  process?: { getBuiltinModule?: (name: string) => unknown };
  navigator?: { userAgent?: string };
}

/** Cloudflare Workers provide the module, but without threads. */
function threads(): Threads | undefined {
  const { process, navigator } = globalThis as Host;
  if (navigator?.userAgent === "Cloudflare-Workers") return undefined;
  try {
    const module = process?.getBuiltinModule?.("node:worker_threads") as Threads | undefined;
    return typeof module?.Worker === "function" ? module : undefined;
  } catch {
    return undefined;
  }
}

/** Whether this runtime can start workers. */
export function workersExist(): boolean {
  return threads() !== undefined || (typeof Worker === "function" && typeof URL.createObjectURL === "function");
}

export async function startWorker(
  sources: { node: string; web: string },
  limits: { memoryLimitMb: number },
): Promise<WorkerHandle> {
  const found = threads();
  if (found) return thread(found, sources.node, limits.memoryLimitMb);
  if (workersExist()) return webWorker(sources.web);
  throw new ToolError("The tool could not start: this runtime has no workers.", {
    type: "sandbox_missing",
    retryable: false,
  });
}

function thread({ Worker }: Threads, source: string, memoryLimitMb: number): WorkerHandle {
  const worker = new Worker(source, {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb },
    stdin: false,
  });
  return {
    post: (message) => worker.postMessage(message),
    listen: (onMessage, onError) => {
      worker.on("message", onMessage);
      worker.on("messageerror", () => onError(notCloned()));
      worker.on("error", (error) => onError(isOutOfMemory(error) ? outOfMemory(memoryLimitMb, error) : error));
      worker.on("exit", () => onError(endedEarly()));
    },
    terminate: () => worker.terminate(),
  };
}

function webWorker(source: string): WorkerHandle {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(url, { type: "module" });
  return {
    post: (message) => worker.postMessage(message),
    listen: (onMessage, onError) => {
      worker.onmessage = ({ data }) => onMessage(data);
      worker.onmessageerror = () => onError(notCloned());
      worker.onerror = (event) => onError(new Error(event.message || "the worker failed"));
    },
    terminate: () => {
      worker.terminate();
      URL.revokeObjectURL(url);
    },
  };
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function outOfMemory(memoryLimitMb: number, cause: unknown): ToolError {
  const message = `The tool needed more than ${memoryLimitMb} MB of memory. Try a smaller task.`;
  return new ToolError(message, { type: "out_of_memory", retryable: false, cause });
}

function notCloned(): ToolError {
  return new ToolError("The tool ran, but its result can't be cloned.", { type: "invalid_output", retryable: false });
}

function endedEarly(): ToolError {
  return new ToolError("The tool's worker ended before the tool did.", { type: "sandbox_error" });
}
