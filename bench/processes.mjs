// Each measurement runs alone in its process, so that no earlier one has warmed it up or filled the memory.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";

export const scriptBeside = (url, name) => fileURLToPath(new URL(name, url));

/** The output of a script, parsed as JSON. */
export function runScript(program, script, args = [], flags = []) {
  return JSON.parse(execFileSync(program, [...flags, script, ...args], { encoding: "utf8" }));
}

/**
 * The measurements of `script` for each side, with these arguments after the name of the side, in interleaved rounds. Returns the minimum
 * of each, because other processes can only make a round longer.
 */
export function measure(program, script, sides, args, rounds) {
  const samples = Object.fromEntries(sides.map((side) => [side, []]));
  for (let round = 0; round < rounds; round++) {
    for (const side of sides) samples[side].push(runScript(program, script, [side, ...args]));
  }
  return Object.fromEntries(sides.map((side) => [side, Math.min(...samples[side])]));
}

/** Throws with the first difference unless both are the same. */
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
