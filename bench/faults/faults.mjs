// Faults that agents meet in production: what the model, the server or the tool does, and what a run may make of it.
//
// The script of the model is the same for all of them, unless a fault has its own: it makes one call (`first`), reads the results, and
// either responds or, after an error, makes the right call. So a loop that reports a mistake to the model gets a second chance.

import { broken, calls, endlessError, endlessStream, error, html, text, unfinished } from "./replies.mjs";

const right = { item: "pens", count: 21 };
const call = (args, finish) => calls([{ id: "call_1", name: "order", args }], finish);
const rightCall = calls([{ id: "call_2", name: "order", args: JSON.stringify(right) }]);
const placed = "Order 77 is placed.";
const place = () => ({ order: 77 });

/** Responds to the results: with the text of the first rule that they match, or else with the right call. */
const reading =
  (...rules) =>
  (results) =>
    text(rules.find(([pattern]) => pattern.test(results))?.[1] ?? "I do not know what happened.");
const afterOrder =
  (again = rightCall) =>
  (results) =>
    /77/.test(results) ? text(placed) : again;
const once =
  (first) =>
  ({ count }) =>
    count === 1 ? first : text(placed);
const called = (title, args, more) => ({ title, first: call(args), ...more });

/**
 * - `first`: what the server sends first; `next` (results → reply): what it sends after results. Or `server`: all replies.
 * - `execute`: the tool. Default: returns `{ order: 77 }`.
 * - `runMs`: the limit of the run in milliseconds, which the library enforces.
 * - `answers`: the right final texts. Empty if none is possible.
 * - `runs`: the arguments with which the tool may run, each at most once, or `most` times.
 * - `cause`: what the report of a run that ends without a right answer must match.
 */
export const faults = [
  called("a line break within a string of the arguments", '{"item":"pens\n(blue)","count":21}', {
    next: afterOrder(
      calls([{ id: "call_2", name: "order", args: JSON.stringify({ item: "pens\n(blue)", count: 21 }) }]),
    ),
    runs: [{ item: "pens\n(blue)", count: 21 }],
    cause: /json|argument|input|parse/i,
  }),
  called("arguments with a trailing comma", '{"item":"pens","count":21,}', { cause: /json|argument|input|parse/i }),
  called("arguments in a code fence", '```json\n{"item":"pens","count":21}\n```', {
    cause: /json|argument|input|parse/i,
  }),
  called("arguments that are cut off within a number", '{"item":"pens","count":2', {
    cause: /json|argument|input|parse|cut|truncat/i,
  }),
  called("a field of the wrong type", '{"item":"pens","count":"21"}', {
    cause: /argument|input|valid|type|expected/i,
  }),
  called("a required field is missing", '{"item":"pens"}', { cause: /argument|input|valid|missing|required/i }),
  called("a field that the schema does not allow", '{"item":"pens","count":21,"gift":true}', {
    cause: /argument|input|valid|unrecognized|unexpected/i,
  }),
  {
    title: "a call of an unknown tool",
    first: calls([{ id: "call_1", name: "place_order", args: JSON.stringify(right) }]),
    cause: /place_order|unknown|not found|no such/i,
  },
  {
    title: 'a call although the tool choice is "none"',
    toolChoice: "none",
    first: call(JSON.stringify(right)),
    next: () => text("I can't order now."),
    answers: ["I can't order now."],
    runs: [],
    cause: /choice|not allowed|forbidden|tool/i,
  },
  ...["call_1", ""].map((id) => ({
    title: id === "" ? "two calls with empty ids" : "two calls with the same id",
    first: calls([
      { id, name: "order", args: '{"item":"pens","count":1}' },
      { id, name: "order", args: '{"item":"ink","count":2}' },
    ]),
    execute: ({ item }) => ({ order: item === "pens" ? 77 : 78 }),
    next: reading([/77.*78/, "Orders 77 and 78 are placed."]),
    answers: ["Orders 77 and 78 are placed."],
    runs: [
      { item: "pens", count: 1 },
      { item: "ink", count: 2 },
    ],
    cause: /duplicate|tool_call_id|\bids?\b/i,
  })),
  {
    title: "the tool throws an error",
    first: rightCall,
    execute: () => {
      throw new Error("out of stock");
    },
    next: reading([/out of stock/, "It is out of stock."], [/error|fail/i, "The order failed."]),
    answers: ["It is out of stock.", "The order failed."],
    cause: /out of stock/i,
  },
  {
    title: "the tool never ends, and ignores its signal",
    runMs: 2000,
    first: rightCall,
    execute: () => new Promise(() => {}),
    next: reading([/time/i, "It took too long."]),
    answers: ["It took too long."],
    cause: /time/i,
  },
  {
    title: "the tool returns 5 MB",
    first: rightCall,
    execute: () => `Order 77. ${"log ".repeat(1_250_000)}`,
    cause: /context|too (?:long|large)|maximum/i,
  },
  ...[
    ["the tool returns a BigInt", () => ({ order: 77n })],
    [
      "the tool returns a circular value",
      () => {
        const result = { order: 77 };
        result.self = result;
        return result;
      },
    ],
  ].map(([title, execute]) => ({
    title,
    first: rightCall,
    execute,
    next: reading([/77/, placed], [/error|json|serializ|circular|bigint/i, "The result can't be read."]),
    answers: [placed, "The result can't be read."],
    cause: /json|serializ|circular|bigint|cyclic/i,
  })),
  {
    title: "429 with `retry-after: 1`",
    server: ({ sinceFirst }) =>
      sinceFirst < 950 ? error(429, "Rate limit reached.", { "retry-after": "1" }) : text(placed),
    cause: /429|rate limit/i,
  },
  { title: "500, then a response", server: once(error(500, "Internal error.")), cause: /500|internal/i },
  {
    title: "the connection breaks within the body",
    server: once(broken(placed)),
    cause: /connection|terminated|aborted|closed|socket|econnreset|network|premature/i,
  },
  {
    title: "the connection breaks within the stream",
    isStream: true,
    server: once(broken(placed)),
    cause: /connection|terminated|aborted|closed|socket|econnreset|network|premature/i,
  },
  {
    title: "the stream ends without a finish reason",
    isStream: true,
    server: once(unfinished("Order 7")),
    cause: /finish|incomplete|interrupted|ended|terminated|premature|before|truncat|cut/i,
  },
  {
    title: "a stream without end",
    isStream: true,
    runMs: 2000,
    server: () => endlessStream,
    cause: /time|abort|cancel|bytes|limit/i,
  },
  {
    title: "an error body without end",
    runMs: 2000,
    server: () => endlessError(400),
    cause: /400|bad request|time|abort|cancel|bytes|limit/i,
  },
  {
    title: "half a call, and the finish reason `length`",
    first: call('{"item":"pens","count":2', "length"),
    cause: /length|cut|truncat|json|max_?tokens/i,
  },
  {
    title: "the finish reason `content_filter`",
    server: () => text("Order 7", "content_filter"),
    answers: [],
    cause: /filter/i,
  },
  {
    title: "a response without content",
    server: once(text(null)),
    cause: /empty|no (?:content|output|text|response)/i,
  },
  { title: "502 with a page of HTML", server: () => html(502, "502 Bad Gateway"), cause: /502|bad gateway/i },
  {
    title: "200 with a page of HTML",
    server: () => html(200, "Sign in"),
    cause: /html|json|content-type|parse|unexpected/i,
  },
  {
    title: "the same call in each response",
    server: ({ count }) => calls([{ id: `call_${count}`, name: "order", args: JSON.stringify(right) }]),
    most: 8,
    answers: [],
    cause: /repeat|same|turns|iterations|steps|limit|tool-calls/i,
  },
].map((fault) => ({
  isStream: false,
  runMs: 20_000,
  execute: place,
  next: afterOrder(),
  answers: [placed],
  runs: [right],
  most: 1,
  ...fault,
}));
