// The JSON Schema of a configuration. `createGateway` checks by it, and the package contains it as a file.

import { dialects } from "../../build/generated/facts.js";

export interface Schema {
  readonly $schema?: string;
  readonly title?: string;
  readonly type?: "object" | "array" | "string" | "number" | "boolean";
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | false;
  readonly minProperties?: number;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
}

const text: Schema = { type: "string" };
const texts: Schema = { type: "array", items: text };
const flag: Schema = { type: "boolean" };
const count: Schema = { type: "number", minimum: 0 };
const positive: Schema = { type: "number", minimum: 1 };
const textByName: Schema = { type: "object", additionalProperties: text };
const closed = (properties: Schema["properties"], required: string[] = []): Schema => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...(required.length > 0 && { required }),
});

const dialect: Schema = { enum: dialects.filter((name) => name !== "canonical" && name !== "universal") };

const upstream = closed(
  {
    dialect,
    server: {},
    baseUrl: text,
    key: text,
    keyEnv: text,
    headers: textByName,
    clientKey: { enum: ["forward"] },
    models: { anyOf: [text, textByName] },
    options: { type: "object" },
    simulate: {},
    simulateWhen: { enum: ["always", "unsupported"] },
    limits: closed({ concurrent: positive, timeoutMs: positive, firstByteMs: positive, idleMs: positive }),
    retries: count,
  },
  ["dialect"],
);

const when = closed({
  dialect: { type: "array", items: dialect },
  model: { anyOf: [text, texts] },
  tools: flag,
  thinking: flag,
  images: flag,
  tokensOver: count,
  client: texts,
});

export const configSchema: Schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "GatewayConfig",
  ...closed(
    {
      $schema: text,
      upstreams: { type: "object", additionalProperties: upstream, minProperties: 1 },
      routes: { type: "array", items: closed({ upstream: text, fallback: texts, when }, ["upstream"]) },
      clients: { type: "array", items: closed({ name: text, key: text, keyEnv: text }, ["name"]) },
      open: { enum: [true, false, "loopback"] },
      basePath: text,
      limits: closed({
        bodyBytes: positive,
        headerBytes: positive,
        concurrent: positive,
        queueMs: count,
        responseBytes: positive,
      }),
      warnings: { enum: ["log", "header", "ignore"] },
      cors: texts,
      metrics: flag,
    },
    ["upstreams"],
  ),
};
