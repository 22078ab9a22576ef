// The vectors of streams, run through the package's public API.

import assert from "node:assert/strict";
import { test } from "node:test";
import { vectorCases } from "../../scripts/vectors/files.mjs";
import { esm } from "./support/package.mjs";
import { runVectors } from "./support/stream-vectors.mjs";

const toolwire = await import(esm);
const seed = Number(process.env.SEED ?? 1);

test(`the vectors of streams, in random pieces (SEED=${seed})`, async () => {
  const { counts, failures } = await runVectors(toolwire, vectorCases(), { seed, rounds: 3 });
  console.log(counts);
  assert.deepEqual(failures, []);
  for (const [way, count] of Object.entries(counts)) assert.ok(count > 50, `${way}: ${count}`);
});
