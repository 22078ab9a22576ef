// A whole text is read by ranges of it: the result is that of its pieces, with long arguments in any script.

import assert from "node:assert/strict";
import { test } from "node:test";
import { callsAsText, parseToolText, readToolText, TEXT_FORMATS } from "../../pkg/dist/text/index.js";

const properties = {
  path: { type: "string" },
  content: { type: "string" },
  size: { type: "number" },
  lines: { type: "integer" },
  options: { type: "object" },
};
const tools = [{ name: "write_file", parameters: { type: "object", properties } }];

/** Half of a surrogate pair takes its place in the text: it is read as this character. */
const mark = "\ufffd";
const long = [
  "plain words ".repeat(20),
  'a "quoted" \\ line\n\tand <another> one\r\n'.repeat(10),
  "Grüße aus 東京 😀 \u{1f469}\u200d\u{1f680} ".repeat(12),
  `${"x".repeat(127)}é`,
  `\0${"1 2 3 ".repeat(40)}`,
  `half of a pair: ${mark}, and é `.repeat(10),
];
const around = [
  ["", ""],
  ["I write the file.\n\n", "\n"],
  ["« Voilà » 😀 – ", " 終わり"],
  [`${mark} `, ""],
];
const argumentsOf = (content) => [
  { path: "a.txt", content, size: 3 },
  { content, path: content, options: { content: "" } },
  // more digits than a double always holds
  { content, size: 0.1 + 0.2 },
  // more than an integer can hold: an invalid call, with all of its arguments
  { content, lines: 2 ** 70 },
  { content: "", ["__proto__"]: content },
];

function inPieces(text, options) {
  const reader = readToolText(options);
  const events = [...reader.push(text), ...reader.end()];
  const calls = events.filter(({ type }) => type === "toolCallEnd").map(({ call }) => call);
  return {
    text: events.map((event) => (event.type === "textDelta" ? event.text : "")).join(""),
    toolCalls: calls.filter(({ error }) => error === undefined),
    invalidToolCalls: calls.filter(({ error }) => error !== undefined),
  };
}

const whole = (text, options) => {
  const { toolCalls, invalidToolCalls, text: plain } = parseToolText(text, options);
  return { text: plain, toolCalls, invalidToolCalls };
};

// `none` has no calls
for (const { id } of TEXT_FORMATS.filter(({ id }) => id !== "none")) {
  test(`${id}: long arguments`, () => {
    const options = { format: id, tools, idSeed: "s" };
    for (const content of long) {
      for (const values of argumentsOf(content)) {
        const call = { id: "call_1", name: "write_file", arguments: values };
        const toolCalls = [call, { ...call, id: "call_2" }];
        const written = callsAsText({ role: "assistant", content: "", toolCalls }, id);
        for (const [before, after] of around) {
          const text = (before + written + after).replaceAll(mark, "\ud83d");
          assert.deepEqual(whole(text, options), inPieces(text, options));
          const cut = text.slice(0, -Math.ceil(written.length / 3));
          assert.deepEqual(whole(cut, options), inPieces(cut, options));
        }
      }
    }
  });
}
