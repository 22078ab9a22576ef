// The base URL and authentication of each provider.

import type { Dialect } from "toolwire";
import { ToolkitError } from "../errors.js";

export interface Provider {
  /** If absent, the caller must pass `baseUrl`. */
  readonly url?: string;
  readonly headers: (key: string) => Record<string, string>;
  /** Whether a tool choice can force a call. Default true. */
  readonly forcesCalls?: boolean;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** By dialect. Dialects without an entry have no provider. */
const providers: { readonly [name in Dialect]?: Provider } = {
  openai: { url: "https://api.openai.com", headers: bearer },
  "openai-responses": { url: "https://api.openai.com", headers: bearer },
  anthropic: { url: "https://api.anthropic.com", headers: (key) => ({ "x-api-key": key }) },
  gemini: { url: "https://generativelanguage.googleapis.com", headers: (key) => ({ "x-goog-api-key": key }) },
  // the URL contains project and location
  vertexai: { headers: bearer },
  ollama: { url: "http://localhost:11434", headers: bearer, forcesCalls: false },
};

/** @throws ToolkitError `invalid_options` for a dialect without a server. */
export function providerOf(dialect: Dialect): Provider {
  const provider = providers[dialect];
  if (provider) return provider;
  const known = Object.keys(providers).join(", ");
  throw new ToolkitError(
    "invalid_options",
    `to: ${JSON.stringify(dialect)} can't be sent to; use one of: ${known}`,
    "/to",
  );
}

/** Joins base URL and path. Many base URLs already end with the version that starts the path. */
export function joined(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, "");
  const version = /^\/v1(?:beta)?(?=\/)/.exec(path)?.[0];
  return version !== undefined && base.endsWith(version) ? base + path.slice(version.length) : base + path;
}
