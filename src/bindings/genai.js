/** Getters of the SDK's response class. They repeat the content of the parts, and may log a warning or throw. */
const repeats = ["text", "data", "functionCalls", "executableCode", "codeExecutionResult"];

/**
 * A response or an event as the API sent it, without the HTTP headers and getters that the SDK adds. A value that can't be read is
 * returned unchanged, and the conversion reports the reason.
 */
export function withoutHeaders(response) {
  try {
    if (typeof response !== "object" || response === null) return response;
    const isAdded = (key) =>
      key === "sdkHttpResponse" ||
      (repeats.includes(key) && Object.getOwnPropertyDescriptor(response, key)?.get !== undefined);
    const added = Object.keys(response).filter(isAdded);
    if (added.length === 0) return response;
    // reads descriptors, because reading a value may throw
    const own = Object.getOwnPropertyDescriptors(response);
    for (const key of added) delete own[key];
    return Object.create(Object.getPrototypeOf(response), own);
  } catch {
    return response;
  }
}
