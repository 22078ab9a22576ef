// The `@anthropic-ai/sdk`.

import Anthropic, { RateLimitError } from "@anthropic-ai/sdk";
import { spoken } from "../scenarios.mjs";

const { name, description, parameters } = spoken.tool;

const blocks = {
  text: (received, { text }) => {
    received.text += text;
  },
  thinking: (received, { thinking }) => {
    received.reasoning += thinking;
  },
  redacted_thinking: () => {},
  tool_use: (received, { id, name, input }) => received.calls.push({ id, name, arguments: input }),
};

function open({ url, model, streams }) {
  const client = new Anthropic({ apiKey: spoken.keyOfClient, maxRetries: 0, baseURL: url }).messages;
  const tools = [{ name, description, input_schema: parameters }];
  const messages = [];
  async function ask() {
    const body = { model, max_tokens: 2000, system: spoken.system, messages, tools };
    const response = await (streams ? client.stream(body).finalMessage() : client.create(body));
    const received = { text: "", refusal: "", reasoning: "", calls: [] };
    for (const block of response.content) blocks[block.type](received, block);
    messages.push({ role: "assistant", content: response.content });
    const { input_tokens, output_tokens } = response.usage;
    return { ...received, finish: response.stop_reason, usage: { input: input_tokens, output: output_tokens } };
  }
  const contentOf = ({ text, error, image }) =>
    image
      ? [
          { type: "text", text },
          { type: "image", source: { type: "base64", media_type: "image/png", data: image } },
        ]
      : (text ?? error);
  return {
    ask(question) {
      messages.push({ role: "user", content: question });
      return ask();
    },
    sendResults(results) {
      const content = results.map((result) => ({
        type: "tool_result",
        tool_use_id: result.id,
        content: contentOf(result),
        ...(result.error && { is_error: true }),
      }));
      messages.push({ role: "user", content });
      return ask();
    },
  };
}

const errorOf = (error) => ({
  isOwn: error instanceof RateLimitError,
  status: error.status,
  message: error.message,
  retryAfter: error.headers?.get("retry-after"),
});

export const anthropicClients = {
  "@anthropic-ai/sdk": {
    dialect: "anthropic",
    open,
    errorOf,
    traits: { marksErrorsBy: "flag", imagesIn: () => "result" },
  },
};
