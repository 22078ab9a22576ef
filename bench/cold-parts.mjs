// The steps of the package's cold start, and the part that the engine needs for any code of this size.

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../scripts/lib/run.mjs";
import { median } from "./numbers.mjs";
import { runScript, scriptBeside } from "./processes.mjs";
import { kB } from "./tables.mjs";

const worker = scriptBeside(import.meta.url, "cold-parts-worker.mjs");
const starts = 21;

export function coldParts(nodes) {
  const empty = emptyModule();
  const measured = nodes.map((node) => ({ ...timesOf(node, empty), ...compiledBy(node, empty) }));
  const row = (name, shown) => [name, ...measured.map(shown)];
  const time = (name, step) => row(name, (node) => node[step].toFixed(2));
  const rows = [
    time("Node: its loader, with an empty module", "loader"),
    time("import of our JavaScript, beyond that", "javascript"),
    time("reading the wasm", "reading"),
    time("V8: validation of all functions", "validation"),
    time("instantiation", "instantiation"),
    time("V8: compilation of the functions that the first conversion calls", "compilation"),
    row("how many they are", ({ functions }) => String(functions)),
    row("how large they are", ({ bytes }) => kB(bytes)),
    time("the rest of the first conversion", "rest"),
    row("what is V8's alone", ({ validation, compilation }) => (validation + compilation).toFixed(2)),
  ];
  return {
    title: "milliseconds of our cold start, step by step",
    columns: ["", ...nodes.map(({ name }) => name)],
    rows,
  };
}

function emptyModule() {
  const folder = join(root, "build/bench");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "empty.mjs");
  writeFileSync(file, "");
  return pathToFileURL(file).href;
}

/** Medians. The time for functions that are compiled at their first call is the difference to a start that compiles everything first. */
function timesOf({ program }, empty) {
  const lazy = [];
  const eager = [];
  for (let start = 0; start < starts; start++) {
    lazy.push(runScript(program, worker, [empty]));
    eager.push(runScript(program, worker, [empty], ["--no-wasm-lazy-compilation"]).conversion);
  }
  const steps = Object.keys(lazy[0]).map((step) => [step, median(lazy.map((run) => run[step]))]);
  const { conversion, ...times } = Object.fromEntries(steps);
  const rest = median(eager);
  return { ...times, compilation: conversion - rest, rest };
}

/** The functions of the first conversion, from V8's trace. */
function compiledBy({ program }, empty) {
  const trace = execFileSync(program, ["--trace-wasm-compilation-times", worker, empty, "calls"], { encoding: "utf8" });
  const sizes = [...trace.matchAll(/using Liftoff.* bodysize (\d+)/g)].map(([, size]) => Number(size));
  if (sizes.length === 0) throw new Error(`${program} does not list the functions that it compiles`);
  return { functions: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
