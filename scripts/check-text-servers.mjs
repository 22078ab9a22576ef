// `npm run check:text-servers -- FOLDER`: compares the calls that this package and SGLang's own detectors read from the same texts: each format's, as
// it is written for a number of messages. FOLDER is an unpacked wheel (`pip download --no-deps sglang`, `unzip`); Python needs pydantic.
// `text-formats/detectors.json` has the detector of each format, and the reasons of known differences. Fails if there is another one, or if
// a reason is no longer needed. SGLang's wheels have no tests, and it has no source distribution.
// `-- --vllm FOLDER` runs vLLM's own tests with this package instead: `text-formats/vllm.mjs` states where they come from. Without network, processes
// or packages of Python other than its own. Tests of streams, grammars and vLLM's classes are skipped.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { build } from "./build/all.mjs";
import { CommandFailed, main } from "./lib/run.mjs";
import { testsOfVllm } from "./text-formats/vllm.mjs";

const { detectors, reasons } = JSON.parse(
  readFileSync(new URL("text-formats/detectors.json", import.meta.url), "utf8"),
);
const script = fileURLToPath(new URL("text-formats/detectors.py", import.meta.url));

const tools = [
  {
    name: "find",
    description: "Finds files.",
    parameters: {
      type: "object",
      properties: {
        text: { type: "string" },
        path: { type: "string" },
        count: { type: "integer" },
        share: { type: "number" },
        exact: { type: "boolean" },
        tags: { type: "array", items: { type: "string" } },
        filter: { type: "object", properties: { size: { type: "integer" } } },
      },
    },
  },
  { name: "get_time", description: "The time.", parameters: { type: "object", properties: {} } },
];

/** What the messages contain: text, then calls. */
const messages = {
  one: ["", ["find", { text: "x" }]],
  text: ["I will check.", ["find", { text: "x" }]],
  two: ["I will check.", ["find", { text: "x" }], ["find", { path: "a/b.txt", count: 3 }]],
  empty: ["", ["get_time", {}]],
  "empty first": ["", ["get_time", {}], ["find", { count: 1 }]],
  numbers: ["", ["find", { count: -7, share: 0.25 }]],
  booleans: ["", ["find", { exact: true }], ["find", { exact: false }]],
  lists: ["", ["find", { tags: ["a", "b, c", ""] }]],
  objects: ["", ["find", { filter: { size: 3 } }]],
  digits: ["", ["find", { text: "007" }]],
  literal: ["", ["find", { text: "true" }]],
  null: ["", ["find", { text: "null" }]],
  json: ["", ["find", { text: '{"a": [1, "b"]}' }]],
  quotes: ["", ["find", { text: 'it\'s "quoted", (and) [bracketed]' }]],
  lines: ["", ["find", { text: "def f():\n    return 1\n" }]],
  spaces: ["", ["find", { text: "  two  " }]],
  backslash: ["", ["find", { text: "C:\\new\\table" }]],
  tags: ["", ["find", { text: "a <b> c </b> & d" }]],
  unicode: ["Gern.", ["find", { text: "Zürich 東京 🙂" }]],
};

await main(async () => {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { vllm: { type: "string" } } });
  if (positionals.length !== (values.vllm === undefined ? 1 : 0)) {
    throw new CommandFailed("usage: npm run check:text-servers -- FOLDER, or -- --vllm FOLDER");
  }
  await build();
  const { callsAsText, parseToolText } = await import("../pkg/dist/text/index.js");
  if (values.vllm !== undefined) {
    const { agree, skipped, reasoned, differ } = await testsOfVllm(values.vllm, parseToolText);
    for (const line of [...reasoned, ...differ]) console.log(line);
    console.log(`${agree} agree, ${reasoned.length} differ with a reason, ${differ.length} differ, ${skipped} skipped`);
    return differ.length > 0 ? 1 : 0;
  }
  const cases = [];
  for (const [format, parser] of Object.entries(detectors)) {
    for (const [name, [content, ...calls]] of Object.entries(messages)) {
      const toolCalls = calls.map(([tool, args], index) => ({ id: `call_${index}`, name: tool, arguments: args }));
      const text = callsAsText({ role: "assistant", content, toolCalls }, format);
      const own = parseToolText(text, { format, tools, idSeed: "check" });
      cases.push({ id: `${format}: ${name}`, format, parser, text, calls, own: callsOf(own) });
    }
  }
  const found = detected(positionals[0], cases);
  return report(cases.map((one, index) => ({ ...one, found: found[index] })));
});

function callsOf({ toolCalls, invalidToolCalls }) {
  return [...toolCalls, ...invalidToolCalls].map(({ name, arguments: read = "invalid" }) => [name, read]);
}

/** What the detectors read. */
function detected(folder, cases) {
  const input = cases.map(({ parser, text }) => JSON.stringify({ parser, text, tools })).join("\n");
  const { stdout, stderr, status } = spawnSync("python3", [script, folder], { input, encoding: "utf8" });
  if (status !== 0) throw new CommandFailed(stderr);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function report(cases) {
  const [agree, reasoned, differ] = [[], [], []];
  for (const one of cases) {
    const isEqual = isDeepStrictEqual(one.own, one.found.calls);
    const ids = [one.id, `${one.format}: *`];
    const reason = reasons.find(({ cases: known }) => ids.some((id) => known.includes(id)))?.reason;
    if (isEqual && reason) differ.push(`${one.id}: is read equally; remove the reason`);
    else if (isEqual) agree.push(one.id);
    else if (reason) reasoned.push(`${one.id}: ${reason}`);
    else
      differ.push(
        `${one.id}: ${JSON.stringify(one.text)}\n  here ${JSON.stringify(one.own)}\n  SGLang ${JSON.stringify(one.found)}`,
      );
    if (!isDeepStrictEqual(one.own, one.calls)) differ.push(`${one.id}: not read as it was written`);
  }
  for (const line of [...reasoned, ...differ]) console.log(line);
  console.log(`${agree.length} agree, ${reasoned.length} differ with a reason, ${differ.length} differ`);
  return differ.length > 0 ? 1 : 0;
}
