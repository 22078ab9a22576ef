// AWS's binary messages (`application/vnd.amazon.eventstream`): shown as text, and with other payloads. Each has its length, the length of its headers
// and a checksum of both, the headers, a payload, and a checksum of all of that.

const PRELUDE = 12;
const CHECKSUM = 4;
/** The types of headers whose values have a fixed length, in bytes: Booleans, integers, times and UUIDs. */
const FIXED: { readonly [type: number]: number } = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };
const TEXT = 7;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Whether the bytes begin with a message: no text begins with the highest byte of a length. */
export const isBinary = (bytes: Uint8Array): boolean => bytes.length > PRELUDE && (bytes[0] as number) <= 8;

interface Message {
  readonly bytes: Uint8Array;
  /** The end of the headers. */
  readonly payloadAt: number;
  readonly payload: string;
}

/** The whole messages, and the bytes that remain. */
function messagesIn(bytes: Uint8Array): { messages: Message[]; rest: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const messages: Message[] = [];
  let start = 0;
  while (start + PRELUDE + CHECKSUM <= bytes.length) {
    const size = view.getUint32(start);
    const payloadAt = PRELUDE + view.getUint32(start + 4);
    if (size < payloadAt + CHECKSUM || start + size > bytes.length) break;
    const message = bytes.subarray(start, start + size);
    messages.push({ bytes: message, payloadAt, payload: decoder.decode(message.subarray(payloadAt, size - CHECKSUM)) });
    start += size;
  }
  return { messages, rest: bytes.subarray(start) };
}

/** The name of the event or exception; empty if there is none. */
function nameOf({ bytes, payloadAt }: Message): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, payloadAt);
  for (let at = PRELUDE; at < payloadAt; ) {
    const typeAt = at + 1 + view.getUint8(at);
    const name = decoder.decode(bytes.subarray(at + 1, typeAt));
    const type = view.getUint8(typeAt);
    const fixed = FIXED[type];
    const valueAt = typeAt + (fixed === undefined ? 3 : 1);
    const end = valueAt + (fixed ?? view.getUint16(typeAt + 1));
    if (type === TEXT && /^:(?:event|exception)-type$/.test(name)) return decoder.decode(bytes.subarray(valueAt, end));
    at = end;
  }
  return "";
}

/** Each message as a line of JSON, an object with its name as the key, as logs have them; the events of another format as server-sent ones. */
export function textOfMessages(bytes: Uint8Array): string {
  const { messages, rest } = messagesIn(bytes);
  return messages.map(textOf).join("") + decoder.decode(rest);
}

function textOf(message: Message): string {
  const { payload } = message;
  try {
    const name = nameOf(message);
    const value = JSON.parse(payload);
    if (name === "chunk")
      return `data: ${decoder.decode(Uint8Array.from(atob(value.bytes), (one) => one.charCodeAt(0)))}\n\n`;
    return name === "" || value.__type === name ? `${payload}\n` : `{${JSON.stringify(name)}:${payload}}\n`;
  } catch {
    return `${payload}\n`;
  }
}

/** The messages with other payloads. Bytes that are not a whole message are changed as text. */
export function withPayloads(bytes: Uint8Array, change: (payload: string) => string): Uint8Array {
  const { messages, rest } = messagesIn(bytes);
  const pieces = messages.map((message) => {
    const changed = change(message.payload);
    return changed === message.payload ? message.bytes : withPayload(message, encoder.encode(changed));
  });
  const [text, last] = [decoder.decode(rest), change(decoder.decode(rest))];
  pieces.push(last === text ? rest : encoder.encode(last));
  return joined(pieces);
}

/** The bytes of all pieces. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** The exceptions of `invoke-with-response-stream` for Anthropic's types of errors. */
const EXCEPTIONS: { readonly [type: string]: string } = {
  invalid_request_error: "validationException",
  overloaded_error: "serviceUnavailableException",
  rate_limit_error: "throttlingException",
  timeout_error: "modelTimeoutException",
};

/** An event of Anthropic's as the message that `invoke-with-response-stream` has for it: a chunk, or an exception for an error. */
export function chunkOf(event: string): Uint8Array {
  const { type, error } = JSON.parse(event);
  if (type !== "error") return messageOf("event", "chunk", JSON.stringify({ bytes: base64Of(encoder.encode(event)) }));
  const name = EXCEPTIONS[error?.type] ?? "internalServerException";
  return messageOf("exception", name, JSON.stringify({ message: String(error?.message ?? "") }));
}

function messageOf(kind: "event" | "exception", name: string, payload: string): Uint8Array {
  const headers = { [`:${kind}-type`]: name, ":content-type": "application/json", ":message-type": kind };
  const head = joined(
    Object.entries(headers).map(([name, value]) => headerOf(encoder.encode(name), encoder.encode(value))),
  );
  const bytes = new Uint8Array(PRELUDE + head.length);
  bytes.set(head, PRELUDE);
  new DataView(bytes.buffer).setUint32(4, head.length);
  return withPayload({ bytes, payloadAt: bytes.length, payload: "" }, encoder.encode(payload));
}

function headerOf(name: Uint8Array, value: Uint8Array): Uint8Array {
  const size = Uint8Array.of(TEXT, value.length >> 8, value.length & 255);
  return joined([Uint8Array.of(name.length), name, size, value]);
}

/** In chunks, as an argument list has a limit. */
function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

function withPayload({ bytes, payloadAt }: Message, payload: Uint8Array): Uint8Array {
  const size = payloadAt + payload.length + CHECKSUM;
  const message = new Uint8Array(size);
  const view = new DataView(message.buffer);
  message.set(bytes.subarray(0, payloadAt));
  message.set(payload, payloadAt);
  view.setUint32(0, size);
  view.setUint32(8, checksum(message.subarray(0, 8)));
  view.setUint32(size - CHECKSUM, checksum(message.subarray(0, size - CHECKSUM)));
  return message;
}

/** CRC-32 as in gzip. */
function checksum(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
  }
  return ~sum >>> 0;
}
