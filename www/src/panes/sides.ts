// On narrow windows: the tabs Source and Result, of which one is shown. And the conversion's time.

import type { Finding } from "../engine/protocol.ts";
import { h, part } from "../page/dom.ts";
import { badges } from "./badges.ts";

type Side = "source" | "results";

const names: Record<Side, string> = { source: "Source", results: "Result" };

export interface Sides {
  /** Shows the number of findings, or that the target would refuse the output. */
  show(findings: Finding[], refusals?: string[]): void;
  time(milliseconds: number): void;
  choose(side: Side): void;
}

export function buildSides(): Sides {
  const bench = part("bench");
  const counts = h("span", { class: "badges" });
  const button = (side: Side) =>
    h(
      "button",
      { type: "button", class: "side", "data-side": side, onclick: () => choose(side) },
      names[side],
      side === "results" && counts,
    );
  const buttons = [button("source"), button("results")];
  const choose = (side: Side) => {
    bench.dataset.side = side;
    for (const one of buttons) one.setAttribute("aria-pressed", String(one.dataset.side === side));
  };
  part("sides").setAttribute("role", "group");
  part("sides").setAttribute("aria-label", "Show");
  part("sides").append(...buttons);
  choose("results");
  return {
    show: (findings, refusals = []) =>
      counts.replaceChildren(...(findings.length + refusals.length > 0 ? badges(findings, refusals) : [])),
    time: (milliseconds) => {
      part("time").textContent =
        `converted in ${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
    },
    choose,
  };
}
