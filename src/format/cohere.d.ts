// The wire format of Cohere's chat API, version 2, as this package writes it: the bodies that the SDK `cohere-ai` sends (the `Raw` types of its
// serialization). Fields that only Cohere knows travel under `metadata.cohere` and are written too; they are not declared here.

/**
 * The body of `POST /v2/chat`.
 *
 * @see https://docs.cohere.com/reference/chat
 */
export interface CohereRequest extends CohereToolConfig, CohereMessages {
  /** The model of the request; absent if the request has none. */
  model: string;
  max_tokens?: number;
  temperature?: number;
  p?: number;
  k?: number;
  presence_penalty?: number;
  frequency_penalty?: number;
  seed?: number;
  stop_sequences?: string[];
  stream?: boolean;
  thinking?: { type: "enabled" | "disabled"; token_budget?: number };
  response_format?: CohereResponseFormat;
}

/**
 * The `response_format` of a request: text, or JSON, with a schema or without one.
 * @see https://docs.cohere.com/reference/chat
 */
export type CohereResponseFormat = { type: "text" } | { type: "json_object"; json_schema?: Record<string, unknown> };

/** The fields that hold the messages. */
export interface CohereMessages {
  messages: CohereMessage[];
}

/** The fields that hold tools and choice. */
export interface CohereToolConfig {
  tools?: CohereTools;
  /** Whether calls follow the schemas of all tools. */
  strict_tools?: boolean;
  tool_choice?: "REQUIRED" | "NONE";
}

/**
 * The `tools` of a request.
 * @see https://docs.cohere.com/reference/chat
 */
export type CohereTools = CohereTool[];
/**
 * A tool whose arguments are a JSON object that follows `parameters`.
 * @see https://docs.cohere.com/reference/chat
 */
export interface CohereTool {
  type: "function";
  function: { name: string; description?: string; parameters: Record<string, unknown> };
}

/** A choice. Null: the field is left out, and the model chooses. */
export type CohereToolChoice = "REQUIRED" | "NONE" | null;

/**
 * A message of a request, by its `role`.
 * @see https://docs.cohere.com/reference/chat
 */
export type CohereMessage =
  | { role: "system"; content: string | CohereText[] }
  | { role: "user"; content: string | (CohereText | CohereImage)[] }
  | CohereAssistantMessage
  | { role: "tool"; tool_call_id: string; content: string | (CohereText | CohereDocument)[] };
/**
 * A message of the model: its plan for the calls, texts, thinking and calls.
 * @see https://docs.cohere.com/reference/chat
 */
export interface CohereAssistantMessage {
  role: "assistant";
  content?: string | (CohereText | CohereThinking)[];
  tool_plan?: string;
  tool_calls?: CohereCall[];
}
/** A part with a text. */
export interface CohereText {
  type: "text";
  text: string;
}
/** A part with reasoning. */
export interface CohereThinking {
  type: "thinking";
  thinking: string;
}
/** An image: a URL, or data in one. */
export interface CohereImage {
  type: "image_url";
  image_url: { url: string; detail?: "auto" | "low" | "high" };
}
/** A document in a result, which the model may cite. */
export interface CohereDocument {
  type: "document";
  document: { data: Record<string, unknown>; id?: string };
}
/**
 * A call of a tool. `arguments` is JSON.
 * @see https://docs.cohere.com/reference/chat
 */
export interface CohereCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

/**
 * The body of a response.
 * @see https://docs.cohere.com/reference/chat
 */
export interface CohereResponse {
  id: string;
  finish_reason: "COMPLETE" | "STOP_SEQUENCE" | "MAX_TOKENS" | "TOOL_CALL" | "ERROR" | "TIMEOUT";
  message: {
    role: "assistant";
    content?: (CohereText | CohereThinking)[];
    tool_plan?: string;
    tool_calls?: CohereCall[];
  };
  usage?: {
    tokens?: { input_tokens?: number; output_tokens?: number };
    cached_tokens?: number;
  };
}

/**
 * A schema as Cohere accepts it.
 * @see https://docs.cohere.com/reference/chat
 */
export type CohereSchemaObject = Record<string, unknown>;
