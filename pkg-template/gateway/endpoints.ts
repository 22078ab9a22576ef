// What is served: the paths of every dialect, as data.

import type { Dialect } from "toolwire";
import type { ClientRequest } from "./direct.js";

type RequestHeaders = Pick<ClientRequest["headers"], "get" | "has">;

/** What a request asks for. */
export type Kind = "chat" | "count" | "models" | "model" | "version";

export interface Endpoint {
  readonly kind: Kind;
  readonly dialect: Dialect;
  /** The model in the path. */
  readonly model?: string;
  /** Whether the path asks for a stream. Undefined: the body states it. */
  readonly stream?: boolean;
  /** The format of errors, if it is another one. */
  readonly errors?: Dialect;
  /** In what a stream has its events, if not in the framing of the format. */
  readonly framing?: "array" | "chunks";
  /** Whether the path is that of a cloud that hosts another provider's models. */
  readonly isHosted?: boolean;
}

/** Paths without a model: dialect, method, path, kind. */
export const fixed: readonly (readonly [Dialect, string, string, Kind])[] = [
  ["openai", "POST", "/v1/chat/completions", "chat"],
  ["openai-responses", "POST", "/v1/responses", "chat"],
  ["openai-responses", "POST", "/v1/responses/input_tokens", "count"],
  ["openai", "GET", "/v1/models", "models"],
  // for clients of Mistral's that do not name themselves
  ["mistral", "POST", "/mistral/v1/chat/completions", "chat"],
  ["mistral", "GET", "/mistral/v1/models", "models"],
  ["cohere", "POST", "/v2/chat", "chat"],
  ["anthropic", "POST", "/v1/messages", "chat"],
  ["anthropic", "POST", "/v1/messages/count_tokens", "count"],
  ["gemini", "GET", "/v1beta/models", "models"],
  ["gemini-interactions", "POST", "/v1beta/interactions", "chat"],
  ["gemini-interactions", "POST", "/v1/interactions", "chat"],
  ["ollama", "POST", "/api/chat", "chat"],
  ["ollama", "GET", "/api/tags", "models"],
  ["ollama", "POST", "/api/show", "model"],
  ["ollama", "GET", "/api/version", "version"],
];

/** Paths that end with a model. */
const ofModels: readonly (readonly [Dialect, string])[] = [
  ["openai", "/v1/models/"],
  ["mistral", "/mistral/v1/models/"],
  ["gemini", "/v1beta/models/"],
];

const ofGoogle =
  /^\/v1(?:beta1?)?\/(?:projects\/[^/]+\/locations\/[^/]+\/publishers\/google\/)?models\/([^/]+):(generateContent|streamGenerateContent|countTokens)$/;

/** Claude's requests (`invoke`) have Anthropic's format, and their streams have its events in AWS's binary messages. */
const ofBedrock = /^\/model\/([^/]+)\/(?:converse(-stream)?|(invoke)(-with-response-stream)?)$/;

/** Claude's requests on Vertex AI, where the model `count-tokens` counts. */
const ofVertex =
  /^(?:\/v1)?\/projects\/[^/]+\/locations\/[^/]+\/publishers\/anthropic\/models\/([^/]+):(stream)?rawPredict$/i;

/** The format of a request to a path that is not served, by its start. */
const starts: readonly (readonly [string, Dialect])[] = [
  ["/v1/messages", "anthropic"],
  ["/v1/responses", "openai-responses"],
  ["/v1beta/interactions", "gemini-interactions"],
  ["/v1/interactions", "gemini-interactions"],
  ["/v1beta", "gemini"],
  ["/api/", "ollama"],
  ["/v2/", "cohere"],
  ["/model/", "bedrock"],
  ["/mistral/", "mistral"],
  ["/v1/projects/", "vertexai"],
];

/** Undefined for what is not served. */
export function endpointOf(method: string, path: string, url: URL, headers: RequestHeaders): Endpoint | undefined {
  const found = fixed.find(([, ofMethod, at]) => at === path && ofMethod === method);
  if (found) return { kind: found[3], dialect: asked(found[0], headers) };
  if (method !== "POST") return modelEndpoint(method, path, headers);
  return googleEndpoint(path, url) ?? bedrockEndpoint(path) ?? vertexEndpoint(path);
}

function modelEndpoint(method: string, path: string, headers: RequestHeaders): Endpoint | undefined {
  const found = ofModels.find(([, start]) => method === "GET" && path.startsWith(start) && path.length > start.length);
  if (!found) return undefined;
  const model = decoded(path.slice(found[1].length));
  return model === undefined ? undefined : { kind: "model", dialect: asked(found[0], headers), model };
}

function googleEndpoint(path: string, url: URL): Endpoint | undefined {
  const [, name, action] = ofGoogle.exec(path) ?? [];
  const model = decoded(name);
  if (model === undefined) return undefined;
  const dialect = path.includes("/projects/") ? "vertexai" : "gemini";
  if (action === "countTokens") return { kind: "count", dialect, model };
  const stream = action === "streamGenerateContent";
  const isArray = stream && url.searchParams.get("alt") !== "sse";
  return { kind: "chat", dialect, model, stream, ...(isArray && { framing: "array" }) };
}

function bedrockEndpoint(path: string): Endpoint | undefined {
  const [, name, streams, invokes, streamsChunks] = ofBedrock.exec(path) ?? [];
  const model = decoded(name);
  if (model === undefined) return undefined;
  if (!invokes) return { kind: "chat", dialect: "bedrock", model, stream: streams !== undefined };
  const stream = streamsChunks !== undefined;
  return { kind: "chat", dialect: "anthropic", model, stream, framing: "chunks", errors: "bedrock", isHosted: true };
}

function vertexEndpoint(path: string): Endpoint | undefined {
  const [, name, streams] = ofVertex.exec(path) ?? [];
  const model = decoded(name);
  if (model === undefined) return undefined;
  const isHosted = true;
  if (model === "count-tokens") return { kind: "count", dialect: "anthropic", isHosted };
  return { kind: "chat", dialect: "anthropic", model, stream: streams !== undefined, isHosted };
}

/** Anthropic's clients ask for models at the path of OpenAI's, and Mistral's have the same paths. */
function asked(dialect: Dialect, headers: RequestHeaders): Dialect {
  if (dialect !== "openai") return dialect;
  if (headers.has("anthropic-version")) return "anthropic";
  return /\bmistral/i.test(headers.get("user-agent") ?? "") ? "mistral" : dialect;
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text && decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The format in which to report that a path is not served. */
export function dialectOfPath(path: string, headers: RequestHeaders): Dialect {
  return starts.find(([start]) => path.startsWith(start))?.[1] ?? asked("openai", headers);
}
