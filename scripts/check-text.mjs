// `npm run check:text -- FILE`: reads recorded texts with the built package. FILE has one `{id, format, text, tools?, options?, expected}`
// per line. Fails if a result differs from the recorded one, or if it depends on how the text is split: in two at every position, and at
// random positions, also within characters. `text-formats/exceptions.json` lists texts whose recorded result is wrong, with the reason.
// An exception whose result equals the recorded one fails too.

import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { build } from "./build/all.mjs";
import { CommandFailed, main } from "./lib/run.mjs";

const exceptionsFile = new URL("text-formats/exceptions.json", import.meta.url);

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
  const exceptions = new Map(JSON.parse(readFileSync(exceptionsFile, "utf8")).map(({ id, reason }) => [id, reason]));
  const failures = [];
  const excepted = [];
  for (const one of cases) {
    const { recorded, split } = check({ parseToolText, readToolText }, one);
    const reason = exceptions.get(one.id);
    if (reason && recorded.length > 0) excepted.push(`${one.id}: exception: ${reason}`);
    else if (reason) failures.push(`${one.id}: is read as recorded; remove the exception`);
    else failures.push(...recorded);
    failures.push(...split);
  }
  for (const line of [...excepted, ...failures]) console.log(line);
  const failed = new Set(failures.map((line) => line.split(":")[0])).size;
  const { length } = cases;
  console.log(
    `${length - excepted.length - failed} of ${length} as recorded, ${excepted.length} exceptions, ${failed} failed`,
  );
  return failed > 0 ? 1 : 0;
});

function check({ parseToolText, readToolText }, { id, format, text, tools, options = {}, expected }) {
  const settings = { format, tools, prefill: options.generation_prompt, idSeed: "check" };
  const whole = parseToolText(text, settings);
  const recorded = different(whole, expected, options).map((what) => `${id}: ${what}`);
  const bytes = new TextEncoder().encode(text);
  const splits = [...bytes.keys()].map((at) => [at]);
  for (let run = 0; run < 100; run += 1) splits.push([...bytes.keys()].filter(() => Math.random() < 0.2));
  const broken = splits.find((at) => !isDeepStrictEqual(streamed(readToolText(settings), bytes, at), meaningOf(whole)));
  return { recorded, split: broken ? [`${id}: another result when split at ${broken.join(", ")}`] : [] };
}

function meaningOf({ text, reasoning = "", toolCalls, invalidToolCalls }) {
  return { text, reasoning, toolCalls, invalidToolCalls };
}

/** The result for a text that is read in pieces of its bytes. */
function streamed(reader, bytes, places) {
  const decoder = new TextDecoder();
  const events = [];
  for (const [index, place] of [...places, bytes.length].entries()) {
    events.push(...reader.push(decoder.decode(bytes.subarray(places[index - 1] ?? 0, place), { stream: true })));
  }
  events.push(...reader.push(decoder.decode()), ...reader.end());
  const joined = (type) => events.flatMap((event) => (event.type === type ? [event.text] : [])).join("");
  const calls = events.flatMap((event) => (event.type === "toolCallEnd" ? [event.call] : []));
  return {
    text: joined("textDelta"),
    reasoning: joined("reasoningDelta"),
    toolCalls: calls.filter((call) => call.arguments),
    invalidToolCalls: calls.filter((call) => !call.arguments),
  };
}

function different(whole, expected, options) {
  const wanted = expected.calls.filter((call) => call.arguments);
  const calls = whole.toolCalls.map(({ name, arguments: values }) => ({ name, arguments: values }));
  const plain = wanted.map(({ name, arguments: values }) => ({ name, arguments: values }));
  if (!isDeepStrictEqual(calls, plain)) return [`calls are ${JSON.stringify(calls)}, not ${JSON.stringify(plain)}`];
  // text in the recorded result may be an invalid call here
  const invalid = whole.invalidToolCalls.length > 0 && expected.content.trim().startsWith(whole.text.trim());
  const inText = options.reasoning === "keep_in_content" && expected.content.trim().endsWith(whole.text.trim());
  if (whole.text.trim() !== expected.content.trim() && !invalid && !inText)
    return [`text is ${JSON.stringify(whole.text)}`];
  const reasoning = expected.reasoning?.trim() ?? whole.reasoning?.trim();
  return reasoning === whole.reasoning?.trim() ? [] : [`reasoning is ${JSON.stringify(whole.reasoning)}`];
}
