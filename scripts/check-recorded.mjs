// `npm run check:recorded -- FOLDER`: converts real payloads (FOLDER/<provider>/request|response|stream/*.json) with the package.
// Checks that each is unchanged after a conversion to the canonical form and back, that an edit of the canonical form changes nothing
// else, and that a stream has the same content in every dialect. `--generated` instead of a folder uses bodies of generated requests.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build/all.mjs";
import { CommandFailed, locked, main, root, run, tested } from "./lib/run.mjs";
import { Results } from "./recorded/assert.mjs";
import { checkCrossings } from "./recorded/crossings.mjs";
import { MetadataPaths } from "./recorded/metadata-paths.mjs";
import { checkMutations } from "./recorded/mutations.mjs";
import { readPayloads, readStreams } from "./recorded/payloads.mjs";
import { checkRoundTrips } from "./recorded/round-trips.mjs";
import { checkStreams } from "./recorded/streams.mjs";

await main(async () => {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { generated: { type: "boolean" } } });
  if (positionals.length !== (values.generated ? 0 : 1)) {
    throw new CommandFailed("usage: npm run check:recorded -- FOLDER, or -- --generated");
  }
  const folder = values.generated ? writeGenerated() : positionals[0];
  const payloads = readPayloads(folder);
  await build();
  const toolwire = await import("../pkg/dist/index.js");

  const results = new Results();
  const paths = new MetadataPaths();
  checkRoundTrips(toolwire, payloads, results, paths);
  paths.print(results);
  checkMutations(toolwire, payloads, results);
  checkCrossings(toolwire, payloads, results);
  checkStreams(toolwire, readStreams(folder), results);
  return results.summarise();
});

function writeGenerated() {
  const folder = join(root, "build/payloads");
  rmSync(folder, { recursive: true, force: true });
  const test = ["test", ...tested, ...locked, "--test", "properties", "generated_payloads", "--", "--ignored"];
  run("cargo", test, { env: { PAYLOADS: folder } });
  return folder;
}
