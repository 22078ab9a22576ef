import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { apis } from "./build/apis.ts";
import { firstView } from "./build/first-view.ts";
import { names } from "./build/names.ts";
import { packageEntry } from "./build/package-entry.ts";
import { packageRuntime } from "./build/package-runtime.ts";
import { preload } from "./build/preload.ts";
import { previews } from "./build/previews.ts";
import { reference } from "./build/reference.ts";
import { serviceWorker } from "./build/service-worker.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

const engine = "convert|findings|frames|identify|pieces|places|protocol|results|toolwire|unpack";
const ofFirstConversion = new RegExp(
  `/www/src/engine/(?:${engine})\\.ts$|/build/generated/(?:page|facts)|/pkg-template/(?:command/(?:convert|detect|json-text)|formats|runtime)|/lzma1/`,
);

/** What `main.ts` needs before anything else is there. */
const ofMain = /\/www\/src\/engine\/(?:fetched|wasm)\.ts$|preload-helper/;
/** What the page and its lazy parts share would be many small files. */
const ofStart =
  /\/www\/src\/(?:page\/(?:clients|dom|fragment|names|secrets|section|start|state)|first-[\w-]+)\.ts$|virtual:apis/;

export default defineConfig({
  root: path("."),
  // relative URLs, so that the files work under any path
  base: "./",
  resolve: {
    alias: [
      // not its other entry points
      { find: /^toolwire$/, replacement: path("src/engine/toolwire.ts") },
      { find: /^(?:.*\/)?build\/generated\/toolwire\//, replacement: path("../build/generated/page/") },
      { find: "toolwire/trace", replacement: path("../build/generated/page/api.js") },
      { find: "lzma1/lib", replacement: path("../node_modules/lzma1/lib") },
    ],
  },
  build: {
    outDir: path("../build/playground"),
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "shared", test: ofMain, priority: 1 },
            { name: "start", test: ofStart },
          ],
        },
      },
    },
  },
  worker: {
    format: "es",
    plugins: () => [packageEntry(path("src/engine/toolwire.ts")), packageRuntime()],
    // what the first conversion needs is one file, which is smaller than the parts that others share with it
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "toolwire", test: ofFirstConversion }] } } },
  },
  server: { fs: { allow: [path("..")] } },
  plugins: [
    previews(),
    firstView(),
    apis(),
    reference(),
    names(),
    preload("start"),
    serviceWorker(path("src/offline/service-worker.js")),
  ],
});
