// Shows the response, as far as it is known from the events so far.

import type { StreamEvent, Usage } from "toolwire";
import { h } from "../page/dom.ts";

interface Call {
  id: string;
  name: string;
  text: string;
  state: "growing" | "whole" | "invalid";
}

export interface ResponseSoFar {
  text: string;
  reasoning: string;
  refusal: string;
  calls: Call[];
  others: string[];
  usage?: Usage;
  finish?: string;
  error?: string;
}

/** How many steps lie between two responses that are kept. */
const distance = 64;

/** The response after each number of steps. Some are kept, so that a step back does not start over. */
export class Responses {
  readonly #steps: { events: StreamEvent[] }[];
  readonly #kept: ResponseSoFar[] = [{ text: "", reasoning: "", refusal: "", calls: [], others: [] }];

  constructor(steps: { events: StreamEvent[] }[]) {
    this.#steps = steps;
  }

  after(count: number): ResponseSoFar {
    const nearest = Math.min(Math.floor(count / distance), this.#kept.length - 1);
    const response = structuredClone(this.#kept[nearest] as ResponseSoFar);
    for (let index = nearest * distance; index < count; index++) {
      for (const event of this.#steps[index]?.events ?? []) take(response, event);
      if ((index + 1) % distance === 0) this.#kept[(index + 1) / distance] ??= structuredClone(response);
    }
    return response;
  }
}

function take(response: ResponseSoFar, event: StreamEvent): void {
  switch (event.type) {
    case "start":
      return;
    case "textDelta":
      response.text += event.text;
      return;
    case "refusalDelta":
      response.refusal += event.text;
      return;
    case "reasoningDelta":
      response.reasoning += event.text;
      return;
    case "reasoningEnd":
      if (event.signature) response.others.push("signed reasoning");
      if (event.redacted) response.others.push("redacted reasoning");
      return;
    case "toolCallStart":
      response.calls.push({ id: event.id, name: event.name, text: "", state: "growing" });
      return;
    case "toolCallDelta": {
      const call = response.calls.find(({ id }) => id === event.id);
      if (call) call.text += event.text;
      return;
    }
    case "toolCallEnd":
      endCall(response, event.call);
      return;
    case "block":
      response.others.push(event.value.type);
      return;
    case "usage":
      response.usage = event.usage;
      return;
    case "finish":
      response.finish = event.finishReason;
      return;
    case "error":
      response.error = event.error.message;
      return;
    case "native":
      response.others.push(`native (${event.provider})`);
  }
}

function endCall(response: ResponseSoFar, ended: Extract<StreamEvent, { type: "toolCallEnd" }>["call"]): void {
  const isValid = "arguments" in ended;
  const text = isValid ? JSON.stringify(ended.arguments) : ended.rawArguments;
  const call = response.calls.find(({ id }) => id === ended.id);
  const state = isValid ? "whole" : "invalid";
  if (call) Object.assign(call, { text, state });
  else response.calls.push({ id: ended.id, name: ended.name, text, state });
}

const states = { growing: "arriving", whole: "complete", invalid: "not a JSON object" } as const;

/** Shows responses in an element. What has not changed stays, and texts grow, because a long one takes a while to be laid out. */
export function responseView(parent: HTMLElement): (response: ResponseSoFar) => void {
  let built = new Map<string, HTMLElement>();
  const texts = new Map<string, HTMLElement>();
  const textOf = (name: string, text: string) => {
    const element = texts.get(name) ?? h("p", { class: name }, "");
    texts.set(name, element);
    setText(element, text);
    return element;
  };
  return (response) => {
    const now = new Map<string, HTMLElement>();
    const callOf = (call: Call) => {
      const key = JSON.stringify(call);
      // an element is in one place only
      const element = (now.has(key) ? undefined : built.get(key)) ?? callElement(call);
      now.set(key, element);
      return element;
    };
    const elements = responseElements(response, textOf, callOf);
    built = now;
    for (const [index, element] of elements.entries()) {
      const shown = parent.children[index] ?? null;
      if (shown !== element) parent.insertBefore(element, shown);
    }
    while (parent.children.length > elements.length) parent.lastElementChild?.remove();
  };
}

/** Changes only the end of the text if it starts as before. */
function setText(element: HTMLElement, text: string): void {
  const node = element.firstChild;
  if (!(node instanceof Text)) element.textContent = text;
  else if (text.startsWith(node.data)) node.appendData(text.slice(node.length));
  else if (node.data.startsWith(text)) node.deleteData(text.length, node.length - text.length);
  else node.data = text;
}

function responseElements(
  { text, reasoning, refusal, calls, others, usage, finish, error }: ResponseSoFar,
  textOf: (name: string, text: string) => HTMLElement,
  callOf: (call: Call) => HTMLElement,
): HTMLElement[] {
  const isEmpty = !text && !reasoning && !refusal && calls.length === 0 && !error && !finish;
  return [
    isEmpty && h("p", { class: "response-empty" }, "The response is shown here as it arrives."),
    reasoning !== "" && textOf("response-reasoning", reasoning),
    text !== "" && textOf("response-text", text),
    refusal !== "" && textOf("response-text refusal", refusal),
    ...calls.map(callOf),
    error !== undefined && h("p", { class: "response-error" }, error),
    footer(others, usage, finish),
  ].filter((element) => element !== false);
}

function callElement({ id, name, text, state }: Call): HTMLElement {
  return h(
    "div",
    { class: `call ${state}` },
    h("div", { class: "call-head" }, h("strong", {}, name), h("span", { class: "call-state" }, states[state])),
    h("code", { class: "call-arguments" }, text || "{"),
    h("code", { class: "call-id" }, id),
  );
}

function footer(others: string[], usage: Usage | undefined, finish: string | undefined): HTMLElement | false {
  const chips = [...new Set(others)];
  if (usage) chips.push(`${usage.input ?? 0} in · ${usage.output ?? 0} out`);
  if (finish) chips.push(`finish: ${finish}`);
  return (
    chips.length > 0 && h("p", { class: "response-foot" }, ...chips.map((chip) => h("span", { class: "chip" }, chip)))
  );
}
