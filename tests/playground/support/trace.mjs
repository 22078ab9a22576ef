// The map of a conversion as the page's worker makes it, with the page's wasm, without a browser.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const path = (relative) => fileURLToPath(new URL(`../../../${relative}`, import.meta.url));

/** What the page's own build does: the glue of its wasm in place of the package's. */
const ofPage = {
  name: "of-page",
  setup(bundling) {
    bundling.onResolve({ filter: /build\/generated\/toolwire\// }, ({ path: file }) => ({
      path: path(`build/generated/page/${file.split("/").at(-1)}`),
    }));
    bundling.onResolve({ filter: /^toolwire\/trace$/ }, () => ({ path: path("build/generated/page/api.js") }));
    bundling.onResolve({ filter: /^toolwire$/ }, () => ({ path: path("pkg-template/entrypoints/public.js") }));
  },
};

/** The function `trace` of the worker. */
export async function loadTrace() {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { trace } from "./www/src/engine/trace.ts";
export { useModule } from "./pkg-template/runtime/instance.js";`,
      resolveDir: path(""),
    },
    ...{ bundle: true, write: false, format: "esm", platform: "neutral", ignoreAnnotations: true, plugins: [ofPage] },
  });
  const { trace, useModule } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  const module = new WebAssembly.Module(readFileSync(path("build/wasm/page.wasm")));
  useModule(() => module);
  return trace;
}
