import { version } from "../../../build/generated/facts.js";
import { copyButton } from "../page/clipboard.ts";
import { h, part } from "../page/dom.ts";
import { themeButton } from "../page/theme.ts";
import { exampleMenu } from "./examples.ts";
import { shareMenu } from "./share-menu.ts";

const install = "npm i toolwire";

export function buildHeader(): void {
  part("version").textContent = version;
  const command = h(
    "span",
    { class: "install" },
    h("code", {}, install),
    copyButton("the command", () => install),
  );
  part("tools").append(command, ...exampleMenu(), ...shareMenu(), themeButton());
}
