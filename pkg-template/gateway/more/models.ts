// Lists of models: those of the configuration and of the upstreams, in the client's form.

import type { Dialect } from "toolwire";
import { firstBytes } from "../body.js";
import type { GatewayHooks } from "../types.js";
import type { Upstream } from "../upstreams.js";

const KEPT_MS = 60_000;
const LIST_MS = 10_000;
const MAX_LIST_BYTES = 4 * 2 ** 20;

/** A list of models. */
interface List {
  path: string;
  names: (body: any) => unknown[];
}

const ofGoogle: List = {
  path: "/v1beta/models?pageSize=1000",
  names: (body) => body.models.map(({ name }: any) => String(name).replace(/^models\//, "")),
};

/** Where an upstream lists its models, and how. */
const lists: { readonly [dialect in Dialect]?: List } = {
  openai: { path: "/v1/models", names: (body) => body.data.map(({ id }: any) => id) },
  mistral: { path: "/v1/models", names: (body) => body.data.map(({ id }: any) => id) },
  cohere: {
    path: "/v1/models?endpoint=chat&page_size=1000",
    names: (body) => body.models.map(({ name }: any) => name),
  },
  "openai-responses": { path: "/v1/models", names: (body) => body.data.map(({ id }: any) => id) },
  anthropic: { path: "/v1/models?limit=1000", names: (body) => body.data.map(({ id }: any) => id) },
  gemini: ofGoogle,
  "gemini-interactions": ofGoogle,
  ollama: { path: "/api/tags", names: (body) => body.models.map(({ name }: any) => name) },
};

/** The models that a client can name. */
export class Models {
  readonly #upstreams: readonly Upstream[];
  readonly #hooks: GatewayHooks;
  #known: { names: string[]; until: number } | undefined;

  constructor(upstreams: readonly Upstream[], hooks: GatewayHooks) {
    this.#upstreams = upstreams;
    this.#hooks = hooks;
  }

  async names(): Promise<string[]> {
    if (this.#known && Date.now() < this.#known.until) return this.#known.names;
    const all = await Promise.all(this.#upstreams.map((upstream) => this.#namesOf(upstream)));
    const names = [...new Set(all.flat())];
    this.#known = { names, until: Date.now() + KEPT_MS };
    return names;
  }

  /** Those of the configuration first. An upstream that does not list its models adds none. */
  async #namesOf(upstream: Upstream): Promise<string[]> {
    const { models } = upstream.config;
    if (typeof models === "string") return [models];
    const own = Object.keys(models ?? {}).filter((name) => !name.includes("*"));
    return [...own, ...(await this.#listed(upstream).catch(() => []))];
  }

  async #listed(upstream: Upstream): Promise<string[]> {
    const list = lists[upstream.dialect];
    if (!list) return [];
    const { "content-type": _, ...headers } = upstream.headers();
    const init = { headers, signal: AbortSignal.timeout(LIST_MS) };
    const response = await upstream.send(list.path, init, this.#hooks);
    const { bytes } = await firstBytes(response.body, MAX_LIST_BYTES);
    if (!response.ok) return [];
    const names = list.names(JSON.parse(new TextDecoder().decode(bytes)));
    return names.filter((name): name is string => typeof name === "string");
  }
}

const EPOCH = "1970-01-01T00:00:00Z";
const google = (name: string) => ({
  name: `models/${name}`,
  displayName: name,
  supportedGenerationMethods: ["generateContent", "countTokens"],
});
const ollamaDetails = { format: "", family: "", families: null, parameter_size: "", quantization_level: "" };

interface ModelForm {
  readonly one: (name: string) => object;
  readonly list: (items: object[], names: string[]) => object;
}

const openai: ModelForm = {
  one: (id) => ({ id, object: "model", created: 0, owned_by: "toolwire" }),
  list: (data) => ({ object: "list", data }),
};
/** By the client's format. */
const forms: { readonly [dialect in Dialect]?: ModelForm } = {
  openai,
  anthropic: {
    one: (id) => ({ type: "model", id, display_name: id, created_at: EPOCH }),
    list: (data, names) => ({ data, has_more: false, first_id: names[0] ?? null, last_id: names.at(-1) ?? null }),
  },
  gemini: { one: google, list: (models) => ({ models }) },
  ollama: {
    one: (name) => ({ name, model: name, modified_at: EPOCH, size: 0, digest: "", details: ollamaDetails }),
    list: (models) => ({ models }),
  },
};

export function listOfModels(dialect: Dialect, names: string[]): Response {
  const { one, list } = forms[dialect] ?? openai;
  return Response.json(list(names.map(one), names));
}

export function oneModel(dialect: Dialect, name: string): Response {
  return Response.json((forms[dialect] ?? openai).one(name));
}

/** Ollama's clients read what a model can do. */
export function shownModel(): Response {
  const capabilities = ["completion", "tools", "vision", "thinking"];
  return Response.json({
    modelfile: "",
    parameters: "",
    template: "",
    details: ollamaDetails,
    model_info: {},
    capabilities,
  });
}
