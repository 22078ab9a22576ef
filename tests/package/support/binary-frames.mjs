// AWS's binary messages (`application/vnd.amazon.eventstream`), as Bedrock sends them.

const encoder = new TextEncoder();

/** CRC-32 as in gzip. */
function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
  }
  return ~sum >>> 0;
}

function number(value, length) {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(value, 0, length);
  return bytes;
}

function header(name, text) {
  return [number(name.length, 1), encoder.encode(name), number(7, 1), number(text.length, 2), encoder.encode(text)];
}

/** A message with headers that are texts. */
export function binaryMessage(headers, payload) {
  const own = Buffer.concat(Object.entries(headers).flatMap(([name, text]) => header(name, text)));
  const content = encoder.encode(payload);
  const lengths = Buffer.concat([number(16 + own.length + content.length, 4), number(own.length, 4)]);
  const message = Buffer.concat([lengths, number(checksum(lengths), 4), own, content]);
  return Buffer.concat([message, number(checksum(message), 4)]);
}

/** The messages of a stream that was written as lines of JSON, each an object with one key. */
export function binaryFrames(lines) {
  const events = Buffer.from(lines).toString().split("\n").filter(Boolean);
  const messages = events.map((line) => {
    const [[kind, payload]] = Object.entries(JSON.parse(line));
    const isException = kind.endsWith("Exception");
    const headers = {
      [isException ? ":exception-type" : ":event-type"]: kind,
      ":content-type": "application/json",
      ":message-type": isException ? "exception" : "event",
    };
    return binaryMessage(headers, JSON.stringify(payload));
  });
  return Buffer.concat(messages);
}
