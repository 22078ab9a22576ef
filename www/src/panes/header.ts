import { copy } from "../page/clipboard.ts";
import { announce, h, icon, part } from "../page/dom.ts";
import { exampleFragment, fragmentOf } from "../page/permalink.ts";
import { current } from "../page/state.ts";
import { themeButton } from "../page/theme.ts";
import { exampleMenu, isExample } from "./examples.ts";

/** Many programs truncate longer URLs. */
const longLink = 8000;

export function buildHeader(): void {
  const label = h("span", {}, "Share");
  const share = h(
    "button",
    { type: "button", class: "button", id: "share", onclick: () => shareLink(label) },
    icon("link"),
    label,
  );
  part("tools").append(...exampleMenu(), share, themeButton());
}

async function shareLink(label: HTMLElement): Promise<void> {
  history.replaceState(
    null,
    "",
    (await isExample(current())) ? exampleFragment(current().example) : await fragmentOf(current()),
  );
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
