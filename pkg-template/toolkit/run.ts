// Runs the calls of one turn.

import { CallRun } from "./call-run.js";
import type { AnyCall, Execution, RunOptions, ToolEvent } from "./execution.js";
import { Failure } from "./failure.js";
import { uniqueIds } from "./ids.js";
import { ofRun, requireCalls, requireOptions } from "./requirements.js";
import { type Host, type Surroundings, Turn } from "./turn.js";

/** Runs calls in parallel. Resolves to one execution per call, in call order. */
export async function runCalls(
  host: Host,
  calls: readonly AnyCall[],
  options: RunOptions<unknown> = {},
  surroundings: Surroundings = {},
  emit: (event: ToolEvent) => void = () => {},
): Promise<Execution[]> {
  requireRun(host, calls, options);
  const turn = new Turn(host, options, surroundings, emit);
  try {
    return await runIn(turn, calls);
  } finally {
    turn.dispose();
  }
}

/** @throws ToolkitError `invalid_options`. What is wrong with the program must not become an error result. */
function requireRun(host: Host, calls: readonly AnyCall[], options: RunOptions<unknown>): void {
  requireCalls(calls);
  requireOptions(options, ofRun, { what: "the run" });
  if (options.filter !== undefined) host.registry.allows("", options.filter);
}

async function runIn(turn: Turn, calls: readonly AnyCall[]): Promise<Execution[]> {
  const runs = new Map<AnyCall, Promise<Execution>>();
  const start = async (call: AnyCall) => {
    const execution = await new CallRun(turn, call).run();
    turn.emit({ type: "toolEnd", execution, time: turn.host.now() });
    return execution;
  };
  const executions = uniqueIds(calls).map((call) => {
    const running = runs.get(call) ?? start(call);
    runs.set(call, running);
    return running;
  });
  return Promise.all(executions);
}

/** Like `runCalls`, but yields events as they happen. Leaving the loop early cancels the run. */
export async function* streamCalls(
  host: Host,
  calls: readonly AnyCall[],
  options: RunOptions<unknown> = {},
  surroundings: Surroundings = {},
): AsyncGenerator<ToolEvent, Execution[]> {
  requireRun(host, calls, options);
  const events: ToolEvent[] = [];
  let wake = () => {};
  let isDone = false;
  const turn = new Turn(host, options, surroundings, (event) => {
    events.push(event);
    wake();
  });
  const running = runIn(turn, calls).finally(() => {
    isDone = true;
    wake();
  });
  try {
    for (;;) {
      yield* events.splice(0);
      if (isDone && events.length === 0) return await running;
      if (events.length > 0) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (isDone || events.length > 0) resolve();
      });
    }
  } finally {
    turn.end(new Failure("cancelled", "The call was cancelled."));
    turn.dispose();
  }
}
