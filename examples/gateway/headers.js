// Which header each provider expects its key in, and which of the upstream's headers are passed on.

const keyHeaders = {
  anthropic: (key) => ({ "x-api-key": key }),
  gemini: (key) => ({ "x-goog-api-key": key }),
};
const bearer = (key) => ({ authorization: `Bearer ${key}` });

/** Limits and ids. Lengths, encodings and cookies belong to the upstream's own body and connection. */
const forwarded = /^(retry-after|request-id|x-request-id|x-ratelimit-.*|anthropic-ratelimit-.*)$/;

/** The client's own key, from any of the places that SDKs put it in. */
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

export function forwardedHeaders(response) {
  return new Headers([...response.headers].filter(([name]) => forwarded.test(name)));
}
