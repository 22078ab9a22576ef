// Connects the calls of a run to its conversation, time limit and ledger.

import type { Message, ToolCall } from "toolwire";
import type { ToolFilter } from "#core";
import type { Budget } from "../budget.js";
import type { AnyCall, Execution } from "../execution.js";
import { Failure } from "../failure.js";
import type { Tool } from "../tool.js";
import { hostOf } from "../toolkit.js";
import { type CallingAgent, type Surroundings, Turn, UNDECIDED, unlessStopped } from "../turn.js";
import type { AgentRun, RunSettings } from "./run.js";
import type { ToolTurn } from "./tool-turn.js";

/**
 * A turn of the toolkit within an agent run. It is shared by the calls that start before their response is complete and
 * by the others.
 */
export class CallTurn extends Turn {
  /** Undefined while the response is not complete. */
  calls: ToolTurn | undefined;

  static of(run: AgentRun, costLeft: number | undefined): CallTurn {
    const surroundings = new RunSurroundings(run);
    const options = new TurnOptions(run, costLeft, (call, tool) =>
      turn.calls ? turn.calls.decision(call, tool) : UNDECIDED,
    );
    const turn: CallTurn = new CallTurn(hostOf(run.options.toolkit), options as never, surroundings, run.emit);
    surroundings.turn = turn;
    turn.onDispose(run.deadline.onAbort(() => turn.end(ending(run))));
    return turn;
  }
}

/** The options of a turn. A class, because a literal with a getter takes V8 a hidden class each time. */
class TurnOptions {
  readonly #run: AgentRun;
  readonly context: unknown;
  readonly sessionId: string | undefined;
  readonly agentId: string | undefined;
  readonly maxCost: number | undefined;
  readonly approve: (call: ToolCall, tool: Tool) => unknown;

  constructor(run: AgentRun, costLeft: number | undefined, approve: TurnOptions["approve"]) {
    const { context, sessionId, agentId } = run.options;
    this.#run = run;
    this.context = context;
    this.sessionId = sessionId;
    this.agentId = agentId;
    this.maxCost = costLeft;
    this.approve = approve;
  }

  get filter(): ToolFilter {
    return this.#run.tools.filter;
  }
}

function ending(run: AgentRun): Failure {
  if (!run.deadline.timedOut) return new Failure("cancelled", "The run was cancelled.");
  return new Failure("timeout", "The time limit of the run was reached.");
}

class RunSurroundings implements Surroundings {
  readonly iteration: number;
  readonly outerBudget: Budget | undefined;
  readonly #run: AgentRun;
  turn: CallTurn | undefined;

  constructor(run: AgentRun) {
    this.#run = run;
    this.iteration = run.iteration;
    this.outerBudget = run.options.inner?.budget;
  }

  messages(): readonly Message[] {
    return this.#run.history.messages;
  }

  around(call: ToolCall, next: () => Promise<Execution>): Promise<Execution> {
    const stored = this.#starts(call);
    return stored || this.#run.options.approve ? this.#whileOthersWait(stored, next) : next();
  }

  /** Stores the state before a call takes effect. */
  #starts(call: ToolCall): Promise<void> | undefined {
    const { machine, options } = this.#run;
    if (this.turn?.calls) this.turn.calls.starts(call);
    else machine.callStartedEarly(call);
    const { turn } = this;
    return options.onState && turn && unlessStopped(this.#run.save(), (stop) => turn.onEnd(stop));
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
    const { machine, iteration } = this.#run;
    return machine.idempotencyKey(call.id, this.iteration, this.iteration === iteration);
  }

  requiresApproval(call: AnyCall): boolean | undefined {
    return this.turn?.calls?.mustAsk(call);
  }

  agent(call: AnyCall): CallingAgent {
    const { inner } = this.#run;
    return {
      run: async (options) => {
        const { turn } = this;
        if (!turn) throw new Error("the turn has not started");
        const outcome = await inner.perform(call, this.idempotencyKey(call), options as RunSettings, turn.budget);
        turn.calls?.addCost(call, outcome.cost);
        return outcome;
      },
    };
  }
}
