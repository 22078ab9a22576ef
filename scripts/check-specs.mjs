// `npm run check:specs -- FOLDER [--recorded FOLDER]`: what the package writes, held against the providers' own API descriptions
// in FOLDER, with unknown fields denied. With --recorded also what it makes of recorded payloads.

import { parseArgs } from "node:util";
import { build } from "./build/all.mjs";
import { CommandFailed, main } from "./lib/run.mjs";

await main(async () => {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { recorded: { type: "string" } } });
  if (positionals.length !== 1) throw new CommandFailed("usage: npm run check:specs -- FOLDER [--recorded FOLDER]");
  await build();
  const toolwire = await import("../pkg/dist/index.js");
  // Not before the build, which installs what these need.
  const { checkAll } = await import("./specs/all.mjs");
  return checkAll(toolwire, positionals[0], values.recorded);
});
