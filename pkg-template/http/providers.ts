// The base URL and authentication of each provider.

import type { Dialect } from "toolwire";
import { bases } from "../../build/generated/facts.js";

export interface Provider {
  /** If absent, the caller must pass `baseUrl`. */
  readonly url?: string | undefined;
  readonly headers: (key: string) => Record<string, string>;
  /** The header that states the version of the API. */
  readonly versionHeader?: string;
  /** The header that lists the beta features that a body uses. */
  readonly betaHeader?: string;
  /** Whether a tool choice can force a call. Default true. */
  readonly forcesCalls?: boolean;
}

/** The version of Anthropic's API that conversions write by default. */
export const ANTHROPIC_VERSION = "2026-10-21";
/** The version that clouds have under names of their own. */
export const HOSTED_VERSION = "2023-06-01";
/** The versions that conversions can write. */
export const ANTHROPIC_VERSIONS: readonly string[] = [HOSTED_VERSION, ANTHROPIC_VERSION];

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const google: Provider = {
  url: "https://generativelanguage.googleapis.com",
  headers: (key) => ({ "x-goog-api-key": key }),
};

/** By dialect. A variant without an entry has that of the dialect that it is a variant of, without the URL. */
const providers: { readonly [name in Dialect]?: Provider } = {
  openai: { url: "https://api.openai.com", headers: bearer },
  mistral: { url: "https://api.mistral.ai", headers: bearer },
  cohere: { url: "https://api.cohere.com", headers: bearer },
  "openai-responses": { url: "https://api.openai.com", headers: bearer },
  anthropic: {
    url: "https://api.anthropic.com",
    headers: (key) => ({ "x-api-key": key }),
    versionHeader: "anthropic-version",
    betaHeader: "anthropic-beta",
  },
  gemini: google,
  "gemini-interactions": google,
  // the URL contains the region; the key is one of Bedrock's own
  bedrock: { headers: bearer },
  // the URL contains project and location
  vertexai: { headers: bearer },
  ollama: { url: "http://localhost:11434", headers: bearer, forcesCalls: false },
};

/** Servers that expect the key in another header than the provider, in OpenAI's formats. */
const keyHeaders: Readonly<Record<string, (key: string) => Record<string, string>>> = {
  // https://learn.microsoft.com/en-us/azure/foundry/openai/reference
  azure: (key) => ({ "api-key": key }),
};

/** The headers with a key. */
export function withKey(dialect: Dialect, server: unknown, key: string): Record<string, string> {
  const own = dialect.startsWith("openai") && typeof server === "string" ? keyHeaders[server] : undefined;
  return (own ?? providerFor(dialect)?.headers ?? bearer)(key);
}

/** Undefined for a dialect without a server. */
export function providerFor(dialect: Dialect): Provider | undefined {
  const base = providers[bases[dialect] as Dialect];
  return providers[dialect] ?? (base && { ...base, url: undefined });
}

export const withoutVersion = (path: string): string => path.replace(/^\/v1(?:beta1?)?(?=\/)/, "");
