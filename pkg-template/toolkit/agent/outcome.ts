// The outcome of an agent run.

import type {
  ChatError,
  ChatRequest,
  ChatResponse,
  InvalidToolCall,
  Message,
  StreamEvent,
  ToolCall,
  Usage,
} from "toolwire";
import type { Problem } from "#core";
import type { Execution, ToolEvent } from "../execution.js";
import type { Tool } from "../tool.js";

/**
 * Plain JSON without the conversation: counters, active time, and the call ledger with pending calls and their
 * arguments.
 */
export interface AgentState {
  readonly version: 1;
  readonly runId: string;
  readonly [key: string]: unknown;
}

export interface OutcomeBase<Output> {
  runId: string;
  /** The text of the last response. */
  text: string;
  output?: Output;
  response?: ChatResponse;
  /** The whole conversation, in which every call has its result. It can be continued directly. */
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
    | { reason: "external" | "unapproved"; state: AgentState; pending: (ToolCall | InvalidToolCall)[] }
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
