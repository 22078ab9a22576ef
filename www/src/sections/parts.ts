// What the sections are made of.

import "../styles/section.css";
import type { Finding } from "../engine/protocol.ts";
import { type Child, h, icon, withCode } from "../page/dom.ts";
import { sentence } from "../page/names.ts";

let lastId = 0;

/** A box with a title, and what stands beside the title. */
export function panel(title: string, tools: Child[], ...content: Child[]): HTMLElement {
  const id = `panel-${++lastId}`;
  return h(
    "section",
    { class: "panel", "aria-labelledby": id },
    h("header", { class: "panel-head" }, h("h2", { id }, title), h("div", { class: "panel-tools" }, ...tools)),
    ...content,
  );
}

export interface Choice {
  element: HTMLElement;
  select: HTMLSelectElement;
  /** Shows other options, and keeps the choice if it is still there. */
  offer(options: Option[]): void;
}

export type Option = string | { value: string; label: string };

/** A select with a visible label. */
export function choice(label: string, options: Option[], chosen: (value: string) => void): Choice {
  const id = `choice-${++lastId}`;
  const select = h("select", { id, onchange: () => chosen(select.value) });
  const offer = (all: Option[]) => {
    const { value } = select;
    const entries = all.map((one) => (typeof one === "string" ? { value: one, label: one } : one));
    select.replaceChildren(...entries.map((one) => h("option", { value: one.value }, one.label)));
    if (entries.some((one) => one.value === value)) select.value = value;
  };
  offer(options);
  return {
    element: h("div", { class: "labelled" }, h("label", { for: id }, label), h("div", { class: "choice" }, select)),
    select,
    offer,
  };
}

/** A switch with a visible label. */
export function toggle(label: string, changed: () => void): { element: HTMLElement; input: HTMLInputElement } {
  const input = h("input", { type: "checkbox", onchange: changed });
  return { element: h("label", { class: "toggle" }, input, label), input };
}

/** What is said about a whole panel: whether all is well, and in which words. */
export function verdict(severity: Finding["severity"] | "clean", text: string): HTMLElement {
  return h("p", { class: `said ${severity}` }, icon(severity === "clean" ? "check" : severity), h("span", {}, text));
}

/** The reason why there is nothing to show. */
export function problem(text: string): HTMLElement {
  return h("p", { class: "problem" }, icon("error"), h("span", {}, ...withCode(sentence(text))));
}
