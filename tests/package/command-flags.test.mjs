// The flags for options of conversions: all of the API's options, with the same values and the same effect.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { conversionFlags, optionName } from "../../pkg-template/command/flags.js";
import { toolwire } from "./support/command.mjs";
import { ask, effects } from "./support/flag-effects.mjs";
import { esm, folder } from "./support/package.mjs";

const { convertRequest, convertResponse } = await import(esm);
const project = mkdtempSync(join(tmpdir(), "toolwire-command-"));
after(() => rmSync(project, { recursive: true, force: true }));

const types = readFileSync(join(folder, "dist/index.d.ts"), "utf8");

/** The declared options, without the callback: name → type. */
function declaredOptions() {
  const bodies = [...types.matchAll(/^export interface Options \{\n(.*?)^\}/gms)].map(([, body]) => body);
  const fields = bodies.flatMap((body) => [...body.matchAll(/^ {4}(\w+)\?: (.*);$/gm)]);
  const options = fields.filter(([, name]) => name !== "onWarning");
  return Object.fromEntries(options.map(([, name, type]) => [name, type.replace(" | undefined", "")]));
}

test("there is a flag for each option, and for nothing else", () => {
  // the status is an option of one function only
  const flags = conversionFlags.map(optionName).filter((name) => name !== "status");
  assert.deepEqual(flags.sort(), Object.keys(declaredOptions()).sort());
});

test("a flag has the values of its option", () => {
  const declared = declaredOptions();
  for (const flag of conversionFlags.filter(({ values }) => values)) {
    const [, alias] = types.match(new RegExp(`^export type ${declared[optionName(flag)]} = (.*);$`, "m"));
    assert.deepEqual(flag.values.toSorted(), alias.split(" | ").map(JSON.parse).sort(), flag.flag);
  }
});

test("each flag has an example here", () => {
  const shown = [...effects.map(([flag]) => flag), "context", "model-facts", "status", "bookkeeping"];
  // command-streams.test.mjs tests those of streams
  const flags = conversionFlags.filter(({ kind }) => kind !== "stream").map(({ flag }) => flag);
  assert.deepEqual(flags.sort(), shown.sort());
});

for (const [flag, value, from, to, body, kind = "request"] of effects) {
  test(`--${flag} ${value} has the effect of the option`, () => {
    const convert = kind === "request" ? convertRequest : convertResponse;
    const attempt = (options) => {
      try {
        return convert(JSON.stringify(body), { from, to, ...options });
      } catch (error) {
        return error.code;
      }
    };
    const expected = attempt({ [optionName({ flag })]: /^\d+$/.test(value) ? Number(value) : value });
    assert.notEqual(expected, attempt({}), "the example shows no difference");
    const args = [
      "convert",
      "--kind",
      kind,
      "--from",
      from,
      "--to",
      to,
      `--${flag}`,
      ...(value === true ? [] : [value]),
    ];
    const { status, stdout, stderr } = toolwire(args, { input: JSON.stringify(body) });
    if (status === 0) assert.equal(stdout.trimEnd(), expected);
    else assert.match(stderr, new RegExp(`^error: ${expected} at `));
  });
}

test("--bookkeeping prints warnings of that level", () => {
  const args = ["convert", "--kind", "request", "--from", "openai", "--to", "anthropic"];
  const input = JSON.stringify({ model: "m", store: true, max_tokens: 9, messages: [ask] });
  assert.equal(toolwire(args, { input }).stderr, "");
  assert.match(toolwire([...args, "--bookkeeping"], { input }).stderr, /^warning: state_dropped at "\/store"/);
});

test("--model-facts is read from a file", () => {
  const file = join(project, "facts.json");
  writeFileSync(file, '{"like":"gpt-6-astra"}');
  const input = JSON.stringify({ model: "m", messages: [ask], reasoning: { effort: "none" } });
  const args = ["convert", "--kind", "request", "--from", "canonical", "--to", "openai", "--model-facts", file];
  assert.equal(JSON.parse(toolwire(args, { input }).stdout).reasoning_effort, "low");
  rmSync(file);
});

test("--server is a name, or a profile in a file", () => {
  const file = join(project, "server.json");
  writeFileSync(file, '{"base":"vllm","tokenLimit":"max_completion_tokens"}');
  const input = JSON.stringify({ model: "m", messages: [ask], maxTokens: 1 });
  const sent = (server) => {
    const args = ["convert", "--kind", "request", "--from", "canonical", "--to", "openai", "--server", server];
    return toolwire(args, { input });
  };
  assert.equal(JSON.parse(sent(file).stdout).max_completion_tokens, 1);
  assert.equal(JSON.parse(sent("vllm").stdout).max_tokens, 1);
  assert.match(sent("vlm").stderr, /did you mean "vllm"/);
  rmSync(file);
});

test("--context is read from a file", () => {
  const file = join(project, "context.json");
  const args = ["convert", "--kind", "response", "--from", "gemini", "--to", "openai", "--context", file];
  const input = JSON.stringify({ candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] } }] });
  writeFileSync(file, "{}");
  assert.equal(toolwire(args, { input }).status, 0);
  writeFileSync(file, "{");
  assert.match(toolwire(args, { input }).stderr, /--context: .* does not contain JSON/);
  rmSync(file);
  assert.match(toolwire(args, { input }).stderr, /no such file/);
});

test("--status belongs to errors", () => {
  const { status, stderr } = toolwire(["convert", "--from", "openai", "--to", "gemini", "--status", "400"], {
    input: JSON.stringify({ messages: [] }),
  });
  assert.equal(status, 2);
  assert.match(stderr, /--status is for --kind error/);
});
