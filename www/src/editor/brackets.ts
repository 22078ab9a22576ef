// Which bracket belongs to which.

import { type EditorState, type Extension, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { stringEnd } from "./tokens.ts";

/** So far from the cursor its bracket's other half is looked for, in code units. */
const reach = 20_000;

/** The brackets of a line that stand outside of strings, by their places in it. */
function* bracketsOf(line: string, from = 0): Generator<number> {
  const next = /["[\]{}]/g;
  next.lastIndex = from;
  for (let found = next.exec(line); found; found = next.exec(line)) {
    if (found[0] === '"') next.lastIndex = stringEnd(line, found.index);
    else yield found.index;
  }
}

const isOpening = (bracket: string | undefined) => bracket === "{" || bracket === "[";

/** Where the bracket stands that closes the one at this place, if it is no further than `limit`. */
export function closingOf(doc: Text, at: number, limit = doc.length): number | undefined {
  let depth = 0;
  let first = at;
  for (let line = doc.lineAt(at); ; line = doc.line(line.number + 1)) {
    for (const place of bracketsOf(line.text, first - line.from)) {
      if (line.from + place > limit) return undefined;
      depth += isOpening(line.text[place]) ? 1 : -1;
      if (depth === 0) return line.from + place;
    }
    if (line.to >= limit) return undefined;
    first = line.to + 1;
  }
}

function openingOf(doc: Text, at: number, limit: number): number | undefined {
  let depth = 0;
  for (let line = doc.lineAt(at); ; line = doc.line(line.number - 1)) {
    for (const place of [...bracketsOf(line.text)].reverse()) {
      if (line.from + place > at) continue;
      depth += isOpening(line.text[place]) ? -1 : 1;
      if (depth === 0) return line.from + place;
    }
    if (line.from <= limit) return undefined;
  }
}

/** The two brackets, if one of them stands at this place. */
function pairAt(doc: Text, at: number): [number, number] | undefined {
  const line = doc.lineAt(at);
  if (line.length > reach || !/[[\]{}]/.test(line.text[at - line.from] ?? "")) return undefined;
  if (![...bracketsOf(line.text)].includes(at - line.from)) return undefined;
  const other = isOpening(line.text[at - line.from])
    ? closingOf(doc, at, Math.min(doc.length, at + reach))
    : openingOf(doc, at, Math.max(0, at - reach));
  return other === undefined ? undefined : [Math.min(at, other), Math.max(at, other)];
}

const matching = Decoration.mark({ class: "cm-matchingBracket" });

function marksOf({ doc, selection: { main } }: EditorState): DecorationSet {
  if (!main.empty) return Decoration.none;
  const pair = (main.head > 0 && pairAt(doc, main.head - 1)) || pairAt(doc, main.head);
  return pair ? Decoration.set(pair.map((at) => matching.range(at, at + 1))) : Decoration.none;
}

/** Marks the bracket beside the cursor and its other half. */
export const bracketMatching: Extension = StateField.define<DecorationSet>({
  create: marksOf,
  update: (marks, { docChanged, selection, state }) => (docChanged || selection ? marksOf(state) : marks),
  provide: (field) => EditorView.decorations.from(field),
});
