// Modules that the build makes of the documentation.

declare module "virtual:names" {
  /** The models and servers of the tables of facts. */
  export const models: string[];
  export const servers: string[];
  /** What a fact about a server means, by name. */
  export const meanings: Record<string, string>;
}

declare module "toolwire/trace" {
  /** Converts a request, a response or an error; see `src/bindings/trace.rs`. */
  export function traceBody(
    body: Uint8Array,
    kind: string,
    conversion: import("toolwire").Conversion,
  ): { output: string; warnings: import("toolwire").Warning[]; map: Uint32Array; targets: Uint32Array };
}

declare module "virtual:apis" {
  /** What the documentation of a format calls it, if not by its name on the page. */
  export const apis: Record<string, string>;
}

declare module "virtual:codes" {
  /** What each code of an error or a warning means, in Markdown. */
  export const codes: Record<string, string>;
}
