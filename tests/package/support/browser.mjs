// A headless Chromium, and a loopback server with the package and a page that imports it without a bundler.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { findChromium } from "../../../scripts/lib/setup.mjs";
import { folder } from "./package.mjs";

const quiet = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

export function launch() {
  const args = [...sandbox, ...quiet, "--disable-component-update", "--disable-sync"];
  return chromium.launch({ executablePath: findChromium(), args });
}

/** Serves the package's files under /pkg/, and the given texts at their paths. */
export async function serve(texts) {
  const server = createServer(async (request, response) => {
    const path = request.url.split("?")[0];
    const type = path.endsWith(".js") ? "text/javascript" : "text/html";
    const body =
      texts[path] ?? (path.startsWith("/pkg/") && (await readFile(join(folder, path.slice(5))).catch(() => null)));
    response.writeHead(body ? 200 : 404, { "content-type": type }).end(body || "");
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
