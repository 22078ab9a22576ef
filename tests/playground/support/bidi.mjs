// A client of WebDriver BiDi, over a WebSocket: Node 20 has none, and Playwright's sends Firefox ESR commands that it does not have.

import { randomBytes } from "node:crypto";
import { request } from "node:http";

/** Connects to a browser. `send` resolves to the result of a command; `on` is called with each event. */
export async function connect(url, on) {
  const socket = await upgraded(new URL(url));
  const waiting = new Map();
  let lastId = 0;
  readMessages(socket, (text) => {
    const message = JSON.parse(text);
    const one = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === "event") on(message);
    else if (message.type === "error") one?.reject(new Error(`${message.error}: ${message.message}`));
    else one?.resolve(message.result);
  });
  return {
    send(method, params = {}) {
      const id = ++lastId;
      socket.write(frameOf(JSON.stringify({ id, method, params })));
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    close: () => socket.destroy(),
  };
}

function upgraded({ hostname, port, pathname }) {
  const headers = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": randomBytes(16).toString("base64"),
  };
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path: pathname, headers });
    asked.on("upgrade", (_, socket) => resolve(socket));
    asked.on("response", ({ statusCode }) => reject(new Error(`the browser responded with ${statusCode}`)));
    asked.on("error", reject);
    asked.end();
  });
}

/** A text as one frame, masked, as clients must. */
function frameOf(text) {
  const mask = randomBytes(4);
  const bytes = Buffer.from(text).map((byte, index) => byte ^ mask[index % 4]);
  const [short, sized, long] = [bytes.length < 126, bytes.length < 65_536, 127];
  const head = Buffer.alloc(short ? 2 : sized ? 4 : 10);
  head[0] = 0x81;
  head[1] = 0x80 | (short ? bytes.length : sized ? 126 : long);
  if (!short && sized) head.writeUInt16BE(bytes.length, 2);
  if (!sized) head.writeBigUInt64BE(BigInt(bytes.length), 2);
  return Buffer.concat([head, mask, bytes]);
}

/** Calls `take` with each text message, however it is split. */
function readMessages(socket, take) {
  let bytes = Buffer.alloc(0);
  let parts = [];
  socket.on("data", (more) => {
    bytes = Buffer.concat([bytes, more]);
    for (let frame = frameIn(bytes); frame; frame = frameIn(bytes)) {
      bytes = bytes.subarray(frame.end);
      if (frame.code > 2) continue;
      parts.push(frame.content);
      if (!frame.isLast) continue;
      take(Buffer.concat(parts).toString());
      parts = [];
    }
  });
}

/** The first frame, once it is complete. */
function frameIn(bytes) {
  if (bytes.length < 2) return undefined;
  const short = bytes[1] & 0x7f;
  const start = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < start) return undefined;
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const end = start + length;
  if (bytes.length < end) return undefined;
  return { isLast: (bytes[0] & 0x80) !== 0, code: bytes[0] & 0x0f, content: bytes.subarray(start, end), end };
}
