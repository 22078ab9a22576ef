// The handler: from a client's request to the response.

import type { Warning } from "toolwire";
import { ToolwireError } from "#conversions";
import { requestBody } from "./body.js";
import type { Call } from "./call.js";
import { checkConfig } from "./check.js";
import { type ClientRequest, direct, Reply, type Served } from "./direct.js";
import { dialectOfPath, type Endpoint, endpointOf, fixed } from "./endpoints.js";
import { exchange, type Shared } from "./exchange.js";
import { Failure } from "./failure.js";
import { allowed, headerSize, isLoopback, preflight, requireJson } from "./guard.js";
import { clientWith, type KnownClient, keyOf, presentedKey, Secrets } from "./keys.js";
import { type More, more } from "./more.js";
import { Observer } from "./observer.js";
import { routeFor } from "./routes.js";
import { Slots } from "./slots.js";
import type { Gateway, GatewayConfig, GatewayHooks } from "./types.js";
import { Upstream } from "./upstreams.js";

const defaults = {
  bodyBytes: 32 * 2 ** 20,
  headerBytes: 32 * 2 ** 10,
  concurrent: 1024,
  queueMs: 10_000,
  responseBytes: 32 * 2 ** 20,
} as const;

/** Ollama's clients ask for the version of the server. */
const OLLAMA_VERSION = "0.12.0";

/**
 * A gateway between any client and any provider.
 *
 * @throws ToolwireError with the path in the configuration of what is wrong there.
 */
export function createGateway(config: GatewayConfig, hooks: GatewayHooks = {}): Gateway {
  checkConfig(config);
  const handler = new Handler(config, hooks);
  const answer = (request: ClientRequest) => handler.answer(request);
  const gateway: Gateway = async (request) => {
    const answered = await answer(request);
    return answered instanceof Reply ? answered.toResponse() : answered;
  };
  return Object.assign(gateway, { [direct]: answer });
}

class Handler {
  readonly #config: GatewayConfig;
  readonly #hooks: GatewayHooks;
  readonly #limits: { readonly [name in keyof typeof defaults]: number };
  readonly #upstreams: ReadonlyMap<string, Upstream>;
  readonly #clients: readonly KnownClient[];
  readonly #secrets: Secrets;
  readonly #slots: Slots;
  readonly #listeners: NonNullable<GatewayHooks["onExchange"]>[];
  readonly #shared: Shared;
  readonly #basePath: string;
  #models: InstanceType<More["Models"]> | undefined;
  #metrics: InstanceType<More["Metrics"]> | undefined;
  #measuring: Promise<void> | undefined;

  constructor(config: GatewayConfig, hooks: GatewayHooks) {
    this.#config = config;
    this.#hooks = hooks;
    this.#limits = { ...defaults, ...config.limits };
    const { queueMs, concurrent, responseBytes } = this.#limits;
    const upstreams = Object.entries(config.upstreams).map(([name, row]) => new Upstream(name, row, queueMs));
    this.#upstreams = new Map(upstreams.map((upstream) => [upstream.name, upstream]));
    const clients = (config.clients ?? []).map(({ name, ...given }, index) => ({
      name,
      key: keyOf(given, `/clients/${index}`) ?? "",
    }));
    const encoder = new TextEncoder();
    this.#clients = clients.map(({ name, key }) => ({ name, key: encoder.encode(key) }));
    const headers = upstreams.flatMap(({ config }) => Object.values(config.headers ?? {}));
    this.#secrets = new Secrets([
      ...upstreams.map(({ key }) => key),
      ...clients.map(({ key }) => key),
      ...headers.flatMap((value) => [value, ...value.split(/\s+/)]),
    ]);
    this.#slots = new Slots(concurrent, queueMs);
    this.#listeners = hooks.onExchange ? [hooks.onExchange] : [];
    this.#shared = { hooks, responseBytes, onWarning: (warning, call) => this.#warn(warning, call) };
    this.#basePath = (config.basePath ?? "").replace(/\/+$/, "");
  }

  #warn(warning: Warning, { requestId }: Call): void {
    if (!warning.lossy) return;
    this.#metrics?.lost(warning);
    if (this.#config.warnings === "ignore") return;
    const { onWarning } = this.#hooks;
    if (onWarning) onWarning(warning, { requestId });
    else if ((this.#config.warnings ?? "log") === "log") console.warn(`warning: ${warning.code}: ${warning.message}`);
  }

  /** Resolves when requests are counted. */
  #measured(): Promise<void> {
    this.#measuring ??= more().then(({ Metrics }) => {
      this.#metrics = new Metrics();
      this.#listeners.push(this.#metrics.count);
    });
    return this.#measuring;
  }

  async answer(request: ClientRequest): Promise<Served> {
    if (this.#config.metrics) await this.#measured();
    const url = new URL(request.url);
    const path = this.#below(url.pathname);
    const origin = request.headers.get("origin");
    const isAllowed = origin !== null && (this.#config.cors ?? []).includes(origin);
    if (isAllowed && request.method === "OPTIONS") return preflight(request, origin);
    const response = await this.#guarded(request, url, path, origin === null || isAllowed);
    return isAllowed ? allowed(response, origin) : response;
  }

  /** The path below the base path; it is never served otherwise. */
  #below(path: string): string {
    const base = this.#basePath;
    if (base === "") return path;
    return path === base || path.startsWith(`${base}/`) ? path.slice(base.length) || "/" : "";
  }

  async #guarded(request: ClientRequest, url: URL, path: string, isAllowed: boolean): Promise<Served> {
    const endpoint = endpointOf(request.method, path, url, request.headers);
    const dialect = endpoint?.dialect ?? dialectOfPath(path, request.headers);
    const observer = new Observer(this.#listeners, crypto.randomUUID(), dialect, this.#secrets);
    try {
      this.#check(request, url, isAllowed);
      return this.#plain(request, url, path) ?? (await this.#serve(request, url, path, endpoint, observer));
    } catch (error) {
      const failure = await failureOf(error, request.signal, observer.secrets);
      const response = failure.toResponse(endpoint?.errors ?? dialect, observer.secrets, dialect);
      if (failure.status === 499) observer.failed(failure);
      const facts = { status: failure.status, error: failure.chatError, durationMs: observer.sinceStart };
      if (observer.isActive) observer.emit("delivered", facts, [new Uint8Array(await response.clone().arrayBuffer())]);
      return response;
    }
  }

  #check(request: ClientRequest, url: URL, isAllowed: boolean): void {
    const { headerBytes } = this.#limits;
    if (headerSize(request) > headerBytes) throw new Failure(431, `the headers are larger than ${headerBytes} bytes`);
    if (this.#config.open === "loopback" && !isLoopback(url.host))
      throw new Failure(403, "only addresses of this machine are served: the host must be loopback");
    if (!isAllowed) throw new Failure(403, "requests of this origin are not served: see cors");
  }

  /** What needs no key. */
  #plain({ method }: ClientRequest, _url: URL, path: string): Response | undefined {
    if (method !== "GET" && method !== "HEAD") return undefined;
    if (path === "/") return new Response(method === "HEAD" ? undefined : "toolwire gateway\n");
    return path === "/health" ? Response.json({ status: "ok" }) : undefined;
  }

  async #serve(
    request: ClientRequest,
    url: URL,
    path: string,
    endpoint: Endpoint | undefined,
    observer: Observer,
  ): Promise<Served> {
    const presented = presentedKey(request.headers, url);
    observer.secrets = observer.secrets.with(presented);
    const client = clientWith(presented, this.#clients);
    if (!client && this.#clients.length > 0) throw new Failure(401, "a valid key is required");
    if (path === "/metrics" && this.#metrics) return this.#metrics.toResponse();
    if (!endpoint)
      throw new Failure(
        404,
        `${request.method} ${path} is not served. Served are: ${(await more()).servedPaths(fixed)}`,
      );
    observer.learn({ ...(client && { client: client.name }) });
    if (request.method === "GET") return this.#answerAbout(endpoint);
    requireJson(request.headers);
    const giveBack = await this.#slots.take(request.signal);
    try {
      const body = await requestBody(request, this.#limits.bodyBytes);
      const call = callOf(request, endpoint, body, { client: client?.name, presented, observer });
      observer.learn({ ...(call.model !== undefined && { model: call.model }) });
      observer.emit("received", {}, [body]);
      const response = await this.#converse(call, giveBack);
      if (this.#config.warnings === "header") listWarnings(response, call.warnings);
      return response;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  async #answerAbout({ kind, dialect, model }: Endpoint): Promise<Response> {
    if (kind === "version") return Response.json({ version: OLLAMA_VERSION });
    const { Models, listOfModels, oneModel } = await more();
    if (model !== undefined) return oneModel(dialect, model);
    this.#models ??= new Models([...this.#upstreams.values()], this.#hooks);
    return listOfModels(dialect, await this.#models.names());
  }

  async #converse(call: Call, giveBack: () => void): Promise<Served> {
    const { kind } = call.endpoint;
    if (kind === "chat") return exchange(call, await this.#upstreamsFor(call), this.#shared, giveBack);
    giveBack();
    const { countTokens, shownModel } = await more();
    if (kind !== "count") return shownModel();
    const [upstream] = await this.#upstreamsFor(call);
    return countTokens(call, upstream as Upstream, this.#hooks);
  }

  async #upstreamsFor(call: Call): Promise<Upstream[]> {
    const { dialect, model, client, body, requestId } = call;
    const facts = { ...(model !== undefined && { model }), ...(client !== undefined && { client }) };
    const chosen = await this.#hooks.route?.({ requestId, dialect, body, ...facts });
    const route = chosen === undefined ? this.#routed(call) : { upstream: chosen };
    if (!route) throw new Failure(404, `no route matches the request for the model ${model ?? "(none)"}`);
    return [route.upstream, ...(route.fallback ?? [])].map((name) => {
      const upstream = this.#upstreams.get(name);
      if (upstream) return upstream;
      throw new Error(`the hook route returned ${name}, which is no upstream`);
    });
  }

  #routed(call: Call): { upstream: string; fallback?: string[] } | undefined {
    const [first] = this.#upstreams.keys();
    return this.#config.routes ? routeFor(this.#config.routes, call) : { upstream: first ?? "" };
  }
}

function callOf(
  request: ClientRequest,
  endpoint: Endpoint,
  body: Uint8Array,
  known: Pick<Call, "client" | "presented" | "observer">,
): Call {
  let parsed: { value: any } | undefined;
  const json = () => {
    parsed ??= { value: parsedOrNothing(body) };
    return parsed.value;
  };
  const named = endpoint.model ?? json()?.model;
  const isStreamed = json()?.stream ?? endpoint.dialect === "ollama";
  return {
    ...known,
    requestId: known.observer.requestId,
    headers: request.headers,
    ...{ endpoint, body, json, signal: request.signal, dialect: endpoint.dialect, warnings: [] },
    model: typeof named === "string" ? named : undefined,
    stream: endpoint.stream ?? isStreamed === true,
  };
}

function parsedOrNothing(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

const MAX_HEADER = 4000;

function listWarnings(response: Served, warnings: readonly string[]): void {
  const text = [...new Set(warnings)].join(", ");
  if (text !== "") response.headers.set("x-toolwire-warnings", text.slice(0, MAX_HEADER));
}

/** What a client learns of an error. */
async function failureOf(error: unknown, signal: AbortSignal, secrets: Secrets): Promise<Failure> {
  if (error instanceof Failure) return error;
  if (signal.aborted) return new Failure(499, "the client went away");
  if (error instanceof ToolwireError) {
    const { code, message, path } = error;
    const stated = message.startsWith(path) ? message : `${message} (at "${path}")`;
    const { status = 400, ...facts } = code === "unsupported" ? (await more()).unresolved(path) : {};
    return new Failure(status, stated, facts);
  }
  console.error(secrets.hidden(String((error as Error | undefined)?.stack ?? error)));
  return new Failure(500, "the gateway failed");
}
