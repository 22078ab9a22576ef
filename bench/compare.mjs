// Ours against JavaScript written by hand, each side alone in its process, in interleaved rounds.

import { fileURLToPath } from "node:url";
import { payloads } from "./payloads.mjs";
import { print, verdict } from "./print.mjs";
import { demandSame, measure } from "./rounds.mjs";
import { byHand, ours, shapes } from "./sides.mjs";

const rounds = 5;
const worker = fileURLToPath(new URL("worker.mjs", import.meta.url));
const isNode20 = process.versions.node.startsWith("20.");

/** Throws unless both sides give the same value for every payload in every shape. */
export function checkSameWork(toolwire) {
  for (const [name, payload] of Object.entries(payloads)) {
    for (const shape of Object.keys(shapes)) {
      const { make, read } = shapes[shape];
      const input = make(payload.make());
      const [mine, theirs] = [ours(toolwire, payload), byHand(payload, shape)].map((convert) => read(convert(input)));
      demandSame(`${name}, ${shape}`, mine, theirs);
    }
  }
}

export function reportComparisons() {
  for (const shape of Object.keys(shapes)) {
    print([`${shape} → ${shape}`, "size", "by hand, µs", "ours, µs", "ratio", "target", ""]);
    for (const [name, payload] of Object.entries(payloads)) {
      const size = Buffer.byteLength(JSON.stringify(payload.make()));
      const { mine, theirs } = measure(worker, [shape, name], rounds);
      const micros = (nanoseconds) => (nanoseconds / 1000).toFixed(2);
      const { text, holds } = target(shape, payload, size, mine, mine / theirs);
      const aim = text === undefined ? ["", ""] : [text, verdict(holds)];
      print([name, `${(size / 1000).toFixed(1)} kB`, micros(theirs), micros(mine), (mine / theirs).toFixed(2), ...aim]);
    }
    console.log();
  }
}

function target(shape, { twoByte }, size, nanoseconds, ratio) {
  const most = (limit) => ({ text: `≤ ${limit.toFixed(2)}`, holds: ratio <= limit });
  if (shape === "bytes") return most(isNode20 ? 0.2 : 0.35);
  if (shape === "string") return most(twoByte ? (isNode20 ? 1.2 : 0.8) : 0.45);
  // Objects pass by reference: a ratio says something only where there is much to do, a time where there is little.
  if (size > 50_000) return most(3);
  if (size < 3_000) return { text: "< 8 µs", holds: nanoseconds < 8000 };
  return {};
}
