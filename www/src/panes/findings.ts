// Lists the warnings and errors under the source. A click selects the place.

import type { Dialect } from "toolwire";
import type { Finding, Outcome, Place, Severity } from "../engine/protocol.ts";
import { h, icon, part, withCode } from "../page/dom.ts";
import { counted, dialectName, sentence, severityNames } from "../page/names.ts";

/** Maximum number of rows. */
const mostRows = 200;

/** A message, with all targets and places that have it. */
export interface Row extends Pick<Finding, "severity" | "code" | "message" | "dialect"> {
  targets: Dialect[];
  places: Pick<Finding, "path" | "place" | "detail">[];
}

/** What the list does besides listing. */
interface Wishes {
  /** The source, for lines and columns. */
  text: string;
  goTo(place: Place): void;
  choose(target: Dialect): void;
  /** One target: its name would be the same everywhere. */
  single: boolean;
  /** In place of the counts. */
  title?: string;
  /** Whether the codes are of the toolkit, whose messages say all that there is to say. */
  areSelfExplaining?: boolean;
}

/** Maximum number of places of one message. */
const mostPlaces = 30;

const order: Severity[] = ["error", "lossy", "note"];

/** Errors first, then lossy warnings, then those of the most targets. */
export function gathered(outcomes: Pick<Outcome, "to" | "findings">[]): Row[] {
  const rows = new Map<string, Row>();
  for (const { to, findings } of outcomes) {
    const before = new Map([...rows].map(([key, { places }]) => [key, new Set(places.map(({ path }) => path))]));
    for (const { severity, code, message, path, place, detail, dialect } of findings) {
      const key = [severity, code, message].join("\n");
      const row = rows.get(key) ?? { severity, code, message, ...(dialect && { dialect }), targets: [], places: [] };
      rows.set(key, row);
      if (!row.targets.includes(to)) row.targets.push(to);
      // a place of another target is listed once; each of one target's findings is listed, as its badge counts them
      if (before.get(key)?.has(path)) continue;
      row.places.push({ path, ...(place && { place }), ...(detail !== undefined && { detail }) });
    }
  }
  return [...rows.values()].sort(
    (a, b) => order.indexOf(a.severity) - order.indexOf(b.severity) || b.targets.length - a.targets.length,
  );
}

export function showFindings(rows: Row[], wishes: Wishes): void {
  part("findings").replaceChildren(...findingList(rows, wishes));
}

/** A title with the counts, and the rows. */
export function findingList(rows: Row[], wishes: Wishes): HTMLElement[] {
  const positionOf = positions(wishes.text);
  const listed = rows.slice(0, mostRows).map((row) => h("li", {}, finding(row, wishes, positionOf)));
  const more = rows.length - listed.length;
  const list = h("ol", { class: "finding-list", tabindex: 0, "aria-label": "Warnings and errors" }, ...listed);
  if (more > 0) list.append(h("li", { class: "more" }, `and ${more.toLocaleString("en")} more`));
  const title = h("h3", { class: "findings-title" }, wishes.title ?? summary(rows));
  return rows.length > 0 ? [title, list] : [title];
}

export function showNoFindings(): void {
  part("findings").replaceChildren();
}

/** Shown in place of the findings if there is no conversion. */
export function showProblem(title: string, problem: string, detect: (() => void) | undefined): void {
  part("findings").replaceChildren(
    h("h3", { class: "findings-title" }, title),
    h("p", { class: "problem" }, icon("error"), h("span", {}, problem)),
  );
  if (!detect) return;
  const button = h("button", { type: "button", class: "button", onclick: detect }, "Detect format and kind");
  part("findings").append(h("p", { class: "problem-help" }, button));
}

const placesIn = (rows: Row[]) => rows.reduce((sum, { places }) => sum + places.length, 0);

function summary(rows: Row[]): string {
  if (rows.length === 0) return "Nothing lost, nothing changed";
  return order
    .map((severity) => ({ severity, count: placesIn(rows.filter((row) => row.severity === severity)) }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => counted(count, severityNames[severity]))
    .join(" · ");
}

type PositionOf = (at: number) => { line: number; column: number };

/** Lines and columns of indices, counted from 1. */
function positions(text: string): PositionOf {
  let starts: number[] | undefined;
  return (at) => {
    starts ??= [0, ...[...text.matchAll(/\r\n?|\n/g)].map((end) => end.index + end[0].length)];
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: at - (starts[low] ?? 0) + 1 };
  };
}

function finding(
  { severity, code, message, dialect, places, targets }: Row,
  wishes: Wishes,
  positionOf: PositionOf,
): HTMLElement {
  const listed = places.slice(0, mostPlaces).map((place) => placeButton(place, wishes.goTo, positionOf, code));
  const more = places.length - listed.length;
  const details = [...new Set(places.flatMap(({ detail }) => detail ?? []))];
  return h(
    "div",
    { class: `finding ${severity}` },
    icon(severity),
    h(
      "p",
      { class: "message" },
      h("span", { class: "hidden" }, `${severityNames[severity].one}: `),
      ...withCode(sentence(message)),
    ),
    details.length > 0 && h("p", { class: "detail" }, details.join(", ")),
    h(
      "p",
      { class: "where" },
      ...listed,
      more > 0 && h("span", {}, `and ${more.toLocaleString("en")} more`),
      // with several targets, their names stand below
      wishes.single &&
        dialect &&
        h("span", { class: "position", title: "The format that is the reason" }, dialectName(dialect)),
      wishes.areSelfExplaining ? h("code", {}, code) : codeButton(code),
    ),
    !wishes.single &&
      h(
        "p",
        { class: "targets" },
        ...targets.map((target) =>
          h("button", { type: "button", class: "chip", onclick: () => wishes.choose(target) }, dialectName(target)),
        ),
      ),
  );
}

function placeButton(
  { path, place }: Row["places"][number],
  goTo: (place: Place) => void,
  positionOf: PositionOf,
  code: string,
): HTMLElement {
  // what is added has no place in the source
  const name = path !== "" ? path : code === "default_used" ? "added" : "whole source";
  if (name === "added") return h("button", { type: "button", class: "path added" }, name);
  if (!place) return h("span", { class: "path" }, name);
  const { line, column } = positionOf(place.from);
  return h(
    "button",
    { type: "button", class: "path", title: "Show in the source", onclick: () => goTo(place) },
    name,
    h("span", { class: "position" }, `${line}:${column}`),
  );
}

/** A code, which a click explains, with the words of the documentation. */
function codeButton(code: string): HTMLElement {
  const meaning = h("span", { class: "meaning" });
  const explain = async () => {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!isOpen));
    const { codes } = await import("virtual:codes");
    meaning.textContent = isOpen ? "" : (codes[code] ?? "This code is not documented.");
  };
  const button = h(
    "button",
    { type: "button", class: "code-name", "aria-expanded": "false", title: "What this code means", onclick: explain },
    code,
  );
  return h("span", { class: "explained" }, button, meaning);
}
