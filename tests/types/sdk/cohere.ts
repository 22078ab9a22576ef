// The client `cohere-ai` sends what this package writes, and this package reads what it sends. The client's own names are in camel case: on the
// wire are the types `Raw` of its serialization. No casts.

import type { V2ChatRequest } from "../../../node_modules/cohere-ai/serialization/resources/v2/client/requests/V2ChatRequest.js";
import type { V2ChatRequestToolChoice } from "../../../node_modules/cohere-ai/serialization/resources/v2/types/V2ChatRequestToolChoice.js";
import type { V2ChatResponse } from "../../../node_modules/cohere-ai/serialization/resources/v2/types/V2ChatResponse.js";
import type {
  AssistantMessage,
  ChatMessages,
  ToolCallV2,
  ToolV2,
} from "../../../node_modules/cohere-ai/serialization/types/index.js";
import * as toolwire from "../../../pkg/dist/index.js";
import { messages, request, toolChoice, tools } from "./given.js";

// Requests, whole and in pieces. The client adds `stream` itself.
export const body: V2ChatRequest.Raw = toolwire.toCohere(request);
export const theirTools: ToolV2.Raw[] = toolwire.toCohereTools(tools);
export const choice: V2ChatRequestToolChoice.Raw | null = toolwire.toCohereToolChoice(toolChoice);
export const theirMessages: ChatMessages.Raw = toolwire.toCohereMessages(messages).messages;
export const config: Pick<V2ChatRequest.Raw, "tools" | "tool_choice" | "strict_tools"> = toolwire.toCohereToolConfig({
  tools,
  toolChoice,
});

// What the client sends, and what it reads.
export const canonical = (theirs: V2ChatRequest.Raw) => toolwire.fromCohereRequest(theirs);
export const answered = (theirs: V2ChatResponse.Raw) => toolwire.fromCohere(theirs);
export const calls = (message: AssistantMessage.Raw) => toolwire.fromCohereToolCalls(message).toolCalls;

// The types by name.
export const accepted = (message: toolwire.CohereAssistantMessage): AssistantMessage.Raw => message;
export const called = (call: toolwire.CohereCall): ToolCallV2.Raw => call;
export const read = (response: toolwire.CohereResponse): V2ChatResponse.Raw => response;
