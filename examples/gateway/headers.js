// Where each provider looks for its key, and what of an answer's headers is for the client.

const keyHeaders = {
  anthropic: (key) => ({ "x-api-key": key }),
  gemini: (key) => ({ "x-goog-api-key": key }),
};
const bearer = (key) => ({ authorization: `Bearer ${key}` });

/** About limits and ids; cookies, servers and encodings stay behind. */
const forwarded = /^(retry-after|request-id|x-request-id|x-ratelimit-.*|anthropic-ratelimit-.*)$/;

/** The client's own key, wherever its SDK puts it. */
export function clientSecret(request) {
  const { headers, url } = request;
  const inHeader = headers.get("x-api-key") ?? headers.get("x-goog-api-key");
  return inHeader ?? headers.get("authorization")?.replace(/^Bearer\s+/i, "") ?? new URL(url).searchParams.get("key");
}

export function upstreamHeaders({ dialect, key }, request) {
  const secret = key ?? clientSecret(request);
  return {
    "content-type": "application/json",
    ...(dialect === "anthropic" && { "anthropic-version": "2026-10-21" }),
    ...(secret && (keyHeaders[dialect] ?? bearer)(secret)),
  };
}

export function forwardedHeaders(answer) {
  return new Headers([...answer.headers].filter(([name]) => forwarded.test(name)));
}
