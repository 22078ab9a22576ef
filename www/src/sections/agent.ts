// Agent: a run with a scripted model, step by step: requests, turns, calls, repairs and approvals, and what each provider would be sent.

import type { Dialect } from "toolwire";
import { Input } from "../editor/input.ts";
import { Viewer } from "../editor/viewer.ts";
import { latest } from "../engine/client.ts";
import { type AgentStep, isProblem, type ReadCall, type Result, type Tasks } from "../engine/protocol.ts";
import { copyButton } from "../page/clipboard.ts";
import { announce, h } from "../page/dom.ts";
import { counted, dialectName, dialects, sentence } from "../page/names.ts";
import type { Build, Fields, Section } from "../page/sections.ts";
import { findingList, gathered } from "../panes/findings.ts";
import { exampleScript } from "./agent-example.ts";
import { choice, panel, problem, verdict } from "./parts.ts";

/** How long to wait for a pause in typing, in milliseconds. */
const pause = 150;

type Run = Tasks["agent"]["result"];
type Request = Extract<AgentStep, { type: "request" }>;

export const agent: Build = (changed) => new Agent(changed);

class Agent implements Section {
  readonly element: HTMLElement;
  readonly #changed: (fields: Fields) => void;
  readonly #script: Input;
  readonly #steps = h("div", { class: "panel-body", tabindex: 0, role: "region", "aria-label": "Steps of the run" });
  readonly #target = choice(
    "Provider",
    dialects.map((value) => ({ value, label: dialectName(value) })),
    () => {
      this.#keep();
      this.#convert();
    },
  );
  readonly #sent: Viewer;
  readonly #sentTitle: HTMLElement;
  readonly #report = h("div", { class: "report findings" });
  readonly #running = latest("agent", (result, { script }) => this.#show(result, script));
  readonly #converting = latest("convert", (result) => this.#showSent(result));
  #decisions: Record<string, boolean> = {};
  #requests: Request[] = [];
  /** The request that is shown; undefined: the last one. */
  #chosen: number | undefined;
  #sentText = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(changed: (fields: Fields) => void) {
    this.#changed = changed;
    this.#script = new Input({
      label: "Script",
      placeholder: "JSON with `messages`, `tools` and the turns of the `model`.",
      changed: () => {
        this.#keep();
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#restart(), pause);
      },
    });
    const output = h("div", { class: "output" });
    this.#sent = new Viewer(output, "The request, as the provider is sent it");
    const sent = panel(
      "Request",
      [this.#target.element, copyButton("the request", () => this.#sentText)],
      output,
      this.#report,
    );
    this.#sentTitle = sent.querySelector("h2") ?? sent;
    const again = h("button", { type: "button", class: "button", onclick: () => this.#restart() }, "Start again");
    this.element = h(
      "div",
      { class: "columns" },
      h("div", { class: "column" }, panel("Script", [], this.#script.element)),
      h("div", { class: "column" }, panel("Run", [again], this.#steps), sent),
    );
  }

  open({ script = exampleScript, to = "anthropic" }: Fields): void {
    this.#script.setText(script);
    this.#target.select.value = to;
    this.#restart();
  }

  take(text: string): void {
    this.#script.setText(text);
    this.#keep();
    this.#restart();
  }

  #keep(): void {
    const to = this.#target.select.value;
    this.#changed({
      ...(this.#script.text !== exampleScript && { script: this.#script.text }),
      ...(to !== "anthropic" && { to }),
    });
  }

  #restart(): void {
    this.#decisions = {};
    this.#chosen = undefined;
    this.#run();
  }

  #run(): void {
    this.#running.ask({ script: this.#script.text, decisions: this.#decisions });
  }

  #show(result: Result<"agent"> | Error, script: string): void {
    if (script !== this.#script.text) return;
    if (result instanceof Error || isProblem(result)) {
      const words = result instanceof Error ? result.message : result.problem;
      this.#requests = [];
      this.#steps.replaceChildren(problem(words));
      this.#sentText = "";
      this.#sent.setText("");
      this.#report.replaceChildren();
      announce(words, { isVisible: false });
      return;
    }
    this.#requests = result.steps.filter((step) => step.type === "request");
    this.#steps.replaceChildren(
      ...this.#verdict(result),
      h("ol", { class: "rows" }, ...result.steps.map((step) => this.#row(step))),
    );
    announce(summary(result), { isVisible: false });
    this.#convert();
  }

  #verdict(run: Run): HTMLElement[] {
    const severity = run.reason === "answer" ? "clean" : run.pending.length > 0 ? "note" : "lossy";
    return [verdict(severity, summary(run)), ...run.pending.map((call) => this.#question(call))];
  }

  /** Asks whether a call may run. */
  #question(call: ReadCall): HTMLElement {
    const decide = (isAllowed: boolean, label: string) =>
      h(
        "button",
        {
          type: "button",
          class: "button",
          onclick: () => {
            this.#decisions[call.id] = isAllowed;
            this.#steps.focus();
            this.#run();
          },
        },
        label,
      );
    return h(
      "div",
      { class: "question" },
      h("span", {}, "May ", h("b", {}, call.name), " run with ", h("code", {}, call.arguments), "?"),
      decide(true, "Allow"),
      decide(false, "Deny"),
    );
  }

  #row(step: AgentStep): HTMLElement {
    if (step.type !== "request") return h("li", { class: `step-of-run ${step.type}` }, ...contentOf(step));
    const index = this.#requests.indexOf(step);
    const show = () => {
      this.#chosen = index;
      this.#convert();
      announce(`Request ${index + 1} is shown`, { isVisible: false });
    };
    return h(
      "li",
      { class: "step-of-run request" },
      h("b", {}, `Request ${index + 1}`),
      h("button", { type: "button", class: "path", onclick: show }, "show"),
    );
  }

  #convert(): void {
    const index = this.#chosen ?? this.#requests.length - 1;
    const request = this.#requests[index];
    if (!request) return;
    const to = this.#target.select.value as Dialect;
    this.#sentTitle.textContent = `Request ${index + 1}`;
    const source = { text: request.request, from: "canonical" as const, kind: "request" as const, settings: {} };
    this.#converting.ask({ source, targets: [to] });
  }

  #showSent(result: Result<"convert"> | Error): void {
    if (result instanceof Error || isProblem(result)) return;
    const [outcome] = result.outcomes;
    if (!outcome) return;
    this.#sentText = outcome.text ?? "";
    this.#sent.setText(this.#sentText);
    this.#report.replaceChildren(
      ...findingList(gathered([outcome]), { text: "", goTo: () => {}, choose: () => {}, single: true }),
    );
    // the places are those in the canonical request, which is not shown
    for (const place of this.#report.querySelectorAll("button.path")) {
      place.replaceWith(h("span", { class: "path" }, place.firstChild?.textContent ?? ""));
    }
  }
}

function summary({ reason, message, text, iterations, pending }: Run): string {
  const after = `after ${counted(iterations, { one: "request", many: "requests" })}`;
  if (pending.length > 0)
    return `The run waits ${after}: ${counted(pending.length, { one: "call", many: "calls" })} to decide`;
  return reason === "answer" ? `It ended ${after}: ${text}` : `It ended ${after} (${reason}): ${message ?? text}`;
}

function contentOf(step: Exclude<AgentStep, { type: "request" }>): (HTMLElement | string)[] {
  if (step.type === "repair") {
    return [h("b", {}, "Repair"), ...step.problems.map((words) => h("span", {}, sentence(words)))];
  }
  if (step.type === "approval") return [h("b", {}, "Approval"), callElement(step.call)];
  if (step.type === "response") {
    return [
      h("b", {}, "Model"),
      ...(step.text === "" ? [] : [h("span", {}, step.text)]),
      ...step.calls.map(callElement),
    ];
  }
  return [
    h("b", {}, step.call.name),
    h("span", { class: "what" }, step.status),
    h("code", {}, step.result),
    ...step.changes.map((words) => h("code", { class: "what" }, words)),
  ];
}

const callElement = ({ name, arguments: given, error }: ReadCall) =>
  h("code", {}, `${name}(${given})`, error !== undefined && ` ${error}`);
