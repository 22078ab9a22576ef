// `npm run check:recorded -- FOLDER`: real payloads (FOLDER/<provider>/request|response|stream/*.json) through the package.
// Each goes to the canonical form and back unchanged; edits of the canonical form show up, and nothing else does.
// Streams say the same in every dialect.

import { parseArgs } from "node:util";
import { build } from "./build/all.mjs";
import { CommandFailed, main } from "./lib/run.mjs";
import { Results } from "./recorded/assert.mjs";
import { checkCrossings } from "./recorded/crossings.mjs";
import { MetadataPaths } from "./recorded/metadata-paths.mjs";
import { checkMutations } from "./recorded/mutations.mjs";
import { readPayloads, readStreams } from "./recorded/payloads.mjs";
import { checkRoundTrips } from "./recorded/round-trips.mjs";
import { checkStreams } from "./recorded/streams.mjs";

await main(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  if (positionals.length !== 1) throw new CommandFailed("usage: npm run check:recorded -- FOLDER");
  const payloads = readPayloads(positionals[0]);
  await build();
  const toolwire = await import("../pkg/dist/index.js");

  const results = new Results();
  const paths = new MetadataPaths();
  checkRoundTrips(toolwire, payloads, results, paths);
  paths.print(results);
  checkMutations(toolwire, payloads, results);
  checkCrossings(toolwire, payloads, results);
  checkStreams(toolwire, readStreams(positionals[0]), results);
  return results.summarise();
});
