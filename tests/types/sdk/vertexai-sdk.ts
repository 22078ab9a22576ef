// Which inputs and outputs of this package the types of `@google-cloud/vertexai` can express. No casts.

import type {
  Content,
  GenerateContentRequest,
  GenerateContentResponse,
  GenerationConfig,
  Tool,
  ToolConfig,
} from "@google-cloud/vertexai";
import * as toolwire from "../../../pkg/dist/index.js";
import { messages, request, toolChoice, tools } from "./given.js";

export const generation: GenerationConfig | undefined = toolwire.toVertexAI(request).generationConfig;
export const theirChoice: ToolConfig = toolwire.toVertexAIToolChoice(toolChoice);
export const read = (theirs: GenerateContentResponse) => toolwire.fromVertexAI(theirs).toolCalls;
export const calledIn = (content: Content) => toolwire.fromVertexAIToolCalls(content).toolCalls;
export const canonical = (body: GenerateContentRequest) => toolwire.fromVertexAIRequest(body).messages;
export async function text(stream: AsyncGenerator<GenerateContentResponse>): Promise<string> {
  const events = toolwire.streamEvents(stream, { from: "vertexai" });
  for (;;) {
    const { done, value } = await events.next();
    if (done) return value.text;
  }
}

// What they cannot express: a part is exactly one of five kinds there, and a function has no JSON Schema.
// @ts-expect-error: parts with reasoning, signatures or code
export const contents: Content[] = toolwire.toVertexAIMessages(messages).contents;
// @ts-expect-error: parametersJsonSchema
export const theirTools: Tool[] = toolwire.toVertexAITools(tools);
// @ts-expect-error: both of these
export const body: GenerateContentRequest = toolwire.toVertexAI(request);
