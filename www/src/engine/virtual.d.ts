// Modules that the build makes of the documentation.

declare module "virtual:names" {
  /** The models and servers of the tables of facts. */
  export const models: string[];
  export const servers: string[];
  /** What a fact about a server means, by name. */
  export const meanings: Record<string, string>;
}

declare module "virtual:codes" {
  /** What each code of an error or a warning means, in Markdown. */
  export const codes: Record<string, string>;
}
