// The package at work on an input.

const functions = { request: "convertRequest", response: "convertResponse", error: "convertError" };

/** The canonical value of an input, or undefined where the package refuses it. */
export function canonicalOf(toolwire, { kind, from, body, options }) {
  return attempt(toolwire, kind, body, { ...options, from, to: "canonical" });
}

/** The body for a dialect, as its description means it, or undefined where the package refuses to write one. */
export function writtenTo(toolwire, to, input, canonical) {
  const body = attempt(toolwire, input.kind, canonical, { ...input.options, from: "canonical", to });
  return body && asDescribed(body, to, input, canonical);
}

/** Requests without what is in their path or their headers. `given` is what a model would have come from. */
export function asDescribed(body, dialect, { kind, options }, given) {
  if (kind !== "request") return body;
  if (dialect === "anthropic" && options.platform) return asSentDirectly(body);
  // Vectors leave the model out where they are not about it, and Gemini has it in the path.
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
