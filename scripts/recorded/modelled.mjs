// The wire fields that the canonical format models, by level. None of them may be carried in metadata.
// A name with a dot is a modelled part of a nested wire object.

const nested = (prefix, names) => names.map((name) => `${prefix}.${name}`);

/** The messages of formats that have those of Chat Completions. */
const chat = {
  message: ["content", "tool_calls"],
  result: ["tool_call_id", "content"],
  definition: ["type", ...nested("function", ["name", "description", "parameters"])],
  call: ["id", "type", "function.name", "function.arguments"],
};

export const modelled = {
  mistral: {
    ...chat,
    request: [
      ...["model", "messages", "tools", "tool_choice", "parallel_tool_calls", "stream", "max_tokens", "temperature"],
      ...["top_p", "presence_penalty", "frequency_penalty", "stop", "random_seed", "n", "reasoning_effort"],
      ...[
        "response_format.type",
        ...nested("response_format.json_schema", ["name", "description", "schema", "strict"]),
      ],
    ],
    block: ["type", "text", "image_url", "document_url", "document_name", "input_audio", "thinking"],
    response: ["id", "model", "object", "usage", "choice.index", "choice.message", "choice.finish_reason"],
    usage: ["prompt_tokens", "completion_tokens", "total_tokens"],
  },
  cohere: {
    ...chat,
    request: [
      ...["model", "messages", "tools", "tool_choice", "strict_tools", "stream", "max_tokens", "temperature", "p", "k"],
      ...["presence_penalty", "frequency_penalty", "stop_sequences", "seed", "response_format"],
      ...nested("thinking", ["type", "token_budget"]),
    ],
    block: ["type", "text", "image_url.url", "thinking", "document.data"],
    response: ["id", "message", "finish_reason", "usage.tokens"],
    usage: nested("tokens", ["input_tokens", "output_tokens"]),
  },
  openai: {
    request: [
      ...["model", "messages", "tools", "tool_choice", "functions", "function_call", "parallel_tool_calls", "stream"],
      ...["max_completion_tokens", "max_tokens", "temperature", "top_p", "presence_penalty", "frequency_penalty"],
      ...["stop", "seed", "n", "top_logprobs", "reasoning_effort", "verbosity", "user", "response_format.type"],
      ...nested("response_format.json_schema", ["name", "description", "schema", "strict"]),
    ],
    message: ["content", "refusal", "tool_calls", "function_call"],
    result: ["tool_call_id", "content"],
    block: [
      ...["type", "text", "refusal", "image_url.url", "input_audio.data", "input_audio.format"],
      ...nested("file", ["file_id", "file_data", "filename"]),
    ],
    definition: [
      ...["type", "name", "description", "parameters", "strict", "custom.name", "custom.description"],
      ...nested("function", ["name", "description", "parameters", "strict"]),
    ],
    call: ["id", "type", "name", "arguments", "function.name", "function.arguments", "custom.name", "custom.input"],
    response: ["id", "model", "object", "usage", "choice.index", "choice.message", "choice.finish_reason"],
    usage: [
      ...["prompt_tokens", "completion_tokens", "total_tokens", "completion_tokens_details.reasoning_tokens"],
      ...nested("prompt_tokens_details", ["cached_tokens", "cache_write_tokens"]),
    ],
  },
  ollama: {
    request: [
      ...["model", "messages", "tools", "stream", "think", "format", "top_logprobs"],
      ...nested("options", ["num_predict", "temperature", "top_p", "top_k", "presence_penalty", "frequency_penalty"]),
      ...nested("options", ["seed", "stop"]),
    ],
    message: ["content", "thinking", "images", "tool_calls"],
    result: ["content", "images", "tool_name", "tool_call_id"],
    block: ["text"],
    definition: ["type", ...nested("function", ["name", "description", "parameters"])],
    call: ["id", "type", "function.name", "function.arguments"],
    response: ["model", "message", "done_reason"],
    usage: ["prompt_eval_count", "eval_count"],
  },
  anthropic: {
    request: [
      ...["model", "messages", "system", "tools", "tool_choice", "stream", "max_tokens", "temperature", "top_p"],
      ...["top_k", "stop_sequences", "metadata.user_id", "output_config.effort", "output_config.format"],
      ...nested("thinking", ["budget_tokens", "display"]),
    ],
    message: ["role", "content"],
    result: ["type", "tool_use_id", "content", "is_error"],
    block: ["type", "text", "source", "title", "thinking", "signature", "data"],
    definition: ["name", "description", "input_schema", "strict"],
    call: ["type", "id", "name", "input"],
    response: ["id", "type", "role", "model", "content", "stop_reason", "usage"],
    usage: [
      ...["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"],
      ...["output_tokens_details.thinking_tokens"],
    ],
  },
  bedrock: {
    request: [
      ...["modelId", "messages", "system", "toolConfig.tools", "toolConfig.toolChoice"],
      ...nested("inferenceConfig", ["maxTokens", "temperature", "topP", "stopSequences"]),
      ...["outputConfig.effort", "additionalModelRequestFields.top_k"],
    ],
    message: ["role", "content"],
    result: nested("toolResult", ["toolUseId", "content", "status"]),
    block: ["text", ...nested("reasoningText", ["text", "signature"]), "reasoningContent.redactedContent"],
    definition: nested("toolSpec", ["name", "description", "inputSchema", "strict"]),
    call: nested("toolUse", ["toolUseId", "name", "input"]),
    response: ["output.message", "stopReason", "usage"],
    usage: ["inputTokens", "outputTokens", "totalTokens", "cacheReadInputTokens", "cacheWriteInputTokens"],
  },
  google: {
    request: [
      ...["model", "contents", "systemInstruction", "tools"],
      ...nested("toolConfig.functionCallingConfig", ["mode", "allowedFunctionNames"]),
      ...nested("generationConfig", [
        ...["maxOutputTokens", "temperature", "topP", "topK", "stopSequences", "candidateCount", "seed"],
        ...["presencePenalty", "frequencyPenalty", "logprobs", "responseMimeType", "responseJsonSchema"],
        ...["responseSchema", "thinkingConfig"],
      ]),
    ],
    message: ["role", "parts"],
    result: ["id", "name", "response", "parts", ...nested("functionResponse", ["id", "name", "response", "parts"])],
    block: [
      ...["text", "thought", "thoughtSignature"],
      ...nested("inlineData", ["mimeType", "data", "displayName"]),
      ...nested("fileData", ["mimeType", "fileUri", "displayName"]),
    ],
    definition: ["name", "description", "parameters", "parametersJsonSchema"],
    call: ["id", "name", "args", "thoughtSignature", ...nested("functionCall", ["id", "name", "args"])],
    response: [
      ...["candidates", "usageMetadata", "modelVersion", "responseId"],
      ...nested("candidate", ["content", "finishReason", "index"]),
    ],
    usage: [
      ...["promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "cachedContentTokenCount"],
      ...["totalTokenCount"],
    ],
  },
};

/** Marks that the canonical format documents, beside the provider's own fields. */
export const marks = new Set(["continues", "custom", "choices"]);
