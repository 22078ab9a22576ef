import type { Plugin } from "vite";

/** Makes the browser fetch a chunk, with those that it imports, and the wasm together with the page, although they are needed later. */
export function preload(name: string): Plugin {
  return {
    name: "preload",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {} }) {
        const chunk = Object.values(bundle).find((output) => output.type === "chunk" && output.name === name);
        if (!chunk) throw new Error(`there is no chunk ${name} to preload`);
        const files = [chunk.fileName, ...(chunk.type === "chunk" ? chunk.imports : [])];
        const wasm = Object.keys(bundle).find((file) => /\/page\.wasm.*\.lzma$/.test(file));
        if (!wasm) throw new Error("there is no wasm to preload");
        const modules = files.map((file) => ({ rel: "modulepreload", crossorigin: true, href: `./${file}` }));
        const fetched = { rel: "preload", as: "fetch", crossorigin: true, fetchpriority: "low", href: `./${wasm}` };
        return [...modules, fetched].map((attrs) => ({ tag: "link", attrs, injectTo: "head" as const }));
      },
    },
  };
}
