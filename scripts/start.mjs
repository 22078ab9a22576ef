// `npm start`: demonstrates the package with the examples, or runs the package's command on a file of the user.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build } from "./build/all.mjs";
import { main, root } from "./lib/run.mjs";
import { showAgent } from "./start/agent.mjs";
import { showExamples } from "./start/examples.mjs";

const help = `npm start
    Converts the conversation in examples/ to every provider's request body,
    and one response of each provider back. Then runs a short agent
    against a scripted server, in three providers' formats.

npm start -- --from DIALECT --to DIALECT [FILE]
    Converts a body with the package's command; its own help follows.
    (npm's own two lines go to standard output too: npm start --silent -- … leaves them out.)

`;

await main(async () => {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) process.stdout.write(help);
  await build({ quick: true });
  if (args.length === 0) return showAll();
  const command = join(root, "pkg/dist/command.js");
  return spawnSync(process.execPath, [command, "convert", ...args], { stdio: "inherit" }).status ?? 1;
});

async function showAll() {
  const toolwire = await import("../pkg/dist/index.js");
  showExamples(toolwire);
  await showAgent(toolwire, await import("../pkg/dist/toolkit/index.js"));
  return 0;
}
