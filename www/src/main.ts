import "./styles/all.css";
import { keepForOffline } from "./offline/register.ts";
import { startPage } from "./page/start.ts";

// The browser draws the page first; the editor and the package come after it.
requestAnimationFrame(() => setTimeout(startPage));
addEventListener("load", () => setTimeout(keepForOffline, 1500));
