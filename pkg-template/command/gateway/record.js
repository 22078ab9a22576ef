// `--record DIR`: writes each body as a file that `toolwire convert` and the playground open.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Stop } from "../exits.js";
import { bodyOf, stages } from "./bodies.js";
import { Requests } from "./requests.js";

const order = Object.keys(stages);

export function recorder(folder) {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new Stop("usage", `--record ${folder}: ${error.message}`);
  }
  const requests = new Requests();
  const prefix = new Date().toISOString().replace(/[-:]|\.\d+Z/g, "");
  return {
    onExchange(event) {
      const { number } = requests.of(event.requestId);
      const body = bodyOf(event);
      if (body) {
        const { what, dialect } = stages[event.stage];
        const place = `${order.indexOf(event.stage) + 1}-${event.stage}`;
        const attempt = event.stage === "sent" || event.stage === "returned" ? `-${event.attempt}` : "";
        const kind = body.isJson ? `${what}.json` : "stream.txt";
        const name = `${prefix}-${String(number).padStart(5, "0")}-${place}${attempt}.${dialect(event)}.${kind}`;
        writeFileSync(join(folder, name), body.text, { mode: 0o600 });
      }
      if (event.stage === "delivered") requests.end(event.requestId);
    },
  };
}
