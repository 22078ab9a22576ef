// Ours against JavaScript written by hand, each side alone in its process, in interleaved rounds.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { payloads } from "./payloads.mjs";
import { median, print, verdict } from "./print.mjs";
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
      if (!isDeepStrictEqual(mine, theirs)) {
        throw new Error(`${name}, ${shape}: the two sides differ${firstDifference(mine, theirs)}`);
      }
    }
  }
}

function firstDifference(mine, theirs, path = "") {
  if (typeof mine !== "object" || typeof theirs !== "object" || mine === null || theirs === null) {
    const show = (value) => (JSON.stringify(value) ?? "nothing").slice(0, 80);
    return ` at ${path}: ours ${show(mine)}, by hand ${show(theirs)}`;
  }
  for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    if (!isDeepStrictEqual(mine[key], theirs[key])) return firstDifference(mine[key], theirs[key], `${path}/${key}`);
  }
  return "";
}

export function reportComparisons() {
  for (const shape of Object.keys(shapes)) {
    print([`${shape} → ${shape}`, "size", "by hand, µs", "ours, µs", "ratio", "target", ""]);
    for (const [name, payload] of Object.entries(payloads)) {
      const size = Buffer.byteLength(JSON.stringify(payload.make()));
      const { mine, theirs } = measure(shape, name);
      const micros = (nanoseconds) => (nanoseconds / 1000).toFixed(2);
      const { text, holds } = target(shape, payload, size, mine, mine / theirs);
      const aim = text === undefined ? ["", ""] : [text, verdict(holds)];
      print([name, `${(size / 1000).toFixed(1)} kB`, micros(theirs), micros(mine), (mine / theirs).toFixed(2), ...aim]);
    }
    console.log();
  }
}

function measure(shape, name) {
  const samples = { ours: [], hand: [] };
  for (let round = 0; round < rounds; round++) {
    for (const side of ["ours", "hand"]) {
      const output = execFileSync(process.execPath, [worker, side, shape, name], { encoding: "utf8" });
      samples[side].push(Number(output));
    }
  }
  return { mine: median(samples.ours), theirs: median(samples.hand) };
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
