// The client's format, from the path: each SDK posts to a path of its own.

const fixed = {
  "/v1/chat/completions": "openai",
  "/v1/responses": "openai-responses",
  "/v1/messages": "anthropic",
  "/api/chat": "ollama",
};
/** Gemini and Vertex AI: the path holds the model, and whether to stream. */
const ofGoogle =
  /^\/v1(?:beta1?)?\/(?:projects\/[^/]+\/locations\/[^/]+\/publishers\/google\/)?models\/([^/:]+):(\w+)$/;

/** The client's format and the options that the path determines: `{ dialect, steer, problem }`; undefined for other paths. */
export function routeOf(request) {
  const { pathname, searchParams } = new URL(request.url);
  if (request.method !== "POST") return undefined;
  if (Object.hasOwn(fixed, pathname)) return { dialect: fixed[pathname], steer: {} };
  const [, model, method] = ofGoogle.exec(pathname) ?? [];
  if (method !== "generateContent" && method !== "streamGenerateContent") return undefined;
  const dialect = pathname.includes("/projects/") ? "vertexai" : "gemini";
  const stream = method === "streamGenerateContent";
  // Without it, Google's streams are one JSON array, which the client could not read before its end.
  const problem =
    stream && searchParams.get("alt") !== "sse" ? "streams are server-sent events: add ?alt=sse" : undefined;
  return { dialect, steer: { model: decodeURIComponent(model), stream }, problem };
}
