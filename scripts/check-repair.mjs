// `npm run check:repair -- FILE`: repairs recorded inputs, natively and in wasm. FILE has one `{lib, input, output}` per line, where
// `output` is the result of another library. Fails if an output is not valid JSON, or if a value that is complete in the input is lost.
// The number of results that equal those of the other library is only reported, because its result may be the wrong one.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { build } from "./build/all.mjs";
import { CommandFailed, locked, main, run } from "./lib/run.mjs";

await main(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  if (positionals.length !== 1) throw new CommandFailed("usage: npm run check:repair -- FILE");
  const file = resolve(positionals[0]);
  run("cargo", ["test", "--test", "toolkit", ...locked, "recorded_inputs", "--", "--nocapture"], {
    env: { REPAIRS: file },
  });
  await build();
  const { repairJson } = await import("../pkg/dist/toolkit/index.js");
  const rows = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const results = rows.map((row) => check(repairJson, row));
  const count = (result) => results.filter((one) => one === result).length;
  console.log(`wasm: ${count("same")} same, ${count("different")} different, ${count("not_json")} without JSON`);
  const failed = results.filter((result) => result.startsWith("failed"));
  for (const line of failed) console.log(line);
  return failed.length > 0 ? 1 : 0;
});

function check(repairJson, { input, output }) {
  const theirs = parsed(output);
  let repaired;
  try {
    repaired = repairJson(input);
  } catch (error) {
    if (error.code !== "not_json") return `failed: ${JSON.stringify(input)}: ${error.message}`;
    return theirs === undefined ? "same" : "not_json";
  }
  const { text, value, others } = repaired;
  if (parsed(text) === undefined) return `failed: ${JSON.stringify(input)} becomes invalid JSON ${text}`;
  const lost = completeStrings(input).filter(
    (string) => !contains([text, ...others.map((other) => JSON.stringify(other))], string),
  );
  if (lost.length > 0) return `failed: ${JSON.stringify(input)} loses ${lost.join(", ")}: ${text}`;
  return isDeepStrictEqual(value, theirs) || isDeepStrictEqual([value, ...others], theirs) ? "same" : "different";
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The words of strings that are certainly values: between a colon and the end of a field, with plain characters only. */
function completeStrings(input) {
  return [...input.matchAll(/:\s*"([\w ]+)"\s*(?=[,}])/g)].map((match) => match[1]);
}

function contains(texts, string) {
  return texts.some((text) => text.includes(string));
}
