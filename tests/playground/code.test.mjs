// The code that the page offers, for every kind, view and language: it compiles, runs, and gives what is on screen.

import assert from "node:assert/strict";
import { execFileSync, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { assertCompiles } from "../package/support/compile.mjs";
import { messagesIn } from "../package/support/stream-vectors.mjs";
import { dialects, exampleIds } from "./support/examples.mjs";
import { copied, paste, settledAfter, setUp, show, showExample } from "./support/page.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { playground } = setUp();
let folder;
/** Runs the snippets in TypeScript: one process, since each would have to load the package again. */
let runner;

before(() => {
  // Below the repository, where the compiler finds the types of Node.
  folder = mkdtempSync(join(root, "build/playground-code-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(root, "pkg"), join(folder, "node_modules/toolwire"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  runner = fork(new URL("support/runner.mjs", import.meta.url), { cwd: folder, execArgv: [] });
});
after(() => {
  runner.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** The snippets on screen, by language. */
async function snippets(page) {
  await page.locator("#code-button").click();
  await page.locator("#code [data-language]").first().waitFor();
  const found = {};
  for (const button of await page.locator("#code [data-language]").all()) {
    await button.click();
    found[await button.getAttribute("data-language")] = await page.locator("#code pre").innerText();
  }
  await page.keyboard.press("Escape");
  return found;
}

const source = (page) =>
  page.evaluate(async () => {
    const content = document.querySelector("#source-editor .cm-content");
    return content.cmTile?.view?.state.doc.toString() ?? content.cmView.view.state.doc.toString();
  });

/** What is on screen, and how to get it: one of each kind of source, target, mode and language. */
async function collect(page, id, to, mode) {
  const outcome = await page.locator(`#stage [data-to="${to}"]`).getAttribute("data-failed");
  if (outcome !== null) return [];
  if (!(await page.locator("#code-button").isVisible())) return [];
  const codes = await snippets(page);
  const shown = mode === "trip" ? await returned(page) : await copied(page, to);
  return Object.entries(codes).map(([language, code]) => ({ id, to, mode, language, code, shown }));
}

const returned = (page) =>
  page.evaluate(() => {
    const content = document.querySelector("#stage .trip .cm-content");
    return (content.cmTile?.view ?? content.cmView.view).state.doc.toString();
  });

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Compares what was printed with what is on screen: JSON by value, streams by text. */
function assertShown(printed, shown, what) {
  const [one, other] = [parsed(printed), parsed(shown)];
  if (other === undefined) assert.equal(printed.trim(), shown.trim(), what);
  else assert.deepEqual(one, other, what);
}

let runs = 0;
/** How long a snippet may run, in milliseconds. */
const patience = 60_000;

async function runCode({ language, code, file, text, what }) {
  writeFileSync(join(folder, file), text);
  if (language === "TypeScript") {
    const { code: script } = await transform(code, { loader: "ts", target: "es2022" });
    const path = join(folder, `${++runs}.js`);
    writeFileSync(path, script);
    runner.send(path);
    const [{ printed, error }] = await once(runner, "message", { signal: AbortSignal.timeout(patience) });
    assert.equal(error, undefined, `${what}: ${error}`);
    return textOf(Buffer.from(printed, "base64"));
  }
  const command = code.replace(/^npx toolwire/, `"${process.execPath}" "${join(root, "pkg/dist/command.js")}"`);
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], { cwd: folder });
  assert.equal(status, 0, `${what}: ${stderr}`);
  return textOf(stdout);
}

/** What was printed. The page shows AWS's binary messages as lines. */
function textOf(bytes) {
  if (bytes[0] !== 0) return bytes.toString();
  return messagesIn(bytes)
    .map((event) => JSON.stringify(event))
    .join("\n");
}

const fileIn = (code) => /[\w-]+\.(?:[\w-]+)\.(?:json|txt)/.exec(code)?.[0];

playground("every snippet compiles, runs, and gives what is on screen", async (page, { diagnostic }) => {
  const all = [];
  for (const [index, id] of exampleIds.entries()) {
    await showExample(page, id);
    const text = await source(page);
    const from = await page.evaluate(() => document.querySelector("#format option").textContent.replace(" (auto)", ""));
    const others = dialects.filter((to) => !["universal"].includes(to));
    // every kind with every target would take minutes; the targets take turns
    for (const to of [others[index % others.length], others[(index + 3) % others.length]]) {
      await show(page, to);
      for (const mode of ["text", "trip"]) {
        if (await page.locator(`#stage [data-mode=${mode}]`).isHidden()) continue;
        await page.locator(`#stage [data-mode=${mode}]`).click();
        await settledAfter(page);
        if (mode === "trip") await page.locator("#stage .trip .cm-content").waitFor();
        const found = await collect(page, id, to, mode);
        all.push(...found.map((one) => ({ ...one, text, from })));
      }
      if (await page.locator("#stage [data-mode=text]").isVisible()) await show(page, "text");
    }
  }
  const typescript = all.filter(({ language }) => language === "TypeScript");
  const files = [...new Set(typescript.map(({ code }) => code))].map((code, index) => {
    const path = join(folder, `${index}.ts`);
    writeFileSync(path, code);
    return path;
  });
  assert.ok(files.length > 30, `${files.length} snippets`);
  assertCompiles("typescript", files, { lib: "es2022,dom,dom.iterable,dom.asynciterable" });
  let count = 0;
  for (const one of all) {
    if (!["TypeScript", "command"].includes(one.language)) continue;
    const what = `${one.id} to ${one.to}, ${one.mode}, ${one.language}:\n${one.code}`;
    const printed = await runCode({ ...one, what, file: fileIn(one.code) });
    assertShown(printed, one.shown, what);
    count += 1;
  }
  diagnostic(`${count} snippets were run, ${files.length} different ones in TypeScript`);
  const curls = all.filter(({ language }) => language === "curl");
  assert.ok(curls.length > 5);
  for (const { code, shown } of curls) {
    const script = code.replace(/^curl /, "show ");
    const body = execFileSync("sh", ["-c", `show() { cat; }\n${script}`], { encoding: "utf8" });
    assert.deepEqual(JSON.parse(body), JSON.parse(shown));
    assert.match(code, /^curl \S*https?:\/\/\S+/);
  }
  const rust = all.filter(({ language }) => language === "Rust");
  assert.ok(rust.length > 5);
  for (const { code } of rust) assert.match(code, /convert_text\(body, Subject::(?:Request|Response|Error), from, to/);
});

playground("text that is not converted has no code", async (page) => {
  await paste(page, '{"messages":[');
  await page.getByRole("button", { name: "Keep what was pasted" }).click();
  await page.locator("#stage .failure-panel").waitFor();
  assert.equal(await page.locator("#code-button").count(), 0);
});

playground("snippets of pieces run, and give what is on screen", async (page) => {
  const message = {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }],
  };
  const all = [];
  for (const piece of [
    message,
    [{ role: "system", content: "s" }, { role: "user", content: "Hi" }, message],
    message.tool_calls[0],
    message.tool_calls,
    { type: "object", properties: { n: { type: "integer" } } },
  ]) {
    await paste(page, piece);
    for (const to of ["anthropic", "gemini", "canonical", "openai-responses"]) {
      await show(page, to);
      if (!(await page.locator("#code-button").isVisible())) continue;
      const { TypeScript: code } = await snippets(page);
      all.push({ code, to, shown: await copied(page, to), text: await source(page) });
    }
  }
  assert.ok(all.length >= 17, `${all.length} snippets`);
  for (const { code, to, shown, text } of all) {
    const file = fileIn(code);
    const printed = await runCode({ language: "TypeScript", code, file, text, what: to });
    assertShown(printed, shown, `${to}:\n${code}`);
  }
});
