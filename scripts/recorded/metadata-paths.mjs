// Lists the wire fields that were carried under metadata[provider], and the level of the canonical format where they were.

import { isObject } from "./assert.mjs";
import { marks, modelled } from "./modelled.mjs";
import { providerOf } from "./payloads.mjs";

export class MetadataPaths {
  #fields = new Map();
  #forms = new Map();
  #own = new Map();

  collect({ dialect, kind, file }, canonical) {
    for (const { level, place, metadata } of levels(kind, canonical)) {
      for (const [key, value] of Object.entries(metadata)) {
        if (key !== providerOf[dialect]) {
          count(this.#own, `${place}.metadata.${key}`, file);
          continue;
        }
        const { form = {}, responsesForm = {}, interactionsForm = {}, ...fields } = value;
        for (const [name, was] of Object.entries({ ...form, ...responsesForm, ...interactionsForm })) {
          count(this.#forms, `${place}.metadata.${key}.form.${name} = ${JSON.stringify(was)}`, file);
        }
        for (const path of leaves(fields)) {
          count(this.#fields, `${place}.metadata.${key}.${path}`, file, { provider: key, level, path });
        }
      }
    }
  }

  print(results) {
    printCounts("Fields that travelled in metadata", this.#fields);
    printCounts("Forms that travelled in metadata", this.#forms);
    printCounts("Keys of metadata that belong to no provider", this.#own);
    for (const [place, { detail, example }] of this.#fields) {
      results.check(`${place} (${example})`, () => whatModels(detail));
    }
  }
}

function whatModels({ provider, level, path }) {
  if (marks.has(path.split(/[.[]/)[0])) return undefined;
  const names = modelled[provider]?.[level];
  if (names === undefined) return `no fields of ${provider} are expected at this level (${level})`;
  const name = names.find((modelledName) => path === modelledName || /^[.[]/.test(after(path, modelledName)));
  return name && `the canonical format models ${name}`;
}

function after(path, start) {
  return path.startsWith(start) ? path.slice(start.length) : "";
}

/** Every object in a canonical value that can have metadata. Opaque values (arguments, schemas …) are not searched. */
function* levels(kind, canonical) {
  if (kind === "request") {
    yield* at("request", "", canonical);
    for (const tool of canonical.tools ?? []) if (tool.type !== "native") yield* at("definition", "tools[]", tool);
    for (const message of canonical.messages) yield* messageLevels("messages[]", message);
  } else {
    yield* at("response", "", canonical);
    yield* at("usage", "usage", canonical.usage);
    yield* messageLevels("message", canonical.message);
  }
}

function* messageLevels(place, message) {
  const isResult = message.role === "tool";
  yield* at(isResult ? "result" : "message", `${place}(${message.role})`, message);
  const blocks = isResult ? message.value : message.content;
  if (Array.isArray(blocks) && (!isResult || message.kind === "multimodal")) {
    for (const block of blocks)
      yield* at("block", `${place}.${isResult ? "value" : "content"}[](${block.type})`, block);
  }
  for (const list of ["toolCalls", "invalidToolCalls"]) {
    for (const call of message[list] ?? []) yield* at("call", `${place}.${list}[]`, call);
  }
}

function* at(level, place, holder) {
  if (isObject(holder?.metadata)) yield { level, place, metadata: holder.metadata };
}

/** The key paths of all scalars and empty objects: `a.b[].c`. */
function* leaves(value, prefix = "") {
  const entries = Array.isArray(value) ? value.map((item) => ["[]", item]) : Object.entries(value);
  for (const [key, item] of entries) {
    const path = key === "[]" ? `${prefix}[]` : (prefix && `${prefix}.${key}`) || key;
    if (isObject(item) && Object.keys(item).length > 0) yield* leaves(item, path);
    else yield path;
  }
}

function count(map, key, example, detail) {
  const entry = map.get(key) ?? { count: 0, example, detail };
  entry.count += 1;
  map.set(key, entry);
}

function printCounts(title, map) {
  console.log(`\n${title}`);
  if (map.size === 0) console.log("  none");
  for (const [path, { count: times, example }] of [...map].sort(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`  ${String(times).padStart(5)} × ${path.replace(/^\./, "").padEnd(86)} ${example}`);
  }
}
