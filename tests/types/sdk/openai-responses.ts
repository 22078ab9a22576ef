// The Responses types of the SDK `openai` accept the output of this package, and this package the SDK's responses. No casts.

import type OpenAI from "openai";
import type {
  Response,
  ResponseCreateParams,
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
  ResponseOutputItem,
  Tool,
} from "openai/resources/responses/responses";
import * as toolwire from "../../../pkg/dist/index.js";
import { messages, request, response, toolChoice, tools } from "./given.js";

// Requests, whole and in pieces.
export const body: ResponseCreateParams = toolwire.toOpenAIResponses(request);
export const once: ResponseCreateParamsNonStreaming = { ...toolwire.toOpenAIResponses(request), stream: false };
export const theirTools: Tool[] = toolwire.toOpenAIResponsesTools(tools);
export const theirChoice: NonNullable<ResponseCreateParams["tool_choice"]> =
  toolwire.toOpenAIResponsesToolChoice(toolChoice);
export const theirItems: ResponseInputItem[] = toolwire.toOpenAIResponsesMessages(messages).input;
export const config: Pick<ResponseCreateParams, "tools" | "tool_choice" | "parallel_tool_calls"> =
  toolwire.toOpenAIResponsesToolConfig({ tools, toolChoice, parallelToolCalls: false });
export const assembled: ResponseCreateParamsNonStreaming = {
  model: "m",
  ...toolwire.toOpenAIResponsesMessages(messages),
  ...toolwire.toOpenAIResponsesToolConfig({ tools, toolChoice }),
};

// Responses, as a gateway writes them.
export const converted: Response = toolwire.toOpenAIResponsesResponse(response);
export const convertedMessage: ResponseOutputItem[] = toolwire.toOpenAIResponsesResponse(response).output;

// The SDK's responses.
export async function turn(client: OpenAI): Promise<ResponseInputItem[]> {
  const theirs: Response = await client.responses.create({ ...toolwire.toOpenAIResponses(request), stream: false });
  const converted = toolwire.fromOpenAIResponses(theirs);
  const next = [converted.message, ...converted.toolCalls.map((call) => toolwire.toolResult(call, 1))];
  return toolwire.toOpenAIResponsesMessages(next).input;
}
export const calls = (theirs: Response) => toolwire.fromOpenAIResponsesToolCalls(theirs).toolCalls;
export const canonical = (params: ResponseCreateParams) => toolwire.fromOpenAIResponsesRequest(params);
