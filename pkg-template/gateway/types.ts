// The public types of `toolwire/gateway`.

import type { ChatError, Dialect, Options, Usage, Warning } from "toolwire";
import type { Simulation } from "../toolkit/send/simulation.js";

/** Responds to any client's request. It runs unchanged in every runtime with `Request` and `Response`. */
export type Gateway = (request: Request) => Promise<Response>;

/** The configuration of a gateway. Plain JSON, except for `simulate`; `toolwire/gateway/schema.json` is its JSON Schema. */
export interface GatewayConfig {
  /** Where requests are sent, by a name of your choice. */
  upstreams: Record<string, Upstream>;
  /** The first route that matches is taken. Default: the first upstream. */
  routes?: Route[];
  /**
   * The keys that clients must present, in the header of any format or as `?key=`. `createGateway` throws without them,
   * unless `open` is set.
   */
  clients?: GatewayClient[];
  /**
   * Serves clients without keys. `loopback`: only requests whose `Host` is an address of this machine, so that a web
   * page can't reach the gateway through a name of its own.
   */
  open?: boolean | "loopback";
  /** A path below which everything is served, such as `/llm`. */
  basePath?: string;
  /** Bounds of requests and responses. */
  limits?: GatewayLimits;
  /**
   * What happens to warnings about what is lost. `log` (default): they are passed to the hook `onWarning`, or else to
   * `console.warn`. `header`: those of the request are listed in the response header `x-toolwire-warnings`.
   */
  warnings?: "log" | "header" | "ignore";
  /** The origins of web pages that may send requests. Without them, every request with an `Origin` is refused. */
  cors?: string[];
  /** Serves counts, durations, tokens and losses at `/metrics`, as Prometheus text. Default false. */
  metrics?: boolean;
}

/** A client with a key of its own. */
export interface GatewayClient {
  /** Names the client in routes, events and metrics. */
  name: string;
  /** The key itself, if it is not in an environment variable. */
  key?: string;
  /** The name of the environment variable with the key. */
  keyEnv?: string;
}

/** Bounds of requests and responses. */
export interface GatewayLimits {
  /** The size of a request, in bytes, also after it is decompressed. Default 32 MiB. */
  bodyBytes?: number;
  /** The size of the headers and the URL of a request, in bytes. Default 32 KiB. */
  headerBytes?: number;
  /** How many requests are served at the same time. Default 1024. */
  concurrent?: number;
  /** How long a request waits for its turn, in milliseconds. Default 10,000. */
  queueMs?: number;
  /** The size of a response, in bytes. Default 32 MiB. */
  responseBytes?: number;
}

/** A server to which requests are sent. */
export interface Upstream {
  /** The format that the server accepts. */
  dialect: Dialect;
  /** The server, if it is not the provider's own. Default: what `serverOf` finds for the base URL. */
  server?: Options["server"];
  /** The base URL. Default: the server's, or the provider's own. The version (`/v1`) at its end is optional. */
  baseUrl?: string;
  /** The key itself, if it is not in an environment variable. */
  key?: string;
  /** The name of the environment variable with the key. */
  keyEnv?: string;
  /** Headers that are added to each request. */
  headers?: Record<string, string>;
  /** `forward`: the client's own key is sent (subscriptions). Only if client and upstream have the same format. */
  clientKey?: "forward";
  /** Client's model name or pattern (`claude-*`) → upstream's name. A string: always that model. */
  models?: string | Record<string, string>;
  /** Options of the conversions. Unlike elsewhere, the default of `cache` is `auto`. */
  options?: Partial<Options>;
  /** A simulation of `toolwire/text`, for models without tool calling. */
  simulate?: Simulation;
  /** `unsupported`: native tools are tried first. Default `always`. */
  simulateWhen?: "always" | "unsupported";
  /** Bounds of the requests to it. */
  limits?: UpstreamLimits;
  /** How often a failed request is sent again, before the first byte was delivered. Default 2. */
  retries?: number;
}

/** Bounds of the requests to an upstream. */
export interface UpstreamLimits {
  /** How many requests are sent to it at the same time. Default: no limit of its own. */
  concurrent?: number;
  /** How long a request may take in total, in milliseconds. Default 600,000. */
  timeoutMs?: number;
  /** How long it may take until the first byte of the response, in milliseconds. Default 300,000. */
  firstByteMs?: number;
  /** How long a stream may pause, in milliseconds. Default 300,000. */
  idleMs?: number;
}

/** Which upstreams a request is sent to. */
export interface Route {
  /** The name of an upstream. */
  upstream: string;
  /** The upstreams that are tried next after status 429 or 5xx, a timeout or a failed connection. */
  fallback?: string[];
  /** All conditions must hold. Default: matches every request. */
  when?: RouteCondition;
}

/** When a route is taken. */
export interface RouteCondition {
  /** The formats of the clients. */
  dialect?: Dialect[];
  /** The model that the client names, or patterns of it (`claude-*`). */
  model?: string | string[];
  /** Whether the request has tools. */
  tools?: boolean;
  /** Whether the request asks for reasoning. */
  thinking?: boolean;
  /** Whether the request has images. */
  images?: boolean;
  /** Matches requests of more tokens than this, by the estimate of a token for 4 bytes. */
  tokensOver?: number;
  /** Names of `clients`. */
  client?: string[];
}

/** What a program can add to a gateway. */
export interface GatewayHooks {
  /** The name of the upstream, instead of that of `routes`. Undefined: as `routes` state. */
  route?(request: {
    requestId: string;
    dialect: Dialect;
    model?: string;
    body: Uint8Array;
    client?: string;
  }): string | undefined | Promise<string | undefined>;
  /** Used instead of `fetch`, for example to sign requests or for tokens that expire. */
  fetch?(request: Request, upstream: { name: string; attempt: number }): Promise<Response>;
  /**
   * Where responses are kept for `previous_response_id` and `item_reference`. Without it, such requests to other
   * providers are refused.
   */
  responses?: ResponseStore;
  /** What was received, sent, returned and delivered, without secrets. */
  onExchange?(event: GatewayEvent): void;
  /** Called with each warning of a conversion about what is lost. */
  onWarning?(warning: Warning, at: { requestId: string }): void;
}

/** Keeps responses by id. */
export interface ResponseStore {
  get(id: string): Promise<Uint8Array | undefined>;
  put(id: string, value: Uint8Array): Promise<void>;
}

/** One step of a request through a gateway. */
export interface GatewayEvent {
  requestId: string;
  /** Counts the requests that were sent for the client's one, from 1; 0 before the first. */
  attempt: number;
  /** The name of the client, if `clients` are configured. */
  client?: string;
  upstream?: string;
  /** The client's format. */
  from: Dialect;
  /** The upstream's format. */
  to?: Dialect;
  /** `received`, `delivered`: the client's name of the model; otherwise the upstream's. */
  model?: string;
  stage: "received" | "sent" | "returned" | "delivered" | "failed";
  status?: number;
  /** The size of the body. */
  bytes?: number;
  /** The body, without secrets. That of a stream is whole, and absent if it is larger than `limits.responseBytes`. */
  body?: Uint8Array;
  usage?: Usage;
  /** From the start of the request to the first byte of the response. */
  firstByteMs?: number;
  /** From the start of the request. */
  durationMs?: number;
  error?: ChatError;
}
