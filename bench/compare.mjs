// The package against JavaScript written by hand, each side alone in its process, in interleaved rounds.

import { checkBaseline } from "./baseline/check.mjs";
import { payloads, sizes } from "./payloads.mjs";
import { bars } from "./plots/bars.mjs";
import { lines } from "./plots/lines.mjs";
import { demandSame, measure, scriptBeside } from "./processes.mjs";
import { byHand, ours, shapes } from "./sides.mjs";
import { aim, atMost, kB, micros, noAim } from "./tables.mjs";

const worker = scriptBeside(import.meta.url, "worker.mjs");
const bothSides = ["ours", "hand"];

/** Throws unless both sides give the same warnings and the same output for every payload in every shape. */
function checkSameWork(toolwire) {
  checkBaseline(toolwire, payloads);
  for (const [name, payload] of Object.entries({ ...payloads, ...sizes })) {
    for (const shape of Object.keys(shapes)) {
      const { make, read } = shapes[shape];
      const input = make(payload.make());
      const [mine, theirs] = [ours(toolwire, payload), byHand(payload, shape)].map((convert) => read(convert(input)));
      demandSame(`${name}, ${shape}`, mine, theirs);
    }
  }
}

const mostBytes = { oldest: 0.2, newest: 0.35 };
const mostTwoByte = { oldest: 1.2, newest: 0.8 };
const mostOneByte = 0.45;
/** Objects are passed by reference: long conversions have a ratio as target, short ones a time in nanoseconds. */
const mostObject = 3;
const mostSmallObject = 8000;
const isMuch = (size) => size > 50_000;
const isLittle = (size) => size < 3000;

/** The target, as a ratio to the time by hand, if there is one. */
export function mostOf(shape, { twoByte }, { size, theirs }, { column }) {
  if (shape === "bytes") return mostBytes[column];
  if (shape === "string") return twoByte ? mostTwoByte[column] : mostOneByte;
  if (isMuch(size)) return mostObject;
  return isLittle(size) ? mostSmallObject / theirs : undefined;
}

function targetOf(shape, payload, figures, node) {
  const { size, mine, theirs } = figures;
  if (shape === "object" && isLittle(size)) return aim(`< ${mostSmallObject / 1000} µs`, mine < mostSmallObject);
  const most = mostOf(shape, payload, figures, node);
  return most === undefined ? noAim : atMost(mine / theirs, most);
}

const explanations = {
  bytes: "UTF-8 in, UTF-8 out: what a proxy has.",
  string: "JSON text in, JSON text out.",
  object: "Objects in, objects out. JavaScript passes on by reference what it need not inspect, and so do we.",
};

/** Each payload in each shape. */
export function measureSpeed({ nodes, rounds, toolwire }) {
  checkSameWork(toolwire);
  return Object.keys(shapes).map((shape) => {
    const groups = Object.keys(payloads).map((label) => ({ label, values: [] }));
    const tables = nodes.map((node) => {
      const rows = Object.entries(payloads).map(([name, payload], index) => {
        const measured = compare(node, shape, name, payload, rounds);
        const { size, mine, theirs } = measured;
        groups[index].values.push(mine / theirs);
        const figures = [kB(size), micros(theirs), micros(mine), (mine / theirs).toFixed(2)];
        return [name, ...figures, ...targetOf(shape, payload, measured, node)];
      });
      return { title: `${shape} → ${shape}, ${node.name}`, columns: columnsOf("payload"), rows };
    });
    const series = nodes.map(({ name }) => name);
    const title = `${shape} → ${shape}: our time ÷ that of JavaScript by hand`;
    return {
      title: `${shape} → ${shape}`,
      text: [explanations[shape]],
      tables,
      plots: [{ file: `${shape}.svg`, alt: title, svg: bars({ title, series, groups }) }],
    };
  });
}

/** The same conversation in several lengths. */
export function measureSizes({ nodes, fewRounds, toolwire }) {
  checkSameWork(toolwire);
  const series = [];
  const tables = nodes.map((node) => {
    const rows = [];
    for (const shape of Object.keys(shapes)) {
      const points = [];
      for (const [name, payload] of Object.entries(sizes)) {
        const { size, mine, theirs } = compare(node, shape, name, payload, fewRounds);
        points.push([size, mine / theirs]);
        rows.push([`${shape}, ${name}`, kB(size), micros(theirs), micros(mine), (mine / theirs).toFixed(2)]);
      }
      series.push({ label: `${shape}, ${node.name}`, points });
    }
    return { title: `one conversation, short and long, ${node.name}`, columns: columnsOf("").slice(0, -2), rows };
  });
  const title = "A conversation with tool calls, by size in bytes: our time ÷ that of JavaScript by hand";
  const plots = [{ file: "sizes.svg", alt: title, svg: lines({ title, series }) }];
  return [
    { title: "By size", text: ["An agent's conversation of messages, tool calls, results and tools."], tables, plots },
  ];
}

const columnsOf = (first) => [first, "size", "by hand, µs", "ours, µs", "ratio", "target", ""];

/** The size of a payload in bytes, and the nanoseconds of both sides. */
export function compare(node, shape, name, payload, rounds) {
  const size = Buffer.byteLength(JSON.stringify(payload.make()));
  const { ours: mine, hand: theirs } = measure(node.program, worker, bothSides, [shape, name], rounds);
  return { size, mine, theirs };
}
