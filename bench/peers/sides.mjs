// Other packages that convert between providers, used as their documentation describes, with the type of input that is fastest for them.

import { createRequire } from "node:module";
import { join } from "node:path";

/** `load` gets the folder of packages. `converters(loaded)` are by kind and shape; missing ones are not supported by the package. */
export const peers = {
  lingua: {
    package: "@braintrust/lingua",
    load: async (folder) => (await importFrom(folder, "@braintrust/lingua")).getWasm(),
    // It accepts text and returns an object.
    converters: (lingua) => {
      const request = (text, { to }) => lingua.transform_request(text, to).data;
      const response = (text, { to }) => lingua.transform_response(text, to).data;
      return { request: fromText(request), response: fromText(response) };
    },
  },
  "llm-bridge": {
    package: "llm-bridge",
    load: (folder) => importFrom(folder, "llm-bridge"),
    // It accepts and returns objects, and converts only streamed responses.
    converters: (bridge) => {
      const request = (body, { from, to }) => bridge.translateBetweenProviders(from, to, body);
      return { request: fromObject(request) };
    },
  },
};

const fromText = (convert) => ({
  string: (payload) => (text) => JSON.stringify(convert(text, payload)),
  object: (payload) => (body) => convert(JSON.stringify(body), payload),
});

const fromObject = (convert) => ({
  string: (payload) => (text) => JSON.stringify(convert(JSON.parse(text), payload)),
  object: (payload) => (body) => convert(body, payload),
});

function importFrom(folder, name) {
  return import(createRequire(join(folder, "none.js")).resolve(name));
}

/** The converter for this payload in this shape; undefined if the package has none. */
export function converterOf(peer, loaded, shape, payload) {
  return peers[peer].converters(loaded)[payload.kind]?.[shape](payload);
}
