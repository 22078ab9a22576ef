// Lists the warnings and errors under the source. A click selects the place.

import type { Dialect } from "toolwire";
import type { Finding, Outcome, Place, Severity } from "../engine/protocol.ts";
import { h, icon, part } from "../page/dom.ts";
import { counted, dialectName, sentence, severityNames } from "../page/names.ts";

/** Maximum number of rows. */
const mostRows = 200;

/** A message, with all targets and places that have it. */
export interface Row extends Pick<Finding, "severity" | "code" | "message"> {
  targets: Dialect[];
  places: Pick<Finding, "path" | "place">[];
}

/** Maximum number of places of one message. */
const mostPlaces = 30;

const order: Severity[] = ["error", "lossy", "note"];

/** Errors first, then lossy warnings, then those of the most targets. */
export function gathered(outcomes: Pick<Outcome, "to" | "findings">[]): Row[] {
  const rows = new Map<string, Row>();
  for (const { to, findings } of outcomes) {
    for (const { severity, code, message, path, place } of findings) {
      const key = [severity, code, message].join("\n");
      const row = rows.get(key) ?? { severity, code, message, targets: [], places: [] };
      rows.set(key, row);
      if (!row.targets.includes(to)) row.targets.push(to);
      if (!row.places.some((other) => other.path === path)) row.places.push({ path, ...(place && { place }) });
    }
  }
  return [...rows.values()].sort(
    (a, b) => order.indexOf(a.severity) - order.indexOf(b.severity) || b.targets.length - a.targets.length,
  );
}

export function showFindings(rows: Row[], { goTo, single }: { goTo(place: Place): void; single: boolean }): void {
  const listed = rows.slice(0, mostRows).map((row) => h("li", {}, finding(row, goTo, single)));
  const more = rows.length - listed.length;
  const list = h("ol", { class: "finding-list", tabindex: 0, "aria-label": "Warnings and errors" }, ...listed);
  if (more > 0) list.append(h("li", { class: "more" }, `and ${more.toLocaleString("en")} more`));
  part("findings").replaceChildren(h("h3", { class: "findings-title" }, summary(rows)));
  if (rows.length > 0) part("findings").append(list);
}

export function showNoFindings(): void {
  part("findings").replaceChildren();
}

/** Shown in place of the findings if there is no conversion. */
export function showProblem(title: string, problem: string): void {
  part("findings").replaceChildren(
    h("h3", { class: "findings-title" }, title),
    h("p", { class: "problem", role: "alert" }, icon("error"), problem),
  );
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

function finding(
  { severity, code, message, places, targets }: Row,
  goTo: (place: Place) => void,
  single: boolean,
): HTMLElement {
  const listed = places.slice(0, mostPlaces).map((place) => placeButton(place, goTo));
  const more = places.length - listed.length;
  return h(
    "div",
    { class: `finding ${severity}` },
    icon(severity),
    h("p", { class: "message" }, h("span", { class: "hidden" }, `${severityNames[severity].one}: `), sentence(message)),
    h(
      "p",
      { class: "where" },
      h("code", {}, code),
      ...listed,
      more > 0 && h("span", {}, `and ${more.toLocaleString("en")} more`),
    ),
    !single &&
      h("p", { class: "targets" }, ...targets.map((target) => h("span", { class: "chip" }, dialectName(target)))),
  );
}

function placeButton({ path, place }: Row["places"][number], goTo: (place: Place) => void): HTMLElement {
  const name = path === "" ? "whole source" : path;
  if (!place) return h("span", { class: "path" }, name);
  return h("button", { type: "button", class: "path", title: "Show in the source", onclick: () => goTo(place) }, name);
}
