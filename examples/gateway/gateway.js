// A gateway between any client and any provider, built on web standards only: `export default { fetch }` runs unchanged in workerd,
// Deno and Bun; node.js serves it from Node. Bodies and streams are converted as bytes.

import {
  contextOf,
  convertError,
  convertRequest,
  convertResponse,
  convertStream,
  requestPath,
  ToolwireError,
} from "toolwire/text";
import { clientSecret, forwardedHeaders, upstreamHeaders } from "./headers.js";
import { routeOf } from "./routes.js";

/**
 * @typedef {object} Upstream
 * @property {import("toolwire").Dialect} dialect The format of the upstream.
 * @property {string} url Its base URL, without the path that `requestPath` returns.
 * @property {string} [key] Its API key. Default: the client's own key.
 * @property {string} [model] Replaces the model of the client's request.
 * @property {number} [mostBytes] Maximum size of a request, and of a response that is not a stream. Default 32 MiB.
 * @property {import("toolwire/text").SimulationOption["simulateTools"]} [simulateTools] For a model or a server without tool calling:
 *   the format in which the model writes its calls, or "auto". Default: the upstream has tools.
 * @property {(warning: import("toolwire").Warning) => void} [onWarning]
 */

/** @param {Upstream} upstream */
export function createGateway({ mostBytes = 32 << 20, onWarning = () => {}, simulateTools, ...upstream }) {
  return async function handle(request) {
    const route = routeOf(request);
    if (!route) return new Response("not found", { status: 404 });
    const secrets = [upstream.key, clientSecret(request)].filter(Boolean);
    const refuse = (status, code, message) =>
      failure(route.dialect, { status, code, message, retryable: status >= 500 });
    try {
      if (route.problem) return refuse(400, "invalid_request", route.problem);
      const body = await bytesOf(request, mostBytes);
      if (!body) return refuse(413, "too_large", `the request is larger than ${mostBytes} bytes`);

      const dropped = [];
      const collect = (warning) => {
        dropped.push(warning);
        onWarning(warning);
      };
      const conversion = {
        ...{ from: route.dialect, to: upstream.dialect, simulateTools, onWarning: collect },
        ...route.steer,
      };
      if (upstream.model) conversion.model = upstream.model;
      const converted = convertRequest(body, conversion);
      if (isStoredElsewhere(dropped, body))
        return refuse(400, "invalid_request", "nothing is stored here: send the whole conversation (store: false)");
      const context = contextOf(body, { ...conversion, onWarning: undefined });
      const target = { to: upstream.dialect, model: conversion.model, stream: conversion.stream };
      const response = await fetch(upstream.url.replace(/\/$/, "") + requestPath(body, target), {
        method: "POST",
        headers: upstreamHeaders(upstream, request),
        body: converted,
        signal: request.signal,
        // A redirect would send the key to another host.
        redirect: "manual",
      });
      const back = {
        ...{ from: upstream.dialect, to: route.dialect, context, simulateTools, onWarning },
        idSeed: crypto.randomUUID(),
      };
      const isStream = () => isStreamOf(response, body, conversion);
      return await respond(response, back, { mostBytes, secrets, refuse, isStream });
    } catch (error) {
      if (request.signal.aborted) return refuse(499, "cancelled", "the client went away");
      if (error instanceof ToolwireError)
        return refuse(400, "invalid_request", `${error.message} (at "${error.path}")`);
      // The details (addresses, certificates) are not for the client.
      console.error(error);
      return refuse(502, "api_error", "the upstream cannot be reached");
    }
  };
}

/** Whether a client of Responses relies on state that OpenAI stores, although the upstream is another provider. */
function isStoredElsewhere(dropped, body) {
  if (dropped.some(({ path }) => path === "/previous_response_id" || path === "/conversation")) return true;
  const items = dropped.filter(({ code, path }) => code === "native_dropped" && path.startsWith("/input/"));
  if (items.length === 0) return false;
  const { input } = JSON.parse(new TextDecoder().decode(body));
  return items.some(({ path }) => input[path.split("/")[2]].type === "item_reference");
}

/** The upstream's response in the client's format: an error, a stream or a whole body. */
async function respond(response, conversion, { mostBytes, secrets, refuse, isStream }) {
  const headers = forwardedHeaders(response);
  if (response.ok && isStream()) {
    headers.set("content-type", conversion.to === "ollama" ? "application/x-ndjson" : "text/event-stream");
    headers.set("cache-control", "no-cache");
    return new Response(response.body.pipeThrough(convertStream(conversion).transform()), { headers });
  }
  headers.set("content-type", "application/json");
  const body = await bytesOf(response, mostBytes);
  if (!body) return refuse(502, "api_error", `the upstream's response is larger than ${mostBytes} bytes`);
  const { status } = response;
  if (!response.ok)
    return new Response(without(secrets, convertError(body, { ...conversion, status })), { status, headers });
  try {
    return new Response(convertResponse(body, conversion), { headers });
  } catch (error) {
    if (!(error instanceof ToolwireError)) throw error;
    // A page of HTML, or an error with status 200.
    return new Response(without(secrets, convertError(body, { ...conversion, status: 502 })), { status: 502, headers });
  }
}

/** Whether the upstream sends a stream: by its content type or, without one, by the request. */
function isStreamOf(response, body, { from, stream }) {
  const type = response.headers.get("content-type");
  if (type) return /^(text\/event-stream|application\/x-ndjson)/.test(type);
  return stream ?? JSON.parse(new TextDecoder().decode(body)).stream ?? from === "ollama";
}

/** An error of the gateway itself, in the client's format. */
function failure(dialect, error) {
  const body = convertError(JSON.stringify(error), { from: "canonical", to: dialect, status: error.status });
  return new Response(body, { status: error.status, headers: { "content-type": "application/json" } });
}

/** Removes keys: providers quote them in their error messages. */
function without(secrets, body) {
  const text = new TextDecoder().decode(body);
  return secrets.reduce((text, secret) => text.replaceAll(JSON.stringify(secret).slice(1, -1), "…"), text);
}

/** The whole body; undefined if it is larger than `most`. */
async function bytesOf(message, most) {
  if (Number(message.headers.get("content-length")) > most) return undefined;
  const chunks = [];
  let size = 0;
  for await (const chunk of message.body ?? []) {
    size += chunk.length;
    if (size > most) return undefined;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

let handle;

/**
 * Configured by the environment: UPSTREAM (a dialect), UPSTREAM_URL, UPSTREAM_KEY, UPSTREAM_MODEL, and UPSTREAM_TOOLS (the text
 * format of a model without tool calling, or "auto").
 */
export default {
  fetch(request, env) {
    // workerd passes the environment; Bun and Deno pass something else.
    const settings = env?.UPSTREAM ? env : globalThis.process.env;
    const { UPSTREAM, UPSTREAM_URL, UPSTREAM_KEY, UPSTREAM_MODEL, UPSTREAM_TOOLS } = settings;
    handle ??= createGateway({
      ...{ dialect: UPSTREAM, url: UPSTREAM_URL, key: UPSTREAM_KEY, model: UPSTREAM_MODEL },
      simulateTools: UPSTREAM_TOOLS,
    });
    return handle(request);
  },
};
