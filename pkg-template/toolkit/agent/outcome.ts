// The outcome of an agent run.

import type { ChatError, ChatRequest, ChatResponse, Message, StreamEvent, ToolCall, Usage } from "toolwire";
import type { Problem } from "#core";
import type { Execution, ToolEvent } from "../execution.js";
import type { Tool } from "../tool.js";

/**
 * Plain JSON without the conversation: counters, active time, and the call ledger with pending calls and their
 * arguments. States of version 1 can be resumed.
 */
export interface AgentState {
  readonly version: 2;
  readonly runId: string;
  /**
   * The state and the messages of sub-agents that are under way, by the id of their call: the one place where a state
   * contains messages.
   */
  readonly children?: { readonly [callId: string]: { state: AgentState; messages: Message[] } };
  readonly [key: string]: unknown;
}

export interface OutcomeBase<Output> {
  runId: string;
  /** For every reason but `answer`: what happened, and which option raises the bound that ended the run. Without data. */
  message?: string;
  /** The text of the last response. */
  text: string;
  output?: Output;
  response?: ChatResponse;
  /**
   * The whole conversation. Every call has its result, except pending ones (`unapproved`, `external`): resume the run for
   * those.
   */
  messages: Message[];
  executions: Execution[];
  iterations: number;
  usage: Usage;
  cost: number;
}

/** How a run ended. `reason` determines the other fields; a run that can be resumed has a `state`. */
export type AgentOutcome<Output = unknown> = OutcomeBase<Output> &
  (
    | { reason: "answer" | "stopped" | "length" | "refusal" | "content_filter" }
    | {
        reason: "max_iterations" | "timeout" | "cancelled" | "repeating" | "repairs_exhausted" | "budget";
        state: AgentState;
      }
    | { reason: "external" | "unapproved"; state: AgentState; pending: ToolCall[] }
    | { reason: "error"; error: ChatError & { cause?: unknown }; state: AgentState }
  );

/** Times are milliseconds since 1970. */
export type AgentEvent<Output = unknown> = { runId: string; iteration: number } & (
  | { type: "request"; request: ChatRequest; time: number }
  | { type: "model"; event: StreamEvent }
  | { type: "response"; response: ChatResponse; time: number }
  | ToolEvent
  | { type: "approval"; call: ToolCall; tool: Tool }
  | { type: "repair"; problems: Problem[] }
  | { type: "end"; outcome: AgentOutcome<Output> }
);
