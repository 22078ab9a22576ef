// Texts with calls and their expected content: the vectors, and recorded cases in a folder (`text-calls.jsonl`, as for `npm run
// check:text`).

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/run.mjs";
import { sharedFormats } from "./sides.mjs";

const parsed = (path) => JSON.parse(readFileSync(path, "utf8"));
/** The peer handles reasoning in another middleware, so cases with reasoning can't be compared. */
const hasReasoning = ({ text, reasoning = "", prefill = "" }) =>
  reasoning !== "" || /<\/?think>/.test(text) || prefill.endsWith("<think>\n");
const isShared = (one) => sharedFormats.includes(one.format) && !hasReasoning(one);

export function vectorCases() {
  const folder = join(root, "tests/vectors/text");
  const files = readdirSync(folder).map((file) => parsed(join(folder, file)));
  const reads = files.flatMap(({ reads = [] }) => reads);
  return reads.filter(isShared).map(({ format, tools, text, calls, content = "" }, index) => ({
    id: `vector ${format} ${index}`,
    format,
    tools,
    text,
    expected: {
      calls: calls.filter((call) => typeof call !== "string").map(([name, values]) => ({ name, arguments: values })),
      text: [content, ...calls.filter((call) => typeof call === "string")].join(""),
    },
  }));
}

/** Skips cases whose recorded result is wrong: `scripts/text-formats/exceptions.json` gives the reasons. */
export function recordedCases(folder) {
  const exceptions = new Set(parsed(join(root, "scripts/text-formats/exceptions.json")).map(({ id }) => id));
  const lines = readFileSync(join(folder, "text-calls.jsonl"), "utf8").trim().split("\n");
  const all = lines.map((line) => JSON.parse(line)).filter(({ id }) => !exceptions.has(id));
  const cases = all.map(({ id, format, tools, text, options, expected }) => ({
    id,
    format,
    tools,
    text,
    prefill: options?.generation_prompt,
    reasoning: expected.reasoning,
    expected: {
      calls: expected.calls
        .filter((call) => call.arguments)
        .map(({ name, arguments: values }) => ({ name, arguments: values })),
      text: expected.content,
    },
  }));
  return cases.filter(isShared);
}
