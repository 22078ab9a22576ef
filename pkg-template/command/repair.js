// `toolwire repair`: repairs invalid JSON.

import { Stop } from "./exits.js";
import { parsed, readBytes } from "./input.js";
import { report } from "./report.js";

export async function repair({ file, schema: schemaFile, quiet }) {
  const { repairJson } = await import("toolwire/toolkit");
  const schema = schemaFile === undefined ? undefined : parsed(await readBytes(schemaFile));
  if (schemaFile !== undefined && schema === undefined)
    throw new Stop("usage", `--schema: ${schemaFile} does not contain JSON`);
  const input = new TextDecoder().decode(await readBytes(file));
  const { text, changes, truncated, others } = repairJson(input, { ...(schema !== undefined && { schema }) });
  if (!quiet) {
    for (const { kind, offset, message } of changes) report(`repaired: ${kind} at ${offset}: ${message}`);
    if (truncated) report("warning: the text ends before the value does");
    if (others.length > 0) report(`warning: the text has ${others.length} more values, which are left out`);
  }
  return { text };
}
