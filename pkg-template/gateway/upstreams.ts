// The upstreams of a gateway: their addresses and keys, and which of them rest.

import { type Dialect, type Options, serverFacts, serverOf, ToolwireError } from "#conversions";
import { addressOf } from "../http/address.js";
import {
  ANTHROPIC_VERSION,
  ANTHROPIC_VERSIONS,
  HOSTED_VERSION,
  type Provider,
  providerFor,
  withKey,
} from "../http/providers.js";
import type { Call } from "./call.js";
import { Failure } from "./failure.js";
import { keyOf } from "./keys.js";
import { mappedModel } from "./patterns.js";
import { ownFetch, type Sent, sent } from "./send.js";
import { Slots } from "./slots.js";
import type { GatewayHooks, Upstream as UpstreamConfig } from "./types.js";

const DEFAULT_RETRIES = 2;
const DEFAULT_TIMEOUT_MS = 600_000;
const DEFAULT_FIRST_BYTE_MS = 300_000;
const DEFAULT_IDLE_MS = 300_000;

/** What states something about a body in its headers, or in the body for a cloud. */
type Stating = Pick<Call, "dialect" | "headers" | "endpoint" | "json">;

export class Upstream {
  readonly name: string;
  readonly config: UpstreamConfig;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly key: string | undefined;
  readonly slots: Slots | undefined;
  /** The models that have no tools, as their server stated. */
  readonly withoutTools = new Set<string | undefined>();
  /** The options of its conversions. */
  readonly options: Partial<Options>;
  readonly #provider: Provider | undefined;
  readonly #base: string;
  /** The base URL in the table of servers. */
  readonly #own: string | undefined;
  /** By model: until when it rests, in milliseconds since the epoch. */
  readonly #rests = new Map<string | undefined, number>();

  constructor(name: string, config: UpstreamConfig, queueMs: number) {
    const path = `/upstreams/${name}`;
    const { concurrent, timeoutMs, firstByteMs, idleMs } = config.limits ?? {};
    this.name = name;
    this.config = config;
    this.retries = config.retries ?? DEFAULT_RETRIES;
    this.timeoutMs = timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.firstByteMs = firstByteMs ?? DEFAULT_FIRST_BYTE_MS;
    this.idleMs = idleMs ?? DEFAULT_IDLE_MS;
    this.key = keyOf(config, path);
    this.slots = concurrent === undefined ? undefined : new Slots(concurrent, queueMs);
    this.#provider = providerFor(config.dialect);
    const server = config.server ?? (config.baseUrl === undefined ? undefined : serverOf(config.baseUrl));
    const known = urlOfServer(server, config.dialect, path);
    this.#base = baseUrl(config, known ?? this.#provider?.url, path);
    this.#own = known;
    this.options = { cache: "auto", ...(server !== undefined && { server }), ...config.options };
  }

  get dialect(): Dialect {
    return this.config.dialect;
  }

  /** Its name of a client's model. */
  modelNamed(name: string | undefined): string | undefined {
    return mappedModel(this.config.models, name) ?? this.options.model;
  }

  /**
   * Sends a request to a path below the base URL.
   *
   * @throws Failure if the upstream can't be reached, or if it redirects.
   */
  send(path: string, request: Sent, hooks: GatewayHooks, attempt?: number): Promise<Response> {
    const url = addressOf(this.#base, path, { to: this.dialect, own: this.#own });
    return sent(ownFetch(hooks, this.name, attempt), url, request);
  }

  /** The options of the conversion of a request. A client of the same format states the version of the API that its body is for. */
  optionsFor(call?: Stating): Partial<Options> {
    const stated = this.#stated(call, this.#provider?.versionHeader) ?? "";
    const version = ANTHROPIC_VERSIONS.includes(stated) ? stated : call?.endpoint.isHosted && HOSTED_VERSION;
    return version ? { anthropicVersion: version as typeof ANTHROPIC_VERSION, ...this.options } : this.options;
  }

  /**
   * @param call The request that is sent on, if there is one.
   * @throws Failure if the client's own key is needed and must not be sent there.
   */
  headers(call?: Stating & Pick<Call, "presented">): Record<string, string> {
    const { headers, clientKey } = this.config;
    const { dialect: from, presented } = call ?? {};
    const forwarded = clientKey === "forward" ? presented : undefined;
    if (forwarded !== undefined && from !== this.dialect) {
      const message = `the client's key is only for ${from}: the upstream has another format`;
      throw new Failure(401, message);
    }
    const key = forwarded ?? this.key;
    // the token of a subscription is no key
    const token = forwarded && call?.headers.get("authorization")?.endsWith(forwarded);
    const { versionHeader, betaHeader = "" } = this.#provider ?? {};
    const { anthropicVersion = ANTHROPIC_VERSION } = this.optionsFor(call);
    const betas = this.#stated(call, betaHeader);
    return {
      ...(token
        ? { authorization: `Bearer ${key}` }
        : key !== undefined && withKey(this.dialect, this.options.server, key)),
      "content-type": "application/json",
      ...(versionHeader && { [versionHeader]: anthropicVersion }),
      ...(betas && { [betaHeader]: betas }),
      ...headers,
    };
  }

  /**
   * What a client of the same format states about its body: in a header, or for a cloud in the body. Clouds that host the models have versions and
   * features of their own.
   */
  #stated(call: Stating | undefined, name: string | undefined): string | undefined {
    if (!name || call?.dialect !== this.dialect || this.options.platform) return undefined;
    const inBody = call.endpoint.isHosted ? String(call.json()?.[name.replace("-", "_")] ?? "") : "";
    return call.headers.get(name) ?? (/^[ -~]+$/.test(inBody) ? inBody : undefined);
  }

  /** How long a model rests, in milliseconds. */
  restMs(model: string | undefined): number {
    const until = this.#rests.get(model);
    if (until === undefined) return 0;
    const left = until - Date.now();
    if (left <= 0) this.#rests.delete(model);
    return Math.max(left, 0);
  }

  rest(model: string | undefined, ms: number): void {
    this.#rests.set(model, Date.now() + ms);
  }
}

/** The base URL of a server; undefined without one, and for servers that every installation has at its own address. */
function urlOfServer(server: UpstreamConfig["server"], dialect: Dialect, path: string): string | undefined {
  if (server === undefined) return undefined;
  try {
    return serverFacts({ server, to: dialect })?.url;
  } catch (error) {
    if (!(error instanceof ToolwireError)) throw error;
    throw new ToolwireError(error.code, error.message, error.path.replace("/options", path));
  }
}

function baseUrl({ baseUrl: given, dialect }: UpstreamConfig, known: string | undefined, path: string): string {
  const base = given ?? known;
  if (base !== undefined) return requireUrl(base, path);
  const example =
    "for Vertex AI: https://{location}-aiplatform.googleapis.com/v1/projects/{project}/locations/{location}";
  const message = `${dialect} has no URL of its own: set baseUrl (${example})`;
  throw new ToolwireError("missing_field", message, `${path}/baseUrl`);
}

/** The message never contains the URL, which may contain a key. */
function requireUrl(base: string, path: string): string {
  let url: URL | undefined;
  try {
    url = new URL(base);
  } catch {}
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  if (isPlain) return base;
  const message = "expected an absolute URL that starts with https:// or http://, without a user name or password";
  throw new ToolwireError("invalid_value", message, `${path}/baseUrl`);
}
