// The worker that runs conversions, so that they do not block typing.

import { runners } from "./convert.ts";
import type { Message, Reply, Result, TaskName, Wasm } from "./protocol.ts";
import { load } from "./toolwire.ts";

let parts: ReadableStreamDefaultController<Uint8Array>;
const packed = new ReadableStream<Uint8Array>({
  start(controller) {
    parts = controller;
  },
});
const ready = load(packed);
// it is reported with each task
ready.catch(() => {});

addEventListener("message", async ({ data }: MessageEvent<Message | Wasm>) => {
  if ("name" in data) postMessage(await replyTo(data));
  else if ("failure" in data) parts.error(new Error(data.failure));
  else if (data.part) parts.enqueue(data.part);
  else parts.close();
});

async function replyTo({ id, name, task }: Message): Promise<Reply> {
  try {
    await ready;
    const run = runners[name] as (task: unknown) => Result<TaskName> | Promise<Result<TaskName>>;
    return { id, result: await run(task) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}
