// What is shown in place of results.

import type { Finding } from "../engine/protocol.ts";
import { h, icon } from "../page/dom.ts";
import { sentence } from "../page/names.ts";

/** An error that prevents all conversions is shown once. */
export function failurePanel({ code, message }: Finding): HTMLElement {
  const text = h("p", { class: "failure-text" }, icon("error"), sentence(message));
  return h("div", { class: "failure-panel" }, text, h("code", {}, code));
}
