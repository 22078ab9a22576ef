// Amazon's own client, `@aws-sdk/client-bedrock-runtime`.

import {
  BedrockRuntimeClient,
  BedrockRuntimeServiceException,
  ConverseCommand,
  ConverseStreamCommand,
} from "@aws-sdk/client-bedrock-runtime";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { spoken } from "../scenarios.mjs";

const { name, description, parameters } = spoken.tool;
const toolConfig = { tools: [{ toolSpec: { name, description, inputSchema: { json: parameters } } }] };

function open({ url, model: modelId, streams }) {
  const messages = [];
  async function ask() {
    const client = new BedrockRuntimeClient({
      ...{ endpoint: url, region: "us-east-1", token: { token: spoken.keyOfClient }, maxAttempts: 1 },
      authSchemePreference: ["httpBearerAuth"],
      // the default one speaks HTTP/2, which the server does not
      requestHandler: new NodeHttpHandler(),
    });
    try {
      const request = { modelId, messages, system: [{ text: spoken.system }], toolConfig };
      const { message, stopReason, usage } = streams
        ? await accumulated((await client.send(new ConverseStreamCommand(request))).stream)
        : await whole(client.send(new ConverseCommand(request)));
      messages.push(message);
      const of = (kind) => message.content.flatMap((block) => block[kind] ?? []);
      return {
        text: of("text").join(""),
        refusal: "",
        reasoning: of("reasoningContent")
          .map(({ reasoningText }) => reasoningText?.text ?? "")
          .join(""),
        calls: of("toolUse").map(({ toolUseId: id, name, input }) => ({ id, name, arguments: input })),
        finish: stopReason,
        usage: { input: usage.inputTokens, output: usage.outputTokens },
      };
    } finally {
      client.destroy();
    }
  }
  return {
    ask(question) {
      messages.push({ role: "user", content: [{ text: question }] });
      return ask();
    },
    sendResults(results) {
      const content = results.map(({ id, text, error, image }) => {
        const bytes = image && Buffer.from(image, "base64");
        const media = image ? [{ image: { format: "png", source: { bytes } } }] : [];
        const status = error ? { status: "error" } : {};
        return { toolResult: { toolUseId: id, content: [{ text: text ?? error }, ...media], ...status } };
      });
      messages.push({ role: "user", content });
      return ask();
    },
  };
}

async function whole(response) {
  const { output, ...rest } = await response;
  return { ...rest, message: output.message };
}

/** The message of a stream, from its events. */
async function accumulated(events) {
  const blocks = [];
  const found = {};
  const adders = {
    text: (block, text) => Object.assign(block, { text: (block.text ?? "") + text }),
    toolUse: (block, { input }) => Object.assign(block, { pieces: (block.pieces ?? "") + input }),
    reasoningContent(block, { text = "", signature }) {
      block.reasoningContent ??= { reasoningText: { text: "" } };
      const { reasoningText } = block.reasoningContent;
      reasoningText.text += text;
      if (signature) reasoningText.signature = signature;
    },
  };
  for await (const { contentBlockStart, contentBlockDelta, messageStop, metadata } of events) {
    if (contentBlockStart) blocks[contentBlockStart.contentBlockIndex] = { ...contentBlockStart.start };
    if (contentBlockDelta) {
      const { contentBlockIndex, delta } = contentBlockDelta;
      blocks[contentBlockIndex] ??= {};
      const [[kind, value]] = Object.entries(delta);
      adders[kind](blocks[contentBlockIndex], value);
    }
    Object.assign(found, messageStop, metadata);
  }
  const content = blocks.map(({ pieces, toolUse, ...block }) =>
    toolUse ? { toolUse: { ...toolUse, input: JSON.parse(pieces || "{}") } } : block,
  );
  return { ...found, message: { role: "assistant", content } };
}

const errorOf = (error) => ({
  isOwn: error instanceof BedrockRuntimeServiceException,
  status: error.$metadata.httpStatusCode,
  message: error.message,
  retryAfter: error.$response?.headers?.["retry-after"],
});

export const bedrockClients = {
  "@aws-sdk/client-bedrock-runtime": {
    dialect: "bedrock",
    open,
    errorOf,
    traits: { marksErrorsBy: "flag", imagesIn: () => "result" },
  },
};
