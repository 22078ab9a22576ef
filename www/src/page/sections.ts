// The sections of the page besides the conversion. Each is loaded when it is first shown, and keeps what was entered: in the address, or else in
// the tab's storage.

import { announce, h, part } from "./dom.ts";
import { setAddress } from "./fragment.ts";
import { packed, unpacked } from "./permalink.ts";
import { hasSecret } from "./secrets.ts";
import { markSection, shownSection } from "./section.ts";
import { longLink } from "./shared.ts";

/** What was entered in a section, by name. */
export type Fields = Record<string, string>;

export interface Section {
  readonly element: HTMLElement;
  /** Shows what was entered; what is missing is that of the section's example. */
  open(fields: Fields): void;
  /** Takes the text of a file. */
  take(text: string): void;
}

/** Makes a section, which calls `changed` with what differs from its example. */
export type Build = (changed: (fields: Fields) => void) => Section;

const builders: Record<string, () => Promise<Build>> = {
  tools: async () => (await import("../sections/tools.ts")).tools,
  agent: async () => (await import("../sections/agent.ts")).agent,
  facts: async () => (await import("../sections/facts.ts")).facts,
  text: async () => (await import("../sections/text.ts")).text,
};

/** How long to wait for a pause in typing, in milliseconds. */
const pause = 500;

const built = new Map<string, Section>();
const entered = new Map<string, Fields>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows the section that the fragment is about. Returns false if it is about none. */
export async function open(fragment: string): Promise<boolean> {
  const [, name = "", content] = /^#\/(\w+)(?:=(.*))?$/.exec(fragment) ?? [];
  const build = builders[name];
  if (!build) return false;
  markSection(name);
  try {
    const section = built.get(name) ?? (await build())((fields) => keep(name, fields));
    built.set(name, section);
    if (shownSection() !== name) return true;
    part("section").replaceChildren(section.element);
    section.open(await fieldsOf(name, content));
  } catch {
    part("section").replaceChildren(h("p", { class: "failure-panel" }, "This part of the page could not be loaded."));
  }
  return true;
}

/** Enters something in a section, which is shown when it is opened. */
export function enter(name: string, fields: Fields): void {
  entered.set(name, fields);
}

/** Gives the text of a file to the section that is shown. */
export function take(text: string): void {
  built.get(shownSection())?.take(text);
}

/** The fragment of a link to what was entered; undefined if it contains a key. */
export async function sectionLink(): Promise<string | undefined> {
  const fields = entered.get(shownSection()) ?? {};
  if (Object.keys(fields).length === 0) return `#/${shownSection()}`;
  if (Object.values(fields).some(hasSecret)) return undefined;
  return `#/${shownSection()}=${await packed(fields)}`;
}

/** What was entered in the section that is shown. */
export const sectionFields = (): Fields => entered.get(shownSection()) ?? {};

async function fieldsOf(name: string, content: string | undefined): Promise<Fields> {
  if (content === undefined) return entered.get(name) ?? kept(name);
  try {
    const fields = stringsOf(await unpacked(content));
    entered.set(name, fields);
    return fields;
  } catch {
    announce("This link is damaged: an example is shown instead");
    return {};
  }
}

/** The strings of an object, because anybody can create links. */
function stringsOf(value: unknown): Fields {
  const entries = Object.entries((value ?? {}) as object);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

const key = (name: string) => `toolwire-${name}`;

function kept(name: string): Fields {
  try {
    return stringsOf(JSON.parse(sessionStorage.getItem(key(name)) ?? "{}"));
  } catch {
    return {};
  }
}

function keep(name: string, fields: Fields): void {
  entered.set(name, fields);
  clearTimeout(timer);
  timer = setTimeout(() => write(name, fields), pause);
}

async function write(name: string, fields: Fields): Promise<void> {
  try {
    sessionStorage.setItem(key(name), JSON.stringify(fields));
  } catch {
    // too large, or without storage
  }
  const link = await sectionLink();
  if (shownSection() !== name || entered.get(name) !== fields) return;
  setAddress(link && link.length <= longLink ? link : `#/${name}`);
}
