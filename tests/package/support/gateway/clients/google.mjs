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

const errorOf = (error) => ({
  isOwn: error instanceof ApiError,
  status: error.status,
  message: error.message,
  retryAfter: undefined,
});

export const googleClients = {
  "@google/genai": {
    dialect: "gemini",
    open,
    errorOf,
    // its errors have no headers
    traits: { marksErrorsBy: "flag", imagesIn: () => "result", keepsSignatures: true, hides: ["headers"] },
  },
};
