// One row of a played stream.

import type { StreamEvent } from "toolwire";
import type { Step } from "../engine/protocol.ts";
import { h } from "../page/dom.ts";
import { differences } from "./differences.ts";

/** `before` is the wire of the step before it. */
export interface RowOf {
  step: Step;
  wire: string | undefined;
  before: string | undefined;
  index: number;
  count: number;
}

export function stepRow(
  { step: { events, output }, wire, before, index, count }: RowOf,
  choose: () => void,
): HTMLElement {
  const number = h(
    "button",
    { type: "button", class: "step-number", tabindex: -1, "aria-label": `To event ${index + 1}`, onclick: choose },
    String(index + 1),
  );
  return h(
    "li",
    { class: "step", "aria-setsize": count, "aria-posinset": index + 1 },
    number,
    h("div", { class: "cell in" }, wire === undefined ? h("em", {}, "end of the stream") : wireIn(wire, before)),
    h(
      "div",
      { class: "cell events" },
      ...(events.length > 0 ? events.map(eventElement) : [h("em", {}, "nothing yet")]),
    ),
    h("div", { class: "cell out" }, output.trim() === "" ? h("em", {}, "held back") : wirePieces(output)),
  );
}

interface Piece {
  name: string | undefined;
  data: string;
}

function piecesOf(text: string): Piece[] {
  return text
    .trim()
    .split(/(?:\r\n|\r|\n){2,}/)
    .map((piece) => ({
      name: /^event: ?(.*)$/m.exec(piece)?.[1],
      data: piece.replace(/^(?:event|id|retry):.*(?:\r\n|\r|\n)?/gm, "").replace(/^data: ?/gm, ""),
    }));
}

/** What is new in an event. The first one is shown whole. */
function wireIn(text: string, before: string | undefined): HTMLElement {
  const pieces = piecesOf(text);
  const [piece, ...others] = pieces;
  const [old, now] = [before === undefined ? undefined : parsed(piecesOf(before)[0]?.data), parsed(piece?.data)];
  if (!piece || others.length > 0 || old === undefined || now === undefined) return wirePieces(text);
  // the name of the event is its type
  const changed = differences(old, now).filter(({ path }) => path !== "type" || piece.name === undefined);
  const lines = changed.map(({ path, value }) =>
    h("div", { class: "difference" }, h("span", { title: path }, lastOf(path)), h("code", {}, value)),
  );
  const body = lines.length > 0 ? lines : [h("em", {}, "the same as before")];
  return h("div", { class: "wire", title: piece.data }, piece.name !== undefined && h("b", {}, piece.name), ...body);
}

/** The last two steps of a path, which say enough. */
const lastOf = (path: string) => path.split(".").slice(-2).join(".");

function parsed(text: string | undefined): object | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The events of the wire, with their names highlighted. */
function wirePieces(text: string): HTMLElement {
  const pieces = piecesOf(text).map(({ name, data }) =>
    h("div", { class: "wire" }, name !== undefined && h("b", {}, name), h("code", {}, data)),
  );
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
