import type { Plugin } from "vite";

/**
 * The package's manifest declares that importing it has no side effects, which is true of the published file. Of the sources, those in
 * runtime/ have one: they add methods to the classes.
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
