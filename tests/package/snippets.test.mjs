// Every code block in the README, in docs/ and in the published doc comments is compiled, and run if it is complete. `guide-programs.test.mjs`
// tests those of two guides.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { root } from "../../scripts/lib/run.mjs";
import { filesBelow } from "../../scripts/lib/stamps.mjs";
import { commentBlocks, markdownBlocks } from "./support/snippets/blocks.mjs";
import { compilers, makeProject } from "./support/snippets/programs.mjs";

// Snippets print to the channel on which the test runner reads the results of this file as bytes: a line without an end breaks them.
if (process.env.NODE_TEST_CONTEXT === "child-v8") {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (chunk, ...rest) => (typeof chunk === "string" ? true : write(chunk, ...rest));
}

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "pkg-template/AGENTS.md",
  ...filesBelow(["docs"]).filter((file) => file.endsWith(".md")),
];
const declarations = readdirSync(`${root}/pkg/dist`, { recursive: true })
  .filter((name) => name.endsWith(".d.ts"))
  .map((name) => `pkg/dist/${name}`);
const blocks = [...pages.flatMap(markdownBlocks), ...declarations.flatMap(commentBlocks)];

const isTypeScript = ({ language }) => language === "ts" || language === "js";
const programs = blocks.filter(isTypeScript);
/**
 * These need a network or a browser, or have tests of their own (agents: `tests/toolkit/documents.test.mjs`; recipes:
 * `recipes.test.mjs`).
 */
const notRun = [
  /(?:apiKey|key): process\.env/,
  /new OpenAI\(\)/,
  /process\.env\.OLLAMA_URL/,
  /WebAssembly\.compileStreaming/,
  /= createGateway\(/,
];

const project = makeProject("all", programs);

test("every code block states its language", () => {
  const known = ["ts", "tsx", "js", "sh", "json", "rust", "text"];
  assert.deepEqual(
    blocks.filter(({ language }) => !known.includes(language)).map(({ file, line }) => `${file}:${line}`),
    [],
  );
  assert.ok(programs.length > 50, `${programs.length} blocks`);
});

for (const compiler of compilers) {
  test(`${compiler}: every block compiles in strict mode`, () => {
    try {
      project.compile(compiler);
    } catch (error) {
      assert.fail(`${error.stdout ?? error}\nWhat fragments take for granted is in support/snippets/given.mjs.`);
    }
  });
}

for (const block of programs.filter(({ code }) => !notRun.some((pattern) => pattern.test(code)))) {
  test(`${block.file}:${block.line} runs`, async () => {
    const printed = await project.run(block);
    if (block.prints !== undefined) assert.equal(printed, block.prints);
  });
}

test("every guide begins with code, and what each program of a guide prints is stated", () => {
  const guides = pages.filter((page) => page.startsWith("docs/guides/"));
  assert.ok(guides.length >= 8);
  for (const page of guides) {
    const [first] = markdownBlocks(page);
    assert.match(first.language, /^(ts|rust|sh)$/, page);
    assert.ok(first.line < 12, `${page}: its first block is in line ${first.line}`);
  }
  const silent = programs.filter(
    ({ file, code, prints }) => guides.includes(file) && /console\.log/.test(code) && prints === undefined,
  );
  const isTested = ({ code }) => notRun.some((pattern) => pattern.test(code));
  assert.deepEqual(
    silent.filter((block) => !isTested(block)).map(({ file, line }) => `${file}:${line}`),
    [],
  );
});

for (const { file, line, code } of blocks.filter(({ language }) => language === "json")) {
  test(`${file}:${line} is JSON`, () => void JSON.parse(code));
}
