// `npm run bench -- text`: reading texts with calls, against the AI SDK's community parser. `npm run bench -- text FOLDER` also counts the
// recorded cases in that folder, and lists the mistakes of each side.

import { runScript, scriptBeside } from "../processes.mjs";
import { atMost, noAim } from "../tables.mjs";
import { recordedCases, vectorCases } from "./cases.mjs";
import { mistakesOf } from "./correctness.mjs";
import { formats } from "./payloads.mjs";
import { peerName, sides } from "./sides.mjs";

const worker = scriptBeside(import.meta.url, "worker.mjs");
/** The maximum ratio to the peer's time. */
const mostOfPeer = 0.2;
/** 1 MB of text: the number of calls, and the number of characters of a piece. Tasks without a target are for comparison. */
const tasks = [
  { title: "200 calls, whole", calls: 200, size: 0, most: mostOfPeer },
  { title: "200 calls, pieces of 20", calls: 200, size: 20, most: mostOfPeer },
  { title: "10 calls, pieces of 20", calls: 10, size: 20 },
];

export async function measureText({ chosen: [folder] = [] } = {}) {
  const sets = { vectors: vectorCases(), ...(folder && { recorded: recordedCases(folder) }) };
  const correct = [];
  const wrong = [];
  for (const [set, cases] of Object.entries(sets)) {
    for (const [name, side] of Object.entries(await sides())) {
      const { whole, inPieces } = await mistakesOf(side, cases);
      const counts = [whole, inPieces].map(({ length }) => `${cases.length - length} of ${cases.length}`);
      correct.push([set, name, ...counts]);
      wrong.push(...rowsOf(name, "whole", whole), ...rowsOf(name, "in pieces", inPieces));
    }
  }
  const speed = formats.flatMap((format) => tasks.map((task) => speedRow(format, task)));
  const tables = [
    { title: "read correctly", columns: ["cases", "side", "whole", "in pieces"], rows: correct },
    { title: "read wrongly", columns: ["case", "side", "", "result"], rows: wrong },
    {
      title: "1 MB of text",
      columns: ["", "toolwire, ms", "peer, ms", "streams alone, ms", "ratio", "target", ""],
      rows: speed,
    },
  ];
  return [{ title: `Text, beside ${peerName}`, text: [], tables, plots: [] }];
}

const rowsOf = (name, how, mistakes) => mistakes.map(({ id, wrong }) => [id, name, how, wrong]);

function speedRow(format, { title, calls, size, most }) {
  const { mine, theirs, ratio, streams } = runScript(process.execPath, worker, [format, String(calls), String(size)]);
  const times = [mine, theirs, streams].map((time) => time?.toFixed(0) ?? "");
  return [`${format}, ${title}`, ...times, ratio.toFixed(2), ...(most ? atMost(ratio, most) : noAim)];
}
