// The `ollama` SDK.

import { Ollama } from "ollama";
import { spoken } from "../scenarios.mjs";

function open({ url, model, streams }) {
  const client = new Ollama({ host: url });
  const tools = [{ type: "function", function: spoken.tool }];
  const messages = [{ role: "system", content: spoken.system }];
  async function ask() {
    const body = { model, messages, tools };
    const answers = streams ? await client.chat({ ...body, stream: true }) : [await client.chat(body)];
    const assembled = { role: "assistant", content: "", thinking: "", tool_calls: [] };
    let last;
    for await (const response of answers) {
      assembled.content += response.message.content;
      assembled.thinking += response.message.thinking ?? "";
      assembled.tool_calls.push(...(response.message.tool_calls ?? []));
      last = response;
    }
    messages.push(assembled);
    return {
      text: assembled.content,
      refusal: "",
      reasoning: assembled.thinking,
      calls: assembled.tool_calls.map(({ id, function: f }) => ({ id, name: f.name, arguments: f.arguments })),
      finish: last.done_reason,
      usage: { input: last.prompt_eval_count, output: last.eval_count },
    };
  }
  return {
    ask(question) {
      messages.push({ role: "user", content: question });
      return ask();
    },
    sendResults(results) {
      for (const { name, text, error, image } of results)
        messages.push({ role: "tool", tool_name: name, content: text ?? error, ...(image && { images: [image] }) });
      return ask();
    },
  };
}

/** The SDK does not export its class of errors. */
const errorOf = (error) => ({
  isOwn: error.name === "ResponseError",
  status: error.status_code,
  message: error.message,
  retryAfter: undefined,
});

export const ollamaClients = {
  ollama: {
    dialect: "ollama",
    open,
    errorOf,
    // results have no error flag (WIRE §8.4); errors have no headers
    traits: { marksErrorsBy: "words", imagesIn: () => "result", hides: ["headers"] },
  },
};
