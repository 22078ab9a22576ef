// The page's examples, and what the package gives for them.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dialects } from "../../../build/generated/facts.js";

const folder = new URL("../../../www/examples/", import.meta.url);
export const toolwire = createRequire(import.meta.url)("../../../pkg/dist/index.cjs");
export { dialects };

export const exampleIds = readdirSync(folder).map((name) => name.split(".")[0]);

export function exampleText(id) {
  const name = readdirSync(folder).find((file) => file.startsWith(`${id}.`));
  return readFileSync(new URL(name, folder), "utf8");
}

const functions = { request: "convertRequest", response: "convertResponse", error: "convertError" };

/** The number of warnings of each severity, with the error that ends a failed conversion; undefined for parts of bodies. */
export function countsOf(kind, text, given) {
  // the page lists all warnings
  const conversion = { ...given, bookkeeping: true };
  const counts = { error: 0, lossy: 0, note: 0 };
  const onWarning = ({ lossy }) => {
    counts[lossy ? "lossy" : "note"] += 1;
  };
  try {
    if (kind === "stream") {
      const converter = toolwire.convertStream({ ...conversion, onWarning });
      converter.push(new TextEncoder().encode(text));
      converter.finish();
    } else if (functions[kind]) toolwire[functions[kind]](text, { ...conversion, onWarning });
    else return undefined;
  } catch (error) {
    if (!(error instanceof toolwire.ToolwireError)) throw error;
    counts.error += 1;
  }
  return counts;
}
