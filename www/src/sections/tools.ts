// Tools: likely problems of definitions, arguments that are checked as they are typed, and what each provider is sent.

import type { Dialect } from "toolwire";
import { Input } from "../editor/input.ts";
import { Viewer } from "../editor/viewer.ts";
import { latest } from "../engine/client.ts";
import { type Finding, isProblem, type Outcome, type Tasks } from "../engine/protocol.ts";
import { copyButton } from "../page/clipboard.ts";
import { announce, h } from "../page/dom.ts";
import { counted, dialectName, dialects } from "../page/names.ts";
import type { Build, Fields, Section } from "../page/sections.ts";
import { findingList, gathered } from "../panes/findings.ts";
import { Definitions } from "./definitions.ts";
import { choice, panel, problem, toggle, verdict } from "./parts.ts";
import { exampleArguments, exampleTools } from "./tools-example.ts";

/** How long to wait for a pause in typing, in milliseconds. */
const pause = 60;

type Checked = Tasks["check"]["result"];

export const tools: Build = (changed) => new Tools(changed);

class Tools implements Section {
  readonly element: HTMLElement;
  readonly #changed: (fields: Fields) => void;
  readonly #definitions: Definitions;
  readonly #arguments: Input;
  readonly #checked = h("div", {
    class: "panel-body",
    tabindex: 0,
    role: "region",
    "aria-label": "What becomes of the arguments",
  });
  readonly #schemaReport = h("div", { class: "report findings" });
  readonly #schema: Viewer;
  readonly #tool = choice("Tool", [], () => this.#checkAgain());
  readonly #target = choice(
    "Provider",
    dialects.map((value) => ({ value, label: dialectName(value) })),
    () => this.#convertAgain(),
  );
  readonly #coerce = toggle("coerce", () => this.#checkAgain());
  readonly #clamp = toggle("clamp", () => this.#checkAgain());
  readonly #repair = toggle("repair", () => this.#checkAgain());
  readonly #linting = latest("lint", (result, { source }) => this.#showLint(result, source));
  readonly #checking = latest("check", (result, { text }) => this.#showChecked(result, text));
  #canonical = "";
  #schemaText = "";
  #name = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(changed: (fields: Fields) => void) {
    this.#changed = changed;
    this.#definitions = new Definitions({
      edited: () => this.#keep(),
      targets: () => [this.#target.select.value as Dialect],
      read: (tools, [target]) => {
        this.#canonical = tools;
        this.#showTarget(target);
        this.#linting.ask({ source: this.#definitions.text, tools });
      },
      failed: () => this.#clear(),
    });
    this.#arguments = new Input({
      label: "Arguments, as a model writes them",
      placeholder: "Arguments, as a model writes them. They need not be valid JSON.",
      changed: () => {
        this.#keep();
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#check(), pause);
      },
    });
    this.#arguments.element.classList.add("short");
    for (const { input } of [this.#coerce, this.#clamp, this.#repair]) input.checked = true;
    const output = h("div", { class: "output" });
    this.#schema = new Viewer(output, "The tools, as the provider is sent them");
    this.element = h(
      "div",
      { class: "columns" },
      h("div", { class: "column" }, this.#definitions.element),
      h(
        "div",
        { class: "column" },
        panel(
          "Arguments",
          [this.#tool.element, this.#coerce.element, this.#clamp.element, this.#repair.element],
          this.#arguments.element,
          this.#checked,
        ),
        panel(
          "As a provider is sent them",
          [this.#target.element, copyButton("the tools", () => this.#schemaText)],
          output,
          this.#schemaReport,
        ),
      ),
    );
  }

  open({ tools = exampleTools, arguments: given = exampleArguments, tool = "", to = "gemini" }: Fields): void {
    this.#definitions.input.setText(tools);
    this.#arguments.setText(given);
    this.#name = tool;
    this.#target.select.value = to;
    this.#definitions.read();
  }

  take(text: string): void {
    this.#definitions.take(text);
  }

  #convertAgain(): void {
    this.#keep();
    this.#definitions.read();
  }

  #checkAgain(): void {
    this.#keep();
    this.#check();
  }

  #keep(): void {
    const entries = {
      tools: [this.#definitions.text, exampleTools],
      arguments: [this.#arguments.text, exampleArguments],
      tool: [this.#tool.select.value, ""],
      to: [this.#target.select.value, "gemini"],
    };
    const own = Object.entries(entries).filter(([, [value, usual]]) => value !== usual);
    this.#changed(Object.fromEntries(own.map(([name, [value = ""]]) => [name, value])));
  }

  /** There are no definitions. */
  #clear(): void {
    this.#canonical = "";
    this.#checked.replaceChildren();
    this.#schemaText = "";
    this.#schema.setText("");
    this.#schemaReport.replaceChildren();
  }

  #showTarget(outcome: Outcome | undefined): void {
    if (!outcome) return;
    const { to, text, findings } = outcome;
    this.#schemaText = text ?? "";
    this.#schema.setText(text ?? "");
    this.#schemaReport.replaceChildren(
      ...findingList(gathered([{ to, findings }]), {
        text: this.#definitions.text,
        goTo: (place) => this.#definitions.input.goTo(place),
        choose: () => {},
        single: true,
      }),
    );
  }

  #showLint(result: Tasks["lint"]["result"] | { problem: string } | Error, source: string): void {
    if (source !== this.#definitions.text || isProblem(result)) return;
    if (result instanceof Error) {
      this.#definitions.fail(result.message);
      return;
    }
    const { names, findings } = result as Tasks["lint"]["result"];
    this.#definitions.input.mark(findings);
    const said =
      findings.length === 0 ? "No likely problems" : counted(findings.length, { one: "hint", many: "hints" });
    this.#definitions.report.replaceChildren(
      ...findingList(gathered([{ to: "canonical", findings }]), {
        text: source,
        goTo: (place) => this.#definitions.input.goTo(place),
        choose: () => {},
        single: true,
        areSelfExplaining: true,
        title: said,
      }),
    );
    this.#tool.offer(names);
    if (names.includes(this.#name)) this.#tool.select.value = this.#name;
    announce(`${counted(names.length, { one: "tool", many: "tools" })}: ${said}`, { isVisible: false });
    this.#check();
  }

  #check(): void {
    this.#name = this.#tool.select.value;
    if (this.#canonical === "" || this.#name === "") return;
    this.#checking.ask({
      tools: this.#canonical,
      name: this.#name,
      text: this.#arguments.text,
      options: {
        coerce: this.#coerce.input.checked,
        clamp: this.#clamp.input.checked,
        repairJson: this.#repair.input.checked,
      },
    });
  }

  #showChecked(result: Checked | { problem: string } | Error, text: string): void {
    if (text !== this.#arguments.text || isProblem(result)) return;
    if (result instanceof Error) {
      this.#checked.replaceChildren(problem(result.message));
      return;
    }
    const checked = result as Checked;
    this.#arguments.mark(checked.findings);
    this.#checked.replaceChildren(...checkedElements(checked, text, (place) => this.#arguments.goTo(place)));
    announce(`${this.#name}: ${summary(checked)[1]}`, { isVisible: false });
  }
}

function summary({ findings, changes, repairs }: Checked): [Finding["severity"] | "clean", string] {
  const count = changes.length + repairs.length;
  if (findings.length > 0)
    return ["error", `The call can't run: ${counted(findings.length, { one: "problem", many: "problems" })}`];
  if (count === 0) return ["clean", "The call runs as it is"];
  return ["note", `The call runs after ${counted(count, { one: "change", many: "changes" })}`];
}

/** The verdict, the problems and the changes; then the arguments of the execution, or the error result that the model receives. */
function checkedElements(
  checked: Checked,
  text: string,
  goTo: (place: { from: number; to: number }) => void,
): HTMLElement[] {
  const { findings, changes, repairs } = checked;
  const [severity, words] = summary(checked);
  const repaired = repairs.map(({ message, place }) =>
    h(
      "li",
      {},
      h("span", {}, h("b", {}, "repaired"), ` ${message}`),
      h("span", { class: "what" }, placeButton(text, place, goTo)),
    ),
  );
  const changed = changes.map(({ kind, path, from, to }) =>
    h(
      "li",
      {},
      h("span", {}, h("b", {}, kind), " ", h("code", {}, path || "the whole")),
      h("span", { class: "what" }, h("code", {}, from ?? "nothing"), "→", h("code", {}, to ?? "nothing")),
    ),
  );
  const list = findingList(gathered([{ to: "canonical", findings }]), {
    text,
    goTo,
    choose: () => {},
    single: true,
    areSelfExplaining: true,
  });
  return [
    verdict(severity, words),
    ...(findings.length > 0 ? list.slice(1) : []),
    ...(repaired.length + changed.length > 0 ? [h("ol", { class: "rows" }, ...repaired, ...changed)] : []),
    ...(checked.arguments === undefined ? [] : [stated("It runs with", checked.arguments)]),
    ...(checked.errorResult === undefined ? [] : [stated("The model receives", checked.errorResult)]),
  ];
}

function placeButton(
  text: string,
  place: { from: number; to: number },
  goTo: (place: { from: number; to: number }) => void,
): HTMLElement {
  const before = text.slice(0, place.from).split("\n");
  const position = `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
  return h(
    "button",
    { type: "button", class: "path", title: "Show in the arguments", onclick: () => goTo(place) },
    position,
  );
}

const stated = (title: string, text: string) =>
  h("div", {}, h("h3", { class: "findings-title" }, title), h("pre", { class: "told" }, text));
