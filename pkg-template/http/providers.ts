// The base URL and authentication of each provider.

import type { Dialect } from "toolwire";
import { bases } from "../../build/generated/facts.js";

export interface Provider {
  /** If absent, the caller must pass `baseUrl`. */
  readonly url?: string | undefined;
  readonly headers: (key: string) => Record<string, string>;
  /** The header that states the version of the API. */
  readonly versionHeader?: string;
  /** Whether a tool choice can force a call. Default true. */
  readonly forcesCalls?: boolean;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** By dialect. A variant without an entry has that of the dialect that it is a variant of, without the URL. */
const providers: { readonly [name in Dialect]?: Provider } = {
  openai: { url: "https://api.openai.com", headers: bearer },
  "openai-responses": { url: "https://api.openai.com", headers: bearer },
  anthropic: {
    url: "https://api.anthropic.com",
    headers: (key) => ({ "x-api-key": key }),
    versionHeader: "anthropic-version",
  },
  gemini: { url: "https://generativelanguage.googleapis.com", headers: (key) => ({ "x-goog-api-key": key }) },
  // the URL contains project and location
  vertexai: { headers: bearer },
  ollama: { url: "http://localhost:11434", headers: bearer, forcesCalls: false },
};

/** Undefined for a dialect without a server. */
export function providerFor(dialect: Dialect): Provider | undefined {
  const base = providers[bases[dialect] as Dialect];
  return providers[dialect] ?? (base && { ...base, url: undefined });
}

/**
 * Joins base URL and path. Many base URLs already end with the version that starts the path, or with another one. A query of the base URL,
 * such as `?api-version=preview`, stays at the end.
 */
export function joined(baseUrl: string, path: string): string {
  const [address = "", query] = baseUrl.split("?");
  const base = address.replace(/\/+$/, "");
  const below = /\/v\d+(?:(?:alpha|beta)\d*)?$/.test(base) ? withoutVersion(path) : path;
  return `${base}${below}${query ? `${path.includes("?") ? "&" : "?"}${query}` : ""}`;
}

export const withoutVersion = (path: string): string => path.replace(/^\/v1(?:beta1?)?(?=\/)/, "");
