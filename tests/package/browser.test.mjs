import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, serve } from "./support/browser.mjs";
import { openAIBody, request } from "./support/package.mjs";

// Runs in the page and in the worker: a plain import, a call, an error.
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

for (const where of ["page", "worker"]) {
  test(`module ${where} in Chromium: a plain import, no init`, async () => {
    const page = await browser.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto(`${server.url}/${where}.html`);
    const outcome = await page
      .waitForFunction(() => window.outcome, undefined, { timeout: 20_000 })
      .then((handle) => handle.jsonValue())
      .catch((error) => error);
    assert.deepEqual(problems, []);
    assert.deepEqual(outcome.body, openAIBody);
    assert.equal(typeof outcome.error, "string");
    await page.close();
  });
}
