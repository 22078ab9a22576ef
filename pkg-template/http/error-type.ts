// The type of an error that AWS states in a header instead of the body.

const HEADER = "x-amzn-errortype";

/** The body of an error with the type of the header, under the name that bodies have it with (docs/wire/bedrock.md). */
export function withErrorType(body: string, headers: Headers): string {
  // some servers add a URL behind a colon
  const type = headers.get(HEADER)?.split(":")[0]?.trim();
  if (!type) return body;
  const value = parsed(body);
  if (typeof value !== "object" || value === null || Array.isArray(value) || "__type" in value) return body;
  return JSON.stringify({ __type: type, ...value });
}

/** The headers of an error, by its body: clients of AWS read the type there. */
export function errorTypeHeaders(body: string): Record<string, string> {
  const type = (parsed(body) as { __type?: unknown } | null | undefined)?.__type;
  return typeof type === "string" && /^\w+$/.test(type) ? { [HEADER]: type } : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
