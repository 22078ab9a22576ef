// Describes the example, or the detected format and kind.

import type { Identity } from "../engine/protocol.ts";
import { h, part } from "../page/dom.ts";
import { dialectName } from "../page/names.ts";
import { examples } from "./examples.ts";

export async function showAbout(exampleId: string | undefined, identity: Identity | undefined): Promise<void> {
  const example = exampleId && (await examples()).find(({ id }) => id === exampleId);
  const others = identity?.others.map(dialectName) ?? [];
  const doubt = others.length > 0 && `It fits ${list(others)} as well.`;
  const lines = [
    example && h("p", {}, h("strong", {}, example.title), " ", example.note),
    doubt && h("p", { class: "doubt" }, doubt),
  ].filter((line) => line instanceof HTMLElement);
  part("about").replaceChildren(...lines);
}

function list(names: string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
