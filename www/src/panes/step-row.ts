// One row of a played stream.

import type { StreamEvent } from "toolwire";
import type { Step } from "../engine/protocol.ts";
import { h } from "../page/dom.ts";

export function stepRow(
  { wire, events, output }: Step,
  source: string,
  index: number,
  choose: () => void,
): HTMLElement {
  const number = h(
    "button",
    { type: "button", class: "step-number", "aria-label": `To event ${index + 1}`, onclick: choose },
    String(index + 1),
  );
  return h(
    "li",
    { class: "step" },
    number,
    h(
      "div",
      { class: "cell in" },
      wire ? wirePieces(source.slice(wire.from, wire.to)) : h("em", {}, "end of the stream"),
    ),
    h(
      "div",
      { class: "cell events" },
      ...(events.length > 0 ? events.map(eventElement) : [h("em", {}, "nothing yet")]),
    ),
    h("div", { class: "cell out" }, output.trim() === "" ? h("em", {}, "held back") : wirePieces(output)),
  );
}

/** The events of the wire, with their names highlighted. */
function wirePieces(text: string): HTMLElement {
  const pieces = text
    .trim()
    .split(/(?:\r\n|\r|\n){2,}/)
    .map((piece) => {
      const name = /^event: ?(.*)$/m.exec(piece)?.[1];
      const data = piece.replace(/^(?:event|id|retry):.*(?:\r\n|\r|\n)?/gm, "").replace(/^data: ?/gm, "");
      return h("div", { class: "wire" }, name !== undefined && h("b", {}, name), h("code", {}, data));
    });
  return h("div", {}, ...pieces);
}

function eventElement(event: StreamEvent): HTMLElement {
  return h("div", { class: "event" }, h("b", {}, event.type), h("code", {}, detailOf(event)));
}

/** The fields of the event, without its type. */
function detailOf(event: StreamEvent): string {
  switch (event.type) {
    case "textDelta":
    case "refusalDelta":
    case "reasoningDelta":
    case "toolCallDelta":
      return JSON.stringify(event.text);
    case "toolCallStart":
      return `${event.name} · ${event.id}`;
    case "toolCallEnd":
      return "arguments" in event.call
        ? JSON.stringify(event.call.arguments)
        : `not an object: ${event.call.rawArguments}`;
    default: {
      const { type: _, ...rest } = event;
      return Object.keys(rest).length > 0 ? JSON.stringify(rest) : "";
    }
  }
}
