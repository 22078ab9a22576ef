// Loads the providers' API descriptions as OpenAPI components.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandFailed } from "../lib/run.mjs";
import { componentsOfDiscovery } from "./discovery.mjs";

/** The components. A `$recursiveRef` becomes a reference to its component by name. */
export function openAPIComponents({ components }) {
  return mapped(components.schemas, (schema, name) => {
    const $ref = `#/components/schemas/${name}`;
    return JSON.parse(JSON.stringify(schema), (_, value) => (value?.$recursiveRef === "#" ? { $ref } : value));
  });
}

export const descriptions = {
  openai: {
    file: "openai.openapi.json",
    components: openAPIComponents,
    request: "CreateChatCompletionRequest",
    response: "CreateChatCompletionResponse",
    event: "CreateChatCompletionStreamResponse",
    error: "ErrorResponse",
  },
  "openai-responses": {
    file: "openai.openapi.json",
    components: openAPIComponents,
    request: "CreateResponse",
    response: "Response",
    event: "ResponseStreamEvent",
    error: "ErrorResponse",
  },
  anthropic: {
    // JSON, despite its file extension
    file: "anthropic.openapi.yml",
    components: openAPIComponents,
    request: "CreateMessageParams",
    response: "Message",
    event: "MessageStreamEvent",
    error: "ErrorResponse",
  },
  gemini: {
    file: "gemini.discovery.json",
    components: componentsOfDiscovery,
    request: "GenerateContentRequest",
    response: "GenerateContentResponse",
    event: "GenerateContentResponse",
    error: "ErrorResponse",
  },
};

/** Dialect → components. */
export function readDescriptions(folder) {
  return mapped(descriptions, ({ file, components }) => {
    const path = join(folder, file);
    if (!existsSync(path)) throw new CommandFailed(`${path} is missing`);
    return components(JSON.parse(readFileSync(path, "utf8")));
  });
}

function mapped(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
