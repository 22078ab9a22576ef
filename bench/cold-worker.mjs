// A cold start, measured from inside: node cold-worker.mjs SIDE [FOLDER of the peers]
// Prints the milliseconds as JSON. The side `bare` does nothing, to measure Node itself.

const [side, folder] = process.argv.slice(2);
const spent = {};

function timed(name) {
  const Original = WebAssembly[name];
  WebAssembly[name] = new Proxy(Original, {
    construct(target, args) {
      const start = performance.now();
      const made = new target(...args);
      spent[name] = performance.now() - start;
      return made;
    },
  });
}

const body = '{"model":"m","messages":[{"role":"user","content":"Hi"}],"max_completion_tokens":9}';
const conversion = { from: "openai", to: "anthropic" };

async function converter() {
  if (side === "ours") {
    const { convertRequest } = await import("../pkg/dist/node.js");
    return (text) => convertRequest(text, conversion);
  }
  const { converterOf, peers } = await import("./peers/sides.mjs");
  const start = performance.now();
  const loaded = await peers[side].load(folder);
  spent.excluded = start - before;
  return converterOf(side, loaded, "string", { kind: "request", ...conversion });
}

let before;
if (side === "bare") process.stdout.write("{}");
else {
  timed("Module");
  timed("Instance");
  before = performance.now();
  const convert = await converter();
  const imported = performance.now();
  convert(body);
  const converted = performance.now();
  convert(body);
  const again = performance.now();
  const { Module = 0, Instance = 0, excluded = 0 } = spent;
  // A package may compile when it is imported, or at the first conversion.
  const compiled = Module + Instance;
  process.stdout.write(
    JSON.stringify({
      "import, without the wasm": imported - before - excluded - (side === "ours" ? 0 : compiled),
      compile: Module,
      instantiate: Instance,
      "first conversion": converted - imported - (side === "ours" ? compiled : 0),
      "all of it": converted - before - excluded,
      "second conversion": again - converted,
    }),
  );
}
