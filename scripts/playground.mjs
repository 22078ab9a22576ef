// `npm run playground`: serves the page on this machine.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build/all.mjs";
import { buildPlayground, packWasm, site } from "./build/playground.mjs";
import { CommandFailed, main, root } from "./lib/run.mjs";
import { serveFolder } from "./playground/server.mjs";

const help = `npm run playground [-- --port N] [-- --build] [-- --dev]
    Serves the playground on this machine, as it was last built; builds it if it was not.
    --port N  the port (5180); 0 takes a free one
    --build   brings it up to date first
    --dev     serves the sources instead, and follows what is changed in them
`;

await main(async () => {
  const { port, dev, build: isFresh, help: asked } = options();
  if (asked) return void process.stdout.write(help);
  const isBuilt = existsSync(join(root, site, "index.html"));
  if (dev || isFresh || !isBuilt) await build({ quick: true });
  if (dev) {
    await packWasm({ quick: true });
    const vite = join(root, "node_modules/vite/bin/vite.js");
    const args = ["--config", "www/vite.config.ts", "--port", String(port)];
    return spawnSync(process.execPath, [vite, ...args], { cwd: root, stdio: "inherit" }).status ?? 1;
  }
  if (isFresh || !isBuilt) await buildPlayground({ quick: true });
  const { url } = await serveFolder(join(root, site), { port }).catch((error) => {
    throw new CommandFailed(
      error.code === "EADDRINUSE" ? `port ${port} is taken: --port names another` : error.message,
    );
  });
  console.log(`\nThe playground: ${url}\nCtrl-C ends it.`);
});

function options() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: "string", default: "5180" },
        dev: { type: "boolean" },
        build: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (!/^\d{1,5}$/.test(values.port)) throw new Error(`--port is a number, not ${values.port}`);
    return { ...values, port: Number(values.port) };
  } catch (error) {
    throw new CommandFailed(error.message);
  }
}
