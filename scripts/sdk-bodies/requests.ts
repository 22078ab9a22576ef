// What the official clients' types allow as the body of a request, by format. Where a client has names of its own, these are its types of the wire.

import type { MessageCreateParamsNonStreaming } from "@anthropic-ai/sdk/resources/messages/messages.js";
import type { ConverseRequest } from "@aws-sdk/client-bedrock-runtime";
import type {
  Content,
  GenerateContentConfig,
  GenerateContentParameters,
  Interactions,
  SafetySetting,
  Tool,
  ToolConfig,
} from "@google/genai";
import type { ChatCompletionRequest$Outbound } from "@mistralai/mistralai/models/components/index.js";
import type { ChatRequest } from "ollama";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions/completions.js";
import type { ResponseCreateParamsNonStreaming } from "openai/resources/responses/responses.js";
import type { V2ChatRequest } from "../../node_modules/cohere-ai/serialization/resources/v2/client/requests/V2ChatRequest.js";

/** Of `GenerateContentConfig`, what the client writes elsewhere in the body, or not at all. */
type Elsewhere =
  | "abortSignal"
  | "automaticFunctionCalling"
  | "cachedContent"
  | "httpOptions"
  | "labels"
  | "modelArmorConfig"
  | "safetySettings"
  | "serviceTier"
  | "shouldReturnHttpResponse"
  | "systemInstruction"
  | "toolConfig"
  | "tools";

export interface Requests {
  openai: ChatCompletionCreateParamsNonStreaming;
  "openai-responses": ResponseCreateParamsNonStreaming;
  anthropic: MessageCreateParamsNonStreaming;
  bedrock: ConverseRequest;
  gemini: {
    model: GenerateContentParameters["model"];
    contents: Content[];
    systemInstruction?: Content;
    tools?: Tool[];
    toolConfig?: ToolConfig;
    safetySettings?: SafetySetting[];
    cachedContent?: string;
    serviceTier?: GenerateContentConfig["serviceTier"];
    generationConfig?: Omit<GenerateContentConfig, Elsewhere>;
  };
  "gemini-interactions": Interactions.CreateModelInteractionParamsNonStreaming;
  mistral: ChatCompletionRequest$Outbound;
  ollama: ChatRequest;
  cohere: V2ChatRequest.Raw;
}
