// Which scenarios pass, by client and upstream, whole and streamed; and which are skipped, and why.

export class Table {
  #clients;
  #upstreams;
  #scenarios;
  #held = new Set();

  constructor(clients, upstreams, scenarios) {
    this.#clients = clients;
    this.#upstreams = upstreams;
    this.#scenarios = scenarios;
  }

  held(client, upstream, scenario, streams) {
    this.#held.add(key(client, upstream, scenario, streams));
  }

  text() {
    const rows = [["", ...this.#upstreams], ...this.#clients.map((client) => this.#row(client))];
    const width = 2 * this.#scenarios.length + 3;
    const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(column === 0 ? 22 : width)).join(""));
    const names = this.#scenarios.map(({ name }) => name).join(", ");
    const legend = `Each cell: whole and streamed, + holds, - does not, . is not played, of: ${names}`;
    return [...lines, legend, ...this.#left()].join("\n");
  }

  #row(client) {
    const marks = (upstream, streams) =>
      this.#scenarios.map((scenario) => {
        if (whyNot(scenario, client, upstream)) return ".";
        return this.#held.has(key(client, upstream, scenario, streams)) ? "+" : "-";
      });
    return [client, ...this.#upstreams.map((one) => `${marks(one, false).join("")} ${marks(one, true).join("")}`)];
  }

  #left() {
    return this.#scenarios.flatMap(({ name, no = {} }) =>
      Object.entries({ ...no.clients, ...no.upstreams, ...no.pairs }).map(
        ([who, why]) => `Not played: ${name}, ${who}: ${why}`,
      ),
    );
  }
}

/** Why a scenario is skipped: the client or the provider can't express a part of it. */
export const whyNot = ({ no = {} }, client, upstream) =>
  no.clients?.[client] ??
  no.upstreams?.[upstream] ??
  no.pairs?.[`${client} → ${upstream}`] ??
  UNCHANGED[client]?.[upstream];

/** Bodies that stay in their format are the client's own, so that they are not checked as ours. */
const UNCHANGED = {
  "ai, Google Interactions": {
    "gemini-interactions":
      "sends results among the contents of the user, which the types of `@google/genai` do not have",
  },
  "ai, xAI": { "openai-responses": "leaves out `strict`, which OpenAI's types require" },
  "ai, OpenRouter": { openai: "sends a `name` with results, which OpenAI's types do not have" },
  "ai, Open Responses": { "openai-responses": "leaves out `strict` and `annotations`, which OpenAI's types require" },
};

const key = (client, upstream, { name }, streams) => JSON.stringify([client, upstream, name, streams]);
