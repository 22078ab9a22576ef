// Runs the tests of vLLM's tool parsers with this package's reading (vllm_tests.py). `vllm.json` has the format of each file, and the reasons of known
// differences. The source distribution on PyPI has these tests; `pip download` also builds it and fails, but leaves them in its folder:
// `TMPDIR=$PWD pip download --no-clean --no-deps --no-binary :all: --no-build-isolation vllm`. A checkout has them, too.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { CommandFailed } from "../lib/run.mjs";

const script = fileURLToPath(new URL("vllm_tests.py", import.meta.url));
const { formats, reasons } = JSON.parse(readFileSync(new URL("vllm.json", import.meta.url), "utf8"));

/** Runs the tests in a folder. Returns the lines of those that differ with a reason and without, and the numbers of those that agree and are skipped. */
export async function testsOfVllm(folder, parseToolText) {
  const found = { agree: 0, skipped: 0, reasoned: [], differ: [] };
  const used = new Set();
  for (const { test, outcome, detail, text } of await outcomesOf(folder, parseToolText)) {
    const known = reasons.flatMap(({ reason, tests }) => tests.map((start) => ({ reason, start })));
    const { reason, start } = known.find((one) => test.startsWith(one.start)) ?? {};
    if (outcome !== "differ") found[outcome] += 1;
    else if (reason) found.reasoned.push(`${test}: ${reason}`);
    else found.differ.push(`${test}: ${detail}\n  ${JSON.stringify(text)}`);
    if (outcome === "differ" && reason) used.add(start);
  }
  const unused = reasons.flatMap(({ tests }) => tests).filter((start) => !used.has(start));
  found.differ.push(...unused.map((start) => `${start}: agrees; remove the reason`));
  return found;
}

/** The outcome of each test, with the last text that it reads. */
async function outcomesOf(folder, parseToolText) {
  const child = spawn("python3", [script, folder, JSON.stringify(formats)], { stdio: ["pipe", "pipe", "inherit"] });
  const status = new Promise((resolve) => child.on("close", resolve));
  const outcomes = [];
  let last;
  for await (const line of createInterface({ input: child.stdout })) {
    const { test, outcome, detail, format, text, tools } = JSON.parse(line);
    if (test) {
      outcomes.push({ test, outcome, detail, text: last });
      continue;
    }
    last = text;
    const read = parseToolText(text, { format, tools, idSeed: "check" });
    child.stdin.write(`${JSON.stringify({ calls: read.toolCalls, text: read.text })}\n`);
  }
  if ((await status) !== 0) throw new CommandFailed("the tests of vLLM could not be run");
  return outcomes;
}
