// The table of models: against the SDKs' types and public catalogues; and the models that our pages name.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { convertRequest, modelFacts } from "../../pkg/dist/index.js";
import { dialects } from "../../scripts/lib/dialects.mjs";
import { root } from "../../scripts/lib/run.mjs";
import { filesBelow } from "../../scripts/lib/stamps.mjs";
import { compare, explain } from "../../scripts/models/compare.mjs";
import { compareDocumented } from "../../scripts/models/documented.mjs";
import { isUpToDate } from "../../scripts/models/page.mjs";
import { chosenModels, requestMatrix } from "../../scripts/models/requests.mjs";
import { deprecatedModels, sdkModels } from "../../scripts/models/sdks.mjs";
import { readSnapshot } from "../../scripts/models/snapshot.mjs";

test("the table agrees with the SDKs' types and two catalogues, but for explained differences", () => {
  const reasons = JSON.parse(readFileSync(`${root}/scripts/models/deviations.json`, "utf8"));
  const sources = { sdks: { models: sdkModels() }, ...readSnapshot() };
  for (const { models } of Object.values(sources)) assert.ok(models.length > 100);
  const deviations = Object.entries(sources).flatMap(([source, { models }]) => compare(source, models, modelFacts));
  assert.deepEqual(explain(deviations, reasons), { open: [], unused: [] });
});

test("the comparison notices a wrong fact, an unknown name and a stale reason", () => {
  const models = [
    { model: "gpt-5.6", to: "openai", facts: { "effort:max": false } },
    { model: "gpt-9", to: "openai" },
  ];
  const deviations = compare("test", models, modelFacts);
  assert.deepEqual(
    deviations.map(({ model, fact }) => [model, fact]),
    [
      ["gpt-5.6", "effort:max"],
      ["gpt-9", "known"],
    ],
  );
  const { open, unused } = explain(deviations, [
    { models: "gpt-9", facts: "known", reason: "r" },
    { models: "x", facts: "known", reason: "r" },
  ]);
  assert.deepEqual([open.length, unused.length], [1, 1]);
});

test("facts that are in no catalogue are as the providers' pages state them", () => {
  const documented = JSON.parse(readFileSync(`${root}/scripts/models/documented.json`, "utf8"));
  const models = [...sdkModels(), ...Object.values(readSnapshot()).flatMap((source) => source.models)];
  assert.deepEqual(compareDocumented(documented, models, modelFacts), []);
  const [first, ...others] = documented;
  assert.ok(compareDocumented(others, models, modelFacts).some((line) => line.includes("claude-opus-5-5")));
  const wrong = compareDocumented([{ ...first, value: false }, ...others], [], modelFacts);
  assert.deepEqual(wrong, [
    "anthropic: claude-opus-5-5: mediaInResults: documented [false], found true",
    "anthropic: claude-haiku-4-5: mediaInResults: documented [false], found true",
  ]);
});

test("facts of a model by any of its names, or undefined", () => {
  const facts = modelFacts("us.anthropic.claude-opus-5-5", { to: "anthropic", platform: "bedrock" });
  assert.deepEqual([facts.family, facts.known, facts.strictTools, facts.forcedCalls], ["claude", true, false, false]);
  assert.equal(modelFacts("my-deployment", { to: "openai" }), undefined);
  assert.throws(() => modelFacts(5, { to: "openai" }), { code: "invalid_type" });
  assert.throws(() => modelFacts("gpt-5", {}), { code: "missing_field" });
});

test("a server limits what its models accept", () => {
  const on = (server) => modelFacts("openai/gpt-5.1", { to: "openai", server });
  assert.deepEqual([on("openai").strictTools, on("openai").efforts], [undefined, ["none", "low", "medium", "high"]]);
  assert.deepEqual([on("nvidia").strictTools, on("nvidia").efforts, on("nvidia").thinking], [false, [], "none"]);
  assert.equal(on({ base: "openai", toolChoices: ["none"] }).forcedCalls, false);
  assert.throws(() => on("no-such-server"), { code: "invalid_value" });
});

test("pages and examples name models of OpenAI, Anthropic and Google that their SDKs know and do not call deprecated", () => {
  const deprecated = deprecatedModels();
  assert.ok(deprecated.size > 50 && deprecated.has("claude-sonnet-4-5"));
  const known = new Set(sdkModels().map(({ model }) => model));
  const files = ["README.md", ...filesBelow(["docs", "examples", "pkg-template", "scripts/start", "www/examples"])];
  const isRecord = /^docs\/(?:quirks|models|performance|warnings|wire\/.*)\.md$/;
  const texts = files.filter((file) => /\.(?:md|mjs|js|ts|rs|html|json|jsonc|txt)$/.test(file) && !isRecord.test(file));
  const found = texts.flatMap((file) => {
    const names = readFileSync(`${root}/${file}`, "utf8").matchAll(/\b(?:gemini-\d|gpt-\d|claude-[a-z]+-\d)[\w.-]*\w/g);
    // on Bedrock, they have a version
    return [...names].map(([name]) => name.replace(/-v\d$/, "")).map((name) => ({ file, name }));
  });
  assert.ok(found.length > 100);
  const wrong = found.filter(({ name }) => !known.has(name) || deprecated.has(name));
  assert.deepEqual([...new Set(wrong.map(({ file, name }) => `${file}: ${name}`))], []);
});

test("docs/models.md is up to date (`npm run docs:models`)", () => {
  assert.ok(isUpToDate(modelFacts));
});

test("nothing is sent that a catalogue calls refused, and nothing is dropped silently", () => {
  const models = chosenModels(readSnapshot());
  const { rows, columns, violations, silent } = requestMatrix(models, convertRequest);
  assert.deepEqual([rows.length, columns.length - 1, violations, silent], [40, 12, [], []]);
});

test("no effort that a model accepts is lost without a warning, in any format", () => {
  const sources = [...sdkModels(), ...Object.values(readSnapshot()).flatMap(({ models }) => models)];
  const names = [...new Set(sources.map(({ model }) => model))];
  const messages = [{ role: "user", content: "Hi" }];
  const isStated = (body) => /"(think|thinking|reasoning|effort|\w+_effort|thinking_level|\w*[cC]onfig)":/.test(body);
  let tried = 0;
  for (const { name: to } of dialects.filter(({ name }) => !["canonical", "universal"].includes(name))) {
    for (const model of names) {
      for (const effort of modelFacts(model, { to })?.efforts ?? []) {
        const warnings = [];
        const options = { from: "canonical", to, onWarning: (warning) => warnings.push(warning.path) };
        const body = convertRequest({ model, messages, reasoning: { effort } }, options);
        tried += 1;
        const isKept = isStated(JSON.stringify(body)) || warnings.includes("/reasoning/effort");
        assert.ok(isKept, `${to}: ${model}: ${effort}`);
      }
    }
  }
  assert.ok(tried > 1000);
});
