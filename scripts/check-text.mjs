// `npm run check:text -- FILE`: recorded texts with calls, read by the built package: one `{id, format, text, tools?, options?, expected}`
// per line. Fails if a result is not the recorded one, or if the result depends on how the text is split: at every place into two, and at
// random places, within characters too.

import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { build } from "./build/all.mjs";
import { CommandFailed, main } from "./lib/run.mjs";

await main(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  if (positionals.length !== 1) throw new CommandFailed("usage: npm run check:text -- FILE");
  const given = resolve(positionals[0]);
  const file = statSync(given).isDirectory() ? join(given, "text-calls.jsonl") : given;
  await build();
  const { parseToolText, readToolText } = await import("../pkg/dist/text/index.js");
  const cases = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const failed = cases.flatMap((one) => check({ parseToolText, readToolText }, one));
  for (const line of failed) console.log(line);
  console.log(
    `${cases.length - new Set(failed.map((line) => line.split(":")[0])).size} of ${cases.length} as recorded`,
  );
  return failed.length > 0 ? 1 : 0;
});

function check({ parseToolText, readToolText }, { id, format, text, tools, options = {}, expected }) {
  const settings = { format, tools, prefill: options.generation_prompt, idSeed: "check" };
  const whole = parseToolText(text, settings);
  const failures = different(whole, expected, options).map((what) => `${id}: ${what}`);
  const bytes = new TextEncoder().encode(text);
  const splits = [...bytes.keys()].map((at) => [at]);
  for (let run = 0; run < 100; run += 1) splits.push([...bytes.keys()].filter(() => Math.random() < 0.2));
  const broken = splits.find((at) => !isDeepStrictEqual(streamed(readToolText(settings), bytes, at), whole.toolCalls));
  if (broken) failures.push(`${id}: other calls when split at ${broken.join(", ")}`);
  return failures;
}

/** The calls of a text that comes in pieces of its bytes. */
function streamed(reader, bytes, places) {
  const decoder = new TextDecoder();
  const events = [];
  for (const [index, place] of [...places, bytes.length].entries()) {
    events.push(...reader.push(decoder.decode(bytes.subarray(places[index - 1] ?? 0, place), { stream: true })));
  }
  events.push(...reader.push(decoder.decode()), ...reader.end());
  return events.filter((event) => event.type === "toolCallEnd" && event.call.arguments).map((event) => event.call);
}

function different(whole, expected, options) {
  const wanted = expected.calls.filter((call) => call.arguments);
  const calls = whole.toolCalls.map(({ name, arguments: values }) => ({ name, arguments: values }));
  const plain = wanted.map(({ name, arguments: values }) => ({ name, arguments: values }));
  if (!isDeepStrictEqual(calls, plain)) return [`calls are ${JSON.stringify(calls)}, not ${JSON.stringify(plain)}`];
  // what is kept as text there may be an invalid call here
  const invalid = whole.invalidToolCalls.length > 0 && expected.content.trim().startsWith(whole.text.trim());
  const inText = options.reasoning === "keep_in_content" && expected.content.trim().endsWith(whole.text.trim());
  if (whole.text.trim() !== expected.content.trim() && !invalid && !inText)
    return [`text is ${JSON.stringify(whole.text)}`];
  const reasoning = expected.reasoning?.trim() ?? whole.reasoning?.trim();
  return reasoning === whole.reasoning?.trim() ? [] : [`reasoning is ${JSON.stringify(whole.reasoning)}`];
}
