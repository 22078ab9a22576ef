// Applies one edit to the canonical form at a time. The output must be the recorded body with that edit and no other.

import { differences } from "./assert.mjs";
import { editsOf } from "./edits.mjs";
import { asRecorded } from "./payloads.mjs";
import { slotsOf } from "./slots.mjs";

export function checkMutations(toolwire, payloads, results) {
  const tally = new Map();
  for (const { dialect, kind, file, text, body } of payloads) {
    if (kind !== "request") continue;
    const canonical = readCanonical(toolwire, dialect, text);
    if (canonical === undefined) continue; // reported by the round trip
    for (const { name, subject, change, expect } of editsOf(dialect, canonical, slotsOf(dialect, body))) {
      tally.set(subject, (tally.get(subject) ?? 0) + 1);
      results.check(`${file}: edited ${name}`, () => {
        const edited = structuredClone(canonical);
        change(edited);
        const expected = structuredClone(body);
        expect(expected);
        const conversion = { ...asRecorded, from: "canonical", to: dialect };
        return (
          differences(expected, JSON.parse(toolwire.convertRequest(JSON.stringify(edited), conversion))) ??
          differences(expected, toolwire.convertRequest(edited, conversion))
        );
      });
    }
  }
  console.log("\nEdits of the canonical form that were looked for in the output");
  for (const [subject, times] of tally) console.log(`  ${String(times).padStart(5)} × ${subject}`);
}

function readCanonical(toolwire, dialect, text) {
  try {
    return JSON.parse(toolwire.convertRequest(text, { ...asRecorded, from: dialect, to: "canonical" }));
  } catch {
    return undefined;
  }
}
