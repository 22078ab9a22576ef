// The list of conversion options: those of the command. Loaded when it is first opened.

import { conversionFlags, optionName } from "../../../pkg-template/command/flags.js";
import type { Settings } from "../engine/protocol.ts";
import { announce, h } from "../page/dom.ts";
import { current, update } from "../page/state.ts";

/** A flag with a `value` takes text, `number` a number, `file` JSON; one without any is a switch. */
interface Flag {
  flag: string;
  values?: string[];
  value?: string;
  number?: boolean;
  file?: boolean | ((value: string) => boolean);
  help: string;
}

type Value = Settings[string] | undefined;

/** One option: its row, and how to show a value. */
interface Setting {
  option: string;
  row: HTMLElement;
  show(value: Value): void;
}

/** The rows of all options, and how to show what is set. */
export function settingsList(): { list: HTMLElement; show(settings: Settings): void } {
  // JSON has no place in one line of a panel; what is given by hand so are ids, numbers and names. The page lists warnings of all levels
  const offered = (conversionFlags as Flag[]).filter(({ file, flag }) => file !== true && flag !== "bookkeeping");
  const all = offered.map(setting);
  return {
    list: h("div", { class: "settings" }, ...all.map(({ row }) => row)),
    show: (settings) => {
      for (const { option, show } of all) show(settings[option]);
    },
  };
}

function setting(flag: Flag): Setting {
  const option: string = optionName(flag);
  const id = `setting-${flag.flag}`;
  const { control, show } = controlOf(flag, option, id);
  const label = h("label", { for: id }, h("code", {}, option), h("span", { class: "setting-help" }, flag.help));
  return { option, show, row: h("div", { class: "setting" }, label, control) };
}

function controlOf(flag: Flag, option: string, id: string): { control: HTMLElement; show(value: Value): void } {
  if (flag.value) {
    const input = h("input", {
      id,
      type: "text",
      inputmode: flag.number ? "numeric" : "text",
      placeholder: "default",
      onchange: () => change(option, entered(input.value, flag)),
    });
    return {
      control: input,
      show: (value) => {
        input.value = value === undefined ? "" : String(value);
      },
    };
  }
  const values = flag.values ?? ["on"];
  const select = h(
    "select",
    {
      id,
      onchange: () => change(option, flag.values ? select.value || undefined : select.value === "on" || undefined),
    },
    h("option", { value: "" }, "default"),
    ...values.map((value) => h("option", { value }, value)),
  );
  return {
    control: h("div", { class: "choice" }, select),
    show: (value) => {
      select.value = value === true ? "on" : String(value ?? "");
    },
  };
}

function entered(text: string, { number, flag }: Flag): Value {
  if (text.trim() === "") return undefined;
  if (!number) return text.trim();
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0) return value;
  announce(`${optionName({ flag })} is a whole number`);
  return undefined;
}

function change(option: string, value: Value): void {
  const { [option]: _, ...others } = current().settings;
  update({ settings: value === undefined ? others : { ...others, [option]: value } });
}
