// The tarball that would be published, installed into a clean project.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { documents } from "../../scripts/build/documents.mjs";
import { filesBelow } from "../../scripts/lib/stamps.mjs";
import { folder, openAIBody, request } from "./support/package.mjs";

const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
let project;
let packed;

const inProject = (command, args) => {
  try {
    return execFileSync(command, args, { cwd: project, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    throw new Error(`${command} ${args.join(" ")}\n${error.stdout}\n${error.stderr}`);
  }
};
const write = (name, text) => writeFileSync(join(project, name), text);

before(() => {
  project = mkdtempSync(join(tmpdir(), "toolwire-install-"));
  write("package.json", JSON.stringify({ name: "consumer", version: "1.0.0", private: true }));
  [packed] = Object.values(JSON.parse(inProject("npm", ["pack", "--json", "--pack-destination", project, folder])));
  inProject("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${packed.filename}`]);
});
after(() => rmSync(project, { recursive: true, force: true }));

test("the tarball contains exactly the expected files", () => {
  // the number of these declaration files depends on the number of sources
  const isPage = (path) => path.startsWith("dist/playground/");
  const isType = (path) => /^dist\/(common|text|toolkit|stages|gateway)\/.*\.d\.c?ts$/.test(path);
  const paths = packed.files.map((file) => file.path).sort();
  for (const path of paths.filter(isType)) assert.ok(paths.includes(path.replace(/\.d\.c?ts$/, ".d.cts")), path);
  const published = filesBelow(documents);
  assert.deepEqual(
    published.filter((path) => !paths.includes(path)),
    [],
  );
  const files = paths.filter((path) => !isType(path) && !isPage(path) && !published.includes(path));
  assert.deepEqual(files, [
    "AGENTS.md",
    "dist/command.js",
    "dist/common/common.wasm",
    "dist/common/common.wasm.cjs",
    "dist/common/edge-light.js",
    "dist/common/index.cjs",
    "dist/common/index.js",
    "dist/common/node.js",
    "dist/common/workerd.js",
    "dist/edge-light.js",
    "dist/gateway/edge-light.js",
    "dist/gateway/index.cjs",
    "dist/gateway/index.js",
    "dist/gateway/more/edge-light.js",
    "dist/gateway/more/index.cjs",
    "dist/gateway/more/index.js",
    "dist/gateway/more/node.js",
    "dist/gateway/more/node.js.map",
    "dist/gateway/more/workerd.js",
    "dist/gateway/node.js",
    "dist/gateway/node.js.map",
    "dist/gateway/schema.json",
    "dist/gateway/serve.cjs",
    "dist/gateway/serve.js",
    "dist/gateway/serve.js.map",
    "dist/gateway/workerd.js",
    "dist/index.cjs",
    "dist/index.d.cts",
    "dist/index.d.ts",
    "dist/index.js",
    "dist/node.js",
    "dist/slim.cjs",
    "dist/slim.d.cts",
    "dist/slim.d.ts",
    "dist/slim.js",
    "dist/text/edge-light.js",
    "dist/text/index.cjs",
    "dist/text/index.js",
    "dist/text/node.js",
    "dist/text/text.wasm",
    "dist/text/text.wasm.cjs",
    "dist/text/workerd.js",
    "dist/toolkit/edge-light.js",
    "dist/toolkit/index.cjs",
    "dist/toolkit/index.js",
    "dist/toolkit/node.js",
    "dist/toolkit/toolkit.wasm",
    "dist/toolkit/toolkit.wasm.cjs",
    "dist/toolkit/workerd.js",
    "dist/toolwire.wasm",
    "dist/toolwire.wasm.cjs",
    "dist/toolwire.wasm.d.ts",
    "dist/workerd.js",
    "package.json",
  ]);
});

const call = `JSON.stringify(toOpenAI(${JSON.stringify(request)}))`;
for (const [name, source] of Object.entries({
  "import.mjs": `import { toOpenAI } from "toolwire"; console.log(${call})`,
  "require.cjs": `const { toOpenAI } = require("toolwire"); console.log(${call})`,
})) {
  test(`installed: ${name}`, () => {
    write(name, source);
    assert.deepEqual(JSON.parse(inProject(process.execPath, [name])), openAIBody);
  });
}

test("installed: npx toolwire", () => {
  write("request.json", JSON.stringify(request));
  const args = ["--no-install", "toolwire", "convert", "--from", "canonical", "--to", "openai", "request.json"];
  assert.deepEqual(JSON.parse(inProject("npx", args)), openAIBody);
});

const source = `import { toOpenAI, ToolwireError } from "toolwire";
const body: object = toOpenAI(${JSON.stringify(request)});
export const codeOf = (error: unknown): string | undefined => error instanceof ToolwireError ? error.code : undefined;
// @ts-expect-error: no such export
import { nothing } from "toolwire";
import { Toolkit, tool, type Execution } from "toolwire/toolkit";
const add = tool({ name: "add", parameters: [{ name: "a", type: "integer" }], execute: ({ a }) => a + 1 });
export const run = (): Promise<Execution[]> => new Toolkit([add]).run([{ id: "c", name: "add", arguments: { a: 1 } }]);
export { body, nothing };
`;
for (const [resolution, module, files] of [
  ["node16", "node16", ["consumer.mts", "consumer.cts"]],
  ["bundler", "esnext", ["consumer.mts"]],
]) {
  test(`installed: the types hold under ${resolution} resolution`, () => {
    for (const file of files) write(file, source);
    const options = ["--strict", "--noEmit", "--skipLibCheck", "false", "--target", "es2022", "--types", ""];
    inProject(process.execPath, [tsc, ...options, "--module", module, "--moduleResolution", resolution, ...files]);
  });
}
