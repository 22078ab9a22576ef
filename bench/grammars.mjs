// `npm run bench -- grammars`: the time for a grammar of 50 tools, by syntax.

import { median } from "./numbers.mjs";
import { atMost, micros } from "./tables.mjs";

const syntaxes = ["gbnf", "lark", "openai", "regex", "jsonSchema", "structuralTag"];
const toolCount = 50;
/** In nanoseconds. */
const slowest = 5e6;
const [warmUp, runs] = [100, 100];

export async function measureGrammars() {
  const { toolGrammar } = await import("../pkg/dist/text/node.js");
  const tools = Array.from({ length: toolCount }, (_, index) => ({
    name: `search_${index}`,
    parameters: parameters(index),
  }));
  const rows = syntaxes.map((syntax) => {
    const time = timeOf(() => toolGrammar(tools, { syntax, format: "hermes_json" }));
    return [syntax, micros(time), ...atMost(time, slowest, micros)];
  });
  const columns = ["syntax", "µs", "target", ""];
  return [
    { title: "Grammars", text: [], tables: [{ title: `a grammar of ${toolCount} tools`, columns, rows }], plots: [] },
  ];
}

const parameters = (index) => ({
  type: "object",
  properties: {
    query: { type: "string", minLength: 1 },
    limit: { type: "integer", minimum: 1, maximum: 50 + index },
    sort: { enum: ["new", "top"] },
    tags: { type: "array", items: { type: "string" }, maxItems: 5 },
    place: {
      type: "object",
      properties: { city: { type: "string" }, country: { type: "string" } },
      required: ["city"],
    },
  },
  required: ["query"],
  additionalProperties: false,
});

/** Nanoseconds, after some runs as warm-up. */
function timeOf(run) {
  const times = Array.from({ length: warmUp + runs }, () => {
    const start = performance.now();
    run();
    return (performance.now() - start) * 1e6;
  });
  return median(times.slice(warmUp));
}
