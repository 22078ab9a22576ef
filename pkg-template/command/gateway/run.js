// `toolwire gateway`: serves any client with any model.

import { Stop } from "../exits.js";
import { report } from "../report.js";
import { configOf, withoutSimulations } from "./config.js";
import { requestLog } from "./log.js";
import { recorder } from "./record.js";
import { clientSettings } from "./settings.js";
import { shower } from "./show.js";
import { memoryStore } from "./store.js";

const DEFAULT_PORT = 8787;

/** Runs until it is interrupted. Resolves to the text to print, or to the exit code. */
export async function gateway(asked) {
  const config = await configOf(asked);
  if (asked["print-config"]) return { text: JSON.stringify(withoutSimulations(config)) };
  const { createGateway } = await import("toolwire/gateway");
  const listeners = [requestLog(asked.log), asked.show && shower(), asked.record && recorder(asked.record)];
  const active = listeners.filter(Boolean);
  const handler = created(() => createGateway(config, hooksOf(active)));
  const server = await listen(handler, asked);
  console.log(server.url);
  if (asked.log !== "json") console.log(clientSettings(server.url, config));
  await interrupted(server);
  return { text: "" };
}

function created(create) {
  try {
    return create();
  } catch (error) {
    throw new Stop("usage", error.message);
  }
}

const hooksOf = (listeners) => ({
  responses: memoryStore(),
  onExchange: (event) => {
    for (const { onExchange } of listeners) onExchange(event);
  },
  onWarning: (warning, at) => {
    for (const { onWarning } of listeners) onWarning?.(warning, at);
  },
});

async function listen(handler, { port = String(DEFAULT_PORT), host }) {
  const { serve } = await import("toolwire/gateway/node");
  try {
    return await serve(handler, { port: Number(port), ...(host && { host }) });
  } catch (error) {
    const reasons = { EADDRINUSE: "the port is in use: give another one, or 0", EACCES: "permission denied" };
    throw new Stop("usage", `--port ${port}: ${reasons[error.code] ?? error.message}`);
  }
}

/** The first signal lets running requests finish; the second one ends them. */
function interrupted(server) {
  return new Promise((resolve) => {
    let count = 0;
    const onSignal = () => {
      count++;
      if (count > 1) return server.stop().then(resolve);
      report("finishing the requests that run; Ctrl-C again ends them");
      return server.close().then(resolve);
    };
    process.on("SIGINT", onSignal);
    process.on("SIGTERM", onSignal);
  });
}
