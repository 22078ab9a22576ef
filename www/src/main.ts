import "./styles/all.css";
import { packedWasm } from "./engine/wasm.ts";

// the page holds the first example, which is not what a link leads to
if (location.hash !== "")
  for (const still of document.querySelectorAll(".still, #about > *, #findings > *")) still.remove();
packedWasm().catch(() => {});
// loads the editor and the package after the first paint
requestAnimationFrame(() => setTimeout(start));
addEventListener("load", () => setTimeout(async () => (await import("./offline/register.ts")).keepForOffline(), 4000));

async function start(): Promise<void> {
  try {
    const { startPage } = await import("./page/start.ts");
    startPage();
  } catch (error) {
    const stage = document.querySelector("#stage");
    if (stage) stage.textContent = "Part of the page could not be loaded. Reloading it may help.";
    stage?.setAttribute("aria-busy", "false");
    throw error;
  }
}
