// The two sides of every comparison, for every shape of a body.

import { requestToAnthropic } from "./baseline/request.mjs";
import { responseToOpenAI } from "./baseline/response.mjs";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** `make` creates the input in the caller's shape; the program by hand converts it between `read` and `write`. */
export const shapes = {
  bytes: {
    make: (body) => encoder.encode(JSON.stringify(body)),
    read: (bytes) => JSON.parse(decoder.decode(bytes)),
    write: (value) => encoder.encode(JSON.stringify(value)),
  },
  string: {
    make: (body) => JSON.stringify(body),
    read: (text) => JSON.parse(text),
    write: (value) => JSON.stringify(value),
  },
  object: {
    make: (body) => structuredClone(body),
    read: (value) => value,
    write: (value) => value,
  },
};

export function ours(toolwire, { kind, from, to }) {
  const convert = kind === "request" ? toolwire.convertRequest : toolwire.convertResponse;
  const conversion = { from, to };
  return (input) => convert(input, conversion);
}

export function byHand({ kind }, shape) {
  const convert = kind === "request" ? requestToAnthropic : responseToOpenAI;
  const { read, write } = shapes[shape];
  // The warnings are not passed on, but they are collected, as the package does.
  return shape === "object" ? (input) => convert(input) : (input) => write(convert(read(input)));
}
