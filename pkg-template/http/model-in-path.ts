// Bodies without the model, where only the path has it. The body of a converted request states it, as in the objects of the provider's own client.

import type { Dialect } from "toolwire";

/** The member that names the model, by the format. The servers of others accept it in the body. */
const MEMBERS: { readonly [dialect in Dialect]?: string } = { bedrock: "modelId" };
/** The model is the first member. Its name has at most 2048 characters. */
const START = /^\{"[a-zA-Z]+":"(?:[^"\\]|\\.)*",?/;
const STARTS_WITHIN = 8192;

/** An object that is sent to `to`, without the model. */
export function withoutModel(body: object, to: Dialect): object {
  const member = MEMBERS[to];
  if (member === undefined) return body;
  const { [member]: _, ...rest } = body as { [key: string]: unknown };
  return rest;
}

/** The same for JSON. */
export function withoutModelText(body: Uint8Array<ArrayBuffer>, to: Dialect): Uint8Array<ArrayBuffer> {
  const member = MEMBERS[to];
  if (member === undefined) return body;
  const start = new TextDecoder().decode(body.subarray(0, STARTS_WITHIN));
  const [found] = start.startsWith(`{"${member}":`) ? (START.exec(start) ?? []) : [];
  if (found === undefined) return body;
  const size = new TextEncoder().encode(found).length;
  const rest = new Uint8Array(body.length - size + 1);
  rest[0] = body[0] as number;
  rest.set(body.subarray(size), 1);
  return rest;
}
