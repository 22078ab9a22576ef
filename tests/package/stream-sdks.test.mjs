// Converted streams of every source, read by the providers' own clients.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { esm } from "./support/package.mjs";
import { finishWords, issuers } from "./support/providers.mjs";
import { clients, resultOf, UNKNOWN } from "./support/stream-clients.mjs";
import { answers } from "./support/stream-scenarios.mjs";
import { inPieces, startServer } from "./support/stream-server.mjs";
import { bytesOf } from "./support/stream-sources.mjs";

const { convertStream } = await import(esm);

const sources = [...new Set(answers.flatMap((response) => response.sources))];
const targets = Object.keys(clients);
/** Finish reasons that a target can't express. */
const LACKS_REASONS = {
  mistral: ["content_filter", "refusal"],
  "gemini-interactions": ["content_filter", "refusal"],
  cohere: ["content_filter", "refusal"],
  ollama: ["content_filter", "refusal"],
};
/** Targets without a place for text after a call. */
const IS_UNORDERED = { openai: true, mistral: true, ollama: true, cohere: true };
/** Providers whose reasoning has no signature. */
const UNSIGNED = { openai: true, mistral: true, "openai-responses": true, ollama: true, cohere: true };
/** Targets that omit generated ids. */
const LEAVES_OUT_IDS = { google: true, ollama: true };
/** Targets whose ids consist of letters and digits only. */
const REWRITES_IDS = { mistral: true };
/** Targets whose clients raise an error of their own, without the text of the one in the stream. */
const HIDES_ERRORS = { mistral: true };
/** Targets with counts of input and output tokens only. */
const COUNTS_TWO = { mistral: true, ollama: true };
/** Targets without a count of the tokens of reasoning. */
const COUNTS_NO_REASONING = { bedrock: true, cohere: true };
/** Sources in which a stream can't break off within a call, and targets that have each call in one piece. */
const HAS_NO_OPEN_CALLS = { gemini: true, vertexai: true, ollama: true, canonical: true };
const HAS_WHOLE_CALLS = { gemini: true, vertexai: true, ollama: true, mistral: true };
/** Targets that mark refusals. */
const KNOWS_REFUSALS = { openai: true, "openai-responses": true };

const piecesOf = (blocks) => blocks.flatMap(({ pieces }) => pieces);
const joined = (blocks) => piecesOf(blocks).join("");

/** The expected result of the target's clients for a response. */
function expected(response, target) {
  const of = (type) => response.blocks.filter((block) => block.type === type);
  const knowsRefusals = KNOWS_REFUSALS[target] ?? false;
  const texts = knowsRefusals ? of("text") : [...of("text"), ...of("refusal")];
  // texts are not held back
  const text = { text: joined(texts), pieces: piecesOf(texts).length };
  if (response.error || response.isCut) return { error: "the client's own", ...text };
  const { input, output, ...apart } = response.usage;
  const { cached = 0 } = COUNTS_TWO[target] ? {} : apart;
  const { reasoning = 0 } = COUNTS_TWO[target] || COUNTS_NO_REASONING[target] ? {} : apart;
  return {
    id: response.id,
    model: response.model,
    ...text,
    refusal: knowsRefusals ? joined(of("refusal")) : "",
    reasoning: joined(of("reasoning")),
    ...signatureFor(of("reasoning")[0], target),
    calls: of("call").map(({ id, name, pieces }) => ({ id, name, arguments: JSON.parse(pieces.join("") || "{}") })),
    finish: finishWords[target === "vertexai" ? "gemini" : target][response.finish],
    usage: { input, output, cached, reasoning },
  };
}

/** The signature, if the target's provider issued it; otherwise clients of Anthropic get an empty one. */
function signatureFor(reasoning, target) {
  if (!reasoning || UNSIGNED[target]) return {};
  if (reasoning.issuer === issuers[target]) return { signature: reasoning.signature };
  return target === "anthropic" ? { signature: "" } : {};
}

/** The expected lossy warnings: the mark of a refusal, text after a call, a stream that broke off. */
function expectedLosses(response, source, target) {
  const isUnknown = ({ type }) => type === "refusal" && !KNOWS_REFUSALS[target];
  const isLate = ({ type }, index) =>
    type === "text" && response.blocks.slice(0, index).some(({ type }) => type === "call");
  return [
    ...(response.isBlocked && !["gemini", "vertexai"].includes(target) ? ["field_dropped"] : []),
    ...(response.blocks.some(isLate) && IS_UNORDERED[target] && source !== target ? ["order_changed"] : []),
    ...(response.blocks.some(isUnknown) ? ["refusal_as_text"] : []),
    ...(LACKS_REASONS[target]?.includes(response.finish) ? ["finish_changed"] : []),
    ...(response.isCut ? ["stream_truncated"] : []),
    ...(dropsCall(response, source, target) ? ["call_dropped"] : []),
  ];
}

/** Whether the stream breaks off within a call, which the clients of the target would run. */
const dropsCall = ({ isCut, blocks }, source, target) =>
  isCut && blocks.at(-1).type === "call" && source !== target && HAS_WHOLE_CALLS[target] && !HAS_NO_OPEN_CALLS[source];

/** Calls without an id get a generated one: unique, and valid for every provider. */
function takeMadeIds(response, { calls = [] }) {
  const given = response.blocks.filter(({ type }) => type === "call");
  const made = calls.filter((_, index) => given[index]?.id === undefined);
  const ids = made.map(({ id }) => id).filter((id) => id !== undefined);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[\w-]{1,40}$/);
  for (const call of made) call.id = undefined;
  return ids.length;
}

/** Ids with other characters are replaced by others. */
function takeRewrittenIds({ calls: wanted = [] }, { calls: found = [] }) {
  for (const [index, call] of wanted.entries()) {
    if (!/\W|_/.test(call.id ?? "_")) continue;
    assert.match(found[index].id ?? "a", /^[a-zA-Z0-9]+$/);
    call.id = found[index].id;
  }
}

/** The number of scenarios that pass, and of all, by source and target. */
const counts = Object.fromEntries(
  sources.map((source) => [source, Object.fromEntries(targets.map((target) => [target, { held: 0, of: 0 }]))]),
);
let server;
before(async () => {
  server = await startServer();
});
after(() => {
  server.close();
  console.log(table());
});

for (const source of sources) {
  for (const target of targets) {
    for (const response of answers.filter((one) => one.sources.includes(source))) {
      counts[source][target].of++;
      test(`${source} → ${target}: ${response.name}`, { timeout: 20_000 }, async () => {
        for (const client of Object.keys(clients[target])) await check(source, target, response, client);
        counts[source][target].held++;
      });
    }
  }
}

/** An envelope, or base64 of one. */
const ENVELOPE = /^(tw1\.|dHcxL)/;

async function check(source, target, response, client) {
  const bytes = bytesOf(response, source);
  const size = bytes.length > 10_000 ? 97 : 7;
  let converter;
  const url = server.answering(() => {
    converter = convertStream({ from: source, to: target, includeUsage: true });
    return inPieces(bytes, size).pipeThrough(converter.transform());
  });
  const { message, ...found } = await resultOf(target, client, url);
  const wanted = expected(response, target);
  const madeIds = takeMadeIds(response, found);
  if (!LEAVES_OUT_IDS[issuers[target]] && wanted.calls?.some(({ id }) => id === undefined)) {
    assert.equal(madeIds, wanted.calls.length);
  }
  // Ollama's responses have no id: other clients get a generated one
  if (source === "ollama" && "id" in wanted) wanted.id = found.id;
  if (REWRITES_IDS[target] && source !== target) takeRewrittenIds(wanted, found);
  for (const key of Object.keys(found)) if (found[key] === UNKNOWN) wanted[key] = UNKNOWN;
  // the state of another issuer, in an envelope (tests/vectors/envelopes.json)
  if (!wanted.signature && ENVELOPE.test(found.signature)) wanted.signature = found.signature;
  assert.deepEqual(found, wanted, `${client}: ${message}`);
  const losses = converter.warnings.filter(({ lossy }) => lossy).map(({ code }) => code);
  assert.deepEqual([...new Set(losses)], expectedLosses(response, source, target), client);
  if (response.error && !HIDES_ERRORS[target])
    assert.ok(message.includes(response.error.message), `${client}: ${message}`);
}

function table() {
  const cell = (text) => text.padEnd(12);
  const row = (source) =>
    targets.map((target) => cell(`${counts[source][target].held} of ${counts[source][target].of}`));
  const rows = [["source", ...targets].map(cell), ...sources.map((source) => [cell(source), ...row(source)])];
  return rows.map((row) => row.join("")).join("\n");
}
