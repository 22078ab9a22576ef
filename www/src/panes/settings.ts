// The conversion options: those of the command that have a list of values.

import { conversionFlags, optionName } from "../../../pkg-template/command/flags.js";
import { h } from "../page/dom.ts";
import { menu } from "../page/menu.ts";
import { current, onChange, update } from "../page/state.ts";

interface Flag {
  flag: string;
  values?: string[];
  help: string;
}

export function settingsMenu(): HTMLElement[] {
  const flags = (conversionFlags as Flag[]).filter(({ values }) => values);
  const selects = flags.map(setting);
  const list = h("div", { class: "settings" }, ...selects.map(({ row }) => row));
  const [button, panel] = menu("settings", "Options", "sliders", list, 480);
  const show = () => {
    const { settings } = current();
    for (const { option, select } of selects) select.value = settings[option] ?? "";
    const count = Object.keys(settings).length;
    button.toggleAttribute("data-set", count > 0);
    button.querySelector("span")?.replaceChildren(count > 0 ? `Options · ${count}` : "Options");
  };
  onChange((_, changed) => changed.has("settings") && show());
  return [button, panel];
}

function setting(flag: Flag) {
  const option: string = optionName(flag);
  const id = `setting-${flag.flag}`;
  const select = h(
    "select",
    { id, onchange: () => change(option, select.value) },
    h("option", { value: "" }, "default"),
    ...(flag.values ?? []).map((value) => h("option", { value }, value)),
  );
  const row = h(
    "div",
    { class: "setting" },
    h("label", { for: id }, h("code", {}, option), h("span", { class: "setting-help" }, flag.help)),
    h("div", { class: "choice" }, select),
  );
  return { option, select, row };
}

function change(option: string, value: string): void {
  const { [option]: _, ...others } = current().settings;
  update({ settings: value === "" ? others : { ...others, [option]: value } });
}
