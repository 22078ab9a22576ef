// Other packages with the same payloads: their time, and the differences of their output.

import { installed, peerVersions } from "../installs.mjs";
import { payloads } from "../payloads.mjs";
import { measure, scriptBeside } from "../processes.mjs";
import { ours, shapes } from "../sides.mjs";
import { micros } from "../tables.mjs";
import { differences, meaning } from "./differences.mjs";
import { converterOf, peers } from "./sides.mjs";

const worker = scriptBeside(import.meta.url, "../worker.mjs");
const names = Object.keys(peers);
const measuredShapes = ["string", "object"];

export async function measurePeers({ nodes, fewRounds, toolwire }) {
  const folder = await installed("peers");
  const loaded = {};
  for (const name of names) loaded[name] = await peers[name].load(folder);
  const [node] = nodes;
  const tables = measuredShapes.map((shape) => speedTable(shape, node, loaded, folder, fewRounds));
  tables.push(...names.map((name) => differencesTable(name, loaded[name], toolwire)));
  return [{ title: "Peers", text, tables, plots: [] }];
}

const text = [
  "Other packages that convert between providers, on the same payloads. Cells of conversions that they do not support are empty. Their outputs are compared with",
  "ours: texts as blocks, arguments as values, messages of one role as one; what then still differs is listed.",
];

function speedTable(shape, node, loaded, folder, rounds) {
  const rows = Object.entries(payloads).map(([name, payload]) => {
    const there = names.filter((peer) => converterOf(peer, loaded[peer], shape, payload) !== undefined);
    const figures = measure(node.program, worker, ["ours", "hand", ...there], [shape, name, folder], rounds);
    const times = ["ours", "hand", ...names].map((side) => (side in figures ? micros(figures[side]) : ""));
    return [name, ...times, ...names.map((peer) => (peer in figures ? (figures.ours / figures[peer]).toFixed(3) : ""))];
  });
  const titles = names.map((name) => `${name} ${peerVersions[peers[name].package]}`);
  const columns = ["µs", "ours", "by hand", ...titles, ...names.map((name) => `ours ÷ ${name}`)];
  return { title: `${shape} → ${shape}, ${node.name}`, columns, rows };
}

function differencesTable(peer, loaded, toolwire) {
  const rows = [];
  for (const [name, payload] of Object.entries(payloads)) {
    const convert = converterOf(peer, loaded, "object", payload);
    if (convert === undefined) continue;
    const input = shapes.object.make(payload.make());
    const [mine, theirs] = [ours(toolwire, payload)(input), convert(shapes.object.make(payload.make()))].map((body) =>
      meaning(body),
    );
    for (const { path, count, ours: one, theirs: other } of differences(mine, theirs)) {
      rows.push([name, path, String(count), one, other]);
    }
  }
  return { title: `where ${peer} differs`, columns: ["payload", "place", "times", "ours", peer], rows };
}
