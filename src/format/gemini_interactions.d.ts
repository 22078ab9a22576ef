// The wire format of Gemini Interactions as this package writes it: assignable to the types of `@google/genai`. Fields that only Google knows travel
// under `metadata.google` and are written too; they are not declared here.

/**
 * The body of `POST /v1beta/interactions`.
 *
 * @see https://ai.google.dev/gemini-api/docs/interactions
 */
export interface GeminiInteractionsRequest extends GeminiInteractionsToolConfig, GeminiInteractionsMessages {
  /** The model of the request; absent if the request has none. */
  model: string;
  generation_config?: GeminiInteractionsToolConfig["generation_config"] & {
    temperature?: number;
    top_p?: number;
    seed?: number;
    stop_sequences?: string[];
    max_output_tokens?: number;
    thinking_level?: "minimal" | "low" | "medium" | "high" | "xhigh";
    thinking_summaries?: "auto" | "none";
  };
  response_format?: GeminiInteractionsFormat;
  stream?: boolean;
}

/** The format of the response. */
export interface GeminiInteractionsFormat {
  type: "text";
  mime_type: "application/json" | "text/plain";
  schema?: GeminiInteractionsSchemaObject;
}

/** The fields that hold the messages. */
export interface GeminiInteractionsMessages {
  system_instruction?: string;
  input: string | GeminiInteractionsStep[];
}

/** The fields that hold tools and choice. */
export interface GeminiInteractionsToolConfig {
  tools?: GeminiInteractionsTools;
  generation_config?: { tool_choice?: GeminiInteractionsToolChoice };
}

/**
 * The `tools` of a request.
 * @see https://ai.google.dev/gemini-api/docs/interactions
 */
export type GeminiInteractionsTools = GeminiInteractionsTool[];
/**
 * A function whose arguments are an object that follows the schema.
 * @see https://ai.google.dev/gemini-api/docs/interactions
 */
export interface GeminiInteractionsTool {
  type: "function";
  name: string;
  description?: string;
  parameters?: GeminiInteractionsSchemaObject;
}

/**
 * Whether the model may or must call functions, and which.
 * @see https://ai.google.dev/gemini-api/docs/interactions
 */
export type GeminiInteractionsToolChoice =
  | "auto"
  | "any"
  | "none"
  | "validated"
  | { allowed_tools: { mode?: "any" | "auto" | "validated"; tools: string[] } };

/**
 * A step of a conversation.
 * @see https://ai.google.dev/gemini-api/docs/interactions
 */
export type GeminiInteractionsStep =
  | { type: "user_input"; content: GeminiInteractionsContent[] }
  | GeminiInteractionsOutputStep
  | GeminiInteractionsFunctionResult;
/** A step of the model. */
export type GeminiInteractionsOutputStep =
  | { type: "model_output"; content: GeminiInteractionsContent[] }
  | { type: "thought"; signature?: string; summary?: { type: "text"; text: string }[] }
  | GeminiInteractionsFunctionCall;
/**
 * A call. `arguments` is an object.
 * @see https://ai.google.dev/gemini-api/docs/interactions
 */
export interface GeminiInteractionsFunctionCall {
  type: "function_call";
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  signature?: string;
}
/**
 * The result of a call.
 * @see https://ai.google.dev/gemini-api/docs/interactions
 */
export interface GeminiInteractionsFunctionResult {
  type: "function_result";
  call_id: string;
  name?: string;
  is_error?: boolean;
  result: string | Record<string, unknown> | GeminiInteractionsContent[];
}
/** A text, or media as base64 or by URI. */
export type GeminiInteractionsContent =
  | { type: "text"; text: string }
  | { type: "image" | "audio" | "video" | "document"; data?: string; uri?: string; mime_type?: string };

/** Why a response ended. */
export type GeminiInteractionsStatus =
  | "completed"
  | "requires_action"
  | "requires_continuation"
  | "incomplete"
  | "budget_exceeded"
  | "failed"
  | "cancelled"
  | "in_progress";

/**
 * The body of a response.
 *
 * @see https://ai.google.dev/gemini-api/docs/interactions
 */
export interface GeminiInteractionsResponse {
  /** That of the response; "interaction_toolwire" for one of a format without ids. */
  id: string;
  model?: string;
  status: GeminiInteractionsStatus;
  steps: GeminiInteractionsOutputStep[];
  /** In tokens. The output does not include thoughts. */
  usage?: {
    total_input_tokens?: number;
    total_output_tokens?: number;
    total_thought_tokens?: number;
    total_cached_tokens?: number;
    total_tokens?: number;
  };
}

/** A schema as `toGeminiInteractionsSchema` writes it. */
export type GeminiInteractionsSchemaObject = Record<string, unknown>;
