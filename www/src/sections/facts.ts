// Models and servers: the tables of facts by which conversions fit requests, to be searched.

import { meanings, models, servers } from "virtual:names";
import type { Dialect } from "toolwire";
import "../styles/facts.css";
import { latest } from "../engine/client.ts";
import { type Fact, isProblem, type Result } from "../engine/protocol.ts";
import { announce, h, withCode } from "../page/dom.ts";
import { counted, dialectName, dialects } from "../page/names.ts";
import type { Build, Fields, Section } from "../page/sections.ts";
import { choice, panel, problem } from "./parts.ts";

/** A row of a table, with the words by which it is found. */
interface Row {
  names: string[];
  about: string;
  links: HTMLElement[];
  facts: Fact[];
  words: string;
}

/** Where models are hosted, besides the providers' own APIs. */
const hosts = [
  { value: "anthropic bedrock", label: "Bedrock" },
  ...dialects
    .filter((one) => one !== "universal")
    .map((value) => ({ value, label: value === "canonical" ? "any" : dialectName(value) })),
];

export const facts: Build = (changed) => new Facts(changed);

class Facts implements Section {
  readonly element: HTMLElement;
  readonly #changed: (fields: Fields) => void;
  readonly #models: Table;
  readonly #servers: Table;
  readonly #host = choice("API", hosts.toReversed(), () => {
    this.#keep();
    this.#askForModels();
  });
  readonly #ofModels = latest("modelFacts", (result) => this.#showModels(result));
  readonly #ofServers = latest("serverFacts", (result) => this.#showServers(result));

  constructor(changed: (fields: Fields) => void) {
    this.#changed = changed;
    this.#models = new Table("models", "Models", { one: "row of models", many: "rows of models" }, () => {
      this.#keep();
      // a model that the table does not have is read as conversions read it
      if (this.#models.isEmpty && this.#models.query !== "") this.#askForModels();
    });
    this.#servers = new Table("servers", "Servers", { one: "row of servers", many: "rows of servers" }, () =>
      this.#keep(),
    );
    this.#models.tools.prepend(this.#host.element);
    this.element = h("div", { class: "columns" }, this.#models.element, this.#servers.element);
  }

  open({ models: model = "", servers: server = "", api = "canonical" }: Fields): void {
    this.#models.search(model);
    this.#servers.search(server);
    this.#host.select.value = api;
    this.#askForModels();
    this.#ofServers.ask({ names: servers });
  }

  take(): void {
    announce("This section has nothing to open a file for");
  }

  #keep(): void {
    const entries = { models: this.#models.query, servers: this.#servers.query, api: this.#host.select.value };
    const own = Object.entries(entries).filter(([name, value]) => value !== (name === "api" ? "canonical" : ""));
    this.#changed(Object.fromEntries(own));
  }

  #askForModels(): void {
    const [to = "canonical", platform = ""] = this.#host.select.value.split(" ");
    const asked = this.#models.query.trim();
    const names = asked === "" || models.includes(asked) ? models : [...models, asked];
    this.#ofModels.ask({ names, to: to as Dialect, platform });
  }

  #showModels(result: Result<"modelFacts"> | Error): void {
    if (result instanceof Error || isProblem(result)) {
      this.#models.fail(result instanceof Error ? result.message : result.problem);
      return;
    }
    const rows = new Map<string, Row>();
    for (const { name, family, isKnown, facts: own } of result.models) {
      const key = JSON.stringify([family, isKnown, own]);
      const about = isKnown ? family : `${family}: not in the table, read as its newest model`;
      const row = rows.get(key) ?? { names: [], about, links: [], facts: own, words: "" };
      row.names.push(name);
      rows.set(key, row);
    }
    for (const row of rows.values()) row.words = wordsOf(row);
    this.#models.show([...rows.values()]);
  }

  #showServers(result: Result<"serverFacts"> | Error): void {
    if (result instanceof Error || isProblem(result)) {
      this.#servers.fail(result instanceof Error ? result.message : result.problem);
      return;
    }
    const rows = result.servers.map(({ name, to, url = "an address of its own", key = "", facts: own }): Row => {
      const links = [
        h("code", { class: "address" }, url),
        ...(key === "" ? [] : [h("code", { class: "address" }, key)]),
      ];
      const row = { names: [name], about: dialectName(to), links, facts: own, words: "" };
      return { ...row, words: `${wordsOf(row)} ${url} ${key}`.toLowerCase() };
    });
    this.#servers.show(rows);
  }
}

const wordsOf = ({ names, about, facts: own }: Row) =>
  [...names, about, ...own.map(({ name, value }) => `${name} ${value}`)].join(" ").toLowerCase();

/** A table with a search. */
class Table {
  readonly element: HTMLElement;
  readonly tools: HTMLElement;
  readonly #body = h("tbody", {});
  readonly #count = h("p", { class: "count" });
  readonly #search: HTMLInputElement;
  readonly #scroller: HTMLElement;
  readonly #noun: { one: string; many: string };
  #rows: Row[] = [];
  #found = 0;

  constructor(id: string, title: string, noun: { one: string; many: string }, searched: () => void) {
    this.#noun = noun;
    this.#search = h("input", {
      id: `search-${id}`,
      type: "search",
      spellcheck: "false",
      autocomplete: "off",
      oninput: () => {
        this.#draw();
        searched();
      },
    });
    const label = h("div", { class: "labelled" }, h("label", { for: `search-${id}` }, "Search"), this.#search);
    const table = h(
      "table",
      { class: "facts-table" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col", class: "cell head" }, title),
          h("th", { scope: "col", class: "cell head" }, "Facts"),
        ),
      ),
      this.#body,
    );
    this.#scroller = h(
      "div",
      { class: "panel-body", tabindex: 0, role: "region", "aria-label": `${title}: facts` },
      table,
    );
    this.element = panel(title, [label], this.#count, this.#scroller);
    this.tools = this.element.querySelector<HTMLElement>(".panel-tools") ?? this.element;
  }

  get query(): string {
    return this.#search.value;
  }

  get isEmpty(): boolean {
    return this.#found === 0;
  }

  search(query: string): void {
    this.#search.value = query;
    this.#draw();
  }

  show(rows: Row[]): void {
    this.#rows = rows;
    this.#draw();
  }

  fail(message: string): void {
    this.#scroller.replaceChildren(problem(message));
    announce(message, { isVisible: false });
  }

  #draw(): void {
    if (this.#rows.length === 0) return;
    const words = this.query.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.#rows.filter((row) => words.every((word) => row.words.includes(word)));
    this.#found = found.length;
    this.#body.replaceChildren(...found.map(rowElement));
    this.#count.textContent = counted(found.length, this.#noun);
    announce(`${counted(found.length, this.#noun)} found`, { isVisible: false });
  }
}

function rowElement({ names, about, links, facts: own }: Row): HTMLElement {
  const listed = own.map(({ name, value }) =>
    h("li", { class: "fact", title: meanings[name] }, h("code", {}, name), " ", value),
  );
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row", class: "cell of-names" },
      ...names.map((name) => h("code", { class: "name" }, name)),
      h("small", {}, about),
    ),
    h(
      "td",
      { class: "cell" },
      ...links,
      listed.length > 0
        ? h("ul", {}, ...listed)
        : h(
            "p",
            { class: "what" },
            ...withCode(links.length > 0 ? "As the provider’s own API" : "No limits are known"),
          ),
    ),
  );
}
