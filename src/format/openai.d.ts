// The wire format of OpenAI Chat Completions as this package writes it: assignable to the types of the SDK `openai`. Fields
// that only OpenAI knows travel under `metadata.openai` and are written too; they are not declared here.

/**
 * The body of `POST /chat/completions`.
 *
 * @see https://developers.openai.com/api/reference/resources/chat/subresources/completions
 */
export interface OpenAIRequest extends OpenAIToolConfig, OpenAIMessages {
  /** The model of the request; absent if the request has none. */
  model: string;
  max_completion_tokens?: number;
  /** The deprecated name, only where the request came with it. */
  max_tokens?: number;
  temperature?: number;
  top_p?: number;
  presence_penalty?: number;
  frequency_penalty?: number;
  stop?: string | string[];
  seed?: number;
  n?: number;
  logprobs?: boolean;
  top_logprobs?: number;
  reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
  verbosity?: "low" | "medium" | "high";
  response_format?: OpenAIResponseFormat;
  stream?: boolean;
  user?: string;
}

/**
 * The `response_format` of a request: text, any JSON object, or JSON by a schema.
 * @see https://developers.openai.com/api/reference/resources/chat/subresources/completions
 */
export type OpenAIResponseFormat =
  | { type: "text" }
  | { type: "json_object" }
  | {
      type: "json_schema";
      json_schema: { name: string; description?: string; schema?: Record<string, unknown>; strict?: boolean };
    };

/** The fields that hold the messages. */
export interface OpenAIMessages {
  messages: OpenAIMessage[];
}

/** The fields that hold tools and choice. */
export interface OpenAIToolConfig {
  tools?: OpenAITools;
  tool_choice?: OpenAIToolChoice;
  parallel_tool_calls?: boolean;
}

/**
 * The `tools` of a request.
 * @see https://developers.openai.com/api/reference/resources/chat/subresources/completions
 */
export type OpenAITools = OpenAITool[];
/**
 * A function, whose arguments are JSON, or a custom tool, whose input is text.
 * @see https://developers.openai.com/api/reference/resources/chat/subresources/completions
 */
export type OpenAITool = OpenAIFunctionTool | OpenAICustomTool;
/**
 * A tool whose arguments are a JSON object that follows `parameters`.
 * @see https://developers.openai.com/api/reference/resources/chat/subresources/completions
 */
export interface OpenAIFunctionTool {
  type: "function";
  function: { name: string; description?: string; parameters?: Record<string, unknown>; strict?: boolean };
}
/**
 * A tool whose input is free text, or text by a grammar.
 * @see https://developers.openai.com/api/reference/resources/chat/subresources/completions
 */
export interface OpenAICustomTool {
  type: "custom";
  custom: {
    name: string;
    description?: string;
    format?: { type: "text" } | { type: "grammar"; grammar: { definition: string; syntax: "lark" | "regex" } };
  };
}

/**
 * Whether the model may or must call a tool, one of them, or some of them.
 * @see https://developers.openai.com/api/reference/resources/chat/subresources/completions
 */
export type OpenAIToolChoice =
  | "auto"
  | "none"
  | "required"
  | { type: "function"; function: { name: string } }
  | { type: "custom"; custom: { name: string } }
  | {
      type: "allowed_tools";
      allowed_tools: { mode: "auto" | "required"; tools: { type: string; [key: string]: unknown }[] };
    };

/**
 * A message of a request, by its `role`.
 * @see https://developers.openai.com/api/reference/resources/chat/subresources/completions
 */
export type OpenAIMessage =
  | { role: "system" | "developer"; content: string | OpenAITextPart[] }
  | { role: "user"; content: string | OpenAIPart[] }
  | OpenAIAssistantMessage
  | { role: "tool"; tool_call_id: string; content: string | OpenAITextPart[] }
  | { role: "function"; name: string; content: string | null };
/**
 * A message of the model: text, a refusal and calls.
 * @see https://developers.openai.com/api/reference/resources/chat/subresources/completions
 */
export interface OpenAIAssistantMessage {
  role: "assistant";
  content?: string | (OpenAITextPart | OpenAIRefusalPart)[] | null;
  refusal?: string | null;
  tool_calls?: OpenAIToolCall[];
  /** The deprecated form, only where the call came in it. */
  function_call?: { name: string; arguments: string };
}
/**
 * A call. `arguments` is JSON text; the `input` of a custom tool is any text.
 * @see https://developers.openai.com/api/reference/resources/chat/subresources/completions
 */
export type OpenAIToolCall =
  | { id: string; type: "function"; function: { name: string; arguments: string } }
  | { id: string; type: "custom"; custom: { name: string; input: string } };

/** A part of a message that is text. */
export interface OpenAITextPart {
  type: "text";
  text: string;
}
/** A part of an assistant message in which the model refuses. */
export interface OpenAIRefusalPart {
  type: "refusal";
  refusal: string;
}
/**
 * A part of a user message: text, an image, sound or a file.
 * @see https://developers.openai.com/api/reference/resources/chat/subresources/completions
 */
export type OpenAIPart =
  | OpenAITextPart
  | { type: "image_url"; image_url: { url: string; detail?: "auto" | "low" | "high" } }
  | { type: "input_audio"; input_audio: { data: string; format: "wav" | "mp3" } }
  | { type: "file"; file: { file_id?: string; filename?: string; file_data?: string } };

/**
 * The body of a response.
 *
 * @see https://developers.openai.com/api/reference/resources/chat/subresources/completions
 */
export interface OpenAIResponse {
  id: string;
  object: "chat.completion";
  /** Seconds since 1970; 0 for a response of another provider, as a conversion has no clock. */
  created: number;
  model: string;
  choices: {
    index: number;
    message: {
      role: "assistant";
      content: string | null;
      refusal: string | null;
      tool_calls?: OpenAIToolCall[];
      function_call?: { name: string; arguments: string };
    };
    logprobs: null;
    finish_reason: "stop" | "length" | "tool_calls" | "content_filter" | "function_call";
  }[];
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    total_tokens: number;
    prompt_tokens_details?: { cached_tokens?: number };
    completion_tokens_details?: { reasoning_tokens?: number };
  };
}

/** A schema as `toOpenAISchema` writes it. */
export type OpenAISchemaObject = Record<string, unknown>;
