// `npm run check:specs -- FOLDER [--recorded FOLDER]`: validates the bodies that the package writes against the providers' API
// descriptions in FOLDER. Unknown fields are errors. With --recorded, also validates conversions of recorded payloads.

import { parseArgs } from "node:util";
import { build } from "./build/all.mjs";
import { CommandFailed, main } from "./lib/run.mjs";

await main(async () => {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { recorded: { type: "string" } } });
  if (positionals.length !== 1) throw new CommandFailed("usage: npm run check:specs -- FOLDER [--recorded FOLDER]");
  await build();
  const toolwire = await import("../pkg/dist/index.js");
  // imported after the build, which installs their packages
  const { checkAll } = await import("./specs/all.mjs");
  return checkAll(toolwire, positionals[0], values.recorded);
});
