// Several bodies in one input: lines of JSON, and the batches of providers.

import { memberText, tokens } from "./json-text.js";

const ofOpenAI = (body) => (Array.isArray(body.output) || "input" in body ? "openai-responses" : "openai");

/** Where an item of a batch has its body: the path, the kind of the body, and the format of those who write it so. */
const places = [
  { path: ["body"], kind: "request", from: ofOpenAI },
  { path: ["params"], kind: "request", from: () => "anthropic" },
  { path: ["request"], kind: "request", from: () => "gemini" },
  { path: ["response", "body"], kind: "response", from: ofOpenAI },
  { path: ["result", "message"], kind: "response", from: () => "anthropic" },
  { path: ["response"], kind: "response", from: () => "gemini" },
];

/** How an item of a batch is written, by the target and the kind. `text` is the JSON of the body. */
const writers = {
  openai: openaiItem("/v1/chat/completions"),
  "openai-responses": openaiItem("/v1/responses"),
  anthropic: {
    request: (id, text) => `{"custom_id":${id},"params":${text}}`,
    response: (id, text) => `{"custom_id":${id},"result":{"type":"succeeded","message":${text}}}`,
  },
  gemini: googleItem(),
  vertexai: googleItem(),
};

function openaiItem(url) {
  return {
    request: (id, text) => `{"custom_id":${id},"method":"POST","url":"${url}","body":${text}}`,
    response: (id, text) => `{"custom_id":${id},"response":{"status_code":200,"body":${text}},"error":null}`,
  };
}

function googleItem() {
  return {
    request: (id, text) => `{"key":${id},"request":${text}}`,
    response: (id, text) => `{"key":${id},"response":${text}}`,
  };
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The bodies of an input: `[{ text, value, name, id?, kind?, from? }]`, where `name` is what messages call it. Undefined if the
 * input is one body.
 */
export function bodiesIn(text, value) {
  if (isObject(value)) {
    if (isItem(value)) return [bodyOf(text, value, "line 1")];
    const requests = isBatch(value) ? elementsOf(memberText(text, "requests")) : undefined;
    return requests?.map((item, index) => bodyOf(item, JSON.parse(item), `requests[${index}]`));
  }
  return value === undefined ? linesOf(text) : undefined;
}

/** Anthropic's: one object with all requests. */
const isBatch = ({ requests }) => Array.isArray(requests) && requests.length > 0 && requests.every(isItem);

const idOf = (value) => ["custom_id", "key"].find((name) => typeof value[name] === "string");
const placeOf = (value) => places.find(({ path }) => isObject(path.reduce((at, name) => at?.[name], value)));
const isItem = (value) => isObject(value) && idOf(value) !== undefined && placeOf(value) !== undefined;

function bodyOf(text, value, name) {
  if (!isItem(value)) return { text, value, name };
  const { path, kind, from } = placeOf(value);
  const body = path.reduce((at, member) => at[member], value);
  return {
    text: path.reduce(memberText, text),
    value: body,
    from: from(body),
    name: `${name} (${value[idOf(value)]})`,
    id: JSON.stringify(value[idOf(value)]),
    kind,
  };
}

/** Undefined unless there are several lines, and each of them is an object. */
function linesOf(text) {
  const lines = text.split(/\r?\n/).map((line, index) => ({ line, name: `line ${index + 1}` }));
  const filled = lines.filter(({ line }) => line.trim() !== "");
  if (filled.length < 2) return undefined;
  const bodies = filled.map(({ line, name }) => ({ text: line, name, value: parsed(line) }));
  if (!bodies.every(({ value }) => isObject(value))) return undefined;
  return bodies.map(({ text: line, value, name }) => bodyOf(line, value, name));
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The texts of the elements of an array, with all digits. */
function elementsOf(text) {
  const elements = [];
  let depth = 0;
  let begin = 0;
  for (const [start, end] of tokens(text)) {
    const token = text.slice(start, end);
    if (token === "}" || token === "]") depth--;
    if ((depth === 1 && token === ",") || (depth === 0 && token === "]"))
      elements.push(text.slice(begin, start).trim());
    if (token === "{" || token === "[") depth++;
    if (depth === 1 && (token === "[" || token === ",")) begin = end;
  }
  return elements.slice(0, JSON.parse(text).length);
}

/** The output for the bodies, which `outputs` has as texts. */
export function written(bodies, outputs, to) {
  const lines = bodies.map(({ id, kind }, index) => {
    const write = id === undefined ? undefined : writers[to]?.[kind];
    return write ? write(id, outputs[index]) : outputs[index];
  });
  const isWhole = to === "anthropic" && bodies.every(({ id, kind }) => id !== undefined && kind === "request");
  return isWhole ? `{"requests":[${lines.join(",")}]}` : lines.join("\n");
}
