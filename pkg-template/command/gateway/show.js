// `--show`: prints each body as it was received, sent, returned and delivered.

import { indented } from "../json-text.js";
import { bodyOf, stages } from "./bodies.js";
import { Requests } from "./requests.js";

export function shower() {
  const requests = new Requests();
  return {
    onExchange(event) {
      const { number } = requests.of(event.requestId);
      const body = bodyOf(event);
      if (body) {
        const { what, dialect } = stages[event.stage];
        const status = event.status === undefined ? "" : ` ${event.status}`;
        console.log(`── ${number} ${event.stage}: ${what}, ${dialect(event)}${status}`);
        console.log(body.isJson ? indented(body.text) : body.text.trimEnd());
      }
      if (event.stage === "delivered") requests.end(event.requestId);
    },
  };
}
