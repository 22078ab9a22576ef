// `node scripts/playground/pictures.mjs`: takes the pictures of the page: the one in the README, and the one that previews of links show.
// `pictures.json` has the digest of the page's sources, with which a test finds pictures that are older.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { main, root } from "../lib/run.mjs";
import { filesBelow } from "../lib/stamps.mjs";
import { serveFolder } from "./server.mjs";

const stamp = "scripts/playground/pictures.json";
const preview = "www/public/preview.png";
const pictures = [
  { file: "docs/images/playground.png", size: { width: 1440, height: 900 } },
  { file: preview, size: { width: 1200, height: 630 } },
];

/** What the page looks like depends on these. */
const looks = ["www/index.html", "www/src/styles", "www/src/panes", "www/examples/parallel-calls.json"];

/** The digest of what the page looks like. */
export function digestOfPage() {
  const hash = createHash("sha256");
  for (const file of filesBelow(looks)) {
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

/** The digest when the pictures were taken. */
export const digestOfPictures = () => JSON.parse(readFileSync(join(root, stamp), "utf8")).page;

async function take() {
  const { buildPlayground, site } = await import("../build/playground.mjs");
  const { launch } = await import("../../tests/package/support/browser.mjs");
  await buildPlayground();
  const server = await serveFolder(join(root, site));
  const browser = await launch();
  for (const { file, size } of pictures) {
    const page = await browser.newPage({ viewport: size, colorScheme: "light" });
    await page.goto(server.url);
    await page.waitForFunction(() => document.querySelector("#stage")?.getAttribute("aria-busy") === "false");
    await page.locator(".verdict-word", { hasText: /./ }).waitFor();
    await page.screenshot({ path: join(root, file) });
  }
  await browser.close();
  server.close();
  writeFileSync(join(root, stamp), `${JSON.stringify({ page: digestOfPage() }, undefined, 2)}\n`);
}

if (process.argv[1] && dirname(process.argv[1]) === dirname(fileURLToPath(import.meta.url))) await main(take);
