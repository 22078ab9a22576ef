// Checks that the parameters of a tool are a JSON Schema, and not what is often confused with one.

import { ToolkitError } from "./errors.js";

/** Keywords of JSON Schema, as their values are recognized. Fields of a tool may have these names as well. */
const texts = /^(?:type|title|description|format|pattern|\$(?:schema|ref|id|comment|anchor))$/;
const keywords =
  /^(?:properties|required|items|enum|const|default|examples|if|then|else|not|(?:all|any|one)Of|definitions|\w+(?:Properties|Schemas|Required|Items|Names)|(?:m[ai][xn]|exclusive)\w+|\$\w+|x-.*)$/i;

/** @throws ToolkitError `invalid_schema` */
export function checkParameters(parameters: unknown, name: string): void {
  if (typeof parameters !== "object" || parameters === null || Array.isArray(parameters)) return;
  if ("_def" in parameters && "safeParse" in parameters) {
    const message = `the parameters of ${name} are a schema of zod 3, which provides no JSON Schema: use zod 4.2 or later, or pass a JSON Schema`;
    throw new ToolkitError("invalid_schema", message, "/parameters");
  }
  const fields = Object.entries(parameters);
  if (fields.length === 0 || fields.some(([key, value]) => isKeyword(key, value))) return;
  const message = `the parameters of ${name} are not a JSON Schema, because they have no type and no properties: pass {type: "object", properties: {${fields[0]?.[0]}: …}}, or an array of parameter definitions`;
  throw new ToolkitError("invalid_schema", message, "/parameters");
}

function isKeyword(key: string, value: unknown): boolean {
  return texts.test(key) ? typeof value === "string" || Array.isArray(value) : keywords.test(key);
}
