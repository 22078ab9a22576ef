// `npm run test:clients`: the official SDKs through the example gateway to every provider, as a table. With a folder of the providers' own
// API descriptions, every request is also validated against them: `npm run test:clients -- FOLDER`.

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build/all.mjs";
import { CommandFailed, main, run } from "./lib/run.mjs";

await main(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  if (positionals.length > 1) throw new CommandFailed("usage: npm run test:clients [-- FOLDER]");
  await build();
  const env = positionals.length > 0 ? { TOOLWIRE_DESCRIPTIONS: resolve(positionals[0]) } : {};
  run(process.execPath, ["--test", "--test-reporter=spec", "tests/package/gateway-clients.test.mjs"], { env });
});
