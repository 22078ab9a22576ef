// Both sides of a comparison, each alone in its process, in interleaved rounds.

import { execFileSync } from "node:child_process";
import { isDeepStrictEqual } from "node:util";
import { median } from "./print.mjs";

/** What `worker` prints for each side, with these arguments after the side's name: medians of the rounds. */
export function measure(worker, args, rounds) {
  const samples = { ours: [], hand: [] };
  for (let round = 0; round < rounds; round++) {
    for (const side of ["ours", "hand"]) {
      samples[side].push(Number(execFileSync(process.execPath, [worker, side, ...args], { encoding: "utf8" })));
    }
  }
  return { mine: median(samples.ours), theirs: median(samples.hand) };
}

/** Throws, and says where, unless both are the same. */
export function demandSame(what, mine, theirs) {
  if (isDeepStrictEqual(mine, theirs)) return;
  throw new Error(`${what}: the two sides differ${firstDifference(mine, theirs)}`);
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
