// Runs one call through all steps: check, permission, limits, approval, execution, result.

import type { ToolCall, ToolResult, Usage } from "toolwire";
import type { Change } from "#core";
import { DEFAULT_TIMEOUT_MS, runAttempt, timeoutFailure } from "./attempt.js";
import { contextOf } from "./call-context.js";
import type { Checked } from "./check.js";
import { after, backoff } from "./clock.js";
import { cutResult } from "./cut.js";
import { isToolError, ToolkitError } from "./errors.js";
import type { AnyCall, Decision, Execution, ExecutionBase } from "./execution.js";
import { errorResult, Failure, failureOf, failureOfProblems } from "./failure.js";
import { cloneJson } from "./json.js";
import { Progress } from "./progress.js";
import { resultOf } from "./result.js";
import type { CallContext, Tool } from "./tool.js";
import { isThenable, type Turn, UNDECIDED, Waiting } from "./turn.js";
import { addUsage as addUsages, countsOf } from "./usage.js";

const DEFAULT_MAX_RESULT_LENGTH = 50_000;

export class CallRun {
  readonly #turn: Turn;
  #call: AnyCall;
  #changes: Change[] = [];
  #attempts = 0;
  #cost = 0;
  #durationMs = 0;
  #usage: Usage | undefined;
  /** Whether the tool ran and its result can't be shown. Then, another attempt would only repeat its effects. */
  #isSpent = false;

  constructor(turn: Turn, call: AnyCall) {
    this.#turn = turn;
    this.#call = call;
  }

  /** Never rejects. */
  async run(): Promise<Execution> {
    const { host, options } = this.#turn;
    try {
      // most steps need no promise, and an await takes as long as a check
      const checking = this.#turn.until(host.checks.check(this.#call, options));
      let checked = this.#accepted(isThenable(checking) ? await checking : checking);
      const permitted = this.#permitted(checked.call);
      let tool = isThenable(permitted) ? await permitted : permitted;
      const isAsking = this.#needsApproval(tool, checked);
      if (isThenable(isAsking) ? await isAsking : isAsking) {
        this.#requireRateLimit(tool);
        if (!options.approve) return this.#execution({ status: "unapproved" });
        const edited = await this.#approval(tool, checked.call);
        if (edited === UNDECIDED) return this.#execution({ status: "unapproved" });
        if (edited !== undefined) {
          checked = this.#accepted(await this.#turn.until(host.checks.once({ ...checked.call, arguments: edited })));
          tool = await this.#permitted(checked.call);
        }
      }
      return tool.execute ? await this.#executed(tool, checked) : this.#execution({ status: "external" });
    } catch (error) {
      return this.#failed(error);
    }
  }

  #executed(tool: Tool, checked: Checked): Promise<Execution> {
    const { host, surroundings } = this.#turn;
    const { around } = host.options;
    const attempts = () => this.#attemptsOf(tool, checked);
    const next = around
      ? async () => executionOf(await this.#turn.until(around(checked.call, tool, attempts)))
      : attempts;
    return surroundings.around ? surroundings.around(checked.call, next) : next();
  }

  #accepted(checked: Checked): Checked {
    // a call that can't run is reported as the model made it
    if (checked.problems.length > 0) throw failureOfProblems(checked.problems);
    this.#call = checked.call;
    if (checked.changes.length > 0) this.#changes = [...this.#changes, ...checked.changes];
    return checked;
  }

  /** The tool, if the filter, `dangerous` and authorization allow the call. */
  #permitted(call: ToolCall): Tool | Promise<Tool> {
    const { host, options, surroundings } = this.#turn;
    const tool = host.tool(call.name);
    const isAllowed = surroundings.allows?.(call.name) ?? host.registry.allows(call.name, options.filter);
    if (!tool || !isAllowed) {
      const names = host.registry.names(options.filter);
      const advice = names.length > 0 ? `Use one of: ${names.join(", ")}.` : "No tool is available.";
      throw new Failure("not_allowed", `${call.name} may not be used here. ${advice}`);
    }
    return tool.requiresAuth ? this.#authorizedTool(tool, call) : tool;
  }

  async #authorizedTool(tool: Tool, call: ToolCall): Promise<Tool> {
    if (await this.#turn.until(this.#authorized(tool, call))) return tool;
    throw new Failure("unauthorized", `This user is not authorized to use ${call.name} in this way.`);
  }

  async #authorized(tool: Tool, call: ToolCall): Promise<boolean> {
    const { host, options } = this.#turn;
    const { context, sessionId, agentId } = options;
    try {
      return (await host.options.authorize?.(tool, call, { context, ...who(sessionId, agentId) })) === true;
    } catch (cause) {
      throw new Failure("unauthorized", `Whether ${call.name} may be used could not be determined.`, { cause });
    }
  }

  #needsApproval(tool: Tool, { call, input }: Checked): boolean | Promise<boolean> {
    const isRequired = this.#turn.surroundings.requiresApproval?.(call);
    if (isRequired !== undefined) return isRequired;
    const { needsApproval = tool.dangerous ?? false } = tool;
    if (typeof needsApproval === "boolean") return needsApproval;
    return this.#isUnclear(needsApproval(input, call, this.#turn.options.context));
  }

  /** Approval is required unless the function returns false. */
  async #isUnclear(needsApproval: boolean | Promise<boolean>): Promise<boolean> {
    return (await this.#turn.until(needsApproval)) !== false;
  }

  /** Checks limits before asking for approval, so that a person never approves a call that can't run. */
  #requireRateLimit(tool: Tool): void {
    const { host, options } = this.#turn;
    this.#requireBudget(tool);
    if (tool.rateLimit === undefined || tool.onRateLimit === "wait") return;
    const wait = host.registry.wait(tool.name, options.sessionId, options.agentId, host.now());
    if (wait > 0) throw rateLimited(tool.name, wait);
  }

  #requireBudget(tool: Tool): void {
    const cost = tool.costPerUse ?? 0;
    if (!this.#turn.budget.covers(cost)) {
      throw new Failure("budget_exceeded", `${tool.name} costs ${cost}, which the budget of this run does not cover.`);
    }
  }

  /** The arguments that the person changed, if any. */
  async #approval(tool: Tool, call: ToolCall): Promise<Record<string, unknown> | typeof UNDECIDED | undefined> {
    const decision = await this.#turn.until(this.#decision(tool, call));
    if ((decision as unknown) === UNDECIDED) return UNDECIDED;
    const allow = typeof decision === "object" ? decision?.allow : decision;
    if (allow !== true) {
      const reason = typeof decision === "object" && decision && "reason" in decision ? decision.reason : undefined;
      throw new Failure("denied", reason ? `The call was denied: ${reason}` : "The call was denied.");
    }
    return typeof decision === "object" && "arguments" in decision ? decision.arguments : undefined;
  }

  async #decision(tool: Tool, call: ToolCall): Promise<Decision | undefined> {
    try {
      return await this.#turn.options.approve?.(call, tool);
    } catch (cause) {
      throw new Failure("denied", "The call was denied: approval could not be obtained.", { cause });
    }
  }

  async #attemptsOf(tool: Tool, checked: Checked): Promise<Execution> {
    const retries = tool.maxRetries ?? 0;
    let failure: unknown;
    for (let attempt = 1; attempt <= retries + 1; attempt++) {
      try {
        if (attempt > 1) await this.#turn.sleep(backoff(attempt));
        const output = await this.#attempt(tool, checked, attempt);
        return await this.#ended(tool, checked, output);
      } catch (error) {
        if (error instanceof Waiting) return this.#execution({ status: error.status });
        // if the limits don't allow another attempt, report the first error, which is more informative
        const isRefusal = error instanceof Failure && attempt > 1 && refusals.includes(error.error.type);
        if (!isRefusal) failure = error;
        if (isRefusal || this.#isSpent || this.#turn.isOver || !isRetryable(tool, error)) break;
      }
    }
    return this.#failed(failure);
  }

  /** The output, or a promise of it. Synchronous functions don't need a promise. */
  #attempt(tool: Tool, checked: Checked, attempt: number): unknown {
    const held = this.#freeNow(tool);
    if (held) return this.#attemptWith(held, tool, checked, attempt);
    return this.#reserved(tool).then((held) => this.#attemptWith(held, tool, checked, attempt));
  }

  #attemptWith(held: Held, tool: Tool, checked: Checked, attempt: number): unknown {
    const { host, emit } = this.#turn;
    const started = host.now();
    this.#attempts++;
    emit({ type: "toolStart", call: checked.call, tool, attempt, time: started });
    const progress = new Progress(host.now);
    const end = () => {
      this.#durationMs += host.now() - started;
      held.leave();
    };
    try {
      const output = runAttempt(this.#turn, {
        tool,
        input: inputOf(checked),
        contextWith: (signal) => this.#context(checked.call, attempt, signal),
        onProgress: (value) => {
          if (progress.isShown()) emit({ type: "toolProgress", call: checked.call, value, time: host.now() });
        },
        onLate: (outcome) => this.#late(tool, checked, outcome),
        ...(held.unlock && { onEnd: held.unlock }),
      });
      if (output instanceof Promise) return output.finally(end);
      end();
      return output;
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Takes a slot without waiting, for a tool that has no other restrictions. */
  #freeNow(tool: Tool): Held | undefined {
    if (tool.parallel === false || tool.rateLimit !== undefined) return undefined;
    this.#turn.check();
    this.#requireBudget(tool);
    const leave = this.#turn.slots.takeFree();
    return leave && this.#held(tool, leave);
  }

  #held(tool: Tool, leave: () => void, unlock?: () => void): Held {
    const cost = tool.costPerUse ?? 0;
    this.#turn.budget.spend(cost);
    this.#cost += cost;
    return { leave, unlock };
  }

  /**
   * Takes a slot and, if the tool never runs in parallel, its lock. Counts the attempt towards rate limit and
   * budget.
   */
  async #reserved(tool: Tool): Promise<Held> {
    const { host, options, slots, deadline } = this.#turn;
    const unlock = tool.parallel === false ? await host.lockOf(tool.name).take(this.#turn) : undefined;
    let leave = () => {};
    try {
      for (;;) {
        leave = await slots.take(this.#turn);
        this.#turn.check();
        this.#requireBudget(tool);
        const now = host.now();
        const wait = host.registry.reserve(tool.name, options.sessionId, options.agentId, now);
        if (wait === 0) break;
        if (tool.onRateLimit !== "wait" || now + wait > deadline) throw rateLimited(tool.name, wait);
        leave();
        await this.#turn.sleep(wait);
      }
    } catch (error) {
      leave();
      unlock?.();
      throw error;
    }
    return this.#held(tool, leave, unlock);
  }

  #context(call: ToolCall, attempt: number, signal: () => AbortSignal): CallContext<unknown> {
    const addUsage = (usage: Usage) => {
      this.#usage = addUsages(this.#usage, countsOf(usage));
    };
    return contextOf({ turn: this.#turn, call, attempt, signal, addUsage });
  }

  #ended(tool: Tool, { call }: Checked, output: unknown): Execution | Promise<Execution> {
    const result = resultOf(call, output);
    if (result instanceof Promise || tool.toResult) return this.#endedLater(tool, call, result, output);
    return this.#done(tool, this.#promised(tool, result), output);
  }

  async #endedLater(
    tool: Tool,
    call: ToolCall,
    resulting: ToolResult | Promise<ToolResult>,
    output: unknown,
  ): Promise<Execution> {
    const result = this.#promised(tool, await this.#inTime(tool, resulting));
    return this.#done(tool, tool.toResult ? await this.#shown(tool, call, output) : result, output);
  }

  async #shown(tool: Tool, call: ToolCall, output: unknown): Promise<ToolResult> {
    try {
      const shown = await this.#inTime(tool, tool.toResult?.(output, this.#ownContext(call)));
      return await this.#inTime(tool, resultOf(call, shown));
    } catch (error) {
      this.#isSpent = true;
      throw error;
    }
  }

  /** Waits for work on an output as long as for an attempt. */
  async #inTime<Value>(tool: Tool, work: Value | PromiseLike<Value>): Promise<Value> {
    if (!isThenable(work)) return work;
    const timeoutMs = tool.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    let cancel = () => {};
    const late = new Promise<never>((_, reject) => {
      cancel = after(timeoutMs, () => reject(timeoutFailure(tool.name, timeoutMs)));
    });
    try {
      return await this.#turn.until(Promise.race([work, late]));
    } finally {
      cancel();
    }
  }

  #done(tool: Tool, result: ToolResult, output: unknown): Execution {
    const longest = tool.maxResultLength ?? DEFAULT_MAX_RESULT_LENGTH;
    return this.#execution({ status: "done", result: cutResult(result, longest), output });
  }

  /** The result, if it matches the tool's output schema. */
  #promised(tool: Tool, result: ToolResult): ToolResult {
    const { host } = this.#turn;
    if (tool.outputSchema && result.kind !== "multimodal") {
      const problems = host.registry.checkOutput(tool.name, result.value);
      if (problems.length > 0) throw invalidOutput(tool.name, problems[0]?.path ?? "");
    }
    return result;
  }

  /** The context for code that runs after the attempt and can't be stopped. */
  #ownContext(call: ToolCall): CallContext<unknown> {
    const { signal } = new AbortController();
    return this.#context(call, this.#attempts, () => signal);
  }

  #failed(thrown: unknown): Execution {
    const { host } = this.#turn;
    const tool = host.tool(this.#call.name);
    const failure = this.#toldFailure(failureOf(thrown, this.#call, host.options.formatError), tool);
    const longest = tool?.maxResultLength ?? DEFAULT_MAX_RESULT_LENGTH;
    const result = cutResult(errorResult(this.#call, failure), longest);
    return this.#execution({ status: "failed", result, error: failure.error });
  }

  /** The model must not assume that a call had no effect because nobody waited for its end. */
  #toldFailure(failure: Failure, tool: Tool | undefined): Failure {
    const { type, message, ...more } = failure.error;
    if (this.#attempts === 0 || (type !== "timeout" && type !== "cancelled")) return failure;
    const isRepeatable = tool?.idempotent ?? !tool?.dangerous;
    const note = isRepeatable
      ? "It may have run."
      : "It may have run, or may still take effect: do not repeat it before you know.";
    return new Failure(type, `${message} ${note}`, more, failure.result);
  }

  #late(tool: Tool, checked: Checked, outcome: { output: unknown } | { thrown: unknown }): void {
    const { onLateResult } = this.#turn.host.options;
    if (!onLateResult) return;
    const execution =
      "output" in outcome
        ? Promise.resolve(outcome.output)
            .then((output) => this.#ended(tool, checked, output))
            .catch((error) => this.#failed(error))
        : Promise.resolve(this.#failed(outcome.thrown));
    execution.then(onLateResult).catch(() => {});
  }

  #execution(end: EndOf<Execution>): Execution {
    const base: ExecutionBase = {
      call: this.#call,
      changes: this.#changes,
      durationMs: this.#durationMs,
      attempts: this.#attempts,
      cost: this.#cost,
    };
    if (this.#usage) base.usage = this.#usage;
    // not `{ ...base, …end }`, for which V8 makes a hidden class each time
    return Object.assign(base, end);
  }
}

/**
 * The resources of a running attempt: its slot, held until the attempt is no longer awaited, and the lock of its
 * tool, held until the function ends.
 */
interface Held {
  leave(): void;
  unlock: (() => void) | undefined;
}

/** The fields of an execution that depend on its status. */
type EndOf<Any extends Execution> = Any extends unknown ? Omit<Any, keyof ExecutionBase> : never;

/** Checks what `around` returned. */
function executionOf(execution: Execution | undefined): Execution {
  if (typeof execution?.status === "string") return execution;
  throw new ToolkitError("invalid_options", "around must return an execution, such as that of next()", "/around");
}

/** The input of a tool. It is a copy, so that a tool can't modify the arguments of the call. */
function inputOf({ call, input }: Checked): unknown {
  return input === call.arguments ? cloneJson(input) : input;
}

const refusals: readonly string[] = ["rate_limited", "budget_exceeded"];
/** Error types for which a retry with the same arguments is useless. */
const lasting: readonly string[] = [
  ...refusals,
  "invalid_arguments",
  "invalid_output",
  "denied",
  "not_allowed",
  "unauthorized",
];

function isRetryable(tool: Tool, error: unknown): boolean {
  if (isToolError(error)) return error.retryable && !lasting.includes(error.type);
  if (!(error instanceof Failure)) return true;
  if (error.error.type === "timeout") return tool.idempotent ?? !tool.dangerous;
  return !lasting.includes(error.error.type);
}

function rateLimited(name: string, retryAfterMs: number): Failure {
  const seconds = Math.ceil(retryAfterMs / 1000);
  const message = `${name} was called too often. Wait ${seconds} s before the next call, or continue without it.`;
  return new Failure("rate_limited", message, { retryAfterMs });
}

function invalidOutput(name: string, path: string): Failure {
  const place = path === "" ? "its result" : `its result at ${path}`;
  return new Failure(
    "invalid_output",
    `${name} ran, but ${place} does not match the output schema of the tool. Do not repeat the call.`,
  );
}

function who(sessionId: string | undefined, agentId: string | undefined): { sessionId?: string; agentId?: string } {
  return { ...(sessionId !== undefined && { sessionId }), ...(agentId !== undefined && { agentId }) };
}
