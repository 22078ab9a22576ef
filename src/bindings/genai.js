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
    const added = Object.keys(response).filter(isAdded);
    if (added.length === 0) return response;
    // descriptors, as to read a value may throw
    const own = Object.getOwnPropertyDescriptors(response);
    for (const key of added) delete own[key];
    return Object.create(Object.getPrototypeOf(response), own);
  } catch {
    return response;
  }
}
