// The wire format of Amazon Bedrock's Converse as this package writes it: assignable to the types of `@aws-sdk/client-bedrock-runtime`.
// Bytes are those of the SDK in objects; in JSON text they are base64, as in the REST API. Fields that only Bedrock knows travel under `metadata.bedrock` and are written too; they
// are not declared here.

/**
 * The body of `POST /model/{modelId}/converse`.
 *
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export interface BedrockRequest extends BedrockToolConfig, BedrockMessages {
  /** The model of the request; absent if the request has none. The API has it in the path. */
  modelId: string;
  inferenceConfig?: {
    maxTokens?: number;
    temperature?: number;
    topP?: number;
    stopSequences?: string[];
  };
  outputConfig?: {
    textFormat?: {
      type: "json_schema";
      /** The schema is JSON in a string. */
      structure: { jsonSchema: { schema: string; name?: string; description?: string } };
    };
    effort?: string;
  };
  /** What a family of models takes. */
  additionalModelRequestFields?: BedrockModelFields;
}

/** What Anthropic's models take beside the settings of all models. */
export type BedrockModelFields = {
  top_k?: number;
  thinking?: {
    type: "enabled" | "disabled" | "adaptive" | "between_tools";
    budget_tokens?: number;
    display?: "summarized" | "omitted";
  };
};

/** The fields that hold the messages. */
export interface BedrockMessages {
  system?: { text: string }[];
  messages: BedrockMessage[];
}

/** The fields that hold tools and choice. */
export interface BedrockToolConfig {
  toolConfig?: { tools: BedrockTools; toolChoice?: BedrockToolChoice };
}

/**
 * The `tools` of a request.
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Tool.html
 */
export type BedrockTools = BedrockTool[];
/**
 * A tool whose arguments are an object that follows the schema.
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html
 */
export interface BedrockTool {
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's type of JSON documents has no index signature for unknown values
  toolSpec: { name: string; description?: string; inputSchema: { json: any }; strict?: boolean };
}

/** There is no choice that forbids calls. */
export type BedrockToolChoice =
  | { auto: Record<string, never> }
  | { any: Record<string, never> }
  | { tool: { name: string } };

/**
 * A message of a request.
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html
 */
export interface BedrockMessage {
  role: "user" | "assistant" | "system";
  content: BedrockBlock[];
}
/**
 * A message of the model.
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html
 */
export interface BedrockAssistantMessage {
  role: "assistant";
  content: BedrockBlock[];
}

/**
 * A block: its only key states what it is.
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html
 */
export type BedrockBlock =
  | { text: string }
  | { image: BedrockMedia<BedrockImageFormat> }
  | { document: BedrockDocument }
  | { video: BedrockMedia<BedrockVideoFormat> }
  | { audio: BedrockMedia<BedrockAudioFormat> }
  | { toolUse: BedrockToolUse }
  | { toolResult: BedrockToolResult }
  | { reasoningContent: BedrockReasoning }
  | { citationsContent: { content: { text: string }[]; citations: Record<string, unknown>[] } };
/** The formats of images. */
export type BedrockImageFormat = "png" | "jpeg" | "gif" | "webp";
/** The formats of documents. */
export type BedrockDocumentFormat = "pdf" | "csv" | "doc" | "docx" | "xls" | "xlsx" | "html" | "txt" | "md";
/** The formats of videos. */
export type BedrockVideoFormat = "mkv" | "mov" | "mp4" | "webm" | "flv" | "mpeg" | "mpg" | "wmv" | "three_gp";
/** The formats of audio. */
export type BedrockAudioFormat =
  | "aac"
  | "flac"
  | "m4a"
  | "mka"
  | "mkv"
  | "mp3"
  | "mp4"
  | "mpeg"
  | "mpga"
  | "ogg"
  | "opus"
  | "pcm"
  | "wav"
  | "webm"
  | "x-aac";
/** Media: bytes (base64 in JSON text), or an object in S3. */
export interface BedrockMedia<Format> {
  format: Format;
  source: { bytes: Uint8Array } | { s3Location: { uri: string } };
}
/** A document: as other media, or its text. */
export interface BedrockDocument {
  format: BedrockDocumentFormat;
  name: string;
  source: { bytes: Uint8Array } | { s3Location: { uri: string } } | { text: string };
}
/**
 * A call. `input` is an object.
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html
 */
export interface BedrockToolUse {
  toolUseId: string;
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's type of JSON documents has no index signature for unknown values
  input: any;
}
/**
 * The result of a call.
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultBlock.html
 */
export interface BedrockToolResult {
  toolUseId: string;
  content: BedrockResultBlock[];
  status?: "success" | "error";
}
/** A block of a result. */
export type BedrockResultBlock =
  | { text: string }
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's type of JSON documents has no index signature for unknown values
  | { json: any }
  | { image: BedrockMedia<BedrockImageFormat> }
  | { document: BedrockDocument }
  | { video: BedrockMedia<BedrockVideoFormat> };
/** Reasoning: a text with its signature, or what only its issuer can read. */
export type BedrockReasoning =
  | { reasoningText: { text: string; signature?: string } }
  | { redactedContent: Uint8Array };

/** Why a response ended. */
export type BedrockStopReason =
  | "content_filtered"
  | "end_turn"
  | "guardrail_intervened"
  | "malformed_model_output"
  | "malformed_tool_use"
  | "max_tokens"
  | "model_context_window_exceeded"
  | "stop_sequence"
  | "tool_use";

/**
 * The body of a response.
 *
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export interface BedrockResponse {
  output: { message: BedrockAssistantMessage };
  stopReason: BedrockStopReason;
  /** In tokens. The input does not include what was read from a cache or written to it. */
  usage: {
    inputTokens: number;
    outputTokens: number;
    totalTokens: number;
    cacheReadInputTokens?: number;
    cacheWriteInputTokens?: number;
  };
  /** 0 for a response of another provider. */
  metrics: { latencyMs: number };
}

/** A schema as `toBedrockSchema` writes it. */
export type BedrockSchemaObject = Record<string, unknown>;
