// The section of models and servers: tables that are searched, equal to the package's.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { setUp } from "./support/page.mjs";

const { modelFacts, serverFacts } = createRequire(import.meta.url)("../../pkg/dist/index.cjs");
const { playground } = setUp({ hash: "#/facts" });

const rows = (page, name) => page.getByRole("region", { name: `${name}: facts` }).locator("tbody tr");
const search = (page, name, text) => page.locator(`#search-${name}`).fill(text);

playground("a model is found by its name, and its facts are the package's", async (page) => {
  await search(page, "models", "claude-opus-5.5");
  await page.getByText("1 row of models", { exact: true }).waitFor();
  const text = await rows(page, "Models").innerText();
  const { maxOutput, efforts } = modelFacts("claude-opus-5.5", { to: "canonical" });
  assert.match(text, new RegExp(`maxOutput\\s+${maxOutput}`));
  assert.match(text, new RegExp(`efforts\\s+${efforts.join(", ")}`));
});

playground("a model that the table does not have is read as conversions read it", async (page) => {
  await rows(page, "Models").first().waitFor();
  await search(page, "models", "claude-opus-77");
  await page.getByText("claude: not in the table").waitFor();
  assert.equal(modelFacts("claude-opus-77", { to: "canonical" }).known, false);
  await search(page, "models", "nobody-knows-this");
  await page.getByText("0 rows of models", { exact: true }).waitFor();
});

playground("a host changes the facts", async (page) => {
  const name = "claude-opus-5.5";
  await search(page, "models", name);
  await page.getByText("1 row of models", { exact: true }).waitFor();
  const before = Object.keys(modelFacts(name, { to: "canonical" })).length;
  await page.getByLabel("API", { exact: true }).selectOption("anthropic bedrock");
  const bedrock = modelFacts(name, { to: "anthropic", platform: "bedrock" });
  await page.waitForFunction(
    (count) => document.querySelectorAll("#section tbody .fact").length > 0 && count > 0,
    before,
  );
  for (const [fact, value] of Object.entries(bedrock).filter(([key]) => !["family", "known"].includes(key))) {
    await rows(page, "Models")
      .locator(".fact", { hasText: `${fact} ${Array.isArray(value) ? value.join(", ") || "none" : value}` })
      .first()
      .waitFor();
  }
});

playground("servers are found by any of their facts", async (page) => {
  await search(page, "servers", "groq_api_key");
  await page.getByText("2 rows of servers", { exact: true }).waitFor();
  const { url, reasoningField } = serverFacts({ server: "groq", to: "openai" });
  const text = await rows(page, "Servers").first().innerText();
  assert.ok(text.includes(url));
  assert.match(text, new RegExp(`reasoningField\\s+${reasoningField}`));
  await search(page, "servers", "toolStream");
  await page.getByText(/^\d+ rows? of servers$/).waitFor();
  assert.match(await rows(page, "Servers").first().innerText(), /zai/);
  await page.waitForFunction(() => location.hash.startsWith("#/facts="));
  await page.reload();
  await page.waitForFunction(() => document.querySelector("#search-servers")?.value === "toolStream");
});
