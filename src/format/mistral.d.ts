// The wire format of Mistral's chat API as this package writes it: the types of the SDK `@mistralai/mistralai` that it sends (`X$Outbound`), whose
// defaults are optional here. Fields that only Mistral knows travel under `metadata.mistral` and are written too; they are not declared here.

/**
 * The body of `POST /chat/completions`.
 *
 * @see https://docs.mistral.ai/api/endpoint/chat
 */
export interface MistralRequest extends MistralToolConfig, MistralMessages {
  /** The model of the request; absent if the request has none. */
  model: string;
  max_tokens?: number;
  temperature?: number;
  top_p?: number;
  presence_penalty?: number;
  frequency_penalty?: number;
  stop?: string | string[];
  random_seed?: number;
  n?: number;
  reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh";
  response_format?: MistralResponseFormat;
  stream?: boolean;
}

/**
 * The `response_format` of a request: text, any JSON object, or JSON by a schema.
 * @see https://docs.mistral.ai/api/endpoint/chat
 */
export type MistralResponseFormat =
  | { type: "text" }
  | { type: "json_object" }
  | {
      type: "json_schema";
      json_schema: { name: string; description?: string; schema: Record<string, unknown>; strict?: boolean };
    };

/** The fields that hold the messages. */
export interface MistralMessages {
  messages: MistralMessage[];
}

/** The fields that hold tools and choice. */
export interface MistralToolConfig {
  tools?: MistralTools;
  tool_choice?: MistralToolChoice;
  parallel_tool_calls?: boolean;
}

/**
 * The `tools` of a request.
 * @see https://docs.mistral.ai/api/endpoint/chat
 */
export type MistralTools = MistralTool[];
/**
 * A tool whose arguments are a JSON object that follows `parameters`.
 * @see https://docs.mistral.ai/api/endpoint/chat
 */
export interface MistralTool {
  type: "function";
  function: { name: string; description?: string; parameters: Record<string, unknown>; strict?: boolean };
}

/**
 * Whether the model may or must call a tool, or one of them.
 * @see https://docs.mistral.ai/api/endpoint/chat
 */
export type MistralToolChoice = "auto" | "none" | "any" | "required" | { type: "function"; function: { name: string } };

/**
 * A message of a request, by its `role`.
 * @see https://docs.mistral.ai/api/endpoint/chat
 */
export type MistralMessage =
  | { role: "system"; content: string | MistralTextChunk[] }
  | { role: "user"; content: string | MistralChunk[] }
  | MistralAssistantMessage
  | { role: "tool"; tool_call_id: string; content: string | MistralTextChunk[] };
/**
 * A message of the model: text, thinking and calls.
 * @see https://docs.mistral.ai/api/endpoint/chat
 */
export interface MistralAssistantMessage {
  role: "assistant";
  content?: string | (MistralTextChunk | MistralThinkingChunk)[] | null;
  tool_calls?: MistralToolCall[];
  /** Whether the model continues this message, which is the last one. */
  prefix?: boolean;
}
/**
 * A call. `arguments` is JSON text, or an object where the call came with one.
 * @see https://docs.mistral.ai/api/endpoint/chat
 */
export interface MistralToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string | Record<string, unknown> };
  index?: number;
}

/** A part of a message that is text. */
export interface MistralTextChunk {
  type: "text";
  text: string;
}
/** A part of an assistant message that is reasoning. */
export interface MistralThinkingChunk {
  type: "thinking";
  thinking: MistralTextChunk[];
  signature?: string;
}
/**
 * A part of a user message: text, an image, sound or a document.
 * @see https://docs.mistral.ai/api/endpoint/chat
 */
export type MistralChunk =
  | MistralTextChunk
  | { type: "image_url"; image_url: string | { url: string; detail?: "auto" | "low" | "high" } }
  | { type: "input_audio"; input_audio: string }
  | { type: "document_url"; document_url: string; document_name?: string }
  | { type: "file"; file_id: string };

/**
 * The body of a response.
 *
 * @see https://docs.mistral.ai/api/endpoint/chat
 */
export interface MistralResponse {
  id: string;
  object: "chat.completion";
  /** Seconds since 1970; 0 for a response of another provider, as a conversion has no clock. */
  created: number;
  model: string;
  choices: {
    index: number;
    message: {
      role: "assistant";
      content: string | (MistralTextChunk | MistralThinkingChunk)[] | null;
      tool_calls?: MistralToolCall[];
    };
    finish_reason: "stop" | "length" | "model_length" | "error" | "tool_calls";
  }[];
  usage: {
    prompt_tokens: number;
    completion_tokens: number;
    total_tokens: number;
    prompt_tokens_details?: { cached_tokens?: number };
    completion_tokens_details?: { reasoning_tokens?: number };
  };
}

/** A schema as `toMistralSchema` writes it. */
export type MistralSchemaObject = Record<string, unknown>;
