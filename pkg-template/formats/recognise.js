// Determines which formats and kinds a body can have.

import { bases } from "../../build/generated/facts.js";
import { events, forms, markers } from "./markers.js";
import { matches } from "./patterns.js";

/**
 * Returns `{ left, found }`: the forms that the body can have, and the markers that were found in it. A known format
 * (`from`) or kind narrows the choice. `isPossible` is false if no form has its required fields.
 */
export function recognise(value, { from, kind }) {
  // a body of a variant can't be distinguished from one of the dialect that it is a variant of
  const known = bases[from] ?? from;
  const possible = forms.filter(
    (form) =>
      (known === undefined || form.dialect === known) &&
      (kind === undefined || form.kind === kind) &&
      form.needs.every((pattern) => matches(value, pattern)) &&
      (known !== undefined || (!form.isLikeOthers && (form.marks ?? []).every((pattern) => matches(value, pattern)))),
  );
  const found = markersIn(value, possible);
  const left = possible.filter(
    (form) =>
      form.isSure ||
      found.every((marker) => marker.kind !== form.kind || marker.of.includes(form.variantOf ?? form.dialect)),
  );
  const replaced = left.filter((form) => form.variantOf).map((form) => form.variantOf);
  return { isPossible: possible.length > 0, left: left.filter((form) => !replaced.includes(form.dialect)), found };
}

/** The format whose streams have such events, or undefined if there is none. */
export function formatOfEvent(event) {
  return events.find((form) => form.needs.every((pattern) => matches(event, pattern)))?.dialect;
}

/** The markers found in the body, of its possible kinds. */
function markersIn(value, possible) {
  return [...new Set(possible.map((form) => form.kind))].flatMap((kind) =>
    markers[kind].flatMap(({ of, patterns }) => {
      const pattern = patterns.find((pattern) => matches(value, pattern));
      return pattern === undefined ? [] : [{ kind, of, pattern }];
    }),
  );
}
