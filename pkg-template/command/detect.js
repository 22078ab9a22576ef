// Detects the format and kind of a body, if they are unambiguous.

import { recognise } from "../formats/recognise.js";
import { Stop } from "./exits.js";

/** Returns `{ from, kind }`. Values that are already known narrow the choice. */
export function detect(value, { from, kind }) {
  const { isPossible, left, found } = recognise(value, { from, kind });
  if (!isPossible) throw unrecognised(from, kind);
  if (left.length === 1) return { from: from ?? left[0].dialect, kind: left[0].kind };
  throw left.length === 0 ? contradictory(found) : ambiguous(left);
}

/**
 * Returns `{ from, kind }` if the body can't be of the given format but matches exactly one other, or else
 * undefined.
 */
export function detectOther(value, { from, kind }) {
  const only = (known) => {
    const { isPossible, left } = recognise(value, known);
    return isPossible && left.length === 1 ? { from: left[0].dialect, kind: left[0].kind } : undefined;
  };
  const isPossible = recognise(value, { from, kind }).left.length > 0;
  return isPossible ? undefined : (only({ kind }) ?? only({}));
}

function unrecognised(from, kind) {
  if (from) return new Stop("unrecognised", `this does not look like a body of ${from}. Give --kind`);
  if (kind) return new Stop("unrecognised", `this is not of the kind ${kind} in any known format. Give --from`);
  return new Stop("unrecognised", "this does not look like a body of any known format. Give --from and --kind");
}

function ambiguous(left) {
  const kinds = [...new Set(left.map((form) => form.kind))];
  const names = left.map(({ dialect, kind }) => (kinds.length > 1 ? `${dialect} (${kind})` : dialect));
  return new Stop(
    "unrecognised",
    `this may be ${list(names)}. Choose one with --from${kinds.length > 1 ? " and --kind" : ""}`,
  );
}

function contradictory(found) {
  const seen = found.map(({ of, pattern }) => `${pattern} (${of.join(", ")})`);
  return new Stop("unrecognised", `this has fields of several formats: ${seen.join("; ")}. Choose one with --from`);
}

function list(names) {
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}
