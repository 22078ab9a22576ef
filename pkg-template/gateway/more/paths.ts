// What is served, for the error about a path that is not.

/** `fixed`: the paths without a model, as the table of endpoints has them. */
export function servedPaths(fixed: readonly (readonly [string, string, string, string])[]): string {
  const google = "POST /v1beta/models/{model}:generateContent (also :streamGenerateContent, :countTokens)";
  const bedrock = "POST /model/{model}/converse (also converse-stream, invoke, invoke-with-response-stream)";
  const vertex = "POST /v1/projects/…/publishers/anthropic/models/{model}:rawPredict (also :streamRawPredict)";
  return [...fixed.map(([, method, path]) => `${method} ${path}`), google, bedrock, vertex].join(", ");
}
