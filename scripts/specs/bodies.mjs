// The inputs: the values of the vectors, canonical and wire, and recorded payloads.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readPayloads } from "../recorded/payloads.mjs";
import { vectorCases } from "../vectors/files.mjs";
import { wholeOf } from "./whole.mjs";

/** `[{ name, kind, from, body, options }]`. Pieces of requests are completed to whole requests. */
export function inputsOfVectors() {
  return vectorCases().flatMap((vector) =>
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

/** The parsed body. Undefined if there is none, or if its text is intentionally not JSON. */
function parsed({ body, bodyText }) {
  if (bodyText === undefined) return body;
  try {
    return JSON.parse(bodyText);
  } catch {
    return undefined;
  }
}

/** The recorded payloads of the providers and, if there are any, of other hosts of their models. */
export function inputsOfRecorded(folder) {
  const own = readPayloads(folder).map(({ file, kind, dialect, body }) => ({
    name: file,
    kind,
    from: dialect,
    body,
    options: {},
  }));
  return [...own, ...["bedrock", "vertex"].flatMap((platform) => hosted(folder, platform))];
}

function hosted(folder, platform) {
  return ["request", "response"].flatMap((kind) => {
    const place = join(`anthropic-${platform}`, kind);
    if (!existsSync(join(folder, place))) return [];
    const names = readdirSync(join(folder, place)).filter((name) => name.endsWith(".json"));
    return names.sort().map((name) => {
      const body = JSON.parse(readFileSync(join(folder, place, name), "utf8"));
      return { name: `${place}/${name}`, kind, from: "anthropic", body, options: { platform } };
    });
  });
}
