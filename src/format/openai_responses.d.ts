// The wire format of OpenAI Responses as this package writes it: assignable to the types of the SDK `openai`. Fields that only
// OpenAI knows travel under `metadata.openai` and are written too; they are not declared here.

/**
 * The body of `POST /responses`.
 *
 * @see https://developers.openai.com/api/reference/resources/responses
 */
export interface OpenAIResponsesRequest extends OpenAIResponsesToolConfig, OpenAIResponsesMessages {
  /** The model of the request; absent if the request has none. */
  model: string;
  max_output_tokens?: number;
  temperature?: number;
  top_p?: number;
  top_logprobs?: number;
  include?: "message.output_text.logprobs"[];
  reasoning?: {
    effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
    summary?: "auto" | "concise" | "detailed";
  };
  text?: { format?: OpenAIResponsesFormat; verbosity?: "low" | "medium" | "high" };
  stream?: boolean;
  user?: string;
}

/**
 * The `text.format` of a request: text, any JSON object, or JSON by a schema.
 * @see https://developers.openai.com/api/reference/resources/responses
 */
export type OpenAIResponsesFormat =
  | { type: "text" }
  | { type: "json_object" }
  | { type: "json_schema"; name: string; description?: string; schema: Record<string, unknown>; strict?: boolean };

/** The fields that hold the conversation. */
export interface OpenAIResponsesMessages {
  /** Only where the request came with it: system messages are items of `input`. */
  instructions?: string;
  /** A string only where the request came with one. */
  input: OpenAIResponsesItem[];
}

/** The fields that hold tools and choice. */
export interface OpenAIResponsesToolConfig {
  tools?: OpenAIResponsesTools;
  tool_choice?: OpenAIResponsesToolChoice;
  parallel_tool_calls?: boolean;
}

/**
 * The `tools` of a request.
 * @see https://developers.openai.com/api/reference/resources/responses
 */
export type OpenAIResponsesTools = OpenAIResponsesTool[];
/**
 * A function, whose arguments are JSON, or a custom tool, whose input is text.
 * @see https://developers.openai.com/api/reference/resources/responses
 */
export type OpenAIResponsesTool = OpenAIResponsesFunctionTool | OpenAIResponsesCustomTool;
/**
 * A tool whose arguments are a JSON object that follows `parameters`. Strict unless `strict` is false.
 * @see https://developers.openai.com/api/reference/resources/responses
 */
export interface OpenAIResponsesFunctionTool {
  type: "function";
  name: string;
  description?: string;
  parameters: Record<string, unknown> | null;
  strict: boolean | null;
}
/**
 * A tool whose input is free text, or text by a grammar.
 * @see https://developers.openai.com/api/reference/resources/responses
 */
export interface OpenAIResponsesCustomTool {
  type: "custom";
  name: string;
  description?: string;
  format?: { type: "text" } | { type: "grammar"; syntax: "lark" | "regex"; definition: string };
}

/**
 * Whether the model may or must call a tool, one of them, or some of them.
 * @see https://developers.openai.com/api/reference/resources/responses
 */
export type OpenAIResponsesToolChoice =
  | "auto"
  | "none"
  | "required"
  | { type: "function"; name: string }
  | { type: "custom"; name: string }
  | { type: "allowed_tools"; mode: "auto" | "required"; tools: { [key: string]: unknown }[] };

/**
 * An item of the `input` of a request: a message, a call, a result, or reasoning.
 * @see https://developers.openai.com/api/reference/resources/responses
 */
export type OpenAIResponsesItem =
  | { role: "system" | "developer" | "user"; content: string | OpenAIResponsesPart[]; type?: "message" }
  | { role: "assistant"; content: string; type?: "message"; phase?: "commentary" | "final_answer" | null }
  | OpenAIResponsesOutputItem
  | { type: "function_call_output"; call_id: string; output: string | OpenAIResponsesOutputPart[] }
  | { type: "custom_tool_call_output"; call_id: string; output: string | OpenAIResponsesPart[] };

/** The output of the model: the items of a response, which are sent back with the next request. */
export type OpenAIResponsesOutputItem =
  | {
      type: "message";
      id: string;
      status: "in_progress" | "completed" | "incomplete";
      role: "assistant";
      content: OpenAIResponsesSaid[];
      phase?: "commentary" | "final_answer" | null;
    }
  | OpenAIResponsesFunctionCall
  | OpenAIResponsesCustomCall
  | {
      type: "reasoning";
      id: string;
      summary: { type: "summary_text"; text: string }[];
      content?: { type: "reasoning_text"; text: string }[];
      encrypted_content?: string | null;
      status?: "in_progress" | "completed" | "incomplete";
    };
/**
 * A call. `arguments` is JSON text; a result refers to `call_id`, not to `id`.
 * @see https://developers.openai.com/api/reference/resources/responses
 */
export interface OpenAIResponsesFunctionCall {
  type: "function_call";
  id?: string;
  call_id: string;
  name: string;
  arguments: string;
  status?: "in_progress" | "completed" | "incomplete";
}
/**
 * A call of a custom tool. `input` is any text; a result refers to `call_id`, not to `id`.
 * @see https://developers.openai.com/api/reference/resources/responses
 */
export interface OpenAIResponsesCustomCall {
  type: "custom_tool_call";
  id?: string;
  call_id: string;
  name: string;
  input: string;
}
/**
 * A part of an assistant message in the `input`: text or a refusal.
 * @see https://developers.openai.com/api/reference/resources/responses
 */
export type OpenAIResponsesSaid =
  | { type: "output_text"; text: string; annotations: never[]; logprobs?: never[] }
  | { type: "refusal"; refusal: string };

/**
 * A part of a user message or of a result: text, an image or a file.
 * @see https://developers.openai.com/api/reference/resources/responses
 */
export type OpenAIResponsesPart =
  | { type: "input_text"; text: string }
  | {
      type: "input_image";
      detail: "auto" | "low" | "high" | "original";
      image_url?: string;
      file_id?: string;
    }
  | { type: "input_file"; filename?: string; file_data?: string; file_url?: string; file_id?: string };
/** In the output of a tool, `detail` of an image is optional. */
export type OpenAIResponsesOutputPart =
  | { type: "input_text"; text: string }
  | {
      type: "input_image";
      detail?: "auto" | "low" | "high" | "original";
      image_url?: string;
      file_id?: string;
    }
  | { type: "input_file"; filename?: string; file_data?: string; file_url?: string; file_id?: string };

/**
 * The body of a response.
 *
 * @see https://developers.openai.com/api/reference/resources/responses
 */
export interface OpenAIResponsesResponse {
  id: string;
  object: "response";
  /** Seconds since 1970; 0 for a response of another provider without a `time` in the context, as a conversion has no clock. */
  created_at: number;
  completed_at: number | null;
  model: string;
  status: "completed" | "failed" | "incomplete" | "cancelled";
  error: { code: "server_error"; message: string } | null;
  incomplete_details: { reason?: "max_output_tokens" | "content_filter" } | null;
  output: OpenAIResponsesOutputItem[];
  /** All texts, joined. The SDK computes it as well. */
  output_text: string;
  /** From here on: what the request asked for, if the context knows it, or else the default. */
  instructions: string | null;
  metadata: Record<string, string>;
  parallel_tool_calls: boolean;
  temperature: number;
  top_p: number;
  presence_penalty: number;
  frequency_penalty: number;
  top_logprobs: number;
  tool_choice: OpenAIResponsesToolChoice;
  tools: OpenAIResponsesTools;
  text: { format?: OpenAIResponsesFormat; verbosity?: "low" | "medium" | "high" };
  truncation: "auto" | "disabled";
  reasoning: {
    effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max" | null;
    summary?: "auto" | "concise" | "detailed" | null;
  } | null;
  max_output_tokens: number | null;
  max_tool_calls: number | null;
  previous_response_id: string | null;
  /** `false` unless the request asks for it: a conversion stores nothing. */
  store: boolean;
  background: boolean;
  service_tier: "auto" | "default" | "flex" | "scale" | "priority";
  safety_identifier: string | null;
  prompt_cache_key: string | null;
  access_programs: null;
  usage?: {
    input_tokens: number;
    output_tokens: number;
    total_tokens: number;
    input_tokens_details: { cached_tokens: number; cache_write_tokens: number };
    output_tokens_details: { reasoning_tokens: number };
  };
}

/** A schema as `toOpenAIResponsesSchema` writes it. */
export type OpenAIResponsesSchemaObject = Record<string, unknown>;
