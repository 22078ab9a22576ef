// The parts of JSON Schema that engines do not enforce, and those that they reject.

import type { JsonSchema } from "toolwire";

export interface Unenforced {
  /** JSON Pointer into the schema. */
  path: string;
  keyword: string;
  isRemoved: boolean;
}

type Schema = Record<string, unknown>;
interface Rules {
  ignores(keyword: string, value: unknown, schema: Schema): boolean;
  /** The engine rejects bounds from this value on. */
  limit?: number;
}

const always = [
  ...["not", "if", "uniqueItems", "multipleOf", "contains", "minContains", "maxContains", "patternProperties"],
  ...["propertyNames", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas"],
  ...["unevaluatedItems", "unevaluatedProperties"],
];
const ranges = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const repetitions = ["minLength", "maxLength", "minItems", "maxItems"];
const formats = ["date", "time", "date-time", "uuid"];

/** llama.cpp's conversion of schemas to grammars, which Ollama and LM Studio use as well. */
const llama: Rules = {
  ignores(keyword, value, { type }) {
    if (keyword === "format") return !formats.includes(value as string);
    if (keyword === "pattern") return !/^\^.*\$$/s.test(String(value));
    if (ranges.includes(keyword)) return type !== "integer";
    return always.includes(keyword);
  },
  limit: 2000,
};
/** Outlines' conversion of schemas to regular expressions. */
const outlines: Rules = {
  ignores: (keyword, value) =>
    always.includes(keyword) || ranges.includes(keyword) || (keyword === "additionalProperties" && value === false),
};
const rules: { readonly [engine: string]: Rules } = {
  "llama.cpp": llama,
  ollama: llama,
  lmstudio: llama,
  tgi: outlines,
};

/** The schema without keywords that the engine rejects, and the keywords that it does not enforce. */
export function enforceable(schema: JsonSchema, engine: string): { schema: JsonSchema; unenforced: Unenforced[] } {
  const unenforced: Unenforced[] = [];
  const engineRules = rules[engine];
  if (!engineRules) return { schema, unenforced };
  const walk = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => walk(item, `${path}/${index}`));
    if (typeof value !== "object" || value === null) return value;
    const kept: Schema = {};
    for (const [keyword, inner] of Object.entries(value)) {
      const isRemoved =
        repetitions.includes(keyword) && Number(inner) >= (engineRules.limit ?? Number.POSITIVE_INFINITY);
      const at = `${path}/${escaped(keyword)}`;
      if (isRemoved || engineRules.ignores(keyword, inner, value as Schema))
        unenforced.push({ path: at, keyword, isRemoved });
      if (!isRemoved) kept[keyword] = below(keyword, inner, at);
    }
    return kept;
  };
  /** The keys below these keywords are names of properties or definitions. */
  const below = (keyword: string, inner: unknown, path: string): unknown => {
    if (["enum", "const", "default", "examples"].includes(keyword)) return inner;
    if (!["properties", "$defs", "definitions"].includes(keyword)) return walk(inner, path);
    const entries = Object.entries((inner ?? {}) as Schema);
    return Object.fromEntries(entries.map(([name, schema]) => [name, walk(schema, `${path}/${escaped(name)}`)]));
  };
  return { schema: walk(schema, "") as JsonSchema, unenforced };
}

const escaped = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1");
