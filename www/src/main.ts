import "./styles/all.css";
import { keepForOffline } from "./offline/register.ts";

// The browser draws the page first; the editor and the package come after it.
requestAnimationFrame(() =>
  setTimeout(async () => {
    const { startPage } = await import("./page/start.ts");
    startPage();
  }),
);
addEventListener("load", () => setTimeout(keepForOffline, 1500));
