// The wire format of the Gemini API as this package writes it, and the flat request of the SDK `@google/genai`, whose types
// these are assignable to. Fields that only Google knows travel under `metadata.google` and are written too; they are not
// declared here.

/** One of the words given. It is `any` because the SDK types it as a TypeScript enum, which does not accept a string. */
// biome-ignore lint/suspicious/noExplicitAny: nothing else is assignable to an enum
export type GeminiWord<_Words extends string> = any;
/**
 * The mode of a tool choice.
 * @see https://ai.google.dev/gemini-api/docs/function-calling
 */
export type GeminiMode = "AUTO" | "ANY" | "NONE" | "VALIDATED";
/**
 * How much a model of Gemini 3 or later reasons.
 * @see https://ai.google.dev/api/generate-content
 */
export type GeminiThinkingLevel = "MINIMAL" | "LOW" | "MEDIUM" | "HIGH" | "XHIGH";
/**
 * The types of Google's OpenAPI schemas.
 * @see https://ai.google.dev/api/caching#Schema
 */
export type GeminiSchemaType = "STRING" | "NUMBER" | "INTEGER" | "BOOLEAN" | "ARRAY" | "OBJECT" | "NULL";
/** Those that a conversion chooses. One of Google's own that came with the response is written as it came. */
export type GeminiFinishReason = "STOP" | "MAX_TOKENS" | "SAFETY" | "CONTINUATION" | "OTHER";

/**
 * The body of `POST /v1beta/models/{model}:generateContent`.
 *
 * @see https://ai.google.dev/api/generate-content
 */
export interface GeminiRequest extends GeminiToolConfig, GeminiMessages {
  /** The model of the request; absent if the request has none. The API has it in the path. */
  model?: string;
  generationConfig?: GeminiGenerationConfig;
}

/** The argument of `generateContent` in `@google/genai`. */
export interface GoogleGenAIRequest {
  /** The model of the request; absent if the request has none. */
  model: string;
  contents: GeminiContent[];
  config: GeminiGenerationConfig & GeminiToolConfig & { systemInstruction?: { parts: { text: string }[] } };
}

/** The fields that hold the messages. */
export interface GeminiMessages {
  systemInstruction?: { parts: { text: string }[] };
  contents: GeminiContent[];
}

/** The fields that hold tools and choice. */
export interface GeminiToolConfig {
  tools?: GeminiTools;
  toolConfig?: GeminiToolChoice;
}

/**
 * The `tools` of a request.
 * @see https://ai.google.dev/gemini-api/docs/function-calling
 */
export type GeminiTools = GeminiTool[];
/** An entry of `tools`. Each native tool has an entry of its own. */
export interface GeminiTool {
  functionDeclarations?: GeminiFunction[];
}
/**
 * A function whose arguments are an object that follows `parametersJsonSchema`.
 * @see https://ai.google.dev/gemini-api/docs/function-calling
 */
export interface GeminiFunction {
  name: string;
  description?: string;
  parametersJsonSchema?: unknown;
  /** By the option `geminiSchema: "openapi"`. */
  parameters?: GeminiSchemaObject;
}
/** A schema in Google's own dialect of OpenAPI. */
export interface GeminiSchemaObject {
  type?: GeminiWord<GeminiSchemaType>;
  description?: string;
  properties?: Record<string, GeminiSchemaObject>;
  required?: string[];
  items?: GeminiSchemaObject;
  anyOf?: GeminiSchemaObject[];
  enum?: string[];
  nullable?: boolean;
  format?: string;
  title?: string;
  propertyOrdering?: string[];
  minimum?: number;
  maximum?: number;
  pattern?: string;
  /** Sizes are decimal strings. */
  minItems?: string;
  maxItems?: string;
  minLength?: string;
  maxLength?: string;
  minProperties?: string;
  maxProperties?: string;
  default?: unknown;
  example?: unknown;
}

/**
 * The `toolConfig` of a request: whether the model may or must call functions, and which.
 *
 * @see https://ai.google.dev/gemini-api/docs/function-calling
 */
export interface GeminiToolChoice {
  functionCallingConfig?: {
    mode?: GeminiWord<GeminiMode>;
    allowedFunctionNames?: string[];
  };
}

/**
 * The settings of a request. Limits and budgets count tokens.
 *
 * @see https://ai.google.dev/api/generate-content
 */
export interface GeminiGenerationConfig {
  maxOutputTokens?: number;
  temperature?: number;
  topP?: number;
  topK?: number;
  candidateCount?: number;
  seed?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  logprobs?: number;
  responseLogprobs?: boolean;
  stopSequences?: string[];
  thinkingConfig?: {
    thinkingBudget?: number;
    thinkingLevel?: GeminiWord<GeminiThinkingLevel>;
    includeThoughts?: boolean;
  };
  responseMimeType?: string;
  responseJsonSchema?: unknown;
  /** By the option `geminiSchema: "openapi"`. */
  responseSchema?: GeminiSchemaObject;
}

/**
 * A message. Results are parts of a message of the user.
 *
 * @see https://ai.google.dev/api/generate-content
 */
export interface GeminiContent {
  role?: "user" | "model";
  parts: GeminiPart[];
}
/**
 * A part of a message: text, media, a call or a result, with its signature.
 *
 * @see https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export interface GeminiPart {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  inlineData?: { mimeType: string; data: string; displayName?: string };
  fileData?: { mimeType?: string; fileUri: string; displayName?: string };
  functionCall?: { id?: string; name: string; args?: Record<string, unknown> };
  functionResponse?: {
    id?: string;
    name: string;
    response: Record<string, unknown>;
    parts?: {
      inlineData?: { mimeType: string; data: string; displayName?: string };
      fileData?: { mimeType?: string; fileUri: string; displayName?: string };
    }[];
  };
}

/**
 * The body of a response.
 *
 * @see https://ai.google.dev/api/generate-content
 */
export interface GeminiResponse {
  candidates?: {
    content?: GeminiContent;
    finishReason?: GeminiWord<GeminiFinishReason>;
    index?: number;
  }[];
  usageMetadata?: {
    promptTokenCount?: number;
    candidatesTokenCount?: number;
    thoughtsTokenCount?: number;
    cachedContentTokenCount?: number;
    totalTokenCount?: number;
  };
  modelVersion?: string;
  responseId?: string;
}
