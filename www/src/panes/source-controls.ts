// Format and kind of the source: detected, or set.

import type { Dialect } from "toolwire";
import { ask } from "../engine/client.ts";
import { type Identity, isProblem, type Kind, kinds } from "../engine/protocol.ts";
import { clientsOf } from "../page/clients.ts";
import { announce, h, iconButton, part } from "../page/dom.ts";
import { openFile } from "../page/files.ts";
import { dialectName, dialects, kindNames } from "../page/names.ts";
import { current, onChange, update } from "../page/state.ts";
import { settingsMenu } from "./settings.ts";

export function buildSourceControls(): { show(identity: Identity | undefined): void } {
  const nameOf = (dialect: Dialect) => [dialectName(dialect), clientsOf(dialect)].filter(Boolean).join(" · ");
  const format = choice("format", "Format", dialects, nameOf, (value) =>
    update({ from: value as Dialect | undefined }),
  );
  const kind = choice(
    "kind",
    "Kind",
    kinds,
    (name) => kindNames[name],
    (value) => update({ kind: value as Kind | undefined }),
  );
  const indent = iconButton("indent", "Indent the JSON", indentSource);
  const open = iconButton("open", "Open a file", openFile);
  part("source-controls").append(format.element, kind.element, ...settingsMenu(), open, indent);
  onChange(({ from, kind: chosenKind }) => {
    format.select.value = from ?? "";
    kind.select.value = chosenKind ?? "";
  });
  return {
    show(identity) {
      format.detected(identity && dialectName(identity.from));
      kind.detected(identity && kindNames[identity.kind]);
    },
  };
}

function choice<Name extends string>(
  id: string,
  label: string,
  names: readonly Name[],
  nameOf: (name: Name) => string,
  choose: (value: string | undefined) => void,
) {
  const unknown = `Detect ${label.toLowerCase()}`;
  const automatic = h("option", { value: "" }, unknown);
  const options = names.map((name) => h("option", { value: name }, nameOf(name)));
  const select = h(
    "select",
    { id, "aria-label": label, onchange: () => choose(select.value || undefined) },
    automatic,
    ...options,
  );
  return {
    select,
    element: h("div", { class: "choice" }, select),
    detected(name: string | undefined) {
      automatic.textContent = name ? `${name} (auto)` : unknown;
    },
  };
}

async function indentSource(): Promise<void> {
  const { text } = current();
  const result = await ask("indent", { text });
  if (isProblem(result) || result.text === undefined) return announce("Only JSON can be indented");
  if (current().text === text) update({ text: result.text });
}
