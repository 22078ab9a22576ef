import { version } from "../../../build/generated/facts.js";
import { linkOf, longLink, setAddress } from "../page/address.ts";
import { copy } from "../page/clipboard.ts";
import { announce, h, icon, part } from "../page/dom.ts";
import { current } from "../page/state.ts";
import { themeButton } from "../page/theme.ts";
import { exampleMenu } from "./examples.ts";

export function buildHeader(): void {
  const label = h("span", {}, "Share");
  const share = h(
    "button",
    { type: "button", class: "button", id: "share", onclick: () => shareLink(label) },
    icon("link"),
    label,
  );
  part("version").textContent = version;
  part("tools").append(...exampleMenu(), share, themeButton());
}

async function shareLink(label: HTMLElement): Promise<void> {
  const link = await linkOf(current());
  if (link === undefined) return announce("Not copied: the source contains a key, which a link would pass on");
  setAddress(link);
  const { href } = location;
  const copied = await copy(href, "Link");
  const long = href.length > longLink ? ", a long one" : "";
  label.textContent = copied ? `Copied${long}` : "In the address bar";
  if (long && copied) announce(`Link copied. It has ${href.length} characters, which some programs cut off.`);
  label.parentElement?.toggleAttribute("data-confirmed", true);
  setTimeout(() => {
    label.parentElement?.toggleAttribute("data-confirmed", false);
    label.textContent = "Share";
  }, 2500);
}
