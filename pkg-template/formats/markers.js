// The characteristics that distinguish formats, as data. See patterns.js for the syntax.

const geminiTools = ["functionDeclarations", "function_declarations", "googleSearch", "googleSearchRetrieval"].concat(
  ["codeExecution", "urlContext", "computerUse", "googleMaps", "mcpServers", "fileSearch", "retrieval"],
  ["enterpriseWebSearch", "parallelAiSearch", "exaAiSearch"],
);

/** The keys that distinguish Ollama's bodies from OpenAI's. Bodies without them are treated as OpenAI's. */
const ollamaKeys = ["options", "think", "format", "keep_alive"].concat(
  ["images", "tool_name", "thinking"].map((key) => `messages[].${key}`),
);

/** The keys that only Bedrock's bodies have. */
const bedrockKeys = [
  "modelId",
  "toolConfig.tools",
  "toolConfig.toolChoice",
  "inferenceConfig",
  "additionalModelRequestFields",
  "guardrailConfig",
].concat(
  ["toolUse", "toolResult", "reasoningContent", "image.format", "document.format", "video.format", "cachePoint"].map(
    (key) => `messages[].content[].${key}`,
  ),
);

/** The keys that only Cohere's bodies have. Bodies without them are treated as OpenAI's. */
const cohereKeys = ["strict_tools", "safety_mode", "citation_options", "thinking.token_budget", "p:number"].concat(
  ["k:number", "tool_choice=REQUIRED", "tool_choice=NONE", "messages[].tool_plan"],
  ["messages[].content[].document.data"],
);

/** The keys of Mistral's API, which its clients send in OpenAI's format, too. Bodies without them are treated as OpenAI's. */
const mistralKeys = ["random_seed", "safe_prompt", "prompt_mode", "tool_choice=any"].concat(
  ["thinking:array", "type=document_url", "type=reference"].map((key) => `messages[].content[].${key}`),
);

/** The keys that only bodies of Gemini Interactions have, apart from those that OpenAI's Responses API has as well. */
const interactionsKeys = ["generation_config", "system_instruction", "previous_interaction_id", "agent_config"].concat(
  ["user_input", "model_output", "thought", "function_result"].map((type) => `input[].type=${type}`),
  ["response_format.mime_type", "input.type=text", "input[].role=model"],
);

/**
 * The forms of bodies. A body matches a form if it has all of `needs`. If the format was not given, it must also
 * have all of `marks`, and forms with `isLikeOthers` don't match. `isSure` forms ignore contradicting markers,
 * because their fields also occur in others. A form with `variantOf` takes the place of that format's form.
 */
export const forms = [
  { kind: "request", dialect: "canonical", needs: ["messages:array"] },
  { kind: "request", dialect: "openai", needs: ["messages:array"] },
  { kind: "request", dialect: "openai-responses", needs: ["input|prompt|previous_response_id"], isSure: true },
  { kind: "request", dialect: "anthropic", needs: ["messages:array"] },
  {
    kind: "request",
    dialect: "bedrock",
    needs: ["messages:array|system:array|modelId"],
    marks: [bedrockKeys.join("|")],
  },
  { kind: "request", dialect: "cohere", needs: ["messages:array"], marks: [cohereKeys.join("|")], isSure: true },
  {
    kind: "request",
    dialect: "mistral",
    needs: ["messages:array"],
    marks: [mistralKeys.join("|")],
    variantOf: "openai",
  },
  {
    kind: "request",
    dialect: "gemini-interactions",
    needs: ["input|agent|previous_interaction_id"],
    marks: [interactionsKeys.join("|")],
    isSure: true,
  },
  { kind: "request", dialect: "gemini", needs: ["contents"] },
  { kind: "request", dialect: "ollama", needs: ["messages:array"], marks: [ollamaKeys.join("|")] },
  { kind: "request", dialect: "universal", needs: ["messages[].tool_calls|messages[].tool_results|tool_results"] },
  { kind: "response", dialect: "canonical", needs: ["message.role=assistant", "finishReason"] },
  { kind: "response", dialect: "openai", needs: ["choices:array"] },
  { kind: "response", dialect: "openai-responses", needs: ["output:array"] },
  { kind: "response", dialect: "anthropic", needs: ["type=message", "content:array"] },
  { kind: "response", dialect: "bedrock", needs: ["output.message", "stopReason"] },
  { kind: "response", dialect: "cohere", needs: ["message.role=assistant", "finish_reason"] },
  { kind: "response", dialect: "gemini", needs: ["candidates|promptFeedback|usageMetadata"] },
  { kind: "response", dialect: "gemini-interactions", needs: ["steps:array|outputs:array", "status"] },
  { kind: "response", dialect: "ollama", needs: ["message.role=assistant", "done"] },
  { kind: "response", dialect: "universal", needs: ["tool_calls:array"] },
  { kind: "error", dialect: "canonical", needs: ["code", "message", "retryable"] },
  { kind: "error", dialect: "openai", needs: ["error"] },
  { kind: "error", dialect: "openai-responses", needs: ["error"], isLikeOthers: true },
  { kind: "error", dialect: "anthropic", needs: ["error", "type=error"] },
  { kind: "error", dialect: "bedrock", needs: ["message", "__type"] },
  { kind: "error", dialect: "cohere", needs: ["message:string"], isLikeOthers: true },
  { kind: "error", dialect: "gemini", needs: ["error|[].error"] },
  { kind: "error", dialect: "gemini-interactions", needs: ["error"], isLikeOthers: true },
  { kind: "error", dialect: "ollama", needs: ["error"], isLikeOthers: true },
  { kind: "tools", dialect: "ollama", needs: ["[].function"], isLikeOthers: true },
  { kind: "tools", dialect: "cohere", needs: ["[].function"], isLikeOthers: true },
  { kind: "tools", dialect: "canonical", needs: ["[].name|[].type=native"] },
  { kind: "tools", dialect: "openai", needs: ["[].function|[].custom"] },
  { kind: "tools", dialect: "openai-responses", needs: ["[].type"], marks: ["[].type=function|[].type=custom"] },
  { kind: "tools", dialect: "gemini-interactions", needs: ["[].type"], isLikeOthers: true },
  { kind: "tools", dialect: "anthropic", needs: ["[].name"] },
  { kind: "tools", dialect: "bedrock", needs: ["[].toolSpec|[].systemTool"] },
  { kind: "tools", dialect: "gemini", needs: [geminiTools.map((key) => `[].${key}`).join("|")] },
];

/** Stream events. Every event of Gemini is a response, and so is the last one of Ollama. */
export const events = [
  { dialect: "openai", needs: ["choices[].delta|object=chat.completion.chunk"] },
  { dialect: "openai-responses", needs: ["type~^response\\.[a-z_.]+$"] },
  { dialect: "anthropic", needs: ["type=message_start|type=content_block_start|type=content_block_delta|type=ping"] },
  { dialect: "anthropic", needs: ["type=content_block_stop|type=message_delta|type=message_stop"] },
  {
    dialect: "bedrock",
    needs: ["messageStart|contentBlockStart|contentBlockDelta|contentBlockStop|messageStop|metadata.usage"],
  },
  { dialect: "cohere", needs: ["type=message-start|type=content-start|type=content-delta|type=content-end"] },
  { dialect: "cohere", needs: ["type=tool-plan-delta|type=tool-call-start|type=tool-call-delta|type=message-end"] },
  { dialect: "gemini", needs: ["candidates:array|promptFeedback|usageMetadata"] },
  { dialect: "gemini-interactions", needs: ["event_type"] },
  { dialect: "ollama", needs: ["message", "done:boolean"] },
  {
    dialect: "canonical",
    needs: ["type=start|type=textDelta|type=reasoningDelta|type=toolCallStart|type=toolCallDelta"],
  },
];

const blocks = "messages[].content[].type=";
const toolMarkers = (tools) => [
  { of: ["canonical"], patterns: [`${tools}.type=native`, `${tools}.metadata`] },
  { of: ["canonical", "openai-responses", "gemini-interactions"], patterns: [`${tools}.parameters`] },
  { of: ["openai", "ollama", "openai-responses", "gemini-interactions"], patterns: [`${tools}.type=function`] },
  { of: ["openai", "anthropic", "openai-responses"], patterns: [`${tools}.type=custom`] },
  { of: ["openai", "ollama"], patterns: [`${tools}.function`] },
  { of: ["openai"], patterns: [`${tools}.custom`] },
  { of: ["anthropic"], patterns: [`${tools}.input_schema`, `${tools}.type~_\\d{8}$`] },
  { of: ["gemini"], patterns: geminiTools.map((key) => `${tools}.${key}`) },
  { of: ["bedrock"], patterns: [`${tools}.toolSpec`, `${tools}.systemTool`] },
  {
    of: ["canonical", "openai", "anthropic", "ollama", "openai-responses", "gemini-interactions"],
    patterns: [`${tools}.name`],
  },
];

/** Patterns that occur only in the formats `of`. A body can have a format only if all markers found in it allow it. */
export const markers = {
  request: [
    {
      of: ["canonical"],
      patterns: ["maxTokens", "topP", "topK", "toolChoice", "parallelToolCalls", "responseFormat"].concat(
        ["presencePenalty", "frequencyPenalty", "candidateCount", "topLogprobs", "userId", "reasoning.budgetTokens"],
        ["reasoning.include", "messages[].toolCalls", "messages[].invalidToolCalls", "messages[].toolCallId"],
        ["messages[].kind", "messages[].content[].mediaType"],
        ["toolCall", "data", "reasoning", "native", "audio", "video"].map((type) => blocks + type),
      ),
    },
    { of: ["ollama"], patterns: ollamaKeys },
    { of: ["bedrock"], patterns: bedrockKeys },
    { of: ["cohere"], patterns: cohereKeys },
    { of: ["gemini-interactions"], patterns: interactionsKeys },
    { of: ["openai", "ollama"], patterns: ["messages[].tool_calls[].function", "messages[].tool_call_id"] },
    { of: ["openai"], patterns: ["messages[].tool_calls[].custom", "messages[].function_call"] },
    { of: ["openai"], patterns: ["messages[].role=developer", "messages[].role=function", "messages[].refusal"] },
    { of: ["openai"], patterns: ["image_url", "input_audio", "file"].map((type) => blocks + type) },
    {
      of: ["openai"],
      patterns: ["max_completion_tokens", "parallel_tool_calls", "response_format", "reasoning_effort"].concat(
        ["presence_penalty", "frequency_penalty", "n", "logit_bias", "stream_options", "functions", "function_call"],
        ["modalities", "store", "user", "prompt_cache_key", "safety_identifier", "prediction", "web_search_options"],
        ["tool_choice:string", "tool_choice.function", "tool_choice.custom", "tool_choice.allowed_tools"],
      ),
    },
    { of: ["openai", "ollama"], patterns: ["logprobs", "top_logprobs"] },
    // OpenRouter uses these fields in Chat Completions bodies
    { of: ["openai"], patterns: ["reasoning.exclude", "reasoning.max_tokens", "reasoning.enabled"] },
    { of: ["anthropic", "bedrock"], patterns: ["system:array"] },
    {
      of: ["anthropic"],
      patterns: ["system:string", "system[].type", "stop_sequences", "output_config", "mcp_servers"].concat(
        // Chat Completions bodies for DeepSeek, Z.AI, Moonshot and MiniMax may have another type in it, and `top_k`
        ["thinking.budget_tokens", "thinking.display", "thinking.type=between_tools", "context_management"],
        ["container", "anthropic_version", "anthropic_beta", "messages[].content[].thinking:string"],
        ["messages[].content[].source.media_type"],
        ["auto", "any", "tool", "none"].map((type) => `tool_choice.type=${type}`),
        ["tool_use", "tool_result", "document", "redacted_thinking", "server_tool_use", "search_result"].map(
          (type) => blocks + type,
        ),
      ),
    },
    { of: ["openai"], patterns: ["messages[].prefix", ...mistralKeys] },
    { of: ["openai", "anthropic"], patterns: ["max_tokens", "top_p", "tool_choice", "service_tier"] },
    { of: ["universal"], patterns: ["messages[].tool_results", "messages[].tool_calls[].name", "tool_results"] },
    { of: ["openai", "ollama", "universal"], patterns: ["messages[].tool_calls"] },
    { of: ["canonical", "openai", "anthropic", "ollama", "bedrock"], patterns: ["messages[].role"] },
    { of: ["canonical", "openai", "ollama"], patterns: ["messages[].role=tool"] },
    { of: ["canonical", "openai"], patterns: ["stop", "seed", "verbosity", "reasoning"] },
    ...toolMarkers("tools[]"),
  ],
  response: [],
  error: [
    { of: ["openai", "anthropic"], patterns: ["error.type"] },
    { of: ["openai"], patterns: ["error.param"] },
    { of: ["anthropic"], patterns: ["type=error"] },
    { of: ["gemini", "gemini-interactions"], patterns: ["error.status", "error.details:array"] },
  ],
  tools: toolMarkers("[]"),
};
