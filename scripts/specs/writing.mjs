// Converts inputs with the package.

const functions = { request: "convertRequest", response: "convertResponse", error: "convertError" };

/** The canonical value of an input, or undefined if the conversion fails. */
export function canonicalOf(toolwire, { kind, from, body, options }) {
  return attempt(toolwire, kind, body, { ...options, from, to: "canonical" });
}

/** The body for a dialect in the form of its description, or undefined if the conversion fails. */
export function writtenTo(toolwire, to, input, canonical) {
  const body = attempt(toolwire, input.kind, canonical, { ...input.options, from: "canonical", to });
  return body && asDescribed(body, to, input, canonical);
}

/** Completes a request with the fields that are in the path or in headers. The model is that of `given`, if it has one. */
export function asDescribed(body, dialect, { kind, options }, given) {
  if (kind !== "request") return body;
  if (dialect === "anthropic" && options.platform) return asSentDirectly(body);
  // many vectors have no model, and Gemini has it in the path
  return given?.model === undefined ? { model: "m", ...body } : body;
}

function attempt(toolwire, kind, body, conversion) {
  try {
    // converted as text, because a body may be a JSON string
    return JSON.parse(toolwire[functions[kind]](JSON.stringify(body), conversion));
  } catch (error) {
    if (error instanceof toolwire.ToolwireError && error.code !== "internal") return undefined;
    throw error;
  }
}

/** On hosts, the model is in the path and the version in the body. The description is of the provider's own API. */
function asSentDirectly({ anthropic_version, anthropic_beta, ...body }) {
  return { model: "m", ...body };
}
