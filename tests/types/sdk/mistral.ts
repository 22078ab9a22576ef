// The client `@mistralai/mistralai` sends what this package writes, and this package reads what it sends. The client's own names are in camel case: on the
// wire are its types `X$Outbound`, in which fields with a default are required. No casts.

import type {
  AssistantMessage$Outbound,
  ChatCompletionRequest$Outbound,
  ChatCompletionRequestTool$Outbound,
  ChatCompletionRequestToolChoice$Outbound,
  SystemMessage$Outbound,
  ToolCall$Outbound,
  ToolMessage$Outbound,
  UserMessage$Outbound,
} from "@mistralai/mistralai/models/components";
import * as toolwire from "../../../pkg/dist/index.js";
import { messages, request, toolChoice, tools } from "./given.js";

/** What the API accepts: fields with a default may be missing. */
type Optional<Type, Keys extends keyof Type> = Omit<Type, Keys> & Partial<Pick<Type, Keys>>;
type Call = Optional<ToolCall$Outbound, "index">;
type Assistant = Optional<Omit<AssistantMessage$Outbound, "tool_calls">, "prefix"> & { tool_calls?: Call[] };
type Message = SystemMessage$Outbound | UserMessage$Outbound | ToolMessage$Outbound | Assistant;
type Body = Optional<Omit<ChatCompletionRequest$Outbound, "messages">, "stream"> & { messages: Message[] };

// Requests, whole and in pieces.
export const body: Body = toolwire.toMistral(request);
export const theirTools: ChatCompletionRequestTool$Outbound[] = toolwire.toMistralTools(tools);
export const choice: ChatCompletionRequestToolChoice$Outbound = toolwire.toMistralToolChoice(toolChoice);
export const theirMessages: Message[] = toolwire.toMistralMessages(messages).messages;
export const config: Pick<Body, "tools" | "tool_choice"> = toolwire.toMistralToolConfig({ tools, toolChoice });

// What the client sends.
export const canonical = (theirs: ChatCompletionRequest$Outbound) => toolwire.fromMistralRequest(theirs);
export const calls = (message: AssistantMessage$Outbound) => toolwire.fromMistralToolCalls(message).toolCalls;

// The types by name.
export const accepted = (message: toolwire.MistralAssistantMessage): Assistant => message;
export const called = (call: toolwire.MistralToolCall): Call => call;
