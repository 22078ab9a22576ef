// `npm run check:models`: compares the table of models with the names in the types of the official SDKs and with two public catalogues: those in
// `scripts/models/snapshot.json`, or with `-- --latest` the newest of the registries. `-- --update` also writes these to the snapshot.
// Then it converts 12 kinds of requests for 40 models, and judges what is sent by the catalogues; `-- --requests` prints that as a table.
// `scripts/models/deviations.json` lists differences with their reasons; a reason without a difference fails, too (but for `--latest`).
// `scripts/models/documented.json` has the facts that are in no catalogue, with the pages that state them.

import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { build } from "./build/all.mjs";
import { main } from "./lib/run.mjs";
import { download } from "./models/catalogues.mjs";
import { compare, explain } from "./models/compare.mjs";
import { compareDocumented } from "./models/documented.mjs";
import { chosenModels, requestMatrix } from "./models/requests.mjs";
import { sdkModels } from "./models/sdks.mjs";
import { readSnapshot, writeSnapshot } from "./models/snapshot.mjs";

await main(async () => {
  const { values } = parseArgs({
    options: { latest: { type: "boolean" }, update: { type: "boolean" }, requests: { type: "boolean" } },
  });
  const isNew = values.latest || values.update;
  const catalogues = isNew ? download() : readSnapshot();
  if (values.update) writeSnapshot(catalogues, writeFileSync);
  await build({ quick: true });
  const { convertRequest, modelFacts } = await import("../pkg/dist/index.js");
  const reasons = JSON.parse(readFileSync(new URL("models/deviations.json", import.meta.url), "utf8"));
  const sources = { sdks: { models: sdkModels() }, ...catalogues };
  const deviations = Object.entries(sources).flatMap(([source, { models }]) => compare(source, models, modelFacts));
  const { open, unused } = explain(deviations, reasons);
  for (const { source, model, fact, expected, found } of open) {
    console.log(`${source}: ${model}: ${fact}: expected ${expected}, found ${found}`);
  }
  if (!isNew)
    for (const { models, facts } of unused) console.log(`deviations.json: ${models}: ${facts}: no longer differs`);
  for (const [source, { version, models }] of Object.entries(sources)) {
    console.log(`${source}${version ? ` ${version}` : ""}: ${models.length} models`);
  }
  console.log(`${deviations.length - open.length} differences with a reason, ${open.length} without`);
  const documented = JSON.parse(readFileSync(new URL("models/documented.json", import.meta.url), "utf8"));
  const models = Object.values(sources).flatMap((source) => source.models);
  const undocumented = compareDocumented(documented, models, modelFacts);
  for (const line of undocumented) console.log(line);
  console.log(`${documented.length} documented facts: ${undocumented.length} differences`);
  const { columns, rows, violations, silent } = requestMatrix(chosenModels(catalogues), convertRequest);
  if (values.requests) for (const cells of [columns, ...rows]) console.log(`| ${cells.join(" | ")} |`);
  for (const line of violations) console.log(`sent, but refused by a catalogue: ${line}`);
  for (const line of silent) console.log(`not sent, without a warning: ${line}`);
  console.log(
    `${rows.length} models × ${columns.length - 1} requests: ${violations.length} refused, ${silent.length} silent`,
  );
  const isStale = !isNew && unused.length > 0;
  return open.length + undocumented.length + violations.length + silent.length > 0 || isStale ? 1 : 0;
});
