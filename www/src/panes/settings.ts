// The menu of conversion options.

import { h } from "../page/dom.ts";
import { menu } from "../page/menu.ts";
import { current, onChange } from "../page/state.ts";
import type { settingsList } from "./settings-list.ts";

export function settingsMenu(): HTMLElement[] {
  const place = h("div", {});
  const [button, panel] = menu("settings", "Options", "sliders", place, 480);
  let built: ReturnType<typeof settingsList> | undefined;
  const show = () => {
    const { settings } = current();
    built?.show(settings);
    const count = Object.keys(settings).length;
    button.toggleAttribute("data-set", count > 0);
    button.querySelector("span")?.replaceChildren(count > 0 ? `Options · ${count}` : "Options");
  };
  const build = async () => {
    built = (await import("./settings-list.ts")).settingsList();
    place.replaceChildren(built.list);
    show();
    if (panel.matches(":popover-open")) place.querySelector<HTMLElement>("select, input")?.focus();
  };
  panel.addEventListener("beforetoggle", build, { once: true });
  onChange((_, changed) => changed.has("settings") && show());
  return [button, panel];
}
