// What to set in clients, so that they use the gateway.

const PROVIDER = "toolwire";

export function clientSettings(url, config) {
  const key = config.open ? "none" : "KEY";
  const models = Object.values(config.upstreams).map(({ models }) => models);
  const model = models.find((name) => typeof name === "string") ?? "MODEL";
  const codex = `model_providers.${PROVIDER}={name="${PROVIDER}",base_url="${url}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}`;
  const opencode = {
    npm: "@ai-sdk/openai-compatible",
    options: { baseURL: `${url}/v1`, apiKey: key },
    models: { [model]: {} },
  };
  return `
Claude Code    ANTHROPIC_BASE_URL=${url} ANTHROPIC_AUTH_TOKEN=${key} claude
Codex          OPENAI_API_KEY=${key} codex -c model_provider=${PROVIDER} -c '${codex}' -m ${model}
Gemini CLI     GOOGLE_GEMINI_BASE_URL=${url} GEMINI_API_KEY=${key} gemini
Qwen Code      OPENAI_BASE_URL=${url}/v1 OPENAI_API_KEY=${key} OPENAI_MODEL=${model} qwen
opencode       opencode.json: ${JSON.stringify({ provider: { [PROVIDER]: opencode } })}
Cline          OpenAI Compatible: base URL ${url}/v1, API key ${key}, model ${model}
OpenAI SDK     OPENAI_BASE_URL=${url}/v1 OPENAI_API_KEY=${key}
Anthropic SDK  ANTHROPIC_BASE_URL=${url} ANTHROPIC_API_KEY=${key}
`;
}
