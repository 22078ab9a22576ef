// The package at work on an input.

const functions = { request: "convertRequest", response: "convertResponse", error: "convertError" };

/** The canonical value of an input, or undefined where the package refuses it. */
export function canonicalOf(toolwire, { kind, from, body, options }) {
  return attempt(toolwire, kind, body, { ...options, from, to: "canonical" });
}

/** The body for a dialect, as its description means it, or undefined where the package refuses to write one. */
export function writtenTo(toolwire, to, { kind, options }, canonical) {
  const body = attempt(toolwire, kind, canonical, { ...options, from: "canonical", to });
  if (body === undefined || kind !== "request") return body;
  return completed(canonical, to === "anthropic" && options.platform ? asSentDirectly(body) : body);
}

/** The model is left out in vectors that are not about it, and stands in the path of Gemini's requests. */
export function completed(given, body) {
  return given?.model === undefined ? { model: "m", ...body } : body;
}

function attempt(toolwire, kind, body, conversion) {
  try {
    // As text: a body that is a string is one of JSON, too.
    return JSON.parse(toolwire[functions[kind]](JSON.stringify(body), conversion));
  } catch (error) {
    if (error instanceof toolwire.ToolwireError && error.code !== "internal") return undefined;
    throw error;
  }
}

/** The hosts have the model in the path and the version in the body; the description is of the API itself. */
function asSentDirectly({ anthropic_version, anthropic_beta, ...body }) {
  return { model: "m", ...body };
}
