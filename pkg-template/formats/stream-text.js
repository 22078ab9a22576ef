// What the beginning of a text says of it.

/** Whether it is a page, of a proxy or a firewall. */
export const isPage = (text) => /^\uFEFF?\s*<(!doctype|html|head|body|\?xml|!--)/i.test(text);

export const isEventStream = (text) => /^\uFEFF?\s*(data|event|id|retry|):/.test(text);

/**
 * The first event of a stream, of which the text is the beginning: `{ event, isBare }`. It is bare outside of server-sent events and
 * arrays, as a whole response or an error is. `event` is undefined if none is complete.
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
