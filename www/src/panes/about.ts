// Describes the example, or the detected format and kind.

import type { Identity } from "../engine/protocol.ts";
import { h, part } from "../page/dom.ts";
import { dialectName } from "../page/names.ts";
import type { State } from "../page/state.ts";
import { currentExample } from "./examples.ts";

let shown = 0;

/** `refused`: how many parts of the request its own API would not accept. */
export function showAbout(state: State, identity: Identity | undefined, refused = 0): void {
  const example = currentExample(state);
  const others = identity?.others.map(dialectName) ?? [];
  const doubt = others.length > 0 && `It fits ${list(others)} as well.`;
  const lines = [
    example && h("p", {}, h("strong", {}, example.title), " ", example.note),
    doubt && h("p", { class: "doubt" }, doubt),
  ].filter((line) => line instanceof HTMLElement);
  part("about").replaceChildren(...lines);
  shown += 1;
  if (refused > 0 || state.pasted || !example) addNotes(state, identity, refused, shown);
}

/** Loaded with the first source that is not an example. */
async function addNotes(state: State, identity: Identity | undefined, refused: number, number: number): Promise<void> {
  const { notesOn } = await import("./notes.ts");
  if (number === shown) part("about").prepend(...notesOn(state, identity?.from, refused));
}

function list(names: string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
