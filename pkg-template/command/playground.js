// `toolwire playground`: serves the page of the package on this machine.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Stop } from "./exits.js";
import { serveFolder } from "./serve-folder.js";

const DEFAULT_PORT = 5180;
/** Beside the command. */
const page = new URL("./playground/", import.meta.url);

/** Runs until it is interrupted. */
export async function playground({ port = String(DEFAULT_PORT) }) {
  if (!existsSync(new URL("index.html", page))) {
    throw new Stop("usage", "this build of the package does not contain the page: npm run build makes it");
  }
  const server = await listen(Number(port));
  console.log(server.url);
  console.log("Nothing that you paste leaves the browser. Ctrl-C ends it.");
  await new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, resolve);
  });
  server.close();
  return { text: "" };
}

async function listen(port) {
  try {
    return await serveFolder(fileURLToPath(page), { port });
  } catch (error) {
    const reasons = { EADDRINUSE: "the port is in use: give another one, or 0", EACCES: "permission denied" };
    throw new Stop("usage", `--port ${port}: ${reasons[error.code] ?? error.message}`);
  }
}
