// The edits: a change to the canonical form, and the change to the recorded body that it must cause.

import { getAt, setAt } from "./slots.mjs";

const EDITED = "edited";
/** Nine letters, as Mistral requires. */
const EDITED_ID = "editedone";

/** `[{ name, subject, change(canonical), expect(body) }]`. The n-th definition in the canonical form is the n-th one on the wire. */
export function editsOf(dialect, canonical, slots) {
  const found = canonicalSlots(canonical);
  return [
    ...pair("tool name", found.definitions, slots.definitions).map((pairing) => toolName(pairing)),
    ...pair("schema", found.definitions, slots.definitions).map((pairing) => schema(pairing)),
    ...pair("text", found.texts, slots.texts).map((pairing) => text(pairing)),
    ...pair("argument", found.calls, slots.calls).map((pairing) => argument(pairing)),
    ...pair("id", found.calls, slots.calls).map((pairing) => id(pairing, canonical, found, slots)),
    ...pair("result", found.results, slots.results).map((pairing) => result(pairing, dialect)),
  ];
}

/** Different counts are reported as an edit that fails, because something was lost or added. */
function pair(subject, ours, wire) {
  if (ours.length === wire.length) {
    return ours.map((place, index) => ({ name: `${subject} ${index + 1}`, subject, ours: place, wire: wire[index] }));
  }
  const change = () => {
    throw new Error(`the canonical form has ${ours.length} of these, the body ${wire.length}`);
  };
  return [{ name: subject, subject, failure: change }];
}

function edit({ name, subject, failure }, change, expect) {
  return { name, subject, change: failure ?? change, expect };
}

function toolName(pairing) {
  const { ours, wire } = pairing;
  return edit(
    pairing,
    (canonical) => setAt(canonical, [...ours, "name"], EDITED),
    (body) => setAt(body, wire.name, EDITED),
  );
}

function schema(pairing) {
  const { ours, wire } = pairing;
  return edit(
    pairing,
    (canonical) => {
      const definition = getAt(canonical, ours);
      definition.parameters.properties = { ...definition.parameters.properties, [EDITED]: { type: "string" } };
    },
    (body) => {
      const parameters = getAt(body, wire.schema);
      parameters.properties = { ...parameters.properties, [EDITED]: { type: wire.upperCase ? "STRING" : "string" } };
    },
  );
}

function text(pairing) {
  const { ours, wire } = pairing;
  const longer = (value, path) => setAt(value, path, `${getAt(value, path)} (${EDITED})`);
  return edit(
    pairing,
    (canonical) => longer(canonical, ours),
    (body) => longer(body, wire),
  );
}

function argument(pairing) {
  const { ours, wire } = pairing;
  const changed = (args) => ({ ...args, [Object.keys(args ?? {})[0] ?? "argument"]: EDITED });
  return edit(
    pairing,
    (canonical) => setAt(canonical, [...ours, "arguments"], changed(getAt(canonical, [...ours, "arguments"]))),
    (body) => {
      const before = getAt(body, wire.args);
      // arguments that are text on the wire are written as JSON.stringify writes them
      setAt(body, wire.args, wire.asText ? JSON.stringify(changed(JSON.parse(before))) : changed(before));
    },
  );
}

/** The id changes in the call and in its results. If the body had no ids, there is a warning about the new one. */
function id(pairing, canonical, found, slots) {
  if (pairing.failure) return edit(pairing);
  const { ours, wire } = pairing;
  const before = getAt(canonical, [...ours, "id"]);
  const matches = found.results.map((place, index) => ({ place, wire: slots.results[index] }));
  const own = matches.filter(({ place }) => getAt(canonical, [...place, "toolCallId"]) === before);
  return edit(
    pairing,
    (copy) => {
      setAt(copy, [...ours, "id"], EDITED_ID);
      for (const { place } of own) setAt(copy, [...place, "toolCallId"], EDITED_ID);
      for (const message of copy.messages) renameMarks(message, before);
    },
    (body) => {
      setAt(body, wire.id, EDITED_ID);
      for (const match of own) {
        // a result without the id of its call still has none
        if (match.wire.hasId !== false || wire.value === undefined) setAt(body, match.wire.id, EDITED_ID);
      }
    },
  );
}

function renameMarks(message, before) {
  if (!Array.isArray(message.content)) return;
  for (const block of message.content) if (block.type === "toolCall" && block.id === before) block.id = EDITED_ID;
}

function result(pairing, dialect) {
  const { ours, wire } = pairing;
  return edit(
    pairing,
    (canonical) => {
      const message = getAt(canonical, ours);
      if (message.kind === "multimodal") message.value.find((block) => block.type === "text").text = EDITED;
      else message.value = message.kind === "data" ? { [EDITED]: true } : EDITED;
    },
    (body) => setAt(body, wire.content, editedResult(dialect, wire.value)),
  );
}

function editedResult(dialect, before) {
  if (dialect === "gemini") {
    const keys = Object.keys(before);
    const isBoxed = keys.length === 1 && (keys[0] === "output" || keys[0] === "error");
    const isText = isBoxed && typeof before[keys[0]] === "string";
    // an object with an `error` is written unchanged, any other value under `error`
    if (!isBoxed && typeof before.error === "string" && typeof before.error_type === "string") {
      return { error: { [EDITED]: true } };
    }
    return isText ? { [keys[0]]: EDITED } : { [EDITED]: true };
  }
  if (dialect === "bedrock") {
    const place = before.findIndex((block) => "text" in block || "json" in block);
    return before.with(place, "json" in before[place] ? { json: { [EDITED]: true } } : { text: EDITED });
  }
  // data that are an object
  const isObject = typeof before === "object" && !Array.isArray(before);
  if (dialect === "gemini-interactions" && isObject) return { [EDITED]: true };
  // an empty result has no content
  if (before === undefined || typeof before === "string") return EDITED;
  const copy = structuredClone(before);
  copy.find((block) => block.type === "text").text = EDITED;
  return copy;
}

function canonicalSlots(canonical) {
  const slots = { definitions: [], texts: [], calls: [], results: [] };
  for (const [index, tool] of (canonical.tools ?? []).entries()) {
    if (tool.type !== "native") slots.definitions.push(["tools", index]);
  }
  for (const [index, message] of canonical.messages.entries()) {
    const path = ["messages", index];
    if (message.role === "tool") {
      slots.results.push(path);
      continue;
    }
    if (typeof message.content === "string") {
      if (message.content !== "") slots.texts.push([...path, "content"]);
    } else {
      for (const [at, block] of message.content.entries()) {
        if (block.type === "text" && block.text !== "") slots.texts.push([...path, "content", at, "text"]);
      }
    }
    for (const at of (message.toolCalls ?? []).keys()) slots.calls.push([...path, "toolCalls", at]);
  }
  return slots;
}
