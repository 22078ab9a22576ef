// The exceptions that SDKs throw where a provider returned an error. Each has the body in a place of its own, and some have it as JSON in the message.

/** How many messages may be inside each other: a proxy's error contains that of the provider. */
const DEEPEST = 4;
/** Where an exception has the body, or the error in it: the SDKs of OpenAI, Anthropic and Ollama, the AI SDK, Mistral's SDK. */
const places = ["error", "data", "responseBody", "body"];
/** Where it has the status: most SDKs, the AI SDK and Mistral's, Ollama's, that of AWS. */
const statuses = [
  (thrown) => thrown.status,
  (thrown) => thrown.statusCode,
  (thrown) => thrown.status_code,
  (thrown) => thrown.$metadata?.httpStatusCode,
];

/**
 * The body of a provider's error, and its status if known, as `[body, status]`. Undefined if the value is no exception, or can't be read: it is converted as
 * it is.
 */
export function readException(value) {
  try {
    return isException(value) ? read(value) : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isException = (value) => value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";

function read(thrown) {
  // one that reports several attempts has them in a list
  const last = thrown.lastError ?? (Array.isArray(thrown.errors) ? thrown.errors.at(-1) : undefined);
  if (isException(last)) return read(last);
  const status = statuses
    .map((of) => of(thrown))
    .find((status) => Number.isInteger(status) && status >= 100 && status < 600);
  return [innermost(bodyOf(thrown), 0), status];
}

function bodyOf(thrown) {
  for (const place of places) {
    const found = thrown[place];
    const body = typeof found === "string" ? (parsed(found) ?? (place === "error" ? found : undefined)) : found;
    if (body === undefined || body === null) continue;
    // the body, or the error in it
    return isObject(body) && ("error" in body || place !== "error") ? body : { error: body };
  }
  const { name, message } = thrown;
  return parsed(message) ?? { error: { message, ...(name !== "Error" && { type: name }) } };
}

/** The error of a body whose message is the JSON of another body. */
function innermost(body, depth) {
  if (depth === DEEPEST) return body;
  const error = isObject(body.error) ? body.error : body;
  const inner = parsed(error.message);
  return inner === undefined ? body : innermost(inner, depth + 1);
}

/** The body in a text, which may begin with words. */
function parsed(text) {
  if (typeof text !== "string") return undefined;
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start < 0 || end < start) return undefined;
  try {
    const body = JSON.parse(text.slice(start, end + 1));
    return isObject(body) && ("error" in body || "message" in body) ? body : undefined;
  } catch {
    return undefined;
  }
}
