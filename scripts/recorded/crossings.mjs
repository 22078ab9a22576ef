// Converts every payload from A to B. Prints the warnings of each pair of dialects for review, and checks that B's reader accepts the output.

import { differences } from "./assert.mjs";
import { converter, dialects } from "./payloads.mjs";

export function checkCrossings(toolwire, payloads, results) {
  const rows = new Map();
  for (const { dialect: from, kind, file, text, body } of payloads) {
    const convert = converter(toolwire, kind);
    for (const to of dialects.filter((dialect) => dialect !== from)) {
      const warningsOfText = [];
      const warningsOfObject = [];
      const addTo =
        (list) =>
        ({ code, path, lossy }) =>
          list.push({ code, path, lossy });
      results.check(`${file} → ${to}`, () => {
        const output = convert(text, { from, to, onWarning: addTo(warningsOfText) });
        convert(output, { from: to, to: "canonical" });
        const object = convert(body, { from, to, onWarning: addTo(warningsOfObject) });
        if (JSON.stringify(warningsOfText) !== JSON.stringify(warningsOfObject))
          return "text and object warn differently";
        const wrong = differences(JSON.parse(output), object);
        return wrong && `text and object give different bodies: ${wrong}`;
      });
      for (const warning of warningsOfText) addRow(rows, `${from} → ${to}`, kind, warning, file);
    }
  }
  console.log("\nWarnings of conversions to another provider");
  print(["pair", "of", "code", "", "count", "example"]);
  for (const row of [...rows.values()].sort((a, b) => (a.key < b.key ? -1 : 1))) {
    print([
      row.pair,
      row.kind,
      row.code,
      row.lossy ? "lossy" : "",
      row.count,
      `${row.path || "(the whole)"} of ${row.file}`,
    ]);
  }
}

function addRow(rows, pair, kind, { code, path, lossy }, file) {
  // one row per path, without indices
  const place = path.replace(/\/\d+(?=\/|$)/g, "/*");
  const key = [kind, pair, code, place].join(" ");
  const row = rows.get(key) ?? { key, pair, kind, code, lossy, path, file, count: 0 };
  row.count += 1;
  rows.set(key, row);
}

function print([pair, kind, code, lossy, count, example]) {
  console.log(
    `  ${pair.padEnd(20)} ${kind.padEnd(9)} ${code.padEnd(18)} ${lossy.padEnd(6)} ${String(count).padStart(5)}  ${example}`,
  );
}
