// What becomes of each part of the source, by target.

import "../styles/matrix.css";
import type { Dialect } from "toolwire";
import type { Finding, Identity, Outcome, Place } from "../engine/protocol.ts";
import { h } from "../page/dom.ts";
import { dialectName, modelDoubt, providers } from "../page/names.ts";
import { type Part, partsOf } from "./parts.ts";

type Fate = "carried" | "changed" | "lost" | "added" | "refused" | "failed";

const fates: Record<Fate, { sign: string; word: string }> = {
  carried: { sign: "✓", word: "carried" },
  changed: { sign: "~", word: "changed" },
  lost: { sign: "✗", word: "lost in part" },
  added: { sign: "+", word: "added" },
  refused: { sign: "⊘", word: "refused as it is" },
  failed: { sign: "!", word: "not converted" },
};

/** The parts that are listed; more would not be read. */
const mostParts = 200;

export function showMatrix(
  text: string,
  outcomes: Outcome[],
  { from, kind }: Identity,
  goTo: (place: Place) => void,
): HTMLElement {
  const shown = outcomes.filter(({ to }) => providers.includes(to) && to !== from);
  const parts = partsOf(text, kind).slice(0, mostParts);
  const rows = [...parts, whole].map((part) => row(part, parts, shown, goTo));
  return h(
    "div",
    { class: "matrix", tabindex: 0, role: "region", "aria-label": "Matrix" },
    h(
      "table",
      {},
      h("caption", {}, ...Object.values(fates).map(({ sign, word }) => h("span", {}, h("b", {}, sign), ` ${word}`))),
      h("thead", {}, h("tr", {}, h("td"), ...shown.map(({ to }) => h("th", { scope: "col" }, dialectName(to))))),
      h("tbody", {}, ...rows),
    ),
  );
}

const whole: Part = { path: "", name: "the whole", detail: "" };

function row(part: Part, parts: Part[], outcomes: Outcome[], goTo: (place: Place) => void): HTMLElement {
  const { place } = part;
  const label = h("span", {}, part.name, part.detail !== "" && h("small", {}, part.detail));
  const head = place
    ? h("button", { type: "button", class: "part", title: "Show in the source", onclick: () => goTo(place) }, label)
    : label;
  return h("tr", {}, h("th", { scope: "row" }, head), ...outcomes.map((outcome) => cell(part, parts, outcome, goTo)));
}

function cell(part: Part, parts: Part[], outcome: Outcome, goTo: (place: Place) => void): HTMLElement {
  const { to, text, findings } = outcome;
  const own = findings.filter((finding) => partOf(finding, parts) === part.path);
  // a model that is not in the body is in the path
  const doubt = part.path === (parts.some(({ path }) => path === "/model") ? "/model" : "") && modelDoubt(outcome);
  const fate = text === undefined && part.path === "" ? "failed" : doubt ? "refused" : fateOf(own, text === undefined);
  const { sign, word } = fates[fate];
  const place = own.find((finding) => finding.place)?.place ?? part.place;
  const title = [...(doubt ? [doubt] : []), ...own.map(({ message }) => message)].join("\n") || word;
  return h(
    "td",
    { class: fate },
    place
      ? h(
          "button",
          { type: "button", title, "aria-label": cellLabel(part, to, word), onclick: () => goTo(place) },
          sign,
        )
      : h("span", { title }, sign, h("span", { class: "hidden" }, word)),
  );
}

const cellLabel = ({ name }: Part, to: Dialect, word: string) => `${name}, ${dialectName(to)}: ${word}`;

/** The path of the innermost part that a finding is about. */
function partOf({ path }: Finding, parts: Part[]): string {
  const containing = parts.filter((part) => path === part.path || path.startsWith(`${part.path}/`));
  return containing.reduce((longest, { path }) => (path.length > longest.length ? path : longest), "");
}

function fateOf(findings: Finding[], isFailed: boolean): Fate {
  if (findings.some(({ severity }) => severity === "error") || (isFailed && findings.length > 0)) return "failed";
  if (findings.some(({ severity }) => severity === "lossy")) return "lost";
  if (findings.some(({ code }) => code === "default_used")) return "added";
  return findings.length > 0 ? "changed" : "carried";
}
