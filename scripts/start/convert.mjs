// Converts one request, text to text, so that every digit of it stays as it was written.

import { readFileSync } from "node:fs";
import { warningLines } from "./warnings.mjs";

export function convertFile(toolwire, { from, to, file }) {
  try {
    const text = readFileSync(file === "-" ? 0 : file, "utf8");
    const onWarning = (warning) => process.stderr.write(`${warningLines(warning).join("\n")}\n`);
    process.stdout.write(`${toolwire.convertRequest(text, { from, to, onWarning })}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`error: ${explain(toolwire, error)}\n`);
    return 1;
  }
}

function explain(toolwire, error) {
  if (error instanceof toolwire.ToolwireError)
    return `${error.code} at ${JSON.stringify(error.path)}: ${error.message}`;
  if (error.syscall) return error.message;
  throw error;
}
