// The SDK `@google/genai` accepts the output of this package, and this package the SDK's responses. No casts.

import type {
  Candidate,
  Content,
  FinishReason,
  FunctionCallingConfigMode,
  FunctionDeclaration,
  GenerateContentConfig,
  GenerateContentParameters,
  GenerateContentResponse,
  GoogleGenAI,
  Part,
  Schema,
  ThinkingLevel,
  Tool,
  ToolConfig,
  Type,
} from "@google/genai";
import * as toolwire from "../../../pkg/dist/index.js";
import { messages, request, response, toolChoice, tools } from "./given.js";

// Requests, whole and in pieces; Vertex AI's types have names of their own.
export const parameters: GenerateContentParameters = toolwire.toGoogleGenAI(request);
export const onVertex: GenerateContentParameters = toolwire.toGoogleGenAI(request, { platform: "vertex" });
export const generation: GenerateContentConfig | undefined = toolwire.toGemini(request).generationConfig;
/** What `geminiSchema: "openapi"` writes for the schema of the response. */
export const responseSchema: { type?: string } | undefined = toolwire.toGemini(request, { geminiSchema: "openapi" })
  .generationConfig?.responseSchema;
export const contents: Content[] = toolwire.toGemini(request).contents;
export const theirTools: Tool[] = toolwire.toGeminiTools(tools);
export const theirChoice: ToolConfig = toolwire.toGeminiToolChoice(toolChoice);
export const config: GenerateContentConfig = toolwire.toGeminiToolConfig({ tools, toolChoice });
export const theirMessages: Pick<GenerateContentConfig, "systemInstruction"> & { contents: Content[] } =
  toolwire.toGeminiMessages(messages);
export const vertexGeneration: GenerateContentConfig | undefined = toolwire.toVertexAI(request).generationConfig;
export const vertexContents: Content[] = toolwire.toVertexAI(request).contents;
export const vertexTools: Tool[] = toolwire.toVertexAITools(tools);
export const vertexChoice: ToolConfig = toolwire.toVertexAIToolChoice(toolChoice);
export const vertexConfig: GenerateContentConfig = toolwire.toVertexAIToolConfig({ tools, toolChoice });
export const vertexMessages: Content[] = toolwire.toVertexAIMessages(messages).contents;
export const theirSchema: Schema = toolwire.toGeminiSchema({ type: "object" }, { geminiSchema: "openapi" });

// Responses, as a gateway writes them. The SDK's response is a class with getters, which JSON lacks.
type Getters = "text" | "data" | "functionCalls" | "executableCode" | "codeExecutionResult" | "initialPromptTokenCount";
export const theirs: Omit<GenerateContentResponse, Getters> = toolwire.toGeminiResponse(response);
export const candidates: Candidate[] | undefined = toolwire.toGeminiResponse(response).candidates;
export const vertexCandidates: Candidate[] | undefined = toolwire.toVertexAIResponse(response).candidates;

// The SDK's responses.
export async function turn(client: GoogleGenAI): Promise<Content[]> {
  const theirs: GenerateContentResponse = await client.models.generateContent(toolwire.toGoogleGenAI(request));
  const converted = toolwire.fromGoogleGenAI(theirs);
  const next = [converted.message, ...converted.toolCalls.map((call) => toolwire.toolResult(call, 1))];
  return toolwire.toGeminiMessages(next).contents;
}
export const read = (theirs: GenerateContentResponse) => [toolwire.fromGemini(theirs), toolwire.fromVertexAI(theirs)];
export const calls = (theirs: GenerateContentResponse) => toolwire.fromGeminiToolCalls(theirs).toolCalls;
export const calledIn = (content: Content) => toolwire.fromVertexAIToolCalls(content).toolCalls;

// The SDK's stream.
export async function text(client: GoogleGenAI): Promise<string[]> {
  const stream = await client.models.generateContentStream(toolwire.toGoogleGenAI(request));
  const texts: string[] = [];
  for await (const event of toolwire.streamEvents(stream, { from: "gemini" })) {
    if (event.type === "textDelta") texts.push(event.text);
  }
  return texts;
}
export const pushed = (response: GenerateContentResponse) => toolwire.readStream({ from: "vertexai" }).push(response);

// The types by name.
export const part = (ours: toolwire.GeminiPart): Part => ours;
export const declaration = (ours: toolwire.GeminiFunction): FunctionDeclaration => ours;
export const schema = (ours: toolwire.GeminiSchemaObject): Schema => ours;

// String values. This package has unions where the SDK has enums, so they are compared with the enums' JSON values: each value of a union
// is one of the enum's, and a union that lists all of an enum's values lacks none.
type Unspecified = `${string}_UNSPECIFIED`;
type Words<Enum extends string> = Exclude<`${Enum}`, Unspecified>;
export const modes = (word: toolwire.GeminiMode): Words<FunctionCallingConfigMode> => word;
export const allModes = (word: Words<FunctionCallingConfigMode>): toolwire.GeminiMode => word;
// `XHIGH` came with version 3.3.
export const levels = (word: Exclude<toolwire.GeminiThinkingLevel, "XHIGH">): Words<ThinkingLevel> => word;
export const allLevels = (word: Words<ThinkingLevel>): toolwire.GeminiThinkingLevel => word;
export const types = (word: toolwire.GeminiSchemaType): Words<Type> => word;
export const allTypes = (word: Words<Type>): toolwire.GeminiSchemaType => word;
export const reasons = (word: toolwire.GeminiFinishReason): Words<FinishReason> => word;

// The SDK's types with enums replaced by their JSON values, and the reverse: such JSON is assignable to this package's types.
type Wire<T> = T extends string
  ? `${T}`
  : T extends (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { [Key in keyof T]: Wire<T[Key]> }
      : T;
export const wireTools: Wire<Tool>[] = toolwire.toGeminiTools(tools);
export const wireChoice: Wire<ToolConfig> = toolwire.toGeminiToolChoice(toolChoice);
export const wireContents: Wire<Content>[] = toolwire.toGemini(request).contents;
export const wireGeneration: Wire<GenerateContentConfig> = toolwire.toGoogleGenAI(request).config;
export const wireCandidates: Wire<Candidate>[] | undefined = toolwire.toGeminiResponse(response).candidates;
export const ourChoice: toolwire.GeminiToolChoice & Wire<ToolConfig> = {
  functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] },
};
export const ourSchema: toolwire.GeminiSchemaObject & Wire<Schema> = {
  type: "OBJECT",
  properties: { a: { type: "STRING" } },
};
