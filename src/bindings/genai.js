/**
 * A response or an event without the HTTP headers that the SDK adds to it: nothing that the model answered. What cannot be read is
 * given as it is: the conversion says why.
 */
export function withoutHeaders(response) {
  try {
    if (typeof response !== "object" || response?.sdkHttpResponse === undefined) return response;
    const { sdkHttpResponse, ...rest } = response;
    return rest;
  } catch {
    return response;
  }
}
