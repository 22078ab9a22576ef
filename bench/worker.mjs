// Times one side of one comparison, alone in this process: node worker.mjs ours|hand SHAPE PAYLOAD
// Prints the nanoseconds of one conversion.

import { payloads } from "./payloads.mjs";
import { byHand, ours, shapes } from "./sides.mjs";
import { nanosecondsOf } from "./timing.mjs";

const [side, shape, name] = process.argv.slice(2);
const payload = payloads[name];
const input = shapes[shape].make(payload.make());
const convert = side === "ours" ? ours(await import("../pkg/dist/index.js"), payload) : byHand(payload, shape);
process.stdout.write(String(nanosecondsOf(() => convert(input))));
