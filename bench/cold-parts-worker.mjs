// The steps of the package's cold start: node cold-parts-worker.mjs EMPTY [calls]
// EMPTY is an empty module. Prints the milliseconds as JSON, or nothing with `calls`, for which the engine is run with a trace of compiled
// functions.

import fs from "node:fs";

const [empty, calls] = process.argv.slice(2);
const spent = {};

function timed(owner, name, step) {
  owner[name] = new Proxy(owner[name], {
    apply: (target, self, args) => measured(step, () => Reflect.apply(target, self, args)),
    construct: (target, args) => measured(step, () => new target(...args)),
  });
}

function measured(step, work) {
  const start = performance.now();
  const result = work();
  spent[step] = performance.now() - start;
  return result;
}

timed(fs, "readFileSync", "reading");
timed(WebAssembly, "Module", "validation");
timed(WebAssembly, "Instance", "instantiation");
const before = performance.now();
await import(empty);
const loaded = performance.now();
const { convertRequest } = await import("../pkg/dist/node.js");
const imported = performance.now();
convertRequest('{"model":"m","messages":[{"role":"user","content":"Hi"}],"max_completion_tokens":9}', {
  from: "openai",
  to: "anthropic",
});
const converted = performance.now();
const { reading, validation, instantiation } = spent;
const conversion = converted - imported - reading - validation - instantiation;
const steps = { loader: loaded - before, javascript: imported - loaded, ...spent, conversion };
if (!calls) process.stdout.write(JSON.stringify(steps));
