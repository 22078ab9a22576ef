// Conversions run here, so that none of them ever holds up typing.

import { runners } from "./convert.ts";
import type { Answer, Message, Reply, TaskName } from "./protocol.ts";
import { load } from "./toolwire.ts";

const ready = load();

addEventListener("message", async ({ data }: MessageEvent<Message>) => {
  postMessage(await replyTo(data));
});

async function replyTo({ id, name, task }: Message): Promise<Reply> {
  try {
    await ready;
    const run = runners[name] as (task: unknown) => Answer<TaskName>;
    return { id, answer: run(task) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}
