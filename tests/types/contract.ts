// The types that the package promises, written by hand: tests/types/assignable.ts compares the package's types with them.

import type * as toolwire from "../../pkg/dist/index.js";

// ── who speaks what ─────────────────────────────────────────────────────────────────────────────────────────────
/** A wire format: at least these. Dialects for further servers are not promised. `canonical` is the format of this file. */
export type Dialect =
  | toolwire.Dialect
  | "canonical"
  | "openai"
  | "mistral"
  | "cohere"
  | "openai-responses"
  | "anthropic"
  | "bedrock"
  | "gemini"
  | "vertexai"
  | "gemini-interactions"
  | "ollama"
  | "universal";
/** A family of dialects: the key of provider-only state, and the issuer of reasoning. */
export type Provider = "openai" | "anthropic" | "google" | "bedrock" | "mistral" | "cohere" | "ollama" | "mcp";

/** Interfaces of other packages are allowed. */
export type JsonSchema = object;
/**
 * State that only one provider understands, under the provider's name; plus the two reserved keys. It is sent only to dialects of that
 * provider (each dialect declares which fields of its family it accepts, and warns about the others). Any other key is the user's own and
 * is never sent.
 */
export interface Metadata {
  /** Gemini's signature of a call or a part, where drivers look for it. */
  thoughtSignature?: string;
  /** The exact argument text, present only if serializing `arguments` would not reproduce it. */
  rawArguments?: string;
  [providerOrUserKey: string]: unknown;
}

// ── tools ───────────────────────────────────────────────────────────────────────────────────────────────────────
export interface ToolDefinition {
  name: string;
  description?: string;
  /** JSON Schema of the arguments. Omitted: the tool takes none. */
  parameters?: JsonSchema;
  /** Omitted and false both mean "not strict", whatever the target's own default is. */
  strict?: boolean;
  /** Example arguments: `input_examples` on Anthropic; elsewhere, part of the description if an option says so, otherwise a warning. */
  inputExamples?: Record<string, unknown>[];
  metadata?: Metadata;
}
/** A tool that only its provider supports (web search, code execution, an MCP server …). It keeps its value and its position. */
export interface NativeTool {
  type: "native";
  provider: Provider;
  value: unknown;
}

export type ToolChoice =
  | "auto"
  | "none"
  | "required"
  | { name: string }
  | { allowed: string[]; mode?: "auto" | "required" }
  | { provider: Provider; native: unknown };

export interface ToolCall {
  id: string;
  name: string;
  /** Always an object. A freeform (custom) tool's text is `{ input: text }`, with `metadata.openai.custom`. */
  arguments: Record<string, unknown>;
  metadata?: Metadata;
}
/** A call whose arguments are not a JSON object. It is kept unchanged and can be sent again. */
export interface InvalidToolCall {
  id: string;
  name: string;
  rawArguments: string;
  error: string;
  metadata?: Metadata;
}

export type ToolResult = { toolCallId: string; name: string; metadata?: Metadata } & (
  | { kind: "text"; value: string }
  | { kind: "data"; value: unknown; isError?: boolean }
  | { kind: "error"; value: string }
  | { kind: "multimodal"; value: ContentBlock[]; isError?: boolean }
);
/**
 * A result that a caller may pass: the same, with `value` checked at run time. An `error` that is not a string becomes `data` with
 * `isError`.
 */
export interface ToolResultInput {
  toolCallId: string;
  name: string;
  kind: "text" | "data" | "error" | "multimodal";
  value: unknown;
  isError?: boolean;
  metadata?: Metadata;
}

// ── content and messages ────────────────────────────────────────────────────────────────────────────────────────
export type MediaSource =
  | { type: "base64"; data: string } // needs a mediaType beside it
  | { type: "url"; url: string } // also Gemini's fileUri
  | { type: "file"; id: string }
  | { type: "text"; data: string }; // a plain-text document
export type ContentBlock = { metadata?: Metadata } & (
  | { type: "text"; text: string }
  | { type: "refusal"; text: string }
  | { type: "image" | "audio" | "video" | "document"; source: MediaSource; mediaType?: string; name?: string }
  | { type: "data"; value: unknown }
  | { type: "reasoning"; text?: string; signature?: string; redacted?: string; issuer: Provider; scope?: string }
  /** The position of a call (valid or not) if content follows it. Calls without such a block follow the content. */
  | { type: "toolCall"; id: string }
  | { type: "native"; provider: Provider; value: unknown }
);

export interface SystemMessage {
  role: "system";
  content: string | ContentBlock[];
  metadata?: Metadata;
}
export interface UserMessage {
  role: "user";
  content: string | ContentBlock[];
  metadata?: Metadata;
}
export interface AssistantMessage {
  role: "assistant";
  content: string | ContentBlock[];
  toolCalls?: ToolCall[];
  invalidToolCalls?: InvalidToolCall[];
  metadata?: Metadata;
}
export type ToolMessage = { role: "tool" } & ToolResult;
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;
export type MessageInput = SystemMessage | UserMessage | AssistantMessage | ({ role: "tool" } & ToolResultInput);

// ── requests and responses ──────────────────────────────────────────────────────────────────────────────────────
export interface ChatRequest<M = Message> {
  model?: string;
  messages: M[];
  tools?: (ToolDefinition | NativeTool)[];
  toolChoice?: ToolChoice;
  parallelToolCalls?: boolean;
  maxTokens?: number;
  temperature?: number;
  topP?: number;
  topK?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  stop?: string[];
  seed?: number;
  candidateCount?: number;
  topLogprobs?: number;
  reasoning?: {
    effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
    budgetTokens?: number;
    include?: boolean;
  };
  verbosity?: "low" | "medium" | "high";
  responseFormat?:
    | { type: "text" }
    | { type: "json" }
    | { type: "jsonSchema"; name?: string; description?: string; schema: JsonSchema; strict?: boolean };
  stream?: boolean;
  userId?: string;
  metadata?: Metadata;
}
export type ChatRequestInput = ChatRequest<MessageInput>;

export type FinishReason =
  | "stop"
  | "length"
  | "tool_calls"
  | "content_filter"
  | "refusal"
  | "pause"
  | "error"
  | "other";
/** Tokens. `input` includes cached and cache-written ones, `output` includes reasoning, `total` is their sum. */
export interface Usage {
  input?: number;
  output?: number;
  total?: number;
  cached?: number;
  cacheWrite?: number;
  reasoning?: number;
  metadata?: Metadata;
}
export interface ChatResponse {
  id?: string;
  model?: string;
  /** Append it unchanged to the next request. Its `content` is an array, in the order of the model. */
  message: AssistantMessage & { content: ContentBlock[] };
  /** All text blocks joined. */
  text: string;
  reasoningText?: string;
  /** The message's own arrays, never undefined here. */
  toolCalls: ToolCall[];
  invalidToolCalls: InvalidToolCall[];
  finishReason: FinishReason;
  rawFinishReason?: string;
  usage?: Usage;
  /** The error of a failed stream. `message` holds everything that was complete before the failure. */
  error?: ChatError;
  /** Response-only state (further choices, service tier …); never replayed. */
  metadata?: Metadata;
}

/** A provider's error body, whatever its shape. */
export interface ChatError {
  status?: number;
  code: string;
  message: string;
  retryable: boolean;
  metadata?: Metadata;
}

export type StreamEvent =
  | { type: "start"; id?: string; model?: string; metadata?: Metadata }
  | { type: "textDelta"; block: number; text: string }
  | { type: "refusalDelta"; block: number; text: string }
  | { type: "reasoningDelta"; block: number; text: string }
  | { type: "reasoningEnd"; block: number; signature?: string; redacted?: string }
  | { type: "toolCallStart"; block: number; id: string; name: string; metadata?: Metadata }
  | { type: "toolCallDelta"; block: number; id: string; text: string } // a fragment of the argument text
  | { type: "toolCallEnd"; block: number; call: ToolCall | InvalidToolCall }
  | { type: "block"; block: number; value: ContentBlock } // one that arrives whole
  | { type: "usage"; usage: Usage }
  | { type: "finish"; finishReason: FinishReason; rawFinishReason?: string; metadata?: Metadata }
  | { type: "error"; error: ChatError }
  | { type: "native"; provider: Provider; value: unknown };

// ── warnings, errors, options ───────────────────────────────────────────────────────────────────────────────────
export interface Warning {
  code: string; // from a closed, documented list
  message: string;
  /** JSON Pointer into the input. */
  path: string;
  /** Whether the target receives less, or something else, than the input contains. */
  lossy: boolean;
  level: "loss" | "change" | "bookkeeping";
  dialect: Dialect;
  detail?: unknown;
}
export interface ToolwireError extends Error {
  readonly code: string;
  readonly path: string;
  readonly dialect?: Dialect;
}

export interface Options {
  /** Called once per warning, in order, after the conversion; what it throws propagates. */
  onWarning?(warning: Warning): void;
  /** `error`: the first lossy warning is thrown instead. Default `allow`. */
  lossy?: "allow" | "error";
  /** Delivers warnings of the level `bookkeeping`, too. Default false. */
  bookkeeping?: boolean;
  /** The facts of the request that converting a response requires (renamed tools, ids, freeform tools, echoed fields). See contextOf. */
  context?: ConversionContext;
  /** A call without a result before the next turn. Default: `synthesize` for another dialect, unchanged for the same. */
  missingResults?: "error" | "synthesize" | "drop";
  /** A result without a call. Default: `asText` for another dialect, unchanged for the same. */
  orphanResults?: "error" | "drop" | "asText";
  duplicateResults?: "error" | "last";
  /** `json` (default): `{"error": …}`. `prefix`: `Execution Error: …`. For targets without an error flag. */
  errorStyle?: "json" | "prefix";
  /** `text` (default): a string result is text. `parse`: JSON objects and arrays become data, exactly `{"error": string}` an error. */
  jsonResults?: "text" | "parse";
  geminiResultKey?: "output" | "result";
  geminiSchema?: "jsonSchema" | "openapi";
  anthropicVersion?: "2023-06-01" | "2026-10-21";
  /** Where the model is hosted, for body differences. */
  platform?: "vertex" | "bedrock";
  /** Role of system messages on OpenAI whose role is not recorded. Default `system`. */
  systemRole?: "system" | "developer";
  inputExamples?: "warn" | "describe";
  /** System messages after the first turn. Default `hoist` (with a warning); `inline` if the target accepts them. */
  midSystem?: "hoist" | "inline";
  /** Whether canonical output records the forms in which the provider wrote fields (`metadata.<provider>.form`). Default `keep`. */
  forms?: "keep" | "omit";
  /** Requests: the model, and whether to stream; they override the request. */
  model?: string;
  stream?: boolean;
  /** Seed of generated ids, for input without a response id. */
  idSeed?: string;
  /** Streams to `openai`: whether a chunk without choices has the usage at the end. Default: as the context requires, else false. */
  includeUsage?: boolean;
  /** Responses: whether the client is shown reasoning of another issuer. Default: as the context requires, else `show`. */
  reasoning?: "show" | "hide";
  maxDepth?: number;
}
/** Small plain JSON, deterministic, safe to store between request and response. */
export interface ConversionContext {
  readonly [key: string]: unknown;
}
export interface Conversion extends Options {
  from: Dialect;
  to: Dialect;
}

// ── functions: one set for each dialect ─────────────────────────────────────────────────────────────────────────
/** The functions of one dialect, by what they do. */
export interface Driver {
  to(request: ChatRequestInput, options?: Options): object;
  from(response: object, options?: Options): ChatResponse;
  toTools(tools: (ToolDefinition | NativeTool)[], options?: Options): object[];
  toToolChoice(choice: ToolChoice, options?: Options): unknown;
  toSchema(schema: JsonSchema, options?: Options & { strict?: boolean; for?: "tool" | "format" }): object;
  toToolConfig(config: Pick<ChatRequest, "tools" | "toolChoice" | "parallelToolCalls">, options?: Options): object;
  toMessages(messages: MessageInput[], options?: Options): object;
  fromToolCalls(message: object, options?: Options): { toolCalls: ToolCall[]; invalidToolCalls: InvalidToolCall[] };
  fromRequest(body: object, options?: Options): ChatRequest;
  toResponse(response: ChatResponse, options?: Options): object;
}
export type ToGoogleGenAI = (request: ChatRequestInput, options?: Options) => object;
export type FromGoogleGenAI = (response: object, options?: Options) => ChatResponse;
export interface ConvertBody {
  (body: string, conversion: Conversion): string;
  (body: Uint8Array | ArrayBuffer, conversion: Conversion): Uint8Array;
  (body: object, conversion: Conversion): object;
}
export type SetDefaultOptions = (options: Options | undefined) => void;
export type ConvertError = <T extends object | string | Uint8Array>(
  body: T,
  conversion: Conversion & { status?: number },
) => T;
export type RequestPath = (
  request: object | string | Uint8Array,
  target: { to: Dialect; model?: string; stream?: boolean },
) => string;
export type ContextOf = (request: object | string | Uint8Array, conversion: Conversion) => ConversionContext;
export type MakeToolResult = (call: ToolCall | InvalidToolCall, value: unknown) => ToolMessage;

// ── streams ─────────────────────────────────────────────────────────────────────────────────────────────────────
export type ReadStream = (options: Options & { from: Dialect }) => StreamReader;
export type ConvertStream = (conversion: Conversion) => StreamConverter;
export type StreamEvents = (
  source: AsyncIterable<unknown> | ReadableStream<Uint8Array>,
  options: Options & { from: Dialect },
) => EventStream;
export interface EventStream extends AsyncGenerator<StreamEvent, ChatResponse, undefined> {
  readonly response: Promise<ChatResponse>;
}
export interface StreamReader {
  push(chunk: Uint8Array | string | object): StreamEvent[];
  finish(): ChatResponse;
  free(): void;
}
export interface StreamConverter {
  push(chunk: Uint8Array): Uint8Array;
  finish(): Uint8Array;
  transform(): TransformStream<Uint8Array, Uint8Array>;
  readonly warnings: Warning[];
  free(): void;
}
