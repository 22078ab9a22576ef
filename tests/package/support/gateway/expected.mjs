// Computes from a scenario what a client must return, what the provider must receive, and which lossy warnings must be reported.

import { finishWords, issuers } from "../providers.mjs";
import { spoken } from "./scenarios.mjs";

/** The placeholder for a missing signature. */
const PLACEHOLDER = "skip_thought_signature_validator";

/** Finish reasons, as each client names them. */
const finishes = {
  ...finishWords,
  ai: {
    stop: "stop",
    length: "length",
    tool_calls: "tool-calls",
    content_filter: "content-filter",
    refusal: "content-filter",
  },
  xai: { stop: "stop", length: "other", tool_calls: "tool-calls", content_filter: "other", refusal: "other" },
};
/** Formats without a word for a refused or filtered response. */
const LACKS_FILTER = ["cohere", "gemini-interactions", "mistral", "ollama"];
const hasRefusals = (dialect) => issuers[dialect] === "openai";
/** These clients do not ask for reasoning, apart from those of Chat Completions, Mistral and Cohere, which always get it. */
const showsReasoning = (dialect, upstream) =>
  [issuers[upstream], signers[upstream]].includes(issuers[dialect]) ||
  ["openai", "mistral", "cohere"].includes(dialect);
/** Bedrock is tested with a model of Anthropic, whose signatures it has. */
const signers = { bedrock: "anthropic" };
const knowsFailedResults = (dialect) => ["anthropic", "bedrock", "google"].includes(issuers[dialect]);
/** Vertex AI is tested with a model older than Gemini 3. */
const takesImagesInResults = (dialect) => !["openai", "cohere", "vertexai"].includes(dialect);

const of = (type, { blocks }) => blocks.filter((block) => block.type === type);
const joined = (type, response) =>
  of(type, response)
    .flatMap(({ pieces }) => pieces)
    .join("");
/** Clients without a field for Google's signature, or for envelopes, get it as part of the call id. */
const signedIds = ({ dialect }) => ["cohere", "ollama"].includes(dialect);
const receivedCall = (client, upstream, call, reasoning) => {
  const signature = signedIds(client) ? signatureOf(client, upstream, call, reasoning) : undefined;
  return { ...callOf(call), id: signature ? `${call.id}__thought__${signature}` : call.id };
};
const callOf = ({ id, name, pieces }) => ({ id, name, arguments: JSON.parse(pieces.join("")) });
const only = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

const finishWordsOf = ({ dialect, traits }, streams) =>
  (!streams && traits.finishesWhole) || (traits.finishes ?? dialect);

/** What the client returns to its user for a response. */
export function expectedReceived(client, upstream, response, streams) {
  const { dialect, traits } = client;
  const shows = (what) => !traits.hides?.includes(what);
  const refusal = joined("refusal", response);
  const isLost = traits.losesRefusals && refusal !== "";
  const isStop = LACKS_FILTER.includes(dialect) && ["content_filter", "refusal"].includes(response.finish);
  const showsRefusals = hasRefusals(dialect) && shows("refusals");
  return {
    text: joined("text", response) + (showsRefusals ? "" : refusal),
    refusal: showsRefusals && !isLost ? refusal : "",
    reasoning: showsReasoning(dialect, upstream) && shows("reasoning") ? joined("reasoning", response) : "",
    calls: of("call", response).map((call) => receivedCall(client, upstream, call, of("reasoning", response)[0])),
    // without its words, a refusal is an empty response that ended
    finish: finishes[finishWordsOf(client, streams)][isLost || isStop ? "stop" : response.finish],
    usage: streams && !shows("streamed usage") ? { input: undefined, output: undefined } : response.usage,
  };
}

/** The fields of an error that the client's user receives. */
export const expectedError = ({ traits }, { status, retryAfter }) => ({
  isOwn: true,
  status,
  retryAfter: traits.hides?.includes("headers") ? undefined : retryAfter,
});

/** The content that the provider receives with the last request of a conversation. */
export function expectedHistory(client, upstream, { answers, results = [], streams }) {
  const history = [{ system: spoken.system }, { user: spoken.question }];
  const left = [...results];
  for (const response of answers.slice(0, -1)) {
    history.push(...expectedTurn(client, upstream, response, streams));
    const calls = of("call", response);
    const given = calls.map((call) => ({ id: call.id, name: call.name, ...left.shift() }));
    history.push(...given.map((result) => expectedResult(client, upstream, result)));
    const images = given.filter(({ image }) => image);
    const takesImages = takesImagesInResults(upstream) || client.dialect === upstream;
    const inResult = takesImages && client.traits.imagesIn(upstream) === "result";
    history.push(...images.map(({ image }) => ({ image, inResult })));
  }
  return history;
}

/** A response as the next request returns it. */
function expectedTurn({ dialect, traits }, upstream, response, streams) {
  const [reasoning] = of("reasoning", response);
  const text = traits.dropsTextBesideCalls && of("call", response).length > 0 ? "" : joined("text", response);
  const signature = isSigned(upstream) ? reasoning?.signature : undefined;
  return [
    ...(reasoning && replays({ dialect, traits }, upstream, streams)
      ? [only({ reasoning: returnedText(dialect, upstream, response), signature })]
      : []),
    ...(text ? [{ text }] : []),
    ...of("call", response).map((call) =>
      only({ call: callOf(call), signature: signatureOf({ dialect, traits }, upstream, call, reasoning) }),
    ),
  ];
}

const isSigned = (upstream) => ["anthropic", "bedrock", "openai-responses", "gemini-interactions"].includes(upstream);

/** Whether the client's format is the provider's, or differs from it only in its host. */
const isNative = (dialect, upstream) =>
  dialect === upstream || [dialect, upstream].every((one) => issuers[one] === "google");
/** Clients of other formats return the state without its text, if they were not shown that. */
const returnedText = (dialect, upstream, response) =>
  isNative(dialect, upstream) || showsReasoning(dialect, upstream) ? joined("reasoning", response) : "";

/**
 * Whether reasoning is sent back: with the state that its provider requires, which all clients return but those of Ollama, and those of Chat
 * Completions that keep no fields of their own.
 */
function replays({ dialect, traits }, upstream, streams) {
  if (traits.returnsNoReasoning) return false;
  const hides = traits.hides?.includes("reasoning");
  if (isNative(dialect, upstream)) return !hides && (isSigned(upstream) || !traits.replaysSignedOnly);
  // a part without text has the state of reasoning that is not shown
  if (traits.returnsNoState || (!streams && traits.dropsEmptyParts)) return false;
  return dialect !== "ollama" && !hides && (isSigned(upstream) || showsReasoning(dialect, upstream));
}

/** Whether the client gets Google's signatures in envelopes before their calls. */
const hasEnvelopes = ({ dialect }) => ["anthropic", "bedrock", "openai-responses"].includes(dialect);

/** Google's signature of a call returns from clients that keep it or its id; Gemini 3 requires one. */
function signatureOf(client, upstream, call, reasoning) {
  if (issuers[upstream] !== "google") return undefined;
  // steps of their own have it, and the placeholder of clients that sign calls for Gemini 3 themselves is left out
  if (upstream === "gemini-interactions") return undefined;
  const signature = call.signature ?? reasoning?.signature;
  if (client.traits.keepsSignatures || signedIds(client) || hasEnvelopes(client)) return signature;
  return upstream === "gemini" && signature ? PLACEHOLDER : undefined;
}

function expectedResult({ dialect, traits }, upstream, { id: given, name, text, error }) {
  // Ollama's client matches results by name and order, and its own server accepts that
  const id = dialect === "ollama" && upstream === "ollama" ? undefined : given;
  if (traits.boxes)
    return { result: only({ id, output: JSON.stringify({ name, ...(error ? { error } : { content: text }) }) }) };
  if (text) return { result: only({ id, output: text }) };
  if (traits.marksErrorsBy === "words") return { result: only({ id, output: error }) };
  if (traits.marksErrorsBy === "flag" && knowsFailedResults(upstream))
    return { result: { id, output: error, isError: true } };
  return { result: { id, output: JSON.stringify({ error }) } };
}

/** The codes of the lossy warnings. */
export function expectedLosses({ dialect }, { answers }) {
  const has = (type) => answers.some(({ blocks }) => blocks.some((block) => block.type === type));
  const isFiltered = answers.some(({ finish }) => finish === "content_filter" || finish === "refusal");
  return [
    ...(has("refusal") && !hasRefusals(dialect) ? ["refusal_as_text"] : []),
    ...(isFiltered && LACKS_FILTER.includes(dialect) ? ["finish_changed"] : []),
  ].sort();
}
