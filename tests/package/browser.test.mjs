import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { vectorCases } from "../../scripts/vectors/files.mjs";
import { launch, serve } from "./support/browser.mjs";
import { openAIBody, request } from "./support/package.mjs";

// Runs in the page and in a worker: a plain import, a call, an error.
const script = `
  import { toOpenAI, ToolwireError } from "/pkg/dist/index.js";
  let error;
  try { toOpenAI(7) } catch (thrown) { error = thrown instanceof ToolwireError && thrown.code }
  const outcome = { body: toOpenAI(${JSON.stringify(request)}), error };
`;
const texts = {
  "/page.html": `<!doctype html><title>page</title><link rel="icon" href="data:,"><script type="module">${script} window.outcome = outcome;</script>`,
  "/worker.html": `<!doctype html><title>worker</title><link rel="icon" href="data:,"><script type="module">
    const worker = new Worker("/worker.js", { type: "module" });
    worker.onmessage = ({ data }) => { window.outcome = data; };
    worker.onerror = ({ message }) => { window.outcome = { message }; };
  </script>`,
  "/worker.js": `${script} postMessage(outcome);`,
  "/vectors.html": `<!doctype html><title>vectors</title><link rel="icon" href="data:,"><script type="module">
    import * as toolwire from "/pkg/dist/index.js";
    import { runVectors } from "/stream-vectors.js";
    const cases = await (await fetch("/vectors.json")).json();
    window.outcome = await runVectors(toolwire, cases, { seed: 2, rounds: 1 });
  </script>`,
  "/stream-vectors.js": readFileSync(new URL("support/stream-vectors.mjs", import.meta.url), "utf8"),
  "/vectors.json": JSON.stringify(vectorCases()),
};

let browser;
let server;
before(async () => {
  server = await serve(texts);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** The `outcome` that a page sets, and its errors. */
async function open(path) {
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.goto(`${server.url}/${path}`);
  const outcome = await page
    .waitForFunction(() => window.outcome, undefined, { timeout: 60_000 })
    .then((handle) => handle.jsonValue())
    .catch((error) => error);
  await page.close();
  assert.deepEqual(problems, []);
  return outcome;
}

for (const where of ["page", "worker"]) {
  test(`module ${where} in Chromium: a plain import, no init`, async () => {
    const outcome = await open(`${where}.html`);
    assert.deepEqual(outcome.body, openAIBody);
    assert.equal(typeof outcome.error, "string");
  });
}

test("the vectors of streams in Chromium, in random pieces", async () => {
  const { counts, failures } = await open("vectors.html");
  console.log(counts);
  assert.deepEqual(failures, []);
  for (const [way, count] of Object.entries(counts)) assert.ok(count > 50, `${way}: ${count}`);
});
