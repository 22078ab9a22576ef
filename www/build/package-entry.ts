import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const folder = path("../../pkg/dist/");
const entries = ["toolkit", "text"];

/**
 * Resolves the package's other entry points to those for edge runtimes, which import their wasm as a module. The wasm is packed, as that of
 * the conversions is, which they share with the page.
 */
export function packageEntry(conversions: string): Plugin {
  return {
    name: "package-entry",
    enforce: "pre",
    resolveId(id, importer) {
      const name = entries.find((entry) => id === `toolwire/${entry}`);
      if (name) return `${folder}${name}/workerd.js`;
      if (!importer?.startsWith(folder)) return undefined;
      if (id === "../workerd.js") return conversions;
      const wasm = /^\.\/(\w+)\.wasm$/.exec(id)?.[1];
      return wasm ? `\0packed:${wasm}` : undefined;
    },
    load(id) {
      const wasm = /^\0packed:(\w+)$/.exec(id)?.[1];
      if (!wasm) return undefined;
      return `import url from ${JSON.stringify(`${path("../../build/wasm/")}${wasm}.wasm.lzma?url`)};
import { fetchWasm } from ${JSON.stringify(path("../src/engine/toolwire.ts"))};
export default await fetchWasm(url);`;
    },
  };
}
