// What is served, for the error about a path that is not.

/** `fixed`: the paths without a model, as the table of endpoints has them. */
export function servedPaths(fixed: readonly (readonly [string, string, string, string])[]): string {
  const google = "POST /v1beta/models/{model}:generateContent (also :streamGenerateContent, :countTokens)";
  const bedrock = "POST /model/{model}/converse (also converse-stream, invoke, invoke-with-response-stream)";
  return [...fixed.map(([, method, path]) => `${method} ${path}`), google, bedrock].join(", ");
}
