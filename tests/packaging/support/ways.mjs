// Runs an entry of a project, and returns its outcome.

import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serveFolder } from "../../../scripts/playground/server.mjs";
import { launch } from "../../package/support/browser.mjs";
import { gatewayOutcome } from "./gateway.mjs";
import { recipeOutcome } from "./recipe.mjs";

let browser;

/** The outcome of consumer/uses.js when it is run in this way. */
export async function outcomeOf(project, entry) {
  project.leave(entry.loads);
  if (entry.build) await project.build(entry.build);
  if (entry.emits) assertEmits(join(project.folder, entry.emits));
  if (entry.gateway) return gatewayOutcome(project, entry.gateway);
  if (entry.recipe) return recipeOutcome(project, entry);
  if (entry.run) return JSON.parse(await project.run(entry.run));
  const server = entry.serve ? await project.serve(entry.serve) : await serveFiles(project.folder);
  try {
    if (entry.page) return await outcomeOfPage(`${server.url}/${pageOf(project, entry.page)}`);
    const response = await fetch(`${server.url}/${entry.path}`);
    const text = await response.text();
    if (!response.ok) throw new Error(`status ${response.status}: ${text.slice(0, 500)}\n${server.output()}`);
    return JSON.parse(text);
  } finally {
    await server.stop();
  }
}

function assertEmits(folder) {
  const files = readdirSync(folder, { recursive: true });
  if (!files.some((file) => file.endsWith(".wasm"))) throw new Error("the build has no wasm of its own");
}

async function serveFiles(folder) {
  const { url, close } = await serveFolder(folder, { base: "/" });
  return { url: url.slice(0, -1), stop: close };
}

/** A page as it is, or a page for a script. */
function pageOf(project, path) {
  if (path.endsWith(".html")) return path;
  const name = `${path.replaceAll("/", "-")}.html`;
  const page = `<!doctype html><title>page</title><link rel="icon" href="data:,">
<script type="module" src="/${path}"></script>`;
  writeFileSync(join(project.folder, name), page);
  return name;
}

async function outcomeOfPage(url) {
  browser ??= launch();
  const page = await (await browser).newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error).slice(0, 500)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text().slice(0, 500)));
  try {
    await page.goto(url);
    await page.waitForFunction(() => globalThis.outcome !== undefined, undefined, { timeout: 30_000 });
    const outcome = await page.evaluate(() => globalThis.outcome);
    if (problems.length > 0) throw new Error("the page complains");
    return outcome;
  } catch (error) {
    throw new Error(`${error.message}\n${problems.join("\n")}`);
  } finally {
    await page.close();
  }
}

export async function closeBrowser() {
  await (await browser)?.close();
}
