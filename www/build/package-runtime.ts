import type { Plugin } from "vite";

/**
 * The package's manifest says that it has no effects but its exports, which holds for the one file that is published. Of its
 * sources, those in runtime/ give the classes their methods.
 */
export function packageRuntime(): Plugin {
  return {
    name: "package-runtime",
    enforce: "pre",
    transform: {
      filter: { id: /pkg-template\/(?:runtime|entrypoints)\// },
      handler: (code) => ({ code, moduleSideEffects: true, map: null }),
    },
  };
}
