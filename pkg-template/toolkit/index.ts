// The exports of all entry points of `toolwire/toolkit`.

export type {
  Change,
  CheckedValue,
  CheckOptions,
  Lint,
  ParameterDefinition,
  Problem,
  RateLimitState,
  RepairedJson,
  ToolFilter,
} from "#core";
export type { ChoosingStage, FillingStage, ToolChoices, ToolPurpose } from "../stages/two-stages.js";
export { toolsFrom } from "./adapters/tools-from.js";
export { agUiEvents } from "./agent/ag-ui.js";
export { type AgentStream, resumeAgent, runAgent, streamAgent, streamResumedAgent } from "./agent/agent.js";
export { agentTool } from "./agent/agent-tool.js";
export { type PruneOptions, pruneMessages } from "./agent/history.js";
export type { AgentOptions, ResumeOptions } from "./agent/options.js";
export type { AgentEvent, AgentOutcome, AgentState } from "./agent/outcome.js";
export { type AgentResponseOptions, agentResponse } from "./agent/response.js";
export { ToolError, type ToolErrorOptions, ToolkitError, type ToolkitErrorCode } from "./errors.js";
export type {
  AnyCall,
  CheckedCall,
  Decision,
  ErrorType,
  Execution,
  ExecutionBase,
  ExecutionError,
  RunOptions,
  ToolEvent,
} from "./execution.js";
export {
  type McpAnnotations,
  type McpClient,
  type McpTool,
  type McpToolsOptions,
  type McpWarning,
  mcpTools,
} from "./mcp.js";
export type { Send } from "./send/send.js";
export { type SendTarget, sendTo } from "./send/send-to.js";
export type { Simulation, SimulationReading } from "./send/simulation.js";
export { chooseTool, fillArguments } from "./stages.js";
export type { StandardSchema } from "./standard-schema.js";
export {
  type ArgumentsOf,
  type CallContext,
  type Multimodal,
  multimodal,
  type Tool,
  type ToolBase,
  type ToolPolicy,
  tool,
} from "./tool.js";
export { Toolkit, type ToolkitOptions } from "./toolkit.js";
export { checkValue, parametersSchema, repairJson } from "./values.js";
export { inWorker } from "./worker/in-worker.js";
