// The worker on this machine, in miniflare, bundled as wrangler would deploy it: each wasm is a module of its own.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Miniflare } from "miniflare";

/** The modules of the worker. */
export async function bundled() {
  const wasm = new Map();
  const wasmModules = {
    name: "wasm-modules",
    setup(build) {
      build.onResolve({ filter: /\.wasm(\?module)?$/ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (pluginData === "resolving") return undefined;
        const found = await build.resolve(path.replace("?module", ""), { kind, resolveDir, pluginData: "resolving" });
        const name = basename(found.path);
        wasm.set(name, found.path);
        return { path: `./${name}`, external: true };
      });
    },
  };
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("worker.js", import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:workers"],
    plugins: [wasmModules],
  });
  const compiled = [...wasm].map(([name, file]) => ({
    type: "CompiledWasm",
    path: `/${name}`,
    contents: readFileSync(file),
  }));
  return [{ type: "ESModule", path: "/worker.js", contents: outputFiles[0].text }, ...compiled];
}

/** Starts the worker. `folder` keeps its storage and its alarms. */
export async function started({ modules, folder, bindings }) {
  const miniflare = new Miniflare({
    host: "127.0.0.1",
    port: 0,
    compatibilityDate: "2026-04-01",
    modulesRoot: "/",
    modules,
    bindings,
    durableObjects: { RUNS: { className: "AgentRun", useSQLite: true } },
    durableObjectsPersist: folder,
  });
  await miniflare.ready;
  return miniflare;
}
