// The configuration of a gateway, from a file and from flags.

import { readFile } from "node:fs/promises";
import { serverFacts } from "toolwire";
import { Stop } from "../exits.js";
import { problemOf } from "./problems.js";

/** The environment variables in which the key of a provider's own API is usual. */
const usualKeys = {
  openai: ["OPENAI_API_KEY"],
  mistral: ["MISTRAL_API_KEY"],
  cohere: ["CO_API_KEY", "COHERE_API_KEY"],
  "openai-responses": ["OPENAI_API_KEY"],
  anthropic: ["ANTHROPIC_API_KEY"],
  bedrock: ["AWS_BEARER_TOKEN_BEDROCK"],
  gemini: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  "gemini-interactions": ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  vertexai: ["GOOGLE_ACCESS_TOKEN"],
};
const MAIN = "main";

/** The configuration to serve. Simulations are values in it. */
export async function configOf(asked) {
  const config = asked.config === undefined ? { upstreams: {} } : await jsonOf("config", asked.config);
  if (asked.config !== undefined) await requireValid(config, asked.config);
  const own = upstreamOf({ ...asked, server: await serverOfFlag(asked.server) });
  if (own) {
    config.upstreams = { [MAIN]: own, ...config.upstreams };
    if (config.routes) config.routes = [...config.routes, { upstream: MAIN }];
  }
  if (Object.keys(config.upstreams).length === 0) {
    throw new Stop("usage", "--to is missing: the format of the model, such as gemini; or --config with a file");
  }
  if (config.open === undefined && !config.clients) config.open = openness(asked.host);
  for (const upstream of Object.values(config.upstreams)) await simulate(upstream);
  return config;
}

/** A file contains the profile of a server that the table lacks. */
const serverOfFlag = (server) => (server?.endsWith(".json") ? jsonOf("server", server) : server);

async function jsonOf(flag, file) {
  let text;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new Stop("usage", `--${flag} ${file}: ${error.code === "ENOENT" ? "no such file" : error.message}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Stop("usage", `--${flag} ${file} is not JSON: ${error.message}`);
  }
}

async function requireValid(config, file) {
  const problem = await problemOf(config);
  if (problem) throw new Stop("usage", `--config ${file}: ${problem}`);
}

/** The upstream of the flags. Undefined without `--to`. */
function upstreamOf({ to, server, model, "base-url": baseUrl, "key-env": named, "simulate-tools": simulate }) {
  if (to === undefined) {
    const given = Object.entries({ server, model, "base-url": baseUrl, "simulate-tools": simulate });
    const [flag] = given.find(([, value]) => value !== undefined) ?? [];
    if (flag) throw new Stop("usage", `--${flag} is for --to`);
    return undefined;
  }
  const keyEnv = named ?? keyVariable({ to, server, baseUrl });
  return {
    dialect: to,
    ...(server !== undefined && { server }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(keyEnv !== undefined && { keyEnv }),
    ...(model !== undefined && { models: model }),
    ...(simulate !== undefined && { simulate }),
  };
}

/** The variable with the key that is set. A server at an address of one's own may need none. */
function keyVariable({ to, server, baseUrl }) {
  const facts = server === undefined ? undefined : serverFacts({ server, to });
  const names = server === undefined ? (usualKeys[to] ?? []) : [facts?.key].filter(Boolean);
  const set = names.find((name) => process.env[name]);
  if (set || names.length === 0 || baseUrl !== undefined || isLocal(facts?.url)) return set;
  throw new Stop("usage", `set ${names.join(" or ")} in the environment: the key for ${server ?? to}`);
}

const isLocal = (url) => url !== undefined && /^https?:\/\/(?:localhost|127\.)/.test(url);

/** Without keys of clients, only this machine is served. */
function openness(host) {
  if (host === undefined || /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host)) return "loopback";
  const message = `--host ${host} is reachable by others: set clients with keys in --config, or "open": true`;
  throw new Stop("usage", message);
}

/** The name or the options of a simulation become the simulation. */
async function simulate(upstream) {
  const { simulate: given } = upstream;
  if (given === undefined || typeof given?.request === "function") return;
  const { simulateTools } = await import("toolwire/text");
  const options = given === "auto" ? { format: "auto" } : given;
  try {
    upstream.simulate = simulateTools(options);
  } catch (error) {
    throw new Stop("usage", `simulate: ${error.message}`);
  }
  Object.defineProperty(upstream.simulate, "toJSON", { value: () => given });
}

/** The configuration as JSON, with the names of simulations. */
export const withoutSimulations = (config) => JSON.parse(JSON.stringify(config));
