/** Getters of the SDK's response class: they repeat what the parts hold, and may log a warning or throw. */
const repeats = ["text", "data", "functionCalls", "executableCode", "codeExecutionResult"];

/**
 * A response or an event as the API sent it: without the HTTP headers and the getters that the SDK adds. What cannot be read is
 * returned unchanged: the conversion reports why.
 */
export function withoutHeaders(response) {
  try {
    if (typeof response !== "object" || response === null) return response;
    const isAdded = (key) =>
      key === "sdkHttpResponse" ||
      (repeats.includes(key) && Object.getOwnPropertyDescriptor(response, key)?.get !== undefined);
    const keys = Object.keys(response);
    if (!keys.some(isAdded)) return response;
    return Object.fromEntries(keys.filter((key) => !isAdded(key)).map((key) => [key, response[key]]));
  } catch {
    return response;
  }
}
