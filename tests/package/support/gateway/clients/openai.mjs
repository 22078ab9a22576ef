// The `openai` SDK: Chat Completions and Responses.

import OpenAI, { RateLimitError } from "openai";
import { spoken } from "../scenarios.mjs";

const sdk = (url) => new OpenAI({ apiKey: spoken.keyOfClient, maxRetries: 0, baseURL: `${url}/v1` });
const parsed = (text) => JSON.parse(text);
const { name, description, parameters } = spoken.tool;
const errorOf = (error) => ({
  isOwn: error instanceof RateLimitError,
  status: error.status,
  message: error.message,
  retryAfter: error.headers?.get("retry-after"),
});
const dataURL = (image) => `data:image/png;base64,${image}`;

/** Removes the values that the SDK parses from the text; they are not part of the API. */
function asSent(value) {
  if (Array.isArray(value)) return value.map(asSent);
  if (typeof value !== "object" || value === null) return value;
  const { parsed: _, parsed_arguments: __, ...rest } = value;
  return Object.fromEntries(Object.entries(rest).map(([key, field]) => [key, asSent(field)]));
}

function chat({ url, model, streams }) {
  const { completions } = sdk(url).chat;
  const tools = [{ type: "function", function: { name, description, parameters } }];
  const messages = [{ role: "system", content: spoken.system }];
  async function streamed(body) {
    const stream = completions.stream({ ...body, stream_options: { include_usage: true } });
    let reasoning = "";
    // the SDK does not accumulate reasoning
    stream.on("chunk", ({ choices: [choice] }) => {
      reasoning += choice?.delta.reasoning_content ?? "";
    });
    const response = await stream.finalChatCompletion();
    if (reasoning) response.choices[0].message.reasoning_content = reasoning;
    return response;
  }
  async function ask() {
    const body = { model, messages, tools };
    const response = streams ? await streamed(body) : await completions.create(body);
    const [{ message, finish_reason }] = response.choices;
    messages.push(asSent(message));
    return {
      text: message.content ?? "",
      refusal: message.refusal ?? "",
      reasoning: message.reasoning_content ?? "",
      calls: (message.tool_calls ?? []).map(({ id, function: f }) => ({
        id,
        name: f.name,
        arguments: parsed(f.arguments),
      })),
      finish: finish_reason,
      usage: { input: response.usage.prompt_tokens, output: response.usage.completion_tokens },
    };
  }
  return {
    ask(question) {
      messages.push({ role: "user", content: question });
      return ask();
    },
    sendResults(results) {
      for (const { id, text, error } of results)
        messages.push({ role: "tool", tool_call_id: id, content: text ?? error });
      const images = results.filter(({ image }) => image);
      if (images.length > 0) {
        const parts = images.map(({ image }) => ({ type: "image_url", image_url: { url: dataURL(image) } }));
        messages.push({ role: "user", content: parts });
      }
      return ask();
    },
  };
}

const outputs = {
  message: (received, { content }) => {
    for (const part of content) {
      received.text += part.text ?? "";
      received.refusal += part.refusal ?? "";
    }
  },
  reasoning: (received, { summary }) => {
    received.reasoning += summary.map(({ text }) => text).join("");
  },
  function_call: (received, { call_id, name, arguments: text }) =>
    received.calls.push({ id: call_id, name, arguments: parsed(text) }),
};

function responses({ url, model, streams }) {
  const client = sdk(url).responses;
  const tools = [{ type: "function", name, description, parameters, strict: false }];
  const input = [];
  async function ask() {
    const body = {
      model,
      instructions: spoken.system,
      input,
      tools,
      store: false,
      include: ["reasoning.encrypted_content"],
    };
    const response = streams ? await client.stream(body).finalResponse() : await client.create(body);
    const received = { text: "", refusal: "", reasoning: "", calls: [] };
    for (const item of response.output) outputs[item.type](received, item);
    input.push(...asSent(response.output));
    const { input_tokens, output_tokens } = response.usage;
    const finish = response.incomplete_details?.reason ?? response.status;
    return { ...received, finish, usage: { input: input_tokens, output: output_tokens } };
  }
  const outputOf = ({ text, error, image }) =>
    image
      ? [
          { type: "input_text", text },
          { type: "input_image", image_url: dataURL(image) },
        ]
      : (text ?? error);
  return {
    ask(question) {
      input.push({ role: "user", content: question });
      return ask();
    },
    sendResults(results) {
      for (const result of results)
        input.push({ type: "function_call_output", call_id: result.id, output: outputOf(result) });
      return ask();
    },
  };
}

export const openAIClients = {
  "openai, Chat": {
    dialect: "openai",
    open: chat,
    errorOf,
    // results contain text only, without an error flag (WIRE §1.4)
    traits: { marksErrorsBy: "words", imagesIn: () => "user", keepsSignatures: true },
  },
  "openai, Responses": {
    dialect: "openai-responses",
    open: responses,
    errorOf,
    traits: {
      // (WIRE §2.4)
      marksErrorsBy: "words",
      imagesIn: () => "result",
    },
  },
};
