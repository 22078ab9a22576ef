import { h } from "../page/dom.ts";
import { menu } from "../page/menu.ts";

/** The menu of ways to pass on what is shown, which is filled when it is first opened. */
export function shareMenu(): HTMLElement[] {
  const list = h("div", { class: "share" });
  const [button, panel] = menu("share", "Share", "link", list, 320);
  const fill = async () => {
    const { shareItems } = await import("./share.ts");
    list.replaceChildren(...shareItems(() => panel.hidePopover()));
    if (panel.matches(":popover-open")) list.querySelector<HTMLElement>("button")?.focus();
  };
  panel.addEventListener("beforetoggle", fill, { once: true });
  return [button, panel];
}
