import type { Plugin } from "vite";

/** Makes the browser fetch a chunk, with those that it imports, together with the page, although it is imported later. */
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
        return files.map((file) => ({
          tag: "link",
          attrs: { rel: "modulepreload", crossorigin: true, href: `./${file}` },
          injectTo: "head" as const,
        }));
      },
    },
  };
}
