// Reads tool definitions from a file.

import { convert } from "./convert.js";
import { detect } from "./detect.js";
import { Stop } from "./exits.js";
import { parsed, readBytes } from "./input.js";

/** The JSON value of a file. */
export async function jsonIn(file) {
  const value = parsed(await readBytes(file));
  if (value === undefined)
    throw new Stop("conversion", `${file === "-" ? "standard input" : file} does not contain JSON`);
  return value;
}

/** Canonical definitions, from an object or array with definitions in any format. `name` is used in error messages. */
export async function definitionsIn(file, { from: given, name }) {
  const value = await jsonIn(file);
  const tools = Array.isArray(value) ? value : value?.tools;
  if (!Array.isArray(tools))
    throw new Stop("conversion", `${name}: expected an array of tools, or an object whose field tools is one`);
  if (tools.length === 0 || tools.every(isCanonicalTool)) return tools;
  const { from } = detect(tools, { from: given, kind: "tools" });
  const input = { bytes: new TextEncoder().encode(JSON.stringify(tools)), value: tools };
  return JSON.parse(convert("tools", input, { from, to: "canonical", onWarning() {} }));
}

const isCanonicalTool = (tool) =>
  typeof tool?.name === "string" && !("input_schema" in tool) && !("inputSchema" in tool);
