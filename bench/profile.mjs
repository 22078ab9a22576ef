// Profiles a conversion: `npm run bench -- profile bytes agent` (a shape and a payload of bench/payloads.mjs; without them a selection).

import { join } from "node:path";
import { root } from "../scripts/lib/run.mjs";
import { buildNamedWasm, namedWasm } from "./named-wasm.mjs";
import { readable } from "./owners.mjs";
import { runScript, scriptBeside } from "./processes.mjs";

const worker = scriptBeside(import.meta.url, "profile-worker.mjs");
const usual = [
  ["bytes", "small"],
  ["bytes", "agent"],
  ["object", "agent"],
];
const shown = 20;

export async function measureProfile({ nodes, chosen }) {
  await buildNamedWasm();
  const node = nodes.at(-1);
  const tables = (chosen.length === 2 ? [chosen] : usual).map(([shape, payload]) => {
    const functions = runScript(node.program, worker, [join(root, namedWasm), shape, payload]);
    const rows = functions.slice(0, shown).map(([name, share]) => [readable(name), `${(share * 100).toFixed(1)} %`]);
    return { title: `${shape}, ${payload}, ${node.name}`, columns: ["in the function itself", "of the time"], rows };
  });
  return [{ title: "Profile", text: [], tables, plots: [] }];
}
