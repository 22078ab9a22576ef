// `@aws-sdk/client-bedrock-runtime` sends what this package writes, and this package reads what it sends and receives. No casts.

import type {
  ContentBlock,
  ConverseRequest,
  ConverseResponse,
  ConverseStreamOutput,
  Message,
  Tool,
  ToolChoice,
  ToolConfiguration,
  ToolUseBlock,
} from "@aws-sdk/client-bedrock-runtime";
import * as toolwire from "../../../pkg/dist/index.js";
import { messages, request, toolChoice, tools } from "./given.js";

// Requests, whole and in pieces. The client requires the model.
export const theirTools: Tool[] = toolwire.toBedrockTools(tools);
export const choice: ToolChoice | undefined = toolwire.toBedrockToolChoice(toolChoice);
export const config: { toolConfig?: ToolConfiguration } = toolwire.toBedrockToolConfig({ tools, toolChoice });
export const body: ConverseRequest = toolwire.toBedrock(request);
export const { messages: theirMessages, system }: Pick<ConverseRequest, "messages" | "system"> =
  toolwire.toBedrockMessages(messages);
export const called = (call: toolwire.BedrockToolUse): ToolUseBlock => call;

// What the client sends, and what it reads.
export const canonical = (theirs: ConverseRequest) => toolwire.fromBedrockRequest(theirs);
export const answered = (theirs: ConverseResponse) => toolwire.fromBedrock(theirs);
export const calls = (theirs: Message) => toolwire.fromBedrockToolCalls(theirs).toolCalls;
export const events = (theirs: AsyncIterable<ConverseStreamOutput>) =>
  toolwire.streamEvents(theirs, { from: "bedrock" });

// The types by name.
export const block = (theirs: toolwire.BedrockBlock): ContentBlock => theirs;
export const read = (theirs: toolwire.BedrockResponse): Pick<ConverseResponse, "output" | "stopReason" | "usage"> =>
  theirs;
