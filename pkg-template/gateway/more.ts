// What few requests need is a file of its own, `more`, which is loaded with the first of them.

export type More = typeof import("./more/index.js");

/** Undefined until it is loaded. */
export let loaded: More | undefined;

export async function more(): Promise<More> {
  loaded ??= await import("./more/index.js");
  return loaded;
}
