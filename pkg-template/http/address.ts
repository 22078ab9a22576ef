// The address of a request, from a base URL as people know it from SDKs and pages of providers.

import type { Dialect } from "toolwire";
import { withoutVersion } from "./providers.js";

/** Paths that are complete: only the path of the request without the version follows. */
const COMPLETE =
  /\/v\d+(?:(?:alpha|beta)\d*)?(?:\/openai)?$|\/(?:compat|inference|models|openapi)$|\/openai\/deployments\/[^/]+$/;

/** Requests to a whole address, as some pages show it. */
const WHOLE = /\/(?:chat\/completions|responses|messages)$/;

/** Servers whose installations have names of their own, by their hosts: the paths of their APIs. */
const INSTALLATIONS: readonly { host: RegExp; openai: string; anthropic: string }[] = [
  // https://learn.microsoft.com/en-us/azure/foundry/openai/api-version-lifecycle
  {
    host: /\.(?:openai|services\.ai|cognitiveservices)\.azure\.com$/,
    openai: "/openai/v1",
    anthropic: "/anthropic",
  },
];

/**
 * Joins a base URL and the path of a request, such as `/v1/chat/completions`. The base may lack the path of the API, or contain all of it, with or
 * without the version, or be the whole address. Its query, such as `?api-version=preview`, stays at the end. `own` is the base URL of the server, as
 * its SDK takes it.
 */
export function addressOf(base: string, path: string, { to, own }: { to: Dialect; own?: string | undefined }): string {
  const [address = "", query] = base.split("?");
  const given = address.replace(/\/+$/, "");
  const withQuery = (url: string) => (query ? `${url}${url.includes("?") ? "&" : "?"}${query}` : url);
  if (WHOLE.test(given)) return withQuery(given);
  const { origin, hostname, pathname } = new URL(given);
  const below = pathname.replace(/\/+$/, "");
  const api = to === "anthropic" ? "anthropic" : to.startsWith("openai") ? "openai" : undefined;
  const installation = api && INSTALLATIONS.find(({ host }) => host.test(hostname))?.[api];
  const full = installation ?? (own === undefined ? undefined : new URL(own).pathname.replace(/\/+$/, ""));
  // the beginning of the server's path, or all of it
  const isBegun = full !== undefined && (full === below || full.startsWith(`${below}/`) || below === "");
  const prefix = isBegun ? full : below;
  const isComplete = COMPLETE.test(prefix) || (isBegun && api === "openai");
  return withQuery(`${origin}${prefix}${isComplete ? withoutVersion(path) : path}`);
}
