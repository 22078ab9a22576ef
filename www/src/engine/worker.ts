// The worker that runs conversions, so that they do not block typing.

import { runners } from "./convert.ts";
import type { Message, Reply, Result, TaskName, Wasm } from "./protocol.ts";
import { load } from "./toolwire.ts";

let start: (packed: Promise<void>) => void;
const ready = new Promise<void>((resolve) => {
  start = resolve;
});

addEventListener("message", async ({ data }: MessageEvent<Message | Wasm>) => {
  if ("name" in data) postMessage(await replyTo(data));
  else start("failure" in data ? Promise.reject(new Error(data.failure)) : load(data.packed));
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
