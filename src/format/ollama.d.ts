// The wire format of Ollama's `/api/chat` as this package writes it: assignable to the types of the client `ollama`. Fields that
// only Ollama knows travel under `metadata.ollama` and are written too; they are not declared here.

/**
 * The body of `POST /api/chat`.
 *
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md
 */
export interface OllamaRequest extends OllamaToolConfig, OllamaMessages {
  /** The model of the request; absent if the request has none. */
  model: string;
  /** Always written, because the server streams if it is absent. */
  stream?: boolean;
  /** `"json"`, or a schema. */
  format?: string | Record<string, unknown>;
  /** The effort `max` is written as `"max"`, which the server accepts and the client's types lack. */
  think?: boolean | "low" | "medium" | "high";
  logprobs?: boolean;
  top_logprobs?: number;
  options?: {
    num_predict?: number;
    temperature?: number;
    top_p?: number;
    top_k?: number;
    presence_penalty?: number;
    frequency_penalty?: number;
    seed?: number;
    stop?: string[];
  };
}

/** The fields that hold the messages. */
export interface OllamaMessages {
  messages: OllamaMessage[];
}

/** The fields that hold the tools. */
export interface OllamaToolConfig {
  tools?: OllamaTools;
}

/**
 * The `tools` of a request.
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md
 */
export type OllamaTools = OllamaTool[];
/**
 * A function whose arguments are an object that follows `parameters`.
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md
 */
export interface OllamaTool {
  type: "function";
  function: { name: string; description?: string; parameters?: OllamaParameters };
}
/** JSON Schema, of which the server knows these keywords. */
export interface OllamaParameters {
  type?: string;
  required?: string[];
  properties?: Record<string, OllamaProperty>;
}
/**
 * The JSON Schema of an argument, as far as Ollama reads it.
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md
 */
export interface OllamaProperty {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  items?: unknown;
  anyOf?: OllamaProperty[];
  properties?: Record<string, OllamaProperty>;
  required?: string[];
}

/** There is no tool choice. */
export type OllamaToolChoice = null;

/**
 * A message of a request, by its `role`. A result names its tool in `tool_name`.
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md
 */
export type OllamaMessage =
  | { role: "system" | "user"; content: string; images?: string[] }
  | OllamaAssistantMessage
  | { role: "tool"; content: string; images?: string[]; tool_name: string; tool_call_id?: string };
/**
 * A message of the model: text, reasoning and calls.
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md
 */
export interface OllamaAssistantMessage {
  role: "assistant";
  content: string;
  thinking?: string;
  images?: string[];
  tool_calls?: OllamaToolCall[];
}
/**
 * A call. `arguments` is an object.
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md
 */
export interface OllamaToolCall {
  /** Absent where it was made here. */
  id?: string;
  function: {
    /** Its position among the calls, in responses. */
    index?: number;
    name: string;
    arguments: Record<string, unknown>;
  };
}

/**
 * The body of a response.
 *
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md
 */
export interface OllamaResponse {
  model: string;
  /** ISO 8601; 1970 for a response of another provider, as a conversion has no clock. */
  created_at: string;
  message: OllamaAssistantMessage;
  done: boolean;
  done_reason: "stop" | "length" | "load" | "unload";
  /** In tokens. */
  prompt_eval_count: number;
  eval_count: number;
  /** In nanoseconds; 0 for a response of another provider. */
  total_duration: number;
  load_duration: number;
  prompt_eval_duration: number;
  eval_duration: number;
}

/** A schema as `toOllamaSchema` writes it. */
export type OllamaSchemaObject = OllamaParameters & Record<string, unknown>;
