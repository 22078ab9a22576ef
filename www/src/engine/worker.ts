// The worker that runs conversions, so that they do not block typing.

import { runners } from "./convert.ts";
import type { Message, Reply, Result, TaskName } from "./protocol.ts";
import { load } from "./toolwire.ts";

const ready = load();

addEventListener("message", async ({ data }: MessageEvent<Message>) => {
  postMessage(await replyTo(data));
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
