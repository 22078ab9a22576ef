// The calls of one response.

import type { ToolCall, ToolResult } from "toolwire";
import type { Problem } from "#core";
import { CallRun } from "../call-run.js";
import type { AnyCall, Decision, Execution } from "../execution.js";
import { errorResult, Failure } from "../failure.js";
import type { Tool } from "../tool.js";
import { UNDECIDED } from "../turn.js";
import { isAgentTool } from "./agent-functions.js";
import type { NextStep } from "./machine.js";
import type { AgentRun } from "./run.js";
import { CallTurn } from "./surroundings.js";

type RunStep = Extract<NextStep, { type: "run" }>;
type PendingCall = RunStep["calls"][number];

const none: ReadonlySet<string> = new Set();

export class ToolTurn {
  readonly #run: AgentRun;
  readonly #step: RunStep;
  readonly #turn: CallTurn;
  readonly #edited: string[] = [];
  /** By call id. Calls that are equal in id, name and arguments run once. */
  readonly #running = new Map<string, Promise<Execution>>();
  #answered = none;
  #hasUserMessage = false;
  /** The cost of inner runs, by call id. */
  readonly #innerCosts = new Map<string, number>();

  constructor(run: AgentRun, step: RunStep) {
    this.#run = run;
    this.#step = step;
    this.#turn = run.modelTurn?.turn ?? CallTurn.of(run, step.costLeft ?? undefined);
    this.#turn.calls = this;
  }

  async perform(): Promise<void> {
    const run = this.#run;
    if (!run.modelTurn) this.#reopen();
    let executions: Execution[];
    try {
      const ended = await Promise.all(this.#step.calls.map((pending, index) => this.#perform(pending, index)));
      executions = ended.filter((execution) => execution !== undefined);
    } finally {
      this.#turn.dispose();
    }
    for (const execution of executions) run.executions.push(execution);
    const ending = this.#ended(executions);
    if (ending) await ending;
  }

  /**
   * For a resumed turn: determines from the caller's messages which calls have results, and whether a user message
   * follows.
   */
  #reopen(): void {
    const calls = this.#step.calls.map(({ call }) => call);
    const { answered, hasUserMessage } = this.#run.history.reopen(calls);
    this.#answered = answered;
    this.#hasUserMessage = hasUserMessage;
  }

  #ended(executions: Execution[]): Promise<void> | undefined {
    const run = this.#run;
    const problems = executions.flatMap(problemsOf);
    if (problems.length > 0) run.emit({ type: "repair", problems });
    run.stages?.ended(executions);
    run.machine.turnEnded();
    if (run.machine.isAsking) return undefined;
    run.history.endTurn();
    run.modelTurn = undefined;
    if (run.deadline.isAborted) run.machine.stop(run.abortReason);
    else if (run.response && run.options.stopWhen) return run.stopIfAsked(run.response, executions);
    return undefined;
  }

  async #perform(pending: PendingCall, index: number): Promise<Execution | undefined> {
    const run = this.#run;
    if (this.#answered.has(pending.call.id)) {
      run.machine.callEnded({ index, result: null });
      return undefined;
    }
    const { call } = pending;
    const earlier = this.#running.get(call.id);
    if (earlier) return this.#repeats(await earlier, index);
    const early = run.modelTurn?.started.get(call.id);
    const refusal = early ? undefined : this.#refusal(pending);
    const running = refusal ? Promise.resolve(refusal) : (early ?? new CallRun(this.#turn, call).run());
    this.#running.set(call.id, running);
    const execution = await running;
    this.#turn.emit({ type: "toolEnd", execution, time: run.now() });
    if (this.#edited.includes(execution.call.id))
      run.history.replaceArguments(execution.call.id, execution.call as ToolCall);
    this.#record(execution, index, this.#innerCosts.get(call.id));
    if (run.options.onState) await run.save();
    return execution;
  }

  /** Records the shared result for a call that duplicates an earlier one. Its cost counts only once. */
  #repeats(execution: Execution, index: number): Execution {
    this.#record({ ...execution, cost: 0, usage: undefined } as Execution, index);
    return execution;
  }

  #record(execution: Execution, index: number, innerCost = 0): void {
    const { machine, history, inner } = this.#run;
    machine.callEnded(endOf(execution, index, innerCost));
    if (!("result" in execution)) return;
    history.addResult(index, execution.result);
    inner.ended(execution.call.id);
  }

  /**
   * The execution of a call that does not run, such as one with a result from the caller. Undefined if the call may
   * run. What the toolkit decides about a call follows: whether the request allowed its tool, its limits and approval.
   */
  #refusal({ call, status }: PendingCall): Execution | undefined {
    const run = this.#run;
    const given = run.options.results?.find(({ toolCallId }) => toolCallId === call.id);
    if (given && status === "external") return { ...unrun(call), status: "done", result: given, output: given.value };
    const isUnderWay = run.inner.has(call.id);
    if (isUnderWay && this.#hasUserMessage && !run.inner.isAnswered(call.id))
      return failed(call, "denied", "The user wrote a message instead of deciding on the calls of this agent.");
    if (run.modelTurn?.isLast) return failed(call, "not_allowed", "No more calls are possible. Respond in words.");
    if (run.isTruncated) {
      return failed(
        call,
        "truncated",
        "The response was cut off, so this call did not run. Make the call again, with shorter arguments.",
      );
    }
    if (status === "ended") return failed(call, "result_lost", "This call ran, but its result was lost.");
    if (run.isBudgeted && !run.machine.hasBudget)
      return failed(call, "budget_exceeded", "The budget of this run is spent.");
    const isExternal = run.tools.external.has(call.name);
    if (isExternal && !run.tools.allows(call.name))
      return failed(call, "not_allowed", `${call.name} may not be used here.`);
    if (!isExternal && (status !== "external" || isUnderWay)) return undefined;
    if (this.#hasUserMessage) return failed(call, "denied", "The user continued without a result of this call.");
    return isExternal ? { ...unrun(call), status: "external" } : undefined;
  }

  /** The decision on a call that requires one, from the options or from `approve`. */
  decision(call: ToolCall, tool: Tool): Decision | typeof UNDECIDED | Promise<Decision> {
    const { options, deadline, emit } = this.#run;
    const known = options.decisions?.[call.id];
    const isPending = this.#pendingOf(call)?.status !== "new";
    if (isPending && known !== undefined) return this.#noted(call, known);
    if (isPending && this.#hasUserMessage) {
      return { allow: false, reason: "the user wrote a message instead of approving it" };
    }
    const { approve } = options;
    if (!approve) return UNDECIDED;
    emit({ type: "approval", call, tool });
    return deadline.person(async () => this.#noted(call, await approve(call, tool)));
  }

  #noted(call: ToolCall, decision: Decision): Decision {
    if (typeof decision === "object" && "arguments" in decision) this.#edited.push(call.id);
    return decision;
  }

  /** Records that a call takes effect. */
  starts(call: ToolCall): void {
    const index = this.#indexOf(call);
    if (index >= 0) this.#run.machine.callStarted(index);
  }

  /** Whether a call needs a decision: it was started before a crash and must not run again. Undefined: its tool decides. */
  mustAsk(call: AnyCall): boolean | undefined {
    const tool = this.#run.options.toolkit.get(call.name);
    const status = this.#pendingOf(call)?.status;
    // the run of an agent continues where it was
    if (this.#run.inner.has(call.id) || (status === "started" && tool && isAgentTool(tool))) return false;
    const isIdempotent = tool?.idempotent ?? !tool?.dangerous;
    return status === "unapproved" || (status === "started" && !isIdempotent) ? true : undefined;
  }

  /** Adds the cost of an inner run. */
  addCost(call: AnyCall, cost: number): void {
    this.#innerCosts.set(call.id, (this.#innerCosts.get(call.id) ?? 0) + cost);
  }

  #indexOf({ id }: AnyCall): number {
    return this.#step.calls.findIndex(({ call }) => call.id === id);
  }

  #pendingOf(call: AnyCall): PendingCall | undefined {
    return this.#step.calls[this.#indexOf(call)];
  }
}

/** What the ledger records about the end of a call. */
export function endOf(execution: Execution, index: number, innerCost = 0) {
  if (!("result" in execution)) return { index, pending: execution.status, call: execution.call };
  const { result, cost, usage } = execution;
  const errorType = execution.status === "failed" ? execution.error.type : undefined;
  // as text, because values may be nested too deeply for the core
  const seen = JSON.stringify([result.kind, result.value]);
  return { index, cost: cost + innerCost, usage, errorType, result: seen };
}

/** The problems of a call that could not run because of the model's own mistake. */
function problemsOf(execution: Execution): Problem[] {
  return execution.status === "failed" ? (execution.error.problems ?? []) : [];
}

function unrun(call: AnyCall) {
  return { call, changes: [], durationMs: 0, attempts: 0, cost: 0 };
}

function failed(call: AnyCall, type: string, message: string): Execution {
  const failure = new Failure(type, message);
  const result: ToolResult = errorResult(call, failure);
  return { ...unrun(call), status: "failed", result, error: failure.error };
}
