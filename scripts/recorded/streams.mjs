// Checks recorded streams: a reader assembles the same response as the oracle, a conversion to any dialect preserves it, and the result
// does not depend on how the bytes are split.

import { differences } from "./assert.mjs";
import { assembled } from "./stream-oracle.mjs";

const targets = ["canonical", "openai", "openai-responses", "anthropic", "bedrock", "gemini", "vertexai", "ollama"];
const splitsOfEach = 20;
/** The dialects whose server-sent events have names. */
const named = new Set(["anthropic", "openai-responses"]);

export function checkStreams(toolwire, streams, results) {
  const counts = new Map();
  for (const { dialect, file, events } of streams) {
    const bytes = new TextEncoder().encode(framed(dialect, events));
    const expected = assembled[dialect](events);
    results.check(`${file}: read`, () => differences(expected, responseOf(toolwire, dialect, [bytes])));
    for (const to of targets) {
      const key = `${dialect} → ${to}`;
      const count = counts.get(key) ?? { key, streams: 0, same: 0, calls: 0 };
      counts.set(key, count);
      results.check(`${file} → ${to}`, () => {
        const written = converted(toolwire, { from: dialect, to }, [bytes]);
        const wrong = differences(expected, responseOf(toolwire, to, [written]));
        count.streams += 1;
        if (wrong === undefined) count.same += 1;
        if (wrong === undefined) count.calls += expected.calls.length;
        return wrong ?? fragmented(toolwire, { from: dialect, to }, bytes, written);
      });
    }
  }
  console.log("\nRecorded streams: calls, text and end are the same after the conversion");
  for (const { key, streams: all, same, calls } of counts.values()) {
    console.log(
      `  ${key.padEnd(24)} ${String(same).padStart(3)} of ${String(all).padStart(3)} streams, ${calls} calls`,
    );
  }
}

function framed(dialect, events) {
  if (dialect === "bedrock") return events.map((event) => `${JSON.stringify(event)}\n`).join("");
  const frame = (event) => `${named.has(dialect) ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`;
  return events.map(frame).join("") + (dialect === "openai" ? "data: [DONE]\n\n" : "");
}

function converted(toolwire, conversion, pieces) {
  const converter = toolwire.convertStream(conversion);
  const written = pieces.map((piece) => Buffer.from(converter.push(piece)));
  return new Uint8Array(Buffer.concat([...written, Buffer.from(converter.finish())]));
}

function responseOf(toolwire, from, pieces) {
  const reader = toolwire.readStream({ from });
  const events = pieces.flatMap((piece) => reader.push(piece));
  events.push(...reader.end());
  const ended = events.filter((event) => event.type === "toolCallEnd").map((event) => event.call);
  const { text, toolCalls, finishReason } = reader.finish();
  const wrong = differences(toolCalls.map(callOf), ended.map(callOf));
  if (wrong !== undefined) throw new Error(`the calls of the events differ from those of the response: ${wrong}`);
  return { text, calls: toolCalls.map(callOf), finish: finishReason };
}

// ids may be generated, or changed for targets that reject them
const callOf = (call) => ({ name: call.name, arguments: call.arguments });

function fragmented(toolwire, conversion, bytes, expected) {
  let seed = bytes.length;
  const random = (below) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (let round = 0; round < splitsOfEach; round++) {
    const cuts = Array.from({ length: 1 + random(12) }, () => random(bytes.length + 1)).sort((a, b) => a - b);
    const pieces = [0, ...cuts].map((start, index) => bytes.subarray(start, cuts[index] ?? bytes.length));
    if (!Buffer.from(converted(toolwire, conversion, pieces)).equals(Buffer.from(expected))) {
      return `split at ${cuts}: other bytes`;
    }
  }
  return undefined;
}
