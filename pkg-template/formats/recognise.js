// Which format and kind a body can be of.

import { events, forms, looksLike, markers } from "./markers.js";
import { matches } from "./patterns.js";

/**
 * `{ left, found }`: the forms that the body can have, and the markers that were found in it. What is already known of the
 * format (`from`) and the kind narrows the choice; `isPossible` is false if no form has its required fields.
 */
export function recognise(value, { from, kind }) {
  const known = looksLike[from] ?? from;
  const possible = forms.filter(
    (form) =>
      (known === undefined || form.dialect === known) &&
      (kind === undefined || form.kind === kind) &&
      form.needs.every((pattern) => matches(value, pattern)) &&
      (known !== undefined || (!form.isLikeOthers && (form.marks ?? []).every((pattern) => matches(value, pattern)))),
  );
  const found = markersIn(value, possible);
  const left = possible.filter(
    (form) => form.isSure || found.every((marker) => marker.kind !== form.kind || marker.of.includes(form.dialect)),
  );
  return { isPossible: possible.length > 0, left, found };
}

/** The format that has such events in its streams; undefined if none has. */
export function formatOfEvent(event) {
  return events.find((form) => form.needs.every((pattern) => matches(event, pattern)))?.dialect;
}

/** The markers found in the body, of the kinds that it may be. */
function markersIn(value, possible) {
  return [...new Set(possible.map((form) => form.kind))].flatMap((kind) =>
    markers[kind].flatMap(({ of, patterns }) => {
      const pattern = patterns.find((pattern) => matches(value, pattern));
      return pattern === undefined ? [] : [{ kind, of, pattern }];
    }),
  );
}
