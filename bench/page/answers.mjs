// The first section of the page: short answers to questions, with figures from the tables. An answer without its table is omitted.

const number = (cell) => Number.parseFloat(cell);
const range = (numbers) => `${Math.min(...numbers)} to ${Math.max(...numbers)}`;

export function answers(tables) {
  const of = (section) => tables.filter((table) => table.section === section);
  const column = ({ columns, rows }, name) =>
    rows
      .map((row) => row[columns.indexOf(name)])
      .filter(Boolean)
      .map(number);
  const cell = (table, label, name) => table?.rows.find(([first]) => first === label)?.[table.columns.indexOf(name)];
  const lines = [
    fast(of("bytes → bytes"), of("object → object"), cell),
    streams(
      of("Streams").filter(({ title }) => !title.includes("events")),
      column,
    ),
    start(of("Cold start"), cell),
    large(of("Size")[0], cell),
    scales(of("Growth"), column),
    compared(of("Peers"), column),
  ];
  return ["## In short", lines.filter(Boolean).join("\n")].join("\n\n");
}

const nodeOf = ({ title }) => /Node \d+/.exec(title)?.[0] ?? "Node";
const list = (parts) => parts.join(", and ");

function fast(bytes, objects, cell) {
  if (bytes.length === 0) return undefined;
  const label = "agent";
  const times = bytes.map(
    (table) => `${cell(table, label, "ours, µs")} µs on ${nodeOf(table)} (${cell(table, label, "ratio")} × by hand)`,
  );
  const slower = objects.map((table) => cell(table, label, "ratio")).filter(Boolean);
  const asObject = slower.length > 0 ? ` As an object it takes ${slower.join(" and ")} × as long as by hand.` : "";
  return `- **How fast?** A request of an agent (${cell(bytes[0], label, "size")}), bytes to bytes, takes ${list(times)}.${asObject}`;
}

function streams(tables, column) {
  const times = tables.flatMap((table) => column(table, "ours, µs"));
  if (times.length === 0) return undefined;
  const ratios = tables.flatMap((table) => column(table, "ratio"));
  return `- **Streams?** ${range(times)} µs for each event, bytes to bytes (${range(ratios)} × by hand).`;
}

function start(tables, cell) {
  const times = tables.map((table) => [cell(table, "all of it", "ours"), nodeOf(table)]).filter(([time]) => time);
  if (times.length === 0) return undefined;
  return `- **The first call?** Import, compilation and the first conversion take ${list(times.map(([time, node]) => `${time} ms on ${node}`))}.`;
}

function large(table, cell) {
  const names = ["pkg/dist/node.js + pkg/dist/toolwire.wasm", "pkg/dist/index.js"];
  const [node, single] = names.map((name) => cell(table, name, "gzip"));
  if (!node || !single) return undefined;
  return `- **How large?** One import loads ${node} with gzip in Node, and ${single} elsewhere, in a single file.`;
}

function scales(tables, column) {
  const slopes = tables.flatMap((table) => column(table, "slope"));
  if (slopes.length === 0) return undefined;
  return `- **How does it scale?** Linearly: over ${slopes.length} series, the steepest time grows with the size to the power of ${Math.max(...slopes)}.`;
}

function compared(tables, column) {
  const [whole] = tables.filter(({ columns }) => columns[0] === "µs");
  if (!whole) return undefined;
  const peers = whole.columns.filter((name) => name.startsWith("ours ÷ "));
  const texts = peers.map((name) => `${range(column(whole, name))} × the time of ${name.slice(7)}`);
  return `- **Compared with whom?** ${list(texts)}, JSON text to JSON text; JavaScript written by hand is in every table.`;
}
