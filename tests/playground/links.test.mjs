// The same value, linked both ways: what is selected in the source is highlighted in the result, and the other way round.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { dialects } from "../../build/generated/facts.js";
import { checksOf } from "../package/support/stream-vectors.mjs";
import { exampleIds, exampleText } from "./support/examples.mjs";
import { choose, findings, paste, setUp, show, showExample } from "./support/page.mjs";
import { loadTrace } from "./support/trace.mjs";

const { playground } = setUp();

const sides = { source: "#source-editor", result: "#stage .card-body" };

/** What is highlighted on a side, with how it came there. */
const linked = (page, side) =>
  page
    .locator(`${sides[side]} .cm-linked`)
    .evaluateAll((all) => all.map((element) => [element.textContent, element.closest("[title]")?.title]));

/** Clicks on a text. */
async function press(page, side, text) {
  await page.locator(`${sides[side]} .cm-line`, { hasText: text }).first().getByText(text).first().click();
}

async function waitForLinks(page, side) {
  await page.locator(`${sides[side]} .cm-linked`).first().waitFor();
  return linked(page, side);
}

const joined = (found) => found.map(([text]) => text).join("");

const body = {
  model: "m",
  seed: 7,
  messages: [
    { role: "user", content: "Wie spät ist es? 🕐" },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "call_1", type: "function", function: { name: "get_time", arguments: '{"zone":"Europe/Berlin"}' } },
      ],
    },
    { role: "tool", tool_call_id: "call_1", content: "12:30" },
  ],
};

playground("what is selected in the source is highlighted in the result", async (page) => {
  await paste(page, JSON.stringify(body, undefined, 2));
  await show(page, "anthropic");
  await press(page, "source", "Europe/Berlin");
  assert.deepEqual(await waitForLinks(page, "result"), [['"Europe/Berlin"', "decoded from a string"]]);
  await press(page, "source", "spät");
  await page.locator(`${sides.result} .cm-linked`, { hasText: "spät" }).waitFor();
  assert.deepEqual(joined(await linked(page, "result")), '"Wie spät ist es? 🕐"');
});

playground("what is selected in the result is highlighted in the source", async (page) => {
  await paste(page, body);
  await show(page, "anthropic");
  await press(page, "result", "get_time");
  assert.deepEqual(await waitForLinks(page, "source"), [['"get_time"', "copied"]]);
  await press(page, "result", "4096");
  await page.locator(`${sides.result} .cm-linked-made`, { hasText: "4096" }).waitFor();
  assert.deepEqual(await linked(page, "source"), []);
});

playground("what was added is shown in the result, and what was lost has no place there", async (page) => {
  await paste(page, body);
  await show(page, "anthropic");
  assert.match(await findings(page), /max_tokens is required/);
  await page.getByRole("button", { name: "added" }).click();
  assert.deepEqual(await waitForLinks(page, "result"), [["4096", "written by the conversion"]]);
  await page.getByRole("button", { name: "/seed" }).click();
  await page.waitForFunction(() => document.querySelectorAll("#stage .card-body .cm-linked").length === 0);
});

playground("a piece is linked as a body is", async (page) => {
  await paste(page, body.messages[1]);
  await show(page, "anthropic");
  await press(page, "source", "Europe/Berlin");
  assert.deepEqual(await waitForLinks(page, "result"), [['"Europe/Berlin"', "decoded from a string"]]);
});

playground("the values and the events of a stream are linked", async (page) => {
  await showExample(page, "stream-openai");
  await choose(page, "Format", "openai");
  await show(page, "text");
  await press(page, "source", "get_weather");
  assert.deepEqual(await waitForLinks(page, "result"), [['"get_weather"', "copied"]]);
  await press(page, "source", "chat.completion.chunk");
  await page.locator(`${sides.result} .cm-linked`, { hasText: "message_start" }).first().waitFor();
  const found = await linked(page, "result");
  assert.ok(found.every(([, how]) => how === "what the target is sent for these events"));
});

/** Pieces of bodies, with what the targets must have of them. */
const piecesOf = () => {
  const tool = {
    name: "get_time",
    description: "The time.",
    parameters: { type: "object", properties: { zone: { type: "string" } } },
  };
  const anthropic = { name: "get_time", description: "The time.", input_schema: tool.parameters };
  return [
    ["messages", "openai", body.messages[1], "Europe/Berlin"],
    ["messages", "openai", body.messages, "Wie spät"],
    ["messages", "anthropic", [{ role: "user", content: [{ type: "text", text: "Wie spät?" }] }], "Wie spät"],
    ["calls", "openai", body.messages[1].tool_calls, "Europe/Berlin"],
    ["calls", "openai", body.messages[1].tool_calls[0], "get_time"],
    ["result", "openai", body.messages[2], "12:30"],
    ["tools", "openai", [{ type: "function", function: tool }], "The time."],
    ["tools", "anthropic", { tools: [anthropic] }, "The time."],
    ["schema", "canonical", tool.parameters, "zone"],
  ];
};

test("pieces: each link holds, and a text is followed to every target", async () => {
  const trace = await loadTrace();
  let followed = 0;
  for (const [kind, from, piece, text] of piecesOf()) {
    const source = ` ${JSON.stringify(piece, undefined, 2)}\n`;
    for (const to of dialects.filter((dialect) => dialect !== "universal")) {
      const { output, links } = trace({ text: source, identity: { from, kind, others: [] }, to, settings: {} });
      const what = `${kind} of ${from} to ${to}`;
      JSON.parse(output);
      assert.deepEqual(unequal(links, output, source), [], what);
      if (kind === "schema") continue;
      const isMeant = (link) => link.source && source.slice(link.source.from, link.source.to).includes(text);
      const found = links.filter(isMeant).map((link) => output.slice(link.output.from, link.output.to));
      assert.ok(
        found.some((one) => one.includes(text)),
        `${what}: ${JSON.stringify(found)} in ${output}`,
      );
      followed++;
    }
  }
  assert.ok(followed > 60, `${followed}`);
});

/** A container has other white space in the output that is shown. */
const compact = (text) => JSON.stringify(JSON.parse(text));

/** The links whose places are not what they state. */
function unequal(links, output, text) {
  return links.flatMap(({ output: place, source, how }) => {
    const made = output.slice(place.from, place.to);
    if (made === "") return [how];
    if (["event", "made", "fitted"].includes(how)) return [];
    const origin = text.slice(source.from, source.to);
    const isSame =
      how === "copied" || how === "joined"
        ? made === origin || (/^[[{]/.test(made) && compact(made) === compact(origin))
        : values(made).some((value) => values(origin).includes(value));
    return isSame ? [] : [`${how}: ${made} from ${origin}`];
  });
}

const kindOf = (id) => ["stream", "response", "error"].find((kind) => id.startsWith(kind)) ?? "request";

/** A value of JSON, from its text or, if that was cut out of a string, from its escaped text. */
function values(text) {
  const found = [];
  const readings = [
    JSON.parse,
    (text) => JSON.parse(JSON.parse(text)),
    (text) => JSON.parse(JSON.parse(`"${text}"`)),
    (text) => JSON.parse(`"${text}"`),
    // a piece of JSON, which may be the whole content of a string
    (text) => JSON.parse(`"${JSON.parse(text)}"`),
    (text) => JSON.parse(`"${JSON.parse(`"${text}"`)}"`),
  ];
  for (const read of readings) {
    try {
      found.push(JSON.stringify(read(text)));
    } catch {
      // another reading holds
    }
  }
  return found;
}

test("each link holds in the texts that the page shows, for all examples and targets", async (context) => {
  const trace = await loadTrace();
  const counts = {};
  for (const id of exampleIds) {
    const text = exampleText(id);
    for (const from of ["openai", "anthropic", "gemini", "openai-responses", "ollama"]) {
      for (const to of dialects) {
        let found;
        try {
          found = trace({ text, identity: { from, kind: kindOf(id), others: [] }, to, settings: {} });
        } catch {
          continue;
        }
        for (const { how } of found.links) counts[how] = (counts[how] ?? 0) + 1;
        assert.deepEqual(unequal(found.links, found.output, text), [], `${id} from ${from} to ${to}`);
      }
    }
  }
  context.diagnostic(JSON.stringify(counts));
  for (const how of ["copied", "decoded", "encoded", "made", "event", "equal"]) assert.ok(counts[how] > 10, how);
});

const vectors = readdirSync("tests/vectors")
  .filter((name) => name.endsWith(".json"))
  .flatMap((name) => JSON.parse(readFileSync(`tests/vectors/${name}`, "utf8")));

/** Traces each source to all targets; returns how many maps there were, and what is wrong with them. */
function traceAll(trace, sources, targets) {
  const [counts, wrong] = [{}, []];
  for (const { name, from, kind, text } of sources) {
    for (const to of targets) {
      let found;
      try {
        found = trace({ text, identity: { from, kind, others: [] }, to, settings: {} });
      } catch {
        continue;
      }
      for (const { how } of found.links) counts[how] = (counts[how] ?? 0) + 1;
      wrong.push(...unequal(found.links, found.output, text).map((one) => `${name} from ${from} to ${to}: ${one}`));
    }
  }
  return { counts, wrong };
}

test("streams of all vectors: mapped ranges are equal in both directions, to every target", async (context) => {
  const decoder = new TextDecoder();
  const sources = new Map();
  for (const { name, from, bytes } of checksOf(vectors)) {
    const text = decoder.decode(bytes);
    sources.set(`${from} ${text}`, { name, from, kind: "stream", text });
  }
  const { counts, wrong } = traceAll(await loadTrace(), [...sources.values()], dialects);
  context.diagnostic(`${sources.size} streams: ${JSON.stringify(counts)}`);
  assert.deepEqual(wrong.slice(0, 10), []);
  for (const [how, least] of Object.entries({
    copied: 10_000,
    joined: 1000,
    decoded: 300,
    encoded: 100,
    event: 10_000,
  })) {
    assert.ok(counts[how] > least, `${how}: ${counts[how]}`);
  }
  // characters that are no text are replaced
  assert.ok(counts.fitted < 60, `${counts.fitted} fitted`);
});

const chunk = (delta, finish_reason = null) => {
  const choices = [{ index: 0, delta, finish_reason }];
  return `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", model: "m", choices })}\n\n`;
};
const call = (index, more) => chunk({ tool_calls: [{ index, ...more }] });
const begin = (index, id) => call(index, { id, type: "function", function: { name: "get_weather", arguments: "" } });
const piece = (index, text) => call(index, { function: { arguments: text } });

/** The texts of the source and the output that are linked, without links of whole events. */
async function linkedTexts(text, to) {
  const trace = await loadTrace();
  const { output, links } = trace({ text, identity: { from: "openai", kind: "stream", others: [] }, to, settings: {} });
  const texts = links.filter(({ how }) => how !== "event" && how !== "made");
  const cut = (whole, { from, to: end }) => whole.slice(from, end);
  return texts.map(({ how, output: place, source }) => {
    return { how, from: source.from, given: cut(text, source), at: place.from, made: cut(output, place) };
  });
}

test("streams: equal texts are told apart, and followed through pieces, into objects and strings of JSON", async () => {
  const pieces = [begin(0, "call_one"), piece(0, '{"ci'), begin(1, "call_two"), piece(1, '{"city":"Pa')];
  const rest = [piece(0, 'ty":"Pa'), piece(1, 'ris"}'), piece(0, 'ris"}'), chunk({}, "tool_calls"), "data: [DONE]\n\n"];
  const text = [...pieces, ...rest].join("");
  const places = (part) => [...text.matchAll(part)].map(({ index }) => index);
  for (const to of ["gemini", "anthropic", "ollama", "openai-responses"]) {
    const isInOrder = to !== "openai-responses";
    const found = await linkedTexts(text, to);
    const made = (given) => found.filter((link) => link.given === given).sort((a, b) => a.at - b.at);
    const [ofTwo, ofOne] = places(/(?<=\\")Pa(?=")/g);
    const order = [...new Set(made("Pa").map(({ from }) => from))];
    // only items of Responses may be interleaved
    assert.deepEqual(order, isInOrder ? [ofOne, ofTwo] : [ofTwo, ofOne], to);
    assert.ok(made("Pa").every(({ made }) => made === "Pa"));
    // a key in two pieces
    assert.ok(made("ci").length > 0 && made("ty").length > 0, to);
  }
});

test("streams: what is equal by chance is not linked", async () => {
  const text = [chunk({ content: "text" }), chunk({ content: "message" }), chunk({}, "stop"), "data: [DONE]\n\n"].join(
    "",
  );
  const found = await linkedTexts(text, "anthropic");
  assert.deepEqual(
    found.filter(({ given }) => given === '"text"' || given === '"message"').map(({ how, made }) => [how, made]),
    [
      ["copied", '"text"'],
      ["copied", '"message"'],
    ],
  );
});

test("pieces of all vectors: mapped ranges are equal in both directions", async (context) => {
  const isMeant = ({ kind }) => ["messages", "tools", "toolCalls"].includes(kind);
  const sources = vectors.filter(isMeant).flatMap(({ name, kind, both, reads, writes, convert = [], canonical }) => {
    const entries = [both, reads, writes].flatMap((one) => Object.entries(one ?? {}));
    const given = [
      ...entries.map(([from, { body }]) => [from, body]),
      ...convert.map(({ from, body }) => [from, body]),
    ];
    return [...given, ["canonical", kind === "toolCalls" ? undefined : canonical]].flatMap(([from, body]) => {
      const piece = body?.messages ?? body?.contents ?? body?.input ?? body;
      const text = piece && JSON.stringify(piece, undefined, 1);
      return text ? [{ name, from, kind: kind === "tools" ? "tools" : "messages", text }] : [];
    });
  });
  const targets = ["openai", "anthropic", "gemini", "openai-responses", "ollama", "canonical"];
  const { counts, wrong } = traceAll(await loadTrace(), sources, targets);
  context.diagnostic(`${sources.length} pieces: ${JSON.stringify(counts)}`);
  assert.deepEqual(wrong.slice(0, 10), []);
  for (const how of ["copied", "decoded", "encoded", "made"]) assert.ok(counts[how] > 100, `${how}: ${counts[how]}`);
});
