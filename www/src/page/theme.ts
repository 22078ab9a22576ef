// The colour theme: light, dark, or that of the system.

import { announce, h, icon } from "./dom.ts";

const themes = ["auto", "light", "dark"] as const;
type Theme = (typeof themes)[number];
const key = "toolwire-theme";

const names: Record<Theme, string> = { auto: "as the system", light: "light", dark: "dark" };

function stored(): Theme {
  try {
    const value = localStorage.getItem(key);
    return themes.find((theme) => theme === value) ?? "auto";
  } catch {
    return "auto";
  }
}

function apply(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function themeButton(): HTMLButtonElement {
  let theme = stored();
  apply(theme);
  const button = h("button", { type: "button", class: "icon-button", id: "theme" }, icon("theme"));
  const label = () => {
    button.setAttribute("aria-label", `Theme: ${names[theme]}`);
    button.title = `Theme: ${names[theme]}`;
  };
  label();
  button.addEventListener("click", () => {
    // the first click is always seen: it sets the theme that the system does not have
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    const [other, same]: [Theme, Theme] = isDark ? ["light", "dark"] : ["dark", "light"];
    theme = ({ auto: other, [other]: same, [same]: "auto" } as Record<Theme, Theme>)[theme];
    apply(theme);
    label();
    announce(`Theme: ${names[theme]}`);
    try {
      localStorage.setItem(key, theme);
    } catch {
      // without storage, the choice lasts until the page is left
    }
  });
  return button;
}
