// Times one side of one comparison, alone in this process: node worker.mjs ours|hand PAIR LANGUAGE READS
// Prints the nanoseconds of one stream.

import { nanosecondsOf } from "../timing.mjs";
import { eventsOf, piecesOf, reads } from "./answers.mjs";
import { pairs, runStream, sideOf } from "./sides.mjs";

const [side, pair, language, size] = process.argv.slice(2);
const pieces = piecesOf(eventsOf(pairs[pair].from, language), reads[size]);
const toolwire = side === "ours" ? await import("../../pkg/dist/index.js") : undefined;
const make = sideOf(side, pair, toolwire);
process.stdout.write(String(nanosecondsOf(() => runStream(make, pieces))));
