// What the page shows in several places agrees: badges, lists, verdicts and announcements, and all with what the package gives.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { countsOf, dialects, exampleIds, exampleText } from "./support/examples.mjs";
import { paste, settledAfter, setUp, show, showExample } from "./support/page.mjs";

const { playground } = setUp();

const kinds = { Request: "request", Response: "response", Stream: "stream", Error: "error" };

/** The detected format and kind, by their names in the package. */
async function identity(page) {
  const chosen = (id) => page.locator(`#${id} option`).first().innerText();
  const name = (await chosen("format")).replace(" (auto)", "");
  const from = await page.locator("#format option").evaluateAll((all, name) => {
    // the programs that speak it stand beside its name
    return all.find((option) => option.value && option.textContent.split(" · ")[0] === name)?.value;
  }, name);
  return { from, kind: kinds[(await chosen("kind")).replace(" (auto)", "")] };
}

/** Shows a target without the mouse, which is faster. */
async function target(page, to) {
  await page.evaluate((to) => document.querySelector(`[role=tab][data-view="${to}"]`).click(), to);
  await page.waitForFunction((to) => {
    const isBusy = document.querySelector("#stage").getAttribute("aria-busy") !== "false";
    return !isBusy && document.querySelector(`[role=tab][data-view="${to}"]`).getAttribute("aria-selected") === "true";
  }, to);
  await settledAfter(page);
}

const counted = (text) =>
  Object.fromEntries(
    [
      ["error", /(\d+) errors?/],
      ["lossy", /(\d+) loss(?:es)?/],
      ["note", /(\d+) notes?/],
    ].map(([severity, pattern]) => [severity, Number(pattern.exec(text)?.[1] ?? 0)]),
  );

async function badge(page, to) {
  const titles = await page
    .locator(`[role=tab][data-view="${to}"] .badge`)
    .evaluateAll((all) => all.map((badge) => badge.title).join(" "));
  return counted(titles);
}

const listed = async (page) => counted(await page.locator(".findings-title").innerText());
/** How many places the list has, all of which are shown for the examples. */
const places = (page) => page.locator("#findings .path").count();

for (const half of [0, 1]) {
  playground(
    `badge, list and announcement have the package's warnings, half ${half + 1} of the examples`,
    async (page) => {
      for (const id of exampleIds.filter((_, index) => index % 2 === half)) {
        await showExample(page, id);
        const { from, kind } = await identity(page);
        const settings = id === "schema-gemini-rejects" ? { geminiSchema: "openapi" } : {};
        for (const to of dialects) {
          await target(page, to);
          const what = `${id} to ${to}`;
          const shown = await badge(page, to);
          assert.deepEqual(await listed(page), shown, `${what}: the list`);
          assert.equal(await places(page), shown.error + shown.lossy + shown.note, `${what}: the places of the list`);
          const expected = countsOf(kind, exampleText(id), { ...settings, from, to });
          if (expected) assert.deepEqual(shown, expected, `${what}: the badge`);
          assert.deepEqual(counted(await page.locator("#outcome").innerText()), shown, `${what}: the announcement`);
        }
      }
    },
  );
}

playground("a round trip comes back changed only if something was reported", async (page) => {
  for (const id of exampleIds.filter((id) => id.startsWith("stream"))) {
    await showExample(page, id);
    for (const to of dialects) {
      await target(page, to);
      const trip = page.locator("[data-mode=trip]");
      if (!(await trip.isVisible())) continue;
      await trip.locator(".verdict-word", { hasText: /./ }).waitFor();
      const verdict = await trip.locator(".verdict-word").innerText();
      await trip.click();
      await settledAfter(page);
      const title = await page.locator(".verdict strong").innerText();
      const isClean = (await page.locator(".verdict .badge.clean").count()) > 0;
      if (isClean) assert.match(title, /the same/, `${id} through ${to}: ${title}`);
      assert.equal(verdict === "same", /the same/.test(title), `${id} through ${to}: ${verdict}, ${title}`);
      await show(page, "play");
    }
  }
});

/** Bodies that some targets take as they are, and others would refuse. */
const refusable = [
  { model: "gpt-5.1", messages: [{ role: "user", content: "Hi" }] },
  { model: "claude-opus-5", max_tokens: 5, system: "Be brief.", messages: [{ role: "user", content: "Hi" }] },
  {
    contents: [
      { role: "user", parts: [{ text: "Hi" }] },
      { role: "model", parts: [{ functionCall: { name: "f g", args: {} } }] },
    ],
  },
];

playground("tabs, cards, the matrix and announcements state that a target would refuse what is shown", async (page) => {
  const seen = { refused: 0, accepted: 0 };
  for (const body of refusable) {
    await paste(page, body);
    for (const to of dialects) {
      await target(page, to);
      const what = `${JSON.stringify(body)} to ${to}`;
      const isRefused = (await page.locator("#model-doubt").innerText()) !== "";
      const tab = page.locator(`[role=tab][data-view="${to}"]`);
      assert.equal(await tab.locator(".badge.refused").count(), Number(isRefused), what);
      if (isRefused) assert.equal(await tab.locator(".badge.clean").count(), 0, what);
      assert.equal(/would be refused/.test(await page.locator("#outcome").innerText()), isRefused, what);
      seen[isRefused ? "refused" : "accepted"] += 1;
    }
  }
  assert.ok(seen.refused > 8 && seen.accepted > 8, JSON.stringify(seen));
  await paste(page, refusable[0]);
  await show(page, "matrix");
  const columns = await page.locator(".matrix thead th").allInnerTexts();
  const cells = await page
    .locator(".matrix tr", { hasText: "model" })
    .first()
    .locator("td")
    .evaluateAll((all) => all.map((cell) => cell.className));
  assert.equal(cells[columns.indexOf("Anthropic")], "refused");
  assert.equal(cells[columns.indexOf("Ollama")], "carried");
  await show(page, "all");
  assert.equal(await page.locator('.card[data-to="anthropic"] .badge.refused').count(), 1);
  assert.equal(await page.locator('.card[data-to="ollama"] .badge.refused').count(), 0);
});

playground(
  "the pickers of formats name the programs that speak them, all those of the guide among them",
  async (page) => {
    const guide = readFileSync(new URL("../../docs/guides/coding-agents.md", import.meta.url), "utf8");
    const clients = guide.split("## The client")[1].split("\n## ")[0];
    const named = [...clients.matchAll(/^\*\*([^*]+?)\.?\*\*/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== "SDKs");
    assert.ok(named.length > 4, named.join());
    const sources = (await page.locator("#format option").allInnerTexts()).join("\n");
    const titles = await page.locator("[role=tab]").evaluateAll((all) => all.map(({ title }) => title).join("\n"));
    for (const name of named) {
      assert.ok(sources.includes(name), `${name}: ${sources}`);
      assert.ok(titles.includes(name), `${name}: ${titles}`);
    }
    assert.match(sources, /OpenAI Responses · Codex/);
    assert.match(titles, /Anthropic Messages: what Claude Code can speak/);
  },
);

playground("a failure in a list of tools names its place", async (page) => {
  await paste(page, [
    { type: "function", function: { name: "f" } },
    { type: "function", function: { description: "d" } },
  ]);
  await page.locator("#stage").getByText("/1/function/name is missing").waitFor();
});
