// Times one side of one comparison, alone in this process: node worker.mjs SIDE SHAPE PAYLOAD [FOLDER of the peers]
// Prints the nanoseconds of one conversion.

import { payloads, sizes } from "./payloads.mjs";
import { converterOf, peers } from "./peers/sides.mjs";
import { byHand, ours, shapes } from "./sides.mjs";
import { nanosecondsOf } from "./timing.mjs";

const [side, shape, name, folder] = process.argv.slice(2);
const payload = { ...payloads, ...sizes }[name];
const input = shapes[shape].make(payload.make());
const convert = await converter();
process.stdout.write(String(nanosecondsOf(() => convert(input))));

async function converter() {
  if (side === "hand") return byHand(payload, shape);
  if (side === "ours") return ours(await import("../pkg/dist/index.js"), payload);
  return converterOf(side, await peers[side].load(folder), shape, payload);
}
