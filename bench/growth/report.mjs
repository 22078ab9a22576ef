// Cost grows linearly: with messages, tools and events for every pair of dialects, and with any other part of which there may be many.

import { slope } from "../numbers.mjs";
import { runScript, scriptBeside } from "../processes.mjs";
import { aim } from "../tables.mjs";
import { cases } from "./bodies.mjs";
import { steepest } from "./steepest.mjs";
import { streams } from "./streams.mjs";

const worker = scriptBeside(import.meta.url, "worker.mjs");
const dialects = ["canonical", "openai", "openai-responses", "anthropic", "gemini", "vertexai", "ollama"];
/** Targets that together need every kind of conversion. */
const oddTargets = ["anthropic", "gemini", "ollama"];
const parts = { ...cases, ...streams };

export function measureGrowth({ nodes, chosen, thorough }) {
  const [node] = nodes;
  const sources = chosen.length > 0 ? chosen : dialects;
  const measured = new Map();
  for (const from of sources) {
    for (const to of dialects) {
      const isOdd = from === "openai" ? thorough || oddTargets.includes(to) : to === "openai";
      measured.set(`${from} → ${to}`, runScript(node.program, worker, isOdd ? [from, to, "odd"] : [from, to]));
    }
  }
  const everywhere = Object.keys(parts).filter((name) => parts[name].isEverywhere);
  const odd = Object.keys(parts).filter((name) => !parts[name].isEverywhere);
  const tables = everywhere.map((name) => pairsTable(name, measured, node));
  if (sources.includes("openai")) tables.push(oddTable(odd, measured, node));
  const fromAll = odd.filter((name) => parts[name].isFromAll);
  if (sources.some((source) => source !== "openai")) tables.push(sourcesTable(fromAll, measured, node));
  return [{ title: "Growth", text, tables, plots: [] }];
}

const text = [
  "How the time of a conversion (bytes → bytes) grows with what there is much of. The slope is that of the line through the logarithms of size",
  "and time, without the smallest size: 1 is linear, 2 is quadratic.",
];

function pairsTable(name, measured, node) {
  const { sizes } = parts[name];
  const rows = [];
  for (const [pair, figures] of measured) {
    if (figures[name] === undefined) continue;
    rows.push([pair, ...figures[name].map(perUnit), ...steepness(figures[name])]);
  }
  const columns = ["", ...sizes.map((size) => size.toLocaleString("en")), "slope", "target", ""];
  return { title: `${name}: µs for each (${node.name})`, columns, rows, isLong: true };
}

/** For each odd case, the target with the steepest growth. */
function oddTable(names, measured, node) {
  const rows = names.map((name) => {
    const all = dialects.map((to) => [to, measured.get(`openai → ${to}`)?.[name]]).filter(([, points]) => points);
    const [to, points] = all.sort((a, b) => slopeOf(b[1]) - slopeOf(a[1]))[0];
    return [name, to, ...points.map(perUnit), ...steepness(points)];
  });
  const columns = ["from OpenAI", "steepest to", "1st size", "2nd", "3rd", "4th", "slope", "target", ""];
  return {
    title: `odd bodies and streams, 1 to 1,000 or 10 to 10,000 of each: µs for each (${node.name})`,
    columns,
    rows,
  };
}

/** From each other source to one target. */
function sourcesTable(names, measured, node) {
  const rows = [];
  for (const from of dialects.filter((name) => name !== "openai")) {
    for (const name of names) {
      const points = measured.get(`${from} → openai`)?.[name];
      if (points !== undefined) rows.push([`${from}: ${name}`, ...points.map(perUnit), ...steepness(points)]);
    }
  }
  const columns = ["to OpenAI", ...counts, "slope", "target", ""];
  return { title: `from other sources: µs for each (${node.name})`, columns, rows };
}

const counts = ["10", "100", "1,000", "10,000"];
const perUnit = ([size, nanoseconds]) => (nanoseconds / 1000 / size).toFixed(2);
const slopeOf = (points) => slope(points.slice(1));

function steepness(points) {
  const found = slopeOf(points);
  return [found.toFixed(2), ...aim(`≤ ${steepest}`, found <= steepest)];
}
