// The AI SDK (`ai`), with each of its providers.

import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createCohere } from "@ai-sdk/cohere";
import { createDeepSeek } from "@ai-sdk/deepseek";
import { createGoogle } from "@ai-sdk/google";
import { createGroq } from "@ai-sdk/groq";
import { createMistral } from "@ai-sdk/mistral";
import { createOpenResponses } from "@ai-sdk/open-responses";
import { createOpenAI } from "@ai-sdk/openai";
import { createXai } from "@ai-sdk/xai";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { APICallError, generateText, jsonSchema, streamText, tool } from "ai";
import { spoken } from "../scenarios.mjs";

const { name, description, parameters } = spoken.tool;
// turns off the SDK's warnings about unknown models
globalThis.AI_SDK_LOG_WARNINGS = false;
const apiKey = spoken.keyOfClient;
const tools = { [name]: tool({ description, inputSchema: jsonSchema(parameters) }) };

function outputOf({ text, error, image }) {
  if (error) return { type: "error-text", value: error };
  if (!image) return { type: "text", value: text };
  const file = { type: "file", mediaType: "image/png", data: { type: "data", data: image } };
  return { type: "content", value: [{ type: "text", text }, file] };
}

const opened = (languageModel, providerOptions = {}) =>
  function open({ url, model, streams }) {
    const messages = [];
    async function ask() {
      const requests = {
        model: languageModel(url, model),
        instructions: spoken.system,
        messages,
        tools,
        maxRetries: 0,
        // nothing is stored behind a gateway: every request contains the whole history
        providerOptions,
      };
      const answer = streams ? streamText({ ...requests, onError: () => {} }) : await generateText(requests);
      if (streams) for await (const part of answer.stream) if (part.type === "error") throw part.error;
      const { inputTokens: input, outputTokens: output } = await answer.usage;
      const calls = await answer.toolCalls;
      messages.push(...(await answer.response).messages);
      return {
        text: await answer.text,
        refusal: "",
        reasoning: (await answer.reasoningText) ?? "",
        calls: calls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, arguments: input })),
        finish: await answer.finishReason,
        usage: { input, output },
      };
    }
    return {
      ask(question) {
        messages.push({ role: "user", content: question });
        return ask();
      },
      sendResults(results) {
        const content = results.map(({ id, name, ...result }) => ({
          type: "tool-result",
          toolCallId: id,
          toolName: name,
          output: outputOf(result),
        }));
        messages.push({ role: "tool", content });
        return ask();
      },
    };
  };

const errorOf = (error) => ({
  isOwn: APICallError.isInstance(error) && error.isRetryable,
  status: error.statusCode,
  message: error.message,
  retryAfter: error.responseHeaders?.["retry-after"],
});

const v1 = (url) => ({ apiKey, baseURL: `${url}/v1` });
const models = {
  openai: (url, model) => createOpenAI(v1(url)).chat(model),
  "openai-responses": (url, model) => createOpenAI(v1(url)).responses(model),
  "open-responses": (url, model) => createOpenResponses({ name: "gateway", apiKey, url: `${url}/v1/responses` })(model),
  groq: (url, model) => createGroq(v1(url))(model),
  deepseek: (url, model) => createDeepSeek(v1(url)).chat(model),
  mistral: (url, model) => createMistral({ apiKey, baseURL: `${url}/mistral/v1` })(model),
  xai: (url, model) => createXai(v1(url))(model),
  openrouter: (url, model) => createOpenRouter(v1(url)).chat(model),
  anthropic: (url, model) => createAnthropic(v1(url))(model),
  bedrock: (url, model) => createAmazonBedrock({ apiKey, region: "us-east-1", baseURL: url })(model),
  cohere: (url, model) => createCohere({ apiKey, baseURL: `${url}/v2` })(model),
  gemini: (url, model) => createGoogle({ apiKey, baseURL: `${url}/v1beta` })(model),
  "gemini-interactions": (url, model) => createGoogle({ apiKey, baseURL: `${url}/v1beta` }).interactions(model),
};
const traits = {
  // results are text: others, also images, are sent as the JSON of their parts; `reasoning_content` is not read
  openai: { marksErrorsBy: "json", imagesIn: () => "text", hides: ["reasoning", "refusals"] },
  "openai-responses": {
    marksErrorsBy: "json",
    imagesIn: () => "result",
    hides: ["refusals"],
    replaysSignedOnly: true,
  },
  "open-responses": {
    marksErrorsBy: "words",
    imagesIn: () => "result",
    hides: ["refusals"],
  },
  // reads usage from `x_groq`, and `reasoning` instead of `reasoning_content`
  groq: {
    marksErrorsBy: "words",
    imagesIn: () => "text",
    hides: ["reasoning", "streamed usage"],
    losesRefusals: true,
  },
  deepseek: { marksErrorsBy: "words", imagesIn: () => "result", losesRefusals: true, returnsNoState: true },
  // sends the text of thinking without its signature
  mistral: { marksErrorsBy: "words", imagesIn: () => "text", returnsNoState: true, replacesIds: true },
  // of a response that is not streamed, it reads that it is incomplete, and not why
  xai: { finishesWhole: "xai", marksErrorsBy: "words", imagesIn: () => "result" },
  // does not ask for usage, which OpenRouter always sends
  openrouter: { marksErrorsBy: "words", imagesIn: () => "result", hides: ["streamed usage"], losesRefusals: true },
  anthropic: {
    marksErrorsBy: "flag",
    imagesIn: () => "result",
    // the SDK adds `eager_input_streaming`
  },
  // results are wrapped as `{name, content}` and `{name, error}`; they contain images for models that the SDK knows to accept them there
  bedrock: { marksErrorsBy: "words", imagesIn: () => "result" },
  // neither reasoning nor text beside calls is sent back
  cohere: { marksErrorsBy: "words", imagesIn: () => "text", dropsTextBesideCalls: true, returnsNoReasoning: true },
  gemini: {
    boxes: true,
    imagesIn: (upstream) => (["gemini", "gemini-interactions"].includes(upstream) ? "result" : "user"),
    keepsSignatures: true,
    // of a response that is not streamed
    dropsEmptyParts: true,
  },
  "gemini-interactions": { marksErrorsBy: "flag", imagesIn: () => "result", keepsSignatures: true },
};
const names = {
  openai: "ai, OpenAI Chat",
  "openai-responses": "ai, OpenAI Responses",
  "open-responses": "ai, Open Responses",
  groq: "ai, Groq",
  deepseek: "ai, DeepSeek",
  mistral: "ai, Mistral",
  xai: "ai, xAI",
  openrouter: "ai, OpenRouter",
  anthropic: "ai, Anthropic",
  bedrock: "ai, Bedrock",
  cohere: "ai, Cohere",
  gemini: "ai, Google",
  "gemini-interactions": "ai, Google Interactions",
};

/** The options of clients whose servers store conversations, unless they are asked not to. */
const unstored = {
  "openai-responses": { openai: { store: false } },
  xai: { xai: { store: false } },
  "gemini-interactions": { google: { store: false } },
};

/** Of clients that are named after their server. */
const dialects = {
  "open-responses": "openai-responses",
  groq: "openai",
  deepseek: "openai",
  xai: "openai-responses",
  openrouter: "openai",
};

export const aiClients = Object.fromEntries(
  Object.entries(models).map(([format, model]) => [
    names[format],
    {
      dialect: dialects[format] ?? format,
      open: opened(model, unstored[format]),
      errorOf,
      traits: { finishes: "ai", ...traits[format] },
    },
  ]),
);
