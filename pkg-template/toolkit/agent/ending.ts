// What happened at the end of a run, in words: never data of the caller, a tool or a model.

import { ChatFailure } from "../send/chat-failure.js";
import type { NextStep } from "./machine.js";
import type { AgentRun } from "./run.js";

type LastStep = Extract<NextStep, { type: "done" | "ask" }>;
type Reason = LastStep["reason"];

/** Whether a run is complete, so that there is nothing to resume. */
export function isFinal(reason: string): boolean {
  return ["answer", "stopped", "length", "refusal", "content_filter"].includes(reason);
}

/** What the message of each reason says. `answer` has none. */
const messages: { readonly [reason in Exclude<Reason, "answer">]: (run: AgentRun) => string } = {
  stopped: () => "stopWhen ended the run.",
  length: () =>
    "The response reached the limit on its length: raise maxTokens of the request, or shorten the conversation.",
  refusal: () => "The model refused to respond.",
  content_filter: () => "A filter of the provider ended the response.",
  max_iterations: ({ options }) =>
    `The limit of ${counted(options.maxIterations ?? 5, "request")} was reached: raise maxIterations. With atLimit: "answer", one more request asks for a response in words.`,
  timeout: ({ options }) =>
    `The time limit of ${options.timeoutMs ?? 30_000} ms was reached: raise timeoutMs. Time spent waiting for people does not count.`,
  cancelled: () => "The run was cancelled by its signal, by cancel(), or because its events were no longer read.",
  repeating: ({ options }) =>
    `A call had the same arguments and the same result in ${counted(options.maxRepeats ?? 3, "consecutive turn")}: raise maxRepeats.`,
  repairs_exhausted: ({ options }) =>
    `The model made more than ${counted(options.maxRepairs ?? 2, "consecutive turn")} that could not be used: raise maxRepairs. The last error results say why.`,
  budget: ({ options, isOverUsage }) =>
    isOverUsage
      ? `The responses used more tokens than maxUsage (${JSON.stringify(options.maxUsage)}) allows: raise it.`
      : `The calls would cost more than maxCost (${options.maxCost}) allows: raise it.`,
  external: () => "Calls wait for their results: resume the run with them in results.",
  unapproved: () => "Calls wait for approval: resume the run with decisions, or pass approve.",
  error: ({ error }) => {
    const { code, status, cause } = error ?? {};
    const known = [code, status === undefined ? undefined : `status ${status}`].filter((part) => part !== undefined);
    const hint = cause instanceof ChatFailure ? cause.hint : undefined;
    return `The request to the model failed (${known.join(", ")}).${hint === undefined ? "" : ` ${hint}`}`;
  },
};

/** The `message` of an outcome. */
export function messageOfEnd({ reason }: LastStep, run: AgentRun): { message?: string } {
  return reason === "answer" ? {} : { message: messages[reason](run) };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
