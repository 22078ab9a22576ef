// OpenAI's own client in one conversation: a question, a call, its result, a final response. Returns what the client received.

import OpenAI from "openai";

const apiKey = "the-clients-key";
const model = "m";
const name = "get_weather";
const description = "The weather";
const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const question = "The weather in Paris?";
const RESULT = "sunny";

async function chat(url, streams) {
  const { completions } = new OpenAI({ apiKey, maxRetries: 0, baseURL: `${url}/v1` }).chat;
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

/** Clients by dialect. */
export const clients = { openai: { converse: chat } };
export const spoken = { question, name, parameters, result: RESULT, apiKey };
