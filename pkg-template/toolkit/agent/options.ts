// The options of an agent run.

import type { ChatRequest, ChatRequestInput, ChatResponse, JsonSchema, Message, ToolResult } from "toolwire";
import type { Decision, Execution, RunOptions } from "../execution.js";
import type { Send } from "../send/send.js";
import type { StandardSchema } from "../standard-schema.js";
import type { Toolkit } from "../toolkit.js";
import type { AgentState } from "./outcome.js";

/** What an agent does, and what bounds it. docs/toolkit/agents.md describes each option. */
export interface AgentOptions<AppContext = any, Output = unknown> extends Omit<RunOptions<AppContext>, "timeoutMs"> {
  /**
   * The conversation, model and settings. The object is not modified. Its own `tools` are added to those of the
   * toolkit.
   */
  request: ChatRequestInput;
  /** The tools, and how calls are checked and run. */
  toolkit: Toolkit<AppContext>;
  /** Sends a request to a model: `sendTo`, or a function of yours. */
  send: Send;
  /** Maximum number of requests. Default 5. */
  maxIterations?: number;
  /**
   * Limit on active time in milliseconds, which excludes waiting for people. The remaining time limits each request and
   * call. Default 30 000.
   */
  timeoutMs?: number;
  /** Maximum number of consecutive turns spent on calls that can't run. Default 2. */
  maxRepairs?: number;
  /**
   * Ends the run when the same call, with the same arguments and result, occurs this many times in a row. Default
   * 3.
   */
  maxRepeats?: number;
  /** Limits on the tokens of all requests, in tokens. Default none. */
  maxUsage?: { input?: number; output?: number; total?: number };
  /**
   * At `maxIterations`: `stop` (default) ends the run. `answer` sends one more request without calls (`toolChoice:
   * "none"`), so that the run ends with a text response.
   */
  atLimit?: "stop" | "answer";
  /**
   * `twoStage`: the model first chooses a tool by name and description, and then generates the arguments for its
   * schema. Use it for large sets of tools, and for models that generate poor arguments when a request has many tools.
   * Each request counts as an iteration. Default `native`.
   */
  strategy?: "native" | "twoStage";
  /**
   * Starts each tool when its call is complete and the response goes on, instead of when the response is complete. Tools
   * that are dangerous, not idempotent or require approval, and sub-agents, still wait for the whole response. Default
   * false.
   */
  eager?: boolean;
  /**
   * Schema of the final response. A value that follows it is requested from the model, checked, coerced and
   * repaired.
   */
  output?: JsonSchema | StandardSchema<Output>;
  /**
   * Returns changes for the next request only: fewer tools, another model, a forced tool choice, or a shorter
   * history.
   */
  prepare?(state: {
    iteration: number;
    request: ChatRequest;
  }): Partial<ChatRequest> | undefined | Promise<Partial<ChatRequest> | undefined>;
  /**
   * Called before each request, and before and after each call. If you store both arguments, the run can be resumed
   * after a crash, and no call that is not idempotent runs twice without approval.
   */
  onState?(state: AgentState, messages: readonly Message[]): void | Promise<void>;
  /**
   * Signs states with HMAC-SHA256, for states that pass through a client. A modified state is an `invalid_state`
   * error.
   */
  secret?: string | CryptoKey;
  /** How long a signed state can be resumed, in milliseconds. Default: one day. */
  stateTtlMs?: number;
  /**
   * Called before a decision on a state takes effect, with its id: store the id, and return false if it was stored
   * before. The run is then not resumed (`invalid_state`). Without this function, a client that keeps a signed state can
   * use its decision again until the state expires.
   */
  claimState?(id: string): boolean | Promise<boolean>;
  /** Return true to end the run after this turn. */
  stopWhen?(state: { iteration: number; response: ChatResponse; executions: Execution[] }): boolean | Promise<boolean>;
}

/**
 * Resumes a run. `request.messages` is the outcome's `messages` plus any messages added since. A decision applies only
 * to the exact arguments in the state, and policy is checked again. Pending calls with neither a decision nor a result
 * are denied if a user message follows them.
 */
export interface ResumeOptions {
  /** The state in the outcome of the run, or the one that `onState` received last. */
  state: AgentState;
  /** By the ids of the pending calls. */
  decisions?: Record<string, Decision>;
  /** Results of `external` calls. */
  results?: ToolResult[];
}
