// Sends tasks from the page to the worker.

import type { Message, Reply, Result, TaskName, Tasks, Wasm } from "./protocol.ts";
import { packedWasm } from "./wasm.ts";

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

let worker: Worker | undefined;
/** The reason why the worker failed, if it did. */
let broken: Error | undefined;
let lastId = 0;
const waiting = new Map<number, Waiting>();

/** Starts to load the package, before the first task does. */
export function startEngine(): void {
  if (worker) return;
  worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  sendWasm((wasm, transfer = []) => worker?.postMessage(wasm, transfer));
  worker.addEventListener("message", ({ data: { id, result, failure } }: MessageEvent<Reply>) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (failure === undefined) one?.resolve(result);
    else one?.reject(new Error(failure));
  });
  worker.addEventListener("error", ({ message }) => {
    broken = new Error(message || "its worker did not start");
    for (const one of waiting.values()) one.reject(broken);
    waiting.clear();
  });
}

/** Passes the wasm on while it arrives. */
async function sendWasm(send: (wasm: Wasm, transfer?: Transferable[]) => void): Promise<void> {
  try {
    const reader = (await packedWasm()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      send({ part: part.value }, [part.value.buffer]);
    }
    send({ part: undefined });
  } catch (error) {
    send({ failure: (error as Error).message });
  }
}

export function ask<Name extends TaskName>(name: Name, task: Tasks[Name]["task"]): Promise<Result<Name>> {
  startEngine();
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    if (broken) return reject(broken);
    waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
    worker?.postMessage({ id, name, task } satisfies Message<Name>);
  });
}

/** Runs one task at a time. Of the tasks that arrive in the meantime, only the last one runs. `done` is called with the result. */
export function latest<Name extends TaskName>(
  name: Name,
  done: (result: Result<Name> | Error, task: Tasks[Name]["task"]) => void,
) {
  let running = false;
  let next: Tasks[Name]["task"] | undefined;
  const run = async (task: Tasks[Name]["task"]) => {
    running = true;
    const result = await ask(name, task).catch((error: Error) => error);
    running = false;
    if (!next) return done(result, task);
    const following = next;
    next = undefined;
    run(following);
  };
  return {
    ask(task: Tasks[Name]["task"]) {
      if (running) next = task;
      else run(task);
    },
  };
}
