// What links to the page contain. How they contain it is loaded when there is one to read or to write.

import type { State } from "./state.ts";

type Shared = Pick<State, "text" | "from" | "kind" | "settings" | "view" | "mode" | "target" | "answer">;

/** Many programs truncate longer URLs. */
export const longLink = 8000;

export const compressed = "s=";
export const example = "example=";

/** The fragment for an unchanged example, which is short. */
export function exampleFragment(id: string | undefined): string {
  return `#${example}${id}`;
}

export function isLink(fragment: string): boolean {
  return fragment.startsWith(`#${example}`) || fragment.startsWith(`#${compressed}`);
}

/** What a link holds. */
export function sharedOf({ text, from, kind, settings, view, mode, target, answer }: State): Shared {
  return { text, from, kind, settings, view, mode, target, answer };
}
