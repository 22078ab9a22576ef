// Modules that the build makes of the documentation.

declare module "virtual:codes" {
  /** What each code of an error or a warning means, in Markdown. */
  export const codes: Record<string, string>;
}
