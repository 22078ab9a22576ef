// Counts of tokens: the upstream's, where it counts, else an estimate that is marked as one.

import { convertCountRequest, convertCountResponse, type Dialect, requestPath } from "#conversions";
import { firstBytes } from "../body.js";
import type { Call } from "../call.js";
import { estimatedTokens } from "../routes.js";
import type { GatewayHooks } from "../types.js";
import type { Upstream } from "../upstreams.js";
import { withoutHost } from "./host.js";

const COUNT_MS = 10_000;
const MAX_COUNT_BYTES = 64 * 1024;

/** How the path of a conversation becomes that of a count. */
const paths: { readonly [dialect in Dialect]?: (path: string) => string } = {
  anthropic: (path) => `${path}/count_tokens`,
  "openai-responses": (path) => `${path}/input_tokens`,
  gemini: (path) => path.replace(":generateContent", ":countTokens"),
  vertexai: (path) => path.replace(":generateContent", ":countTokens"),
};

export async function countTokens(call: Call, upstream: Upstream, hooks: GatewayHooks): Promise<Response> {
  const counted = await countedBy(call, upstream, hooks).catch(() => undefined);
  if (counted) return new Response(counted, { headers: { "content-type": "application/json" } });
  const input = estimatedTokens(call.body);
  const body = convertCountResponse({ input }, { from: "canonical", to: call.dialect });
  return Response.json(body, { headers: { "x-toolwire-estimate": "bytes/4" } });
}

/** Undefined if the upstream does not count, or not now. */
async function countedBy(call: Call, upstream: Upstream, hooks: GatewayHooks) {
  const { dialect, signal } = call;
  const body = call.endpoint.isHosted && dialect === upstream.dialect ? withoutHost(call.body) : call.body;
  const path = paths[upstream.dialect];
  if (!path || upstream.config.simulate) return undefined;
  const model = upstream.modelNamed(call.model);
  const named = model === undefined ? {} : { model };
  const conversion = { ...upstream.optionsFor(call), ...named, from: dialect, to: upstream.dialect };
  const request = convertCountRequest(body, conversion);
  if (!request) return undefined;
  const counting = path(requestPath(body, { to: upstream.dialect, stream: false, ...named }));
  const limit = AbortSignal.any([signal, AbortSignal.timeout(COUNT_MS)]);
  const init = {
    headers: upstream.headers(call),
    body: request as Uint8Array<ArrayBuffer>,
    signal: limit,
  };
  const response = await upstream.send(counting, init, hooks);
  const { bytes } = await firstBytes(response.body, MAX_COUNT_BYTES);
  if (!response.ok) return undefined;
  return convertCountResponse(bytes, { from: upstream.dialect, to: dialect }) as Uint8Array<ArrayBuffer>;
}
