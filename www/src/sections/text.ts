// Text: the calls in the text of a model, linked to their places, the prompt that asks for them, and the grammar that enforces them.

import { grammarSyntaxes } from "../../../build/generated/option-words.js";
import { Input } from "../editor/input.ts";
import { Viewer } from "../editor/viewer.ts";
import { latest } from "../engine/client.ts";
import { isProblem, type Result, type Tasks, type WrittenText } from "../engine/protocol.ts";
import { copyButton } from "../page/clipboard.ts";
import { announce, h } from "../page/dom.ts";
import { counted, sentence } from "../page/names.ts";
import { showConversion } from "../page/section.ts";
import type { Build, Fields, Section } from "../page/sections.ts";
import { newSource, update } from "../page/state.ts";
import { Definitions } from "./definitions.ts";
import { choice, panel, problem, verdict } from "./parts.ts";
import { exampleText, exampleTools } from "./text-example.ts";

/** How long to wait for a pause in typing, in milliseconds. */
const pause = 60;

type Read = Tasks["readText"]["result"];

const notations = ["json", "typescript", "python", "xml", "list"];

export const text: Build = (changed) => new Text(changed);

class Text implements Section {
  readonly element: HTMLElement;
  readonly #changed: (fields: Fields) => void;
  readonly #definitions: Definitions;
  readonly #text: Input;
  readonly #said = h("div", { class: "panel-body", tabindex: 0, role: "region", "aria-label": "Contents of the text" });
  readonly #format = choice("Format", [{ value: "auto", label: "detected" }], () => this.#readAgain());
  readonly #model: HTMLInputElement;
  readonly #notation = choice("Definitions", [{ value: "", label: "usual" }, ...notations], () => this.#readAgain());
  readonly #syntax = choice("Syntax", grammarSyntaxes, () => this.#readAgain());
  readonly #prompt = written("prompt");
  readonly #grammar = written("grammar");
  readonly #asking = latest("textFormats", (result) => this.#showFormats(result));
  readonly #reading = latest("readText", (result, task) => this.#showRead(result, task.text));
  readonly #writing = latest("writeText", (result) => this.#showWritten(result));
  #tools = "";
  #wanted = "auto";
  #read: Read | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(changed: (fields: Fields) => void) {
    this.#changed = changed;
    this.#definitions = new Definitions({
      edited: () => this.#keep(),
      read: (tools) => this.#use(tools),
      failed: () => this.#use(""),
    });
    this.#definitions.element.classList.add("small");
    this.#text = new Input({
      label: "Text of a model",
      placeholder: "What a model wrote: text with calls in any of the formats.",
      changed: () => {
        this.#keep();
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#readAgain(), pause);
      },
      moved: (at) => this.#mark(this.#callAt(at)),
    });
    this.#model = h("input", {
      id: "text-model",
      type: "text",
      spellcheck: "false",
      autocomplete: "off",
      placeholder: "by its name",
      onchange: () => this.#asking.ask({ model: this.#model.value }),
    });
    const model = h("div", { class: "labelled" }, h("label", { for: "text-model" }, "Model"), this.#model);
    this.element = h(
      "div",
      { class: "columns" },
      h(
        "div",
        { class: "column" },
        panel("Text of a model", [model, this.#format.element], this.#text.element),
        panel("Contents", [], this.#said),
      ),
      h(
        "div",
        { class: "column" },
        this.#definitions.element,
        panel("Prompt", [this.#notation.element, this.#prompt.copy], ...this.#prompt.elements),
        panel("Grammar", [this.#syntax.element, this.#grammar.copy], ...this.#grammar.elements),
      ),
    );
  }

  open({
    tools = exampleTools,
    text: given = exampleText,
    format = "auto",
    definitions = "",
    syntax = "gbnf",
  }: Fields): void {
    this.#definitions.input.setText(tools);
    this.#text.setText(given);
    this.#wanted = format;
    this.#notation.select.value = definitions;
    this.#syntax.select.value = syntax;
    this.#model.value = "";
    this.#asking.ask({ model: "" });
    this.#definitions.read();
  }

  take(file: string): void {
    this.#text.setText(file);
    this.#readAgain();
  }

  #keep(): void {
    const entries: Record<string, [string, string]> = {
      text: [this.#text.text, exampleText],
      tools: [this.#definitions.text, exampleTools],
      format: [this.#format.select.value, "auto"],
      definitions: [this.#notation.select.value, ""],
      syntax: [this.#syntax.select.value, "gbnf"],
    };
    const own = Object.entries(entries).filter(([, [value, usual]]) => value !== usual);
    this.#changed(Object.fromEntries(own.map(([name, [value]]) => [name, value])));
  }

  #showFormats(result: Result<"textFormats"> | Error): void {
    if (result instanceof Error || isProblem(result)) return;
    const { formats, format } = result;
    const options = formats.map(({ id, models }) => ({
      value: id,
      label: models.length > 0 ? `${id}: ${models.slice(0, 2).join(", ")}` : id,
    }));
    this.#format.offer([{ value: "auto", label: "detected" }, ...options]);
    const model = this.#model.value.trim();
    if (model === "") this.#format.select.value = this.#wanted;
    else if (format) this.#format.select.value = format;
    else announce(`No format is known for ${model}`);
    if (model !== "" && format) announce(`${model} writes ${format}`);
    this.#readAgain();
  }

  #use(tools: string): void {
    this.#tools = tools;
    this.#readAgain();
  }

  #readAgain(): void {
    this.#wanted = this.#format.select.value;
    this.#keep();
    this.#reading.ask({ text: this.#text.text, format: this.#wanted, tools: this.#tools });
  }

  #showRead(result: Result<"readText"> | Error, given: string): void {
    if (given !== this.#text.text || (!(result instanceof Error) && isProblem(result))) return;
    this.#read = result instanceof Error ? undefined : (result as Read);
    if (result instanceof Error) {
      this.#text.link([]);
      this.#said.replaceChildren(problem(result.message));
      announce(result.message, { isVisible: false });
      return;
    }
    const read = result as Read;
    const words = summary(read);
    this.#said.replaceChildren(...this.#elements(read));
    this.#mark(undefined);
    announce(words, { isVisible: false });
    this.#writing.ask({
      tools: this.#tools,
      format: this.#wanted === "auto" ? read.format : this.#wanted,
      definitions: this.#notation.select.value,
      syntax: this.#syntax.select.value,
    });
  }

  #elements(read: Read): HTMLElement[] {
    const { calls, text: rest, reasoning, warnings, response } = read;
    const isBroken = calls.some(({ error }) => error !== undefined);
    const convert = h(
      "button",
      {
        type: "button",
        class: "button",
        onclick: () => {
          showConversion();
          update({ ...newSource(response), from: "canonical", kind: "response" });
        },
      },
      "Convert this response",
    );
    return [
      verdict(isBroken ? "lossy" : calls.length > 0 ? "clean" : "note", summary(read)),
      h("ol", { class: "rows calls" }, ...calls.map((call, index) => this.#row(call, index))),
      ...(warnings.length > 0
        ? [h("ul", { class: "rows" }, ...warnings.map((words) => h("li", {}, sentence(words))))]
        : []),
      ...(reasoning ? [part("Reasoning", reasoning.trim())] : []),
      ...(rest.trim() === "" ? [] : [part("Text", rest.trim())]),
      h("p", { class: "problem-help" }, convert),
    ];
  }

  #row({ name, arguments: given, error, place }: Read["calls"][number], index: number): HTMLElement {
    const mark = () => this.#mark(index);
    const title = place
      ? h(
          "button",
          {
            type: "button",
            class: "path",
            title: "Show in the text",
            onclick: () => this.#text.goTo(place),
            onfocus: mark,
          },
          name,
        )
      : h("b", {}, name);
    return h(
      "li",
      { class: `call call-${index % 4}`, onmouseenter: mark },
      h("span", {}, title),
      h("pre", {}, given),
      error !== undefined && h("p", { class: "detail" }, sentence(error)),
    );
  }

  #callAt(at: number): number | undefined {
    const index = this.#read?.calls.findIndex(({ place }) => place && at >= place.from && at <= place.to) ?? -1;
    return index < 0 ? undefined : index;
  }

  /** Highlights a call, here and in the text; the others are in its colour only. */
  #mark(current: number | undefined): void {
    const calls = this.#read?.calls ?? [];
    this.#text.link(
      calls.flatMap(({ place }, index) =>
        place ? [{ ...place, className: `linked call-${index % 4}${index === current ? " current" : ""}` }] : [],
      ),
    );
    for (const [index, row] of this.#said.querySelectorAll(".calls > li").entries()) {
      row.toggleAttribute("data-current", index === current);
    }
  }

  #showWritten(result: Result<"writeText"> | Error): void {
    if (result instanceof Error || isProblem(result)) return;
    this.#prompt.show(result.prompt);
    this.#grammar.show(result.grammar);
  }
}

function summary({ calls, format }: Read): string {
  const broken = calls.filter(({ error }) => error !== undefined).length;
  const words = counted(calls.length, { one: "call", many: "calls" });
  const doubt = broken > 0 ? `, ${broken} not readable` : "";
  return calls.length === 0 ? `No calls (${format})` : `${words} in the format ${format}${doubt}`;
}

const part = (title: string, content: string) =>
  h("div", {}, h("h3", { class: "findings-title" }, title), h("p", { class: "told" }, content));

/** A text that can be copied, with what is to say about it. */
function written(name: string) {
  const output = h("div", { class: "output" });
  const notes = h("ul", { class: "rows notes" });
  const viewer = new Viewer(output, name === "prompt" ? "The prompt" : "The grammar");
  let shown = "";
  return {
    elements: [output, notes],
    copy: copyButton(`the ${name}`, () => shown),
    show({ text: made, warnings, problem: reason }: WrittenText) {
      shown = made;
      viewer.setText(made);
      notes.replaceChildren(...[...(reason ? [reason] : []), ...warnings].map((words) => h("li", {}, sentence(words))));
    },
  };
}
