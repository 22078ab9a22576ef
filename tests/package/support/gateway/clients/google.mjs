// The `@google/genai` SDK.

import { ApiError, GoogleGenAI } from "@google/genai";
import { spoken } from "../scenarios.mjs";

const { name, description, parameters } = spoken.tool;

const response = ({ text, error }) => (error ? { error } : { output: text });

function open({ url, model, streams }) {
  const { models } = new GoogleGenAI({ apiKey: spoken.keyOfClient, httpOptions: { baseUrl: url } });
  const config = {
    systemInstruction: spoken.system,
    tools: [{ functionDeclarations: [{ name, description, parametersJsonSchema: parameters }] }],
  };
  const contents = [];
  async function ask() {
    const requests = { model, contents, config };
    const answers = streams ? await models.generateContentStream(requests) : [await models.generateContent(requests)];
    const received = { text: "", refusal: "", reasoning: "", calls: [] };
    const parts = [];
    for await (const { candidates: [candidate] = [], usageMetadata } of answers) {
      for (const part of candidate?.content?.parts ?? []) {
        parts.push(part);
        received[part.thought ? "reasoning" : "text"] += part.text ?? "";
        if (part.functionCall) {
          const { id, name, args } = part.functionCall;
          received.calls.push({ id, name, arguments: args });
        }
      }
      received.finish = candidate?.finishReason ?? received.finish;
      const { promptTokenCount: input, candidatesTokenCount: output } = usageMetadata ?? {};
      received.usage = { input, output };
    }
    contents.push({ role: "model", parts });
    return received;
  }
  return {
    ask(question) {
      contents.push({ role: "user", parts: [{ text: question }] });
      return ask();
    },
    sendResults(results) {
      const parts = results.map(({ id, name, image, ...result }) => {
        const media = image && { parts: [{ inlineData: { mimeType: "image/png", data: image } }] };
        return { functionResponse: { ...(id && { id }), name, response: response(result), ...media } };
      });
      contents.push({ role: "user", parts });
      return ask();
    },
  };
}

/** Without this, this part of the client repeats a request, after the time that the error states. */
const once = { maxRetries: 0 };

/** The whole history is sent with every request. */
function openInteractions({ url, model, streams }) {
  const { interactions } = new GoogleGenAI({
    apiKey: spoken.keyOfClient,
    httpOptions: { baseUrl: url, apiVersion: "v1beta" },
  });
  const tools = [{ type: "function", name, description, parameters }];
  const input = [];
  async function ask() {
    const request = { model, input, tools, system_instruction: spoken.system, store: false };
    const {
      steps,
      status,
      usage = {},
    } = streams
      ? await accumulated(await interactions.create({ ...request, stream: true }, once))
      : await interactions.create(request, once);
    input.push(...steps);
    const contents = steps.flatMap((step) => (step.type === "model_output" ? step.content : []));
    const summaries = steps.flatMap((step) => (step.type === "thought" ? (step.summary ?? []) : []));
    const textOf = (parts) => parts.map(({ text = "" }) => text).join("");
    return {
      text: textOf(contents),
      refusal: "",
      reasoning: textOf(summaries),
      calls: steps
        .filter(({ type }) => type === "function_call")
        .map(({ id, name, arguments: given }) => ({ id, name, arguments: given })),
      finish: status,
      usage: { input: usage.total_input_tokens, output: usage.total_output_tokens },
    };
  }
  return {
    ask(question) {
      input.push({ type: "user_input", content: [{ type: "text", text: question }] });
      return ask();
    },
    sendResults(results) {
      for (const { id, name, text, error, image } of results) {
        const content = [{ type: "text", text: text ?? error }];
        if (image) content.push({ type: "image", mime_type: "image/png", data: image });
        input.push({ type: "function_result", call_id: id, name, result: content, ...(error && { is_error: true }) });
      }
      return ask();
    },
  };
}

/** The steps of a stream, from their deltas, and the interaction at its end. */
async function accumulated(events) {
  const steps = [];
  const last = (list) => list.at(-1);
  const deltas = {
    text: (step, { text }) => {
      step.content ??= [{ type: "text", text: "" }];
      last(step.content).text += text;
    },
    thought_summary: (step, { content }) => {
      step.summary ??= [{ type: "text", text: "" }];
      last(step.summary).text += content.text;
    },
    thought_signature: (step, { signature }) => Object.assign(step, { signature }),
    arguments_delta: (step, { arguments: piece }) => Object.assign(step, { pieces: (step.pieces ?? "") + piece }),
  };
  let interaction;
  for await (const event of events) {
    if (event.event_type === "step.start") steps[event.index] = { ...event.step };
    if (event.event_type === "step.delta") deltas[event.delta.type](steps[event.index], event.delta);
    if (event.event_type === "interaction.completed") ({ interaction } = event);
  }
  const whole = ({ pieces, ...step }) => (pieces === undefined ? step : { ...step, arguments: JSON.parse(pieces) });
  return { ...interaction, steps: steps.map(whole) };
}

const errorOf = (error) => ({
  isOwn: error instanceof ApiError,
  status: error.status,
  message: error.message,
  retryAfter: undefined,
});

/** The errors of this part of the client are classes of its own. */
const interactionsErrorOf = (error) => ({
  isOwn: error instanceof Error && error.constructor.name !== "Error",
  status: error.statusCode ?? error.status,
  message: error.message,
  retryAfter: error.headers?.get?.("retry-after") ?? undefined,
});

export const googleClients = {
  "@google/genai": {
    dialect: "gemini",
    open,
    errorOf,
    // its errors have no headers
    traits: { marksErrorsBy: "flag", imagesIn: () => "result", keepsSignatures: true, hides: ["headers"] },
  },
  "@google/genai, Interactions": {
    dialect: "gemini-interactions",
    open: openInteractions,
    errorOf: interactionsErrorOf,
    traits: { marksErrorsBy: "flag", imagesIn: () => "result", keepsSignatures: true },
  },
};
