// A model turn in two stages: a choice by name and description, and then the arguments of each chosen tool.

import type { ChatRequest, ChatResponse, FinishReason, InvalidToolCall, ToolCall, Usage } from "toolwire";
import { choosing, type Fail, filling, type ToolPurpose } from "../../stages/two-stages.js";
import { ToolkitError } from "../errors.js";
import type { Execution } from "../execution.js";
import { addUsage } from "../usage.js";

type AnyCall = ToolCall | InvalidToolCall;

/** The functions of a run that a turn uses. */
export interface Exchange {
  /** Sends one request. Rejects if the request fails. */
  send(request: ChatRequest): Promise<ChatResponse>;
  /** Called before another request. Returns whether the bounds allow it. */
  more(usage: Usage | undefined): boolean;
  forcesCalls: boolean;
}

export interface Combined {
  response: ChatResponse;
  /** The usage of the last request. That of earlier requests was passed to `more`. */
  usage: Usage | undefined;
}

const failed: Fail = (message, path) => new ToolkitError("invalid_options", message, `/request${path}`);
/** Finish reasons of incomplete responses. Their calls may be incomplete as well. */
export const incomplete: readonly string[] = ["length", "content_filter", "refusal"];
/** Error types that the second stage can fix, because the choice of the tool was right. */
const refilled: readonly string[] = ["invalid_arguments", "truncated"];

/** Remembers between turns which calls need new arguments. */
export class TwoStages {
  /** By call id. */
  readonly #purposes = new Map<string, ToolPurpose>();
  #repairs: ToolPurpose[] = [];

  /** Records the executions. Arguments that were invalid are generated again. */
  ended(executions: readonly Execution[]): void {
    const wrong = executions.filter((one) => one.status === "failed" && refilled.includes(one.error.type));
    this.#repairs = wrong.flatMap(({ call: { id } }) => this.#purposes.get(id) ?? []);
    this.#purposes.clear();
  }

  /** Discards the calls to repair, because another message was added. The next turn starts with a choice. */
  reset(): void {
    this.#repairs = [];
  }

  /** The response as if the model had made the calls directly. Undefined if the bounds do not allow it. */
  async response(request: ChatRequest, exchange: Exchange): Promise<Combined | undefined> {
    const tools = new Set(request.tools?.map((tool) => ("name" in tool ? tool.name : undefined)));
    const repairs = this.#repairs.splice(0).filter(({ name }) => tools.has(name));
    const { toolChoice: choice } = request;
    const forced = typeof choice === "object" && "name" in choice && tools.has(choice.name) ? [choice] : [];
    const known = repairs.length > 0 ? repairs : forced;
    const turn = new Turn(exchange, this.#purposes);
    const response = await (known.length > 0 ? turn.filled(request, known) : turn.chosen(request));
    return response && { response, usage: turn.lastUsage };
  }
}

class Turn {
  readonly #exchange: Exchange;
  readonly #purposes: Map<string, ToolPurpose>;
  readonly #responses: ChatResponse[] = [];

  constructor(exchange: Exchange, purposes: Map<string, ToolPurpose>) {
    this.#exchange = exchange;
    this.#purposes = purposes;
  }

  async chosen(request: ChatRequest): Promise<ChatResponse | undefined> {
    const stage = choosing(request, failed);
    const response = await this.#send(stage.request);
    if (!response) return undefined;
    if (incomplete.includes(response.finishReason)) return response;
    const { reasoning, answer, choices } = stage.read(response);
    if (choices.length > 0) return this.filled(request, choices, { text: answer, reasoning });
    // neither a text response nor a tool: request it again
    const finishReason = answer === undefined ? "error" : response.finishReason;
    return { ...response, ...this.#content(answer ?? "", [], reasoning), finishReason };
  }

  async filled(
    request: ChatRequest,
    choices: readonly ToolPurpose[],
    { text = "", reasoning }: { text?: string | undefined; reasoning?: string | undefined } = {},
  ): Promise<ChatResponse | undefined> {
    const calls: AnyCall[] = [];
    for (const choice of choices) {
      const call = await this.#call(request, choice, calls.length);
      if (!call) return undefined;
      const isTaken = calls.some(({ id }) => id === call.id);
      calls.push(isTaken ? { ...call, id: `${call.id}_${calls.length}` } : call);
      if (request.tools?.some((tool) => "name" in tool && tool.name === choice.name))
        this.#purposes.set(calls.at(-1)?.id ?? "", choice);
    }
    const [first] = this.#responses;
    const cut = this.#responses.find(({ finishReason }) => incomplete.includes(finishReason));
    const finishReason: FinishReason = cut?.finishReason ?? "tool_calls";
    const usage = this.#usage;
    const { id, model } = first ?? {};
    return {
      ...(id !== undefined && { id }),
      ...(model !== undefined && { model }),
      ...this.#content(text, calls, reasoning),
      finishReason,
      ...(usage && { usage }),
    };
  }

  async #call(request: ChatRequest, choice: ToolPurpose, index: number): Promise<AnyCall | undefined> {
    const { name } = choice;
    const isKnown = request.tools?.some((tool) => "name" in tool && tool.name === name);
    // the error result lists the existing tools
    if (!isKnown) return { id: `tw_${this.#responses[0]?.id ?? ""}_${index}`, name, arguments: {} };
    const stage = filling(request, choice, failed, this.#exchange.forcesCalls);
    const response = await this.#send(stage.request);
    if (!response) return undefined;
    return stage.read(response);
  }

  /** Undefined if the bounds do not allow it. */
  async #send(request: ChatRequest): Promise<ChatResponse | undefined> {
    const last = this.#responses.at(-1);
    if (last && !this.#exchange.more(last.usage)) return undefined;
    const response = await this.#exchange.send(request);
    this.#responses.push(response);
    return response;
  }

  get lastUsage(): Usage | undefined {
    return this.#responses.at(-1)?.usage;
  }

  get #usage(): Usage | undefined {
    const all = this.#responses.flatMap(({ usage }) => usage ?? []);
    return all.length > 0 ? all.reduce((sum, usage) => addUsage(sum, usage)) : undefined;
  }

  #content(text: string, calls: readonly AnyCall[], reasoning: string | undefined) {
    const toolCalls = calls.filter((call): call is ToolCall => !("rawArguments" in call));
    const invalidToolCalls = calls.filter((call): call is InvalidToolCall => "rawArguments" in call);
    const message: ChatResponse["message"] = {
      role: "assistant",
      content: text === "" ? [] : [{ type: "text", text }],
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(invalidToolCalls.length > 0 && { invalidToolCalls }),
    };
    return { message, text, toolCalls, invalidToolCalls, ...(reasoning !== undefined && { reasoningText: reasoning }) };
  }
}
