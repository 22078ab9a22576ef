// A cold start, measured from inside: import, compile, instantiate, first conversion. Prints the milliseconds as JSON.

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

timed("Module");
timed("Instance");
const body = '{"model":"m","messages":[{"role":"user","content":"Hi"}],"max_completion_tokens":9}';

const start = performance.now();
const { convertRequest } = await import("../pkg/dist/index.js");
const imported = performance.now();
convertRequest(body, { from: "openai", to: "anthropic" });
const converted = performance.now();
convertRequest(body, { from: "openai", to: "anthropic" });
const again = performance.now();

const first = converted - imported - spent.Module - spent.Instance;
process.stdout.write(
  JSON.stringify({
    import: imported - start,
    compile: spent.Module,
    instantiate: spent.Instance,
    "first conversion": first,
    total: converted - start,
    "second conversion": again - converted,
  }),
);
