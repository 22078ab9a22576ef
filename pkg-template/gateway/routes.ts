// Chooses the upstreams of a request.

import type { Dialect } from "toolwire";
import { matches } from "./patterns.js";
import type { Route, RouteCondition } from "./types.js";

const BYTES_PER_TOKEN = 4;

/** A documented rule, not a tokenizer: a token for 4 bytes of the body. */
export const estimatedTokens = (body: Uint8Array): number => Math.ceil(body.length / BYTES_PER_TOKEN);

/** What conditions are about. */
export interface RouteFacts {
  readonly dialect: Dialect;
  readonly model?: string | undefined;
  readonly client?: string | undefined;
  readonly body: Uint8Array;
  /** The body as JSON; undefined if it is none. */
  readonly json: () => any;
}

/** The first route that matches. */
export function routeFor(routes: readonly Route[], facts: RouteFacts): Route | undefined {
  return routes.find(({ when = {} }) => holds(when, facts));
}

type Tests = { [name in keyof Required<RouteCondition>]: (value: any, facts: RouteFacts) => boolean };

const tests: Tests = {
  dialect: (dialects: Dialect[], facts) => dialects.includes(facts.dialect),
  model: (patterns: string | string[], { model }) =>
    model !== undefined && [patterns].flat().some((pattern) => matches(pattern, model)),
  client: (names: string[], { client }) => client !== undefined && names.includes(client),
  tokensOver: (tokens: number, { body }) => estimatedTokens(body) > tokens,
  tools: (wanted: boolean, { json }) => wanted === hasTools(json()),
  thinking: (wanted: boolean, { json }) => wanted === asksForReasoning(json()),
  images: (wanted: boolean, { json }) => wanted === hasImages(json()),
};

function holds(when: RouteCondition, facts: RouteFacts): boolean {
  return Object.entries(when).every(([name, value]) => {
    return value === undefined || tests[name as keyof RouteCondition](value, facts);
  });
}

const hasTools = (body: any): boolean => Array.isArray(body?.tools) && body.tools.length > 0;

/** Where each format asks for reasoning, and the values that switch it off. */
const reasoningPlaces: readonly ((body: any) => unknown)[] = [
  (body) => body.reasoning_effort,
  (body) => body.reasoning?.effort,
  (body) => body.thinking?.type,
  (body) => body.think,
  (body) => body.generationConfig?.thinkingConfig?.thinkingBudget,
  (body) => body.generationConfig?.thinkingConfig?.thinkingLevel,
];
const off = new Set<unknown>([undefined, null, false, 0, "none", "disabled"]);

const asksForReasoning = (body: any): boolean => reasoningPlaces.some((place) => !off.has(place(body ?? {})));

/** The members by which each format marks an image. */
const imageTypes = new Set(["image", "image_url", "input_image"]);

function hasImages(value: any): boolean {
  if (Array.isArray(value)) return value.some(hasImages);
  if (typeof value !== "object" || value === null) return false;
  const mimeType = value.inlineData?.mimeType ?? value.fileData?.mimeType;
  if (imageTypes.has(value.type) || /^image\//.test(mimeType ?? "")) return true;
  if (Array.isArray(value.images) && value.images.length > 0) return true;
  return Object.entries(value).some(([name, inner]) => name !== "tools" && hasImages(inner));
}
