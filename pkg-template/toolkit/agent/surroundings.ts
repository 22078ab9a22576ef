// Connects the calls of a run to its conversation, time limit and ledger.

import type { Message, ToolCall } from "toolwire";
import type { AnyCall, Execution } from "../execution.js";
import { Failure } from "../failure.js";
import type { Tool } from "../tool.js";
import { hostOf } from "../toolkit.js";
import { type CallingAgent, type Surroundings, Turn, UNDECIDED } from "../turn.js";
import type { AgentRun } from "./run.js";
import type { ToolTurn } from "./tool-turn.js";

/** A turn of the toolkit within an agent run. Without `calls`, it starts calls before their response is complete. */
export function newTurn(run: AgentRun, costLeft: number | undefined, calls?: ToolTurn): Turn {
  const { context, sessionId, agentId } = run.options;
  const options = {
    context,
    ...(sessionId !== undefined && { sessionId }),
    ...(agentId !== undefined && { agentId }),
    ...(costLeft !== undefined && { maxCost: costLeft }),
    get filter() {
      return run.tools.allowed;
    },
    approve: (call: ToolCall, tool: Tool) => (calls ? calls.decision(call, tool) : UNDECIDED),
  };
  const turn = new Turn(hostOf(run.options.toolkit), options as never, new RunSurroundings(run, calls), run.emit);
  turn.onDispose(run.deadline.onAbort(() => turn.end(ending(run))));
  return turn;
}

function ending(run: AgentRun): Failure {
  if (!run.deadline.timedOut) return new Failure("cancelled", "The run was cancelled.");
  return new Failure("timeout", "The time limit of the run was reached.");
}

class RunSurroundings implements Surroundings {
  readonly iteration: number;
  readonly #run: AgentRun;
  readonly #calls: ToolTurn | undefined;

  constructor(run: AgentRun, calls: ToolTurn | undefined) {
    this.#run = run;
    this.#calls = calls;
    this.iteration = run.iteration;
  }

  messages(): readonly Message[] {
    return this.#run.history.messages;
  }

  around(call: ToolCall, next: () => Promise<Execution>): Promise<Execution> {
    const stored = this.#calls?.starts(call);
    return stored || this.#run.options.approve ? this.#whileOthersWait(stored, next) : next();
  }

  /** Time is active while a call runs, even if another call is waiting for approval. */
  async #whileOthersWait(stored: Promise<void> | undefined, next: () => Promise<Execution>): Promise<Execution> {
    const { deadline } = this.#run;
    await stored;
    deadline.working(1);
    try {
      return await next();
    } finally {
      deadline.working(-1);
    }
  }

  allows(name: string): boolean {
    return this.#run.tools.allows(name);
  }

  idempotencyKey(call: AnyCall): string {
    const { runId, iteration } = this.#run;
    return this.#calls?.keyOf(call) ?? `${runId}:${iteration}:${call.id}`;
  }

  requiresApproval(call: AnyCall): boolean {
    return this.#calls?.mustAsk(call) ?? false;
  }

  get agent(): CallingAgent {
    return { approve: this.#run.options.approve, addCost: (cost) => this.#calls?.addCost(cost) };
  }
}
