// Detects what a text is by its start.

/** Whether the text is an HTML or XML page, for example of a proxy or a firewall. */
export const isPage = (text) => /^\uFEFF?\s*<(!doctype|html|head|body|\?xml|!--)/i.test(text);

export const isEventStream = (text) => /^\uFEFF?\s*(data|event|id|retry|):/.test(text);

/**
 * The first event of a stream that begins with this text: `{ event, isBare }`. It is bare outside of server-sent events
 * and arrays, like a whole response or an error. `event` is undefined if no event is complete.
 */
export function firstEvent(text) {
  if (isEventStream(text)) {
    const data = /^data: ?(.*)$/m.exec(text)?.[1];
    return { event: parsed(data ?? ""), isBare: false };
  }
  const value = parsed(text) ?? parsed(text.trimStart().split("\n", 1)[0]);
  return Array.isArray(value) ? { event: value[0], isBare: false } : { event: value, isBare: true };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
