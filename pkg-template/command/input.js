// The bytes of the input, and its JSON value where the command has to look into it.

import { readFile } from "node:fs/promises";
import { Stop } from "./exits.js";

/** The file's bytes, or those of standard input for `-`. */
export async function readBytes(file) {
  try {
    if (file !== "-") return await readFile(file);
    if (process.stdin.isTTY) process.stderr.write("reading standard input; Ctrl-D ends it\n");
    const chunks = [];
    for await (const chunk of process.stdin) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    throw new Stop("usage", error.message);
  }
}

/** Undefined where the bytes are no JSON. */
export function parsed(bytes) {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
