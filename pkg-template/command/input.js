// Reads the input as bytes, and as a JSON value where the command requires it.

import { createReadStream } from "node:fs";
import { Stop } from "./exits.js";

/** The bytes of a file, or of standard input for `-`. */
export const readBytes = (file) => joined(chunksOf(file));

/** All bytes of chunks that arrive one after the other. */
export async function joined(source) {
  const chunks = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The same bytes, in chunks. */
export async function* chunksOf(file) {
  const isInput = file === "-";
  if (isInput && process.stdin.isTTY) process.stderr.write("reading standard input; Ctrl-D ends it\n");
  try {
    yield* isInput ? process.stdin : createReadStream(file);
  } catch (error) {
    throw new Stop("usage", unreadable(isInput ? "standard input" : file, error));
  }
}

function unreadable(file, { code, message }) {
  const reasons = {
    ENOENT: `no such file: ${file}`,
    EISDIR: `${file} is a directory, not a file`,
    EACCES: `${file} cannot be read: permission denied`,
  };
  return reasons[code] ?? `${file} cannot be read: ${message}`;
}

/** Undefined if the bytes are not JSON. */
export function parsed(bytes) {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
