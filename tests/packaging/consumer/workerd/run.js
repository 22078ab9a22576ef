// Runs a worker in workerd as wrangler would deploy it: bundled with its conditions, each wasm as a module. `node run.js WORKER` prints the
// response of the worker; `node run.js WORKER PORT` serves it, with the environment as its variables.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { build } from "esbuild";
import { Miniflare } from "miniflare";

const [entry, port] = process.argv.slice(2);
const wasm = new Map();
const wasmModules = {
  name: "wasm-modules",
  setup(build) {
    build.onResolve({ filter: /\.wasm(\?module)?$/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === "asked") return undefined;
      const found = await build.resolve(path.replace("?module", ""), { kind, resolveDir, pluginData: "asked" });
      const name = `./${basename(found.path)}`;
      wasm.set(name, found.path);
      return { path: name, external: true };
    });
  },
};
const { outputFiles } = await build({
  entryPoints: [entry],
  bundle: true,
  write: false,
  format: "esm",
  target: "es2024",
  conditions: ["workerd", "worker", "browser"],
  plugins: [wasmModules],
});
const { UPSTREAM, UPSTREAM_URL, UPSTREAM_KEY } = process.env;
const miniflare = new Miniflare({
  port: Number(port ?? 0),
  host: "127.0.0.1",
  compatibilityDate: "2026-07-01",
  bindings: port ? { UPSTREAM, UPSTREAM_URL, UPSTREAM_KEY } : {},
  modulesRoot: "/",
  modules: [
    { type: "ESModule", path: "/worker.js", contents: outputFiles[0].text },
    ...[...wasm].map(([name, file]) => ({
      type: "CompiledWasm",
      path: `/${basename(name)}`,
      contents: readFileSync(file),
    })),
  ],
});
if (port) {
  console.log(String(await miniflare.ready));
} else {
  const answer = await miniflare.dispatchFetch("http://localhost/");
  console.log(await answer.text());
  await miniflare.dispose();
}
