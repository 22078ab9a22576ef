// The report format: the calls of a model and their results, independent of the provider.

/** A call of the model. */
export interface UniversalToolCall {
  id: string;
  name: string;
  /** Always an object. */
  arguments: Record<string, unknown>;
  /** State that only its provider understands. Send it back unchanged with the call. */
  raw_context?: Metadata;
}

/** A call whose arguments are not a JSON object. */
export interface UniversalInvalidToolCall {
  id: string;
  name: string;
  /** The exact text. */
  raw_arguments: string;
  error: string;
  raw_context?: Metadata;
}

/** The result of a call. */
export interface UniversalToolResult {
  tool_call_id: string;
  /** The name of the tool. If absent, it is looked up from the calls. */
  name?: string;
  /** Any JSON value; a string is text. Null if all content is in `multimodal_parts`. */
  result: unknown;
  /** Whether the tool failed. Default false. */
  is_error?: boolean;
  /** Text, data and media that follow `result`, in order. */
  multimodal_parts?: ContentBlock[];
  raw_context?: Metadata;
}

/** The calls of one turn. */
export interface UniversalCalls {
  tool_calls: UniversalToolCall[];
  invalid_tool_calls?: UniversalInvalidToolCall[];
  raw_context?: Metadata;
}

/** The results of earlier calls. */
export interface UniversalResults {
  tool_results: UniversalToolResult[];
}

/** The calls and results of a conversation, in order. */
export interface UniversalRequest {
  messages: (UniversalCalls | UniversalResults)[];
  raw_context?: Metadata;
}

/** The calls of a response. */
export type UniversalResponse = UniversalCalls;
