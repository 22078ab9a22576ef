// The wire format of Anthropic Messages as this package writes it: assignable to the types of the SDK `@anthropic-ai/sdk`.
// Fields that only Anthropic knows travel under `metadata.anthropic` and are written too; they are not declared here.

/**
 * The body of `POST /v1/messages`.
 *
 * @see https://platform.claude.com/docs/en/api/messages
 */
export interface AnthropicRequest extends AnthropicToolConfig, AnthropicMessages {
  /** The model of the request; absent if the request has none, and on platforms that have it in the path. */
  model: string;
  max_tokens: number;
  stop_sequences?: string[];
  stream?: boolean;
  /** API version `2023-06-01` only. */
  temperature?: number;
  /** API version `2023-06-01` only. */
  top_p?: number;
  /** API version `2023-06-01` only. */
  top_k?: number;
  thinking?: AnthropicThinking;
  output_config?: {
    effort?: "low" | "medium" | "high" | "xhigh" | "max";
    format?: { type: "json_schema"; schema: Record<string, unknown> };
  };
  metadata?: { user_id?: string };
  /** On Bedrock and Vertex AI only. */
  anthropic_version?: string;
}

/**
 * The `thinking` of a request. `budget_tokens` counts tokens and must be less than `max_tokens`.
 * @see https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
export type AnthropicThinking =
  | { type: "enabled"; budget_tokens: number; display?: "summarized" | "omitted" }
  | { type: "adaptive"; display?: "summarized" | "omitted" }
  | { type: "disabled" };

/** The fields that hold the messages. */
export interface AnthropicMessages {
  system?: string | AnthropicTextBlock[];
  messages: AnthropicMessage[];
}

/** The fields that hold tools and choice. */
export interface AnthropicToolConfig {
  tools?: AnthropicTools;
  tool_choice?: AnthropicToolChoice;
}

/**
 * The `tools` of a request.
 * @see https://platform.claude.com/docs/en/api/messages
 */
export type AnthropicTools = AnthropicTool[];
/**
 * A tool whose input is a JSON object that follows `input_schema`.
 * @see https://platform.claude.com/docs/en/api/messages
 */
export interface AnthropicTool {
  name: string;
  description?: string;
  input_schema: { type: "object"; [key: string]: unknown };
  strict?: boolean;
}

/**
 * Whether the model may or must call a tool, or one of them, and whether it may make several calls.
 * @see https://platform.claude.com/docs/en/api/messages
 */
export type AnthropicToolChoice =
  | { type: "auto"; disable_parallel_tool_use?: boolean }
  | { type: "any"; disable_parallel_tool_use?: boolean }
  | { type: "tool"; name: string; disable_parallel_tool_use?: boolean }
  | { type: "none" };

/**
 * A message of a request. User messages contain the results of tools.
 * @see https://platform.claude.com/docs/en/api/messages
 */
export type AnthropicMessage =
  | { role: "user"; content: string | AnthropicUserBlock[] }
  | { role: "assistant"; content: string | AnthropicAssistantBlock[] }
  | { role: "system"; content: string | AnthropicTextBlock[] };
/**
 * A block of a user message: text, media or a result.
 * @see https://platform.claude.com/docs/en/api/messages
 */
export type AnthropicUserBlock = AnthropicTextBlock | AnthropicMediaBlock | AnthropicToolResult;
/**
 * A block of an assistant message: text, thinking or a call.
 * @see https://platform.claude.com/docs/en/api/messages
 */
export type AnthropicAssistantBlock = AnthropicTextBlock | AnthropicThinkingBlock | AnthropicToolUse;

/** A block that is text. It must not be empty. */
export interface AnthropicTextBlock {
  type: "text";
  text: string;
}
/**
 * An image or a document, as base64, text, a URL or the id of a file.
 * @see https://platform.claude.com/docs/en/api/messages
 */
export type AnthropicMediaBlock =
  | {
      type: "image";
      source:
        | { type: "base64"; media_type: "image/jpeg" | "image/png" | "image/gif" | "image/webp"; data: string }
        | { type: "url"; url: string }
        | { type: "file"; file_id: string };
    }
  | {
      type: "document";
      source:
        | { type: "base64"; media_type: "application/pdf"; data: string }
        | { type: "text"; media_type: "text/plain"; data: string }
        | { type: "url"; url: string }
        | { type: "file"; file_id: string };
      title?: string;
    };
/**
 * Reasoning with the signature of Anthropic, or encrypted reasoning. It must be sent back unchanged.
 * @see https://platform.claude.com/docs/en/api/messages
 */
export type AnthropicThinkingBlock =
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string };
/**
 * A call. `input` is an object.
 * @see https://platform.claude.com/docs/en/api/messages
 */
export interface AnthropicToolUse {
  type: "tool_use";
  id: string;
  name: string;
  input: unknown;
}
/**
 * The result of the call with the id `tool_use_id`.
 * @see https://platform.claude.com/docs/en/api/messages
 */
export interface AnthropicToolResult {
  type: "tool_result";
  tool_use_id: string;
  content?: string | (AnthropicTextBlock | AnthropicMediaBlock)[];
  is_error?: boolean;
}

/**
 * The body of a response.
 *
 * @see https://platform.claude.com/docs/en/api/messages
 */
export interface AnthropicResponse {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  content: (
    | (AnthropicTextBlock & { citations: null })
    | AnthropicThinkingBlock
    | (AnthropicToolUse & { caller: { type: "direct" } })
  )[];
  stop_reason:
    | "end_turn"
    | "max_tokens"
    | "stop_sequence"
    | "tool_use"
    | "pause_turn"
    | "refusal"
    | "model_context_window_exceeded"
    | null;
  stop_sequence: string | null;
  stop_details: null;
  container: null;
  diagnostics: null;
  usage: {
    input_tokens: number;
    output_tokens: number;
    cache_creation_input_tokens: number | null;
    cache_read_input_tokens: number | null;
    cache_creation: null;
    output_tokens_details: { thinking_tokens: number } | null;
    server_tool_use: null;
    service_tier: null;
    inference_geo: null;
    speed: null;
  };
}

/** A schema as `toAnthropicSchema` writes it. */
export type AnthropicSchemaObject = AnthropicTool["input_schema"];
