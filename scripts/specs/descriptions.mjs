// The providers' own API descriptions, as components in OpenAPI's form.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandFailed } from "../lib/run.mjs";
import { componentsOfDiscovery } from "./discovery.mjs";

const openAPIComponents = ({ components }) => components.schemas;

export const descriptions = {
  openai: {
    file: "openai.openapi.json",
    components: openAPIComponents,
    request: "CreateChatCompletionRequest",
    response: "CreateChatCompletionResponse",
    event: "CreateChatCompletionStreamResponse",
    error: "ErrorResponse",
  },
  anthropic: {
    // JSON in spite of its name.
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
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
