// Shows the response, as far as it is known from the events so far.

import type { StreamEvent, Usage } from "toolwire";
import { h } from "../page/dom.ts";

interface Call {
  id: string;
  name: string;
  text: string;
  state: "growing" | "whole" | "invalid";
}

export interface Answer {
  text: string;
  reasoning: string;
  refusal: string;
  calls: Call[];
  others: string[];
  usage?: Usage;
  finish?: string;
  error?: string;
}

export function answerOf(events: Iterable<StreamEvent>): Answer {
  const answer: Answer = { text: "", reasoning: "", refusal: "", calls: [], others: [] };
  for (const event of events) take(answer, event);
  return answer;
}

function take(answer: Answer, event: StreamEvent): void {
  switch (event.type) {
    case "start":
      return;
    case "textDelta":
      answer.text += event.text;
      return;
    case "refusalDelta":
      answer.refusal += event.text;
      return;
    case "reasoningDelta":
      answer.reasoning += event.text;
      return;
    case "reasoningEnd":
      if (event.signature) answer.others.push("signed reasoning");
      if (event.redacted) answer.others.push("redacted reasoning");
      return;
    case "toolCallStart":
      answer.calls.push({ id: event.id, name: event.name, text: "", state: "growing" });
      return;
    case "toolCallDelta": {
      const call = answer.calls.find(({ id }) => id === event.id);
      if (call) call.text += event.text;
      return;
    }
    case "toolCallEnd":
      endCall(answer, event.call);
      return;
    case "block":
      answer.others.push(event.value.type);
      return;
    case "usage":
      answer.usage = event.usage;
      return;
    case "finish":
      answer.finish = event.finishReason;
      return;
    case "error":
      answer.error = event.error.message;
      return;
    case "native":
      answer.others.push(`native (${event.provider})`);
  }
}

function endCall(answer: Answer, ended: Extract<StreamEvent, { type: "toolCallEnd" }>["call"]): void {
  const isValid = "arguments" in ended;
  const text = isValid ? JSON.stringify(ended.arguments) : ended.rawArguments;
  const call = answer.calls.find(({ id }) => id === ended.id);
  const state = isValid ? "whole" : "invalid";
  if (call) Object.assign(call, { text, state });
  else answer.calls.push({ id: ended.id, name: ended.name, text, state });
}

const states = { growing: "arriving", whole: "complete", invalid: "not a JSON object" } as const;

export function answerElement({
  text,
  reasoning,
  refusal,
  calls,
  others,
  usage,
  finish,
  error,
}: Answer): HTMLElement[] {
  const isEmpty = !text && !reasoning && !refusal && calls.length === 0 && !error && !finish;
  return [
    isEmpty && h("p", { class: "answer-empty" }, "The response is shown here as it arrives."),
    reasoning !== "" && h("p", { class: "answer-reasoning" }, reasoning),
    text !== "" && h("p", { class: "answer-text" }, text),
    refusal !== "" && h("p", { class: "answer-text refusal" }, refusal),
    ...calls.map(callElement),
    error !== undefined && h("p", { class: "answer-error" }, error),
    footer(others, usage, finish),
  ].filter((element) => element !== false);
}

function callElement({ id, name, text, state }: Call): HTMLElement {
  return h(
    "div",
    { class: `call ${state}` },
    h("div", { class: "call-head" }, h("strong", {}, name), h("span", { class: "call-state" }, states[state])),
    h("code", { class: "call-arguments" }, text || "{"),
    h("code", { class: "call-id" }, id),
  );
}

function footer(others: string[], usage: Usage | undefined, finish: string | undefined): HTMLElement | false {
  const chips = [...new Set(others)];
  if (usage) chips.push(`${usage.input ?? 0} in · ${usage.output ?? 0} out`);
  if (finish) chips.push(`finish: ${finish}`);
  return (
    chips.length > 0 && h("p", { class: "answer-foot" }, ...chips.map((chip) => h("span", { class: "chip" }, chip)))
  );
}
