// How a request is sent to a provider's own API.

import type { Dialect } from "toolwire";
import { ANTHROPIC_VERSION, providerFor } from "../../../pkg-template/http/providers.ts";
import type { Settings } from "../engine/protocol.ts";

/** The variables in which keys are usually kept. */
const keys: Partial<Record<Dialect, string>> = {
  openai: "OPENAI_API_KEY",
  mistral: "MISTRAL_API_KEY",
  cohere: "CO_API_KEY",
  bedrock: "AWS_BEARER_TOKEN_BEDROCK",
  "openai-responses": "OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  gemini: "GEMINI_API_KEY",
  "gemini-interactions": "GEMINI_API_KEY",
  vertexai: "ACCESS_TOKEN",
};

export interface Sending {
  method: "POST";
  url?: string;
  /** Without the key if none is needed. */
  headers: Record<string, string>;
}

export function sending(to: Dialect, settings: Settings): Sending {
  const { url, headers, versionHeader } = providerFor(to) ?? {};
  const key = keys[to];
  const version = settings.anthropicVersion ?? ANTHROPIC_VERSION;
  return {
    method: "POST",
    ...(url && { url }),
    headers: {
      ...(key && headers?.(`$${key}`)),
      ...(versionHeader && version && { [versionHeader]: String(version) }),
    },
  };
}
