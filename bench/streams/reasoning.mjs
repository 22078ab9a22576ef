// Streams of reasoning beside streams of the same pieces as text, an event a read: `node bench/streams/reasoning.mjs [PIECES]`. Prints the
// microseconds of CPU time of an event, and the ratio: the median of rounds that run both in turn.

import { bytesOf } from "../../tests/package/support/stream-sources.mjs";

const { convertStream } = await import("../../pkg/dist/node.js");
const ROUNDS = 15;
const EVENTS_A_ROUND = 30_000;
const count = Number(process.argv[2] ?? 1000);
const sources = ["openai", "anthropic", "openai-responses", "gemini"];
const targets = [...sources, "ollama"];

const words =
  "I will read the two modules first, then run the tests that fail, and only after that change the parser. ";
const tokens = words.match(/ ?[^ ]+/g);
const pieces = Array.from({ length: count }, (_, index) => tokens[index % tokens.length]);
const ends = { type: "text", pieces: ["Done."] };
const streams = {
  text: [{ type: "text", pieces }],
  reasoning: [{ type: "reasoning", pieces, signature: "c2lnbmF0dXJl" }, ends],
};

/** The events of a stream, each as bytes. */
function eventsOf(kind, dialect) {
  const response = {
    id: "answer_1",
    model: "m",
    finish: "stop",
    usage: { input: 1, output: 1 },
    blocks: streams[kind],
  };
  const text = Buffer.from(bytesOf(response, dialect)).toString();
  const events = text.match(/[\s\S]*?\r?\n\r?\n/g);
  return events.map((event) => new Uint8Array(Buffer.from(event)));
}

function run(from, to, events) {
  const stream = convertStream({ from, to, reasoning: "show" });
  for (const event of events) stream.push(event);
  stream.finish();
  stream.free();
}

/** Microseconds of CPU time of an event. */
function timed(from, to, events) {
  const times = Math.ceil(EVENTS_A_ROUND / events.length);
  const start = process.cpuUsage();
  for (let index = 0; index < times; index++) run(from, to, events);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / times / events.length;
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

console.log("| from | to | text, µs | reasoning, µs | ratio |\n|---|---|---:|---:|---:|");
for (const from of sources) {
  const [text, reasoning] = ["text", "reasoning"].map((kind) => eventsOf(kind, from));
  for (const to of targets.filter((other) => other !== from)) {
    timed(from, to, text);
    timed(from, to, reasoning);
    const rounds = Array.from({ length: ROUNDS }, () => [timed(from, to, text), timed(from, to, reasoning)]);
    const [a, b, ratio] = [([x]) => x, ([, x]) => x, ([x, y]) => y / x].map((of) => median(rounds.map(of)));
    console.log(`| ${from} | ${to} | ${a.toFixed(2)} | ${b.toFixed(2)} | ${ratio.toFixed(2)} |`);
  }
}
