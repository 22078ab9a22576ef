// The editor of tool definitions, which are read in any format.

import type { Dialect } from "toolwire";
import { Input } from "../editor/input.ts";
import { ask, latest } from "../engine/client.ts";
import { type Finding, isProblem, type Outcome, type Result } from "../engine/protocol.ts";
import { announce, h } from "../page/dom.ts";
import { panel, problem } from "./parts.ts";

/** How long to wait for a pause in typing, in milliseconds. */
const pause = 60;

interface Wishes {
  /** Called before the definitions are read, when they were edited. */
  edited(): void;
  /** Called with the canonical definitions, and with the outcomes for the targets. */
  read(tools: string, outcomes: Outcome[]): void;
  /** Called when there are no definitions. */
  failed(): void;
  /** The formats to convert to as well. */
  targets?(): Dialect[];
}

export class Definitions {
  readonly element: HTMLElement;
  readonly input: Input;
  /** What there is to say about the definitions. */
  readonly report = h("div", { class: "report findings" });
  readonly #note = h("p", { class: "note-of-reading" });
  readonly #wishes: Wishes;
  readonly #converting = latest("convert", (result, { source }) => this.#show(result, source.text));
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(wishes: Wishes) {
    this.#wishes = wishes;
    this.input = new Input({
      label: "Tool definitions",
      placeholder: "Tool definitions of any provider, of an MCP server, or a request that has some.",
      changed: () => {
        this.#note.textContent = "";
        wishes.edited();
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.read(), pause);
      },
      replaced: (text) => this.#unwrap(text),
    });
    this.element = panel("Tool definitions", [], this.#note, this.input.element, this.report);
  }

  get text(): string {
    return this.input.text;
  }

  /** Replaces the definitions, as if they were typed. */
  take(text: string): void {
    this.input.setText(text);
    this.#unwrap(text);
  }

  /** Takes off what surrounds definitions, as the conversion does with its source. */
  async #unwrap(text: string): Promise<void> {
    clearTimeout(this.#timer);
    const found = await ask("read", { text }).catch(() => undefined);
    if (this.text !== text) return;
    const reading = found && "reading" in found ? found.reading : undefined;
    if (reading) this.input.setText(reading.text);
    this.#note.textContent = reading ? `Read ${reading.steps.join(", ")}.` : "";
    this.#wishes.edited();
    this.read();
  }

  read(): void {
    const source = { text: this.text, kind: "tools" as const, settings: {} };
    this.#converting.ask({ source, targets: ["canonical", ...(this.#wishes.targets?.() ?? [])] });
  }

  fail(message: string, findings: Finding[] = []): void {
    this.input.mark(findings);
    this.report.replaceChildren(problem(message));
    this.#wishes.failed();
    announce(message, { isVisible: false });
  }

  #show(result: Result<"convert"> | Error, text: string): void {
    if (text !== this.text) return;
    if (result instanceof Error || isProblem(result)) {
      this.fail(result instanceof Error ? result.message : result.problem);
      return;
    }
    const [canonical, ...others] = result.outcomes;
    if (canonical?.text === undefined) this.fail(canonical?.findings.at(-1)?.message ?? "", canonical?.findings);
    else {
      this.report.replaceChildren();
      this.#wishes.read(canonical.text, others);
    }
  }
}
