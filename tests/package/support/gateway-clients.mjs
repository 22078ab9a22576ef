// The providers' own clients in one conversation: a question, a call, its result, an answer. Each gives what it was told.

import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { Ollama } from "ollama";
import OpenAI from "openai";

const apiKey = "the-clients-key";
const model = "m";
const name = "get_weather";
const description = "The weather";
const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const question = "The weather in Paris?";
const RESULT = "sunny";

const openAI = (url) => new OpenAI({ apiKey, maxRetries: 0, baseURL: `${url}/v1` });

async function chat(url, streams) {
  const { completions } = openAI(url).chat;
  const tools = [{ type: "function", function: { name, description, parameters } }];
  const messages = [{ role: "user", content: question }];
  const ask = () =>
    streams
      ? completions.stream({ model, messages, tools }).finalChatCompletion()
      : completions.create({ model, messages, tools });
  const { message, finish_reason } = (await ask()).choices[0];
  const [called] = message.tool_calls;
  const { role, content, tool_calls } = message;
  messages.push({
    role,
    content,
    tool_calls: tool_calls.map(({ id, type, function: { name, arguments: text } }) => ({
      id,
      type,
      function: { name, arguments: text },
    })),
  });
  messages.push({ role: "tool", tool_call_id: called.id, content: RESULT });
  const last = (await ask()).choices[0];
  return {
    text: message.content,
    call: [called.function.name, JSON.parse(called.function.arguments)],
    ends: [finish_reason, last.finish_reason],
    last: last.message.content,
  };
}

async function responses(url, streams) {
  const client = openAI(url).responses;
  const tools = [{ type: "function", name, description, parameters, strict: false }];
  const input = [{ role: "user", content: question }];
  const ask = () =>
    streams ? client.stream({ model, input, tools }).finalResponse() : client.create({ model, input, tools });
  const first = await ask();
  const called = first.output.find(({ type }) => type === "function_call");
  for (const { parsed_arguments: _, ...item } of first.output) input.push(item);
  input.push({ type: "function_call_output", call_id: called.call_id, output: RESULT });
  const last = await ask();
  return {
    text: first.output_text,
    call: [called.name, JSON.parse(called.arguments)],
    ends: [first.status, last.status],
    last: last.output_text,
  };
}

async function anthropic(url, streams) {
  const client = new Anthropic({ apiKey, maxRetries: 0, baseURL: url }).messages;
  const tools = [{ name, description, input_schema: parameters }];
  const messages = [{ role: "user", content: question }];
  const asked = { model, max_tokens: 100, messages, tools };
  const ask = () => (streams ? client.stream(asked).finalMessage() : client.create(asked));
  const first = await ask();
  const [text, called] = first.content;
  const content = [{ type: "tool_result", tool_use_id: called.id, content: RESULT }];
  messages.push({ role: "assistant", content: first.content }, { role: "user", content });
  const last = await ask();
  return {
    text: text.text,
    call: [called.name, called.input],
    ends: [first.stop_reason, last.stop_reason],
    last: last.content[0].text,
  };
}

async function google(url, streams) {
  const { models } = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } });
  const config = { tools: [{ functionDeclarations: [{ name, description, parametersJsonSchema: parameters }] }] };
  const contents = [{ role: "user", parts: [{ text: question }] }];
  const ask = async () => {
    const answers = streams
      ? await models.generateContentStream({ model, contents, config })
      : [await models.generateContent({ model, contents, config })];
    const parts = [];
    let finish;
    for await (const { candidates: [candidate] = [] } of answers) {
      parts.push(...(candidate?.content?.parts ?? []));
      finish = candidate?.finishReason ?? finish;
    }
    return { parts, finish, text: parts.map(({ text }) => text ?? "").join("") };
  };
  const first = await ask();
  const { functionCall } = first.parts.find((part) => part.functionCall);
  const functionResponse = { id: functionCall.id, name: functionCall.name, response: { output: RESULT } };
  contents.push({ role: "model", parts: first.parts }, { role: "user", parts: [{ functionResponse }] });
  const last = await ask();
  const call = [functionCall.name, functionCall.args];
  return { text: first.text, call, ends: [first.finish, last.finish], last: last.text };
}

async function ollama(url, streams) {
  const client = new Ollama({ host: url });
  const tools = [{ type: "function", function: { name, description, parameters } }];
  const messages = [{ role: "user", content: question }];
  const ask = async () => {
    const answers = streams
      ? await client.chat({ model, messages, tools, stream: true })
      : [await client.chat({ model, messages, tools })];
    const said = { role: "assistant", content: "", tool_calls: [] };
    let end;
    for await (const { message, done_reason } of answers) {
      said.content += message.content;
      said.tool_calls.push(...(message.tool_calls ?? []));
      end = done_reason ?? end;
    }
    return { said, end };
  };
  const first = await ask();
  const [{ function: called }] = first.said.tool_calls;
  messages.push(first.said, { role: "tool", tool_name: called.name, content: RESULT });
  const last = await ask();
  const call = [called.name, called.arguments];
  return { text: first.said.content, call, ends: [first.end, last.end], last: last.said.content };
}

/** By the dialect that each speaks: the conversation, and how it ends in the provider's words. */
export const clients = {
  openai: { converse: chat, ends: ["tool_calls", "stop"] },
  "openai-responses": { converse: responses, ends: ["completed", "completed"] },
  anthropic: { converse: anthropic, ends: ["tool_use", "end_turn"] },
  gemini: { converse: google, ends: ["STOP", "STOP"] },
  ollama: { converse: ollama, ends: ["stop", "stop"] },
};
export const spoken = { question, name, parameters, result: RESULT, apiKey };
