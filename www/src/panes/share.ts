// Ways to pass on what the page shows: a link, Markdown, a report of a wrong conversion.

import { version } from "../../../build/generated/facts.js";
import { bugs } from "../../../project.json";
import { linkOf } from "../page/address.ts";
import { copy } from "../page/clipboard.ts";
import { announce, h } from "../page/dom.ts";
import { setAddress } from "../page/fragment.ts";
import { dialectName, kindNames } from "../page/names.ts";
import { inSection } from "../page/section.ts";
import { sectionFields, sectionLink } from "../page/sections.ts";
import { longLink } from "../page/shared.ts";
import { current } from "../page/state.ts";
import { shownResult } from "./shown.ts";

/** Longer texts are cut in Markdown and in reports. */
const longestText = 20_000;

/** The items of the menu; `close` closes it. */
export function shareItems(close: () => void): HTMLElement[] {
  const item = (label: string, note: string, act: () => Promise<void>) => {
    const onclick = () => {
      close();
      act();
    };
    return h("button", { type: "button", class: "example", onclick }, h("strong", {}, label), h("span", {}, note));
  };
  return [
    item("Copy link", "Holds the source and what was chosen; sent to no server.", copyLink),
    item("Copy as Markdown", "Source, result and what was lost, for an issue or a chat.", async () => {
      await copy(await markdown(), "Markdown");
    }),
    item(
      "Report a wrong conversion",
      bugs ? "Opens a new issue with all that is needed." : "Copies a report with all that is needed.",
      report,
    ),
  ];
}

/** The address of the shown state, or undefined, said to the user, if the source contains a key. */
async function addressOf(): Promise<string | undefined> {
  const link = await linkOfShown();
  if (link === undefined) {
    announce("No link: the source contains a key, which it would pass on");
    return undefined;
  }
  setAddress(link);
  return location.href;
}

const linkOfShown = () => (inSection() ? sectionLink() : linkOf(current()));

async function copyLink(): Promise<void> {
  const href = await addressOf();
  if (href === undefined || !(await copy(href, "Link"))) return;
  if (href.length > longLink) announce(`Link copied. It has ${href.length} characters, which some programs cut off.`);
}

async function markdown(): Promise<string> {
  const link = await linkOfShown();
  const shown = shownResult();
  const href = link === undefined ? "" : `\n\n[Open in the playground](${new URL(link, location.href).href})`;
  if (inSection()) {
    const parts = Object.entries(sectionFields()).map(([name, text]) => `**${name}**\n\n${fenced(text)}`);
    return parts.join("\n\n") + href;
  }
  if (!shown) return `${fenced(current().text)}${href}`;
  const { identity, outcome } = shown;
  const lines = outcome.findings.map(
    ({ severity, code, path, message }) =>
      `- ${severity === "lossy" ? "**lost**" : severity} \`${code}\` ${path ? `\`${path}\`` : ""}: ${message}`,
  );
  const [from, to] = [dialectName(identity.from), dialectName(outcome.to)];
  return (
    [
      `**${from} ${kindNames[identity.kind].toLowerCase()}**`,
      fenced(current().text),
      `**for ${to}**`,
      fenced(outcome.text ?? ""),
      ...(lines.length > 0 ? [lines.join("\n")] : []),
    ].join("\n\n") + href
  );
}

async function report(): Promise<void> {
  const shown = inSection() ? undefined : shownResult();
  const facts = `toolwire ${version}${shown ? `, ${shown.identity.from} → ${shown.outcome.to}` : ""}, options ${JSON.stringify(current().settings)}`;
  const text = `What is wrong:\n\n\n${facts}\n\n${await markdown()}`;
  if (!bugs) return void (await copy(text, "Report"));
  const address = new URL(`${String(bugs).replace(/\/$/, "")}/new`);
  address.searchParams.set("title", "A wrong conversion");
  address.searchParams.set("body", text.slice(0, 6000));
  open(address, "_blank", "noopener");
}

function fenced(text: string): string {
  const cut =
    text.length > longestText ? `${text.slice(0, longestText)}\n… ${text.length - longestText} characters more` : text;
  return `\`\`\`json\n${cut.trimEnd()}\n\`\`\``;
}
