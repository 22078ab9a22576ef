// Faults of models, servers and tools: toolwire is at least as good as other libraries at each of them, and the page shows the scores.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { faults } from "../../bench/faults/faults.mjs";
import { pageOf, runFaults } from "../../bench/faults/report.mjs";
import { scoreOf } from "../../bench/faults/score.mjs";
import { response, resultsIn, scripted, user } from "./support/model.mjs";
import { runAgent, Toolkit } from "./support/toolkit.mjs";

let results;
before(async () => {
  results = await runFaults();
});

for (const [index, { title }] of faults.entries()) {
  test(`${title}: no library is better`, () => {
    const [own, ...others] = Object.values(results).map((rows) => rows[index]);
    assert.equal(own.title, title);
    const best = Math.max(...others.map(({ score }) => score));
    assert.ok(own.score >= Math.max(best, 1), `${own.score} (${own.why}), others: ${best}`);
  });
}

test("docs/toolkit/faults.md is up to date (npm run docs:faults)", () => {
  const written = readFileSync(new URL("../../docs/toolkit/faults.md", import.meta.url), "utf8");
  assert.equal(written, pageOf(results));
});

test("the score is 0 for wrong arguments, a second run, wrong texts, hangs, crashes and errors without a cause", () => {
  const fault = { answers: ["Yes."], runs: [{ n: 1 }], most: 1, cause: /filter/ };
  const good = { hasEnded: true, unhandled: [], isNormal: true, text: "Yes.", report: "", runs: [{ n: 1 }] };
  const score = (more) => scoreOf(fault, { ...good, ...more })[0];
  assert.equal(score({}), 2);
  assert.equal(score({ isNormal: false, report: "a filter" }), 1);
  const bad = [
    { runs: [{ n: 2 }] },
    { runs: [{ n: 1 }, { n: 1 }] },
    { text: "Ye" },
    { hasEnded: false },
    { unhandled: ["Error"] },
    { isNormal: false, report: "an error" },
    { isNormal: false, report: "a filter", runs: [{ n: 2 }] },
  ];
  assert.deepEqual(bad.map(score), [0, 0, 0, 0, 0, 0, 0]);
});

test("a model that sends nothing is asked again, maxRepairs times", async () => {
  const toolkit = new Toolkit([]);
  const request = { model: "m", ...user("x") };
  const again = await runAgent({ request, toolkit, ...scripted(response(""), response(" \n"), response("Done.")) });
  assert.deepEqual([again.reason, again.text, again.iterations], ["answer", "Done.", 3]);
  const never = await runAgent({ request, toolkit, ...scripted(response(""), response(""), response("")) });
  assert.deepEqual([never.reason, never.iterations], ["repairs_exhausted", 3]);
  assert.match(never.message, /raise maxRepairs/);
});

test("calls with the same id keep their new ids when they are sent again", async () => {
  const metadata = { openai: { form: { id: "c", type: "omitted" } } };
  const twice = response("", [
    ["c", "f", { n: 1 }],
    ["tw_1", "f", { n: 2 }],
  ]);
  twice.toolCalls[1].metadata = metadata;
  const model = scripted(twice, response("Done."));
  const tool = { name: "f", parameters: { type: "object" }, execute: ({ n }) => n };
  await runAgent({ request: { model: "m", ...user("x") }, toolkit: new Toolkit([tool]), ...model });
  const { messages } = model.requests[1];
  assert.deepEqual(resultsIn(messages), { c: 1, tw_1: 2 });
  assert.deepEqual(messages[1].toolCalls[1].metadata, { openai: { form: { type: "omitted" } } });
});
