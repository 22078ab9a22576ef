// Keeps the address of the page up to date with its state, and the state in the tab's storage where the address can't hold it.

import { firstExample } from "../first-example.ts";
import { exampleOf, showExample } from "../panes/examples.ts";
import { announce } from "./dom.ts";
import { isUnknown, noteAddress, restoreAddress, setAddress } from "./fragment.ts";
import { hasSecret } from "./secrets.ts";
import { inSection, openSection, showConversion } from "./section.ts";
import { exampleFragment, isLink, longLink, sharedOf } from "./shared.ts";
import { current, onChange, type State, update } from "./state.ts";

/** How long to wait for a pause in typing, in milliseconds. */
const pause = 500;
const draftKey = "toolwire-draft";
const draft = "#draft";
const conversion = "#/convert";

const permalink = () => import("./permalink.ts");

let timer: ReturnType<typeof setTimeout> | undefined;

export function followAddress(): void {
  onChange(() => {
    clearTimeout(timer);
    timer = setTimeout(writeAddress, pause);
  });
  addEventListener("hashchange", openAddress);
  addEventListener("pagehide", () => keepDraft(current()));
}

/** The fragment of a link to the state; undefined if the text contains a key, which must not be passed on. */
export async function linkOf(state: State): Promise<string | undefined> {
  const example = exampleOf(state);
  if (example) return exampleFragment(example.id);
  return hasSecret(`${state.text} ${state.answer}`) ? undefined : (await permalink()).fragmentOf(state);
}

async function writeAddress(): Promise<void> {
  if (inSection()) return;
  const state = current();
  // the page without a fragment shows the first example
  if (location.hash === "" && exampleOf(state)?.id === firstExample.id) return;
  const link = await linkOf(state);
  if (state !== current() || isUnknown()) return;
  const fits = link !== undefined && link.length <= longLink;
  setAddress(fits ? link : draft);
  if (fits) sessionStorageOf()?.removeItem(draftKey);
  else keepDraft(state);
}

/** Keeps what the address does not hold, for when this tab is reloaded. */
function keepDraft(state: State): void {
  if (state.text === "" || location.hash !== draft) return;
  try {
    sessionStorageOf()?.setItem(draftKey, JSON.stringify(sharedOf(state)));
  } catch {
    // too large for the storage
  }
}

function sessionStorageOf(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

export async function openAddress(): Promise<void> {
  clearTimeout(timer);
  const { hash } = location;
  // a link within the page, such as that which skips to the source
  if (hash !== "" && document.getElementById(hash.slice(1))) {
    restoreAddress();
    return;
  }
  noteAddress();
  if (await openSection(hash)) return;
  showConversion();
  if (hash === conversion && current().text !== "") return writeAddress();
  if (hash === draft) {
    const kept = sessionStorageOf()?.getItem(draftKey);
    if (kept)
      return update({ example: undefined, pasted: undefined, ...(await permalink()).stateOfShared(JSON.parse(kept)) });
    return void showExample();
  }
  try {
    const linked = isLink(hash) ? await (await permalink()).stateOf(hash) : undefined;
    if (linked?.text !== undefined) return update({ example: undefined, pasted: undefined, ...linked });
    const id = linked?.example;
    if (!(await showExample(id))) announce(`There is no example “${id}”`);
  } catch {
    announce("This link is damaged: an example is shown instead");
    await showExample();
  }
}
