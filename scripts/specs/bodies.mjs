// What the package is given: the values of the vectors, canonical and wire, and recorded payloads.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/run.mjs";
import { wholeOf } from "./whole.mjs";

/** `[{ name, kind, from, body, options }]`. Pieces of requests are completed to whole ones. */
export function inputsOfVectors() {
  const folder = join(root, "tests/vectors");
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const vectors = files.sort().flatMap((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
  return vectors.flatMap((vector) =>
    sidesOf(vector).flatMap(({ from, side, options }) => {
      const whole = wholeOf(vector.kind, from, parsed(side));
      return whole === undefined
        ? []
        : [{ name: vector.name, from, options: { ...vector.options, ...options }, ...whole }];
    }),
  );
}

function sidesOf({ canonical, canonicalText, reads, both, convert = [] }) {
  return [
    { from: "canonical", side: { body: canonical, bodyText: canonicalText } },
    ...Object.entries({ ...both, ...reads }).map(([from, side]) => ({ from, side })),
    ...convert.map(({ from, options, ...side }) => ({ from, side, options })),
  ];
}

/** Undefined where there is none, or where the text is no JSON on purpose. */
function parsed({ body, bodyText }) {
  if (bodyText === undefined) return body;
  try {
    return JSON.parse(bodyText);
  } catch {
    return undefined;
  }
}

export function inputsOfRecorded(payloads) {
  return payloads.map(({ file, kind, dialect, body }) => ({ name: file, kind, from: dialect, body, options: {} }));
}
