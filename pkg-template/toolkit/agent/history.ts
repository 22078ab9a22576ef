// The conversation of a run.

import type { AssistantMessage, ChatRequestInput, ContentBlock, Message, ToolCall, ToolResult } from "toolwire";
import type { AnyCall } from "../execution.js";
import { ofPrune, requireOptions } from "../requirements.js";
import { isNote } from "./notes.js";

/** The messages so far. Results of the current turn are inserted in call order, in whatever order they arrive. */
export class History {
  readonly #messages: Message[];
  /** Results of the current turn, by index of the call. */
  #results: ToolResult[] = [];
  /** The index of the message with the calls of the current turn. */
  #assistant = -1;

  constructor(messages: ChatRequestInput["messages"]) {
    this.#messages = [...messages] as Message[];
  }

  /** The current conversation. */
  get messages(): Message[] {
    return this.#messages.concat(this.#resultMessages());
  }

  #resultMessages(): Message[] {
    // missing results leave holes
    return this.#results.filter(() => true).map(messageOf);
  }

  addResponse(message: AssistantMessage): void {
    this.#commit();
    this.#assistant = this.#messages.push(message as Message) - 1;
  }

  add(message: Message): void {
    this.#commit();
    this.#messages.push(message);
  }

  addResult(index: number, result: ToolResult): void {
    this.#results[index] = result;
  }

  #commit(): void {
    for (const result of this.#resultMessages()) this.#messages.push(result);
    this.#results = [];
  }

  /**
   * For a resumed turn: moves the results and the caller's messages after the assistant message to fields, until the
   * turn ends. Returns the ids of calls with a result, and whether there is a user message among them.
   */
  reopen(calls: readonly AnyCall[]): { answered: Set<string>; hasUserMessage: boolean } {
    this.#assistant = this.#messages.findLastIndex((message) => makes(message, calls));
    const after = this.#messages.splice(this.#assistant + 1);
    const answered = new Set<string>();
    for (const message of after) {
      const index = message.role === "tool" ? calls.findIndex(({ id }) => id === message.toolCallId) : -1;
      if (message.role !== "tool" || index < 0) {
        this.#later.push(message);
      } else {
        const { role, ...result } = message;
        answered.add(message.toolCallId);
        this.#results[index] = result as ToolResult;
      }
    }
    return { answered, hasUserMessage: this.#later.some(({ role }) => role === "user") };
  }

  /** Messages that the caller added while calls were pending. They are inserted after the results. */
  readonly #later: Message[] = [];

  /** Completes the turn. Messages that were added in the meantime follow its results. */
  endTurn(): void {
    this.#commit();
    this.#messages.push(...this.#later.splice(0));
  }

  /** Replaces the arguments of a call by those that a person chose, so that the history shows what ran. */
  replaceArguments(id: string, call: ToolCall): void {
    const message = this.#messages[this.#assistant];
    if (message?.role !== "assistant") return;
    const edited = editedMessage(message, id, call);
    this.#messages[this.#assistant] = edited;
  }
}

/** Whether a message contains one of these calls. */
function makes(message: Message, calls: readonly AnyCall[]): boolean {
  if (message.role !== "assistant") return false;
  const made = [...(message.toolCalls ?? []), ...(message.invalidToolCalls ?? [])];
  return made.some(({ id }) => calls.some((call) => call.id === id));
}

function editedMessage(message: AssistantMessage, id: string, { name, arguments: args }: ToolCall): Message {
  const invalid = message.invalidToolCalls?.find((call) => call.id === id);
  const { toolCalls = [], invalidToolCalls, ...rest } = message;
  const calls = toolCalls.map((call) => (call.id === id ? { ...withoutText(call), name, arguments: args } : call));
  if (invalid) calls.push({ id, name, arguments: args });
  const others = invalidToolCalls?.filter((call) => call.id !== id);
  return { ...rest, toolCalls: calls, ...(others?.length && { invalidToolCalls: others }) } as Message;
}

/** Removes the original text of the model's arguments, which are not the ones that ran. */
function withoutText(call: ToolCall): ToolCall {
  if (call.metadata?.rawArguments === undefined) return call;
  const { rawArguments, ...metadata } = call.metadata;
  return { ...call, metadata };
}

function messageOf(result: ToolResult): Message {
  return { role: "tool", ...result } as Message;
}

/** The message with the calls as they run, including new ids for calls with a duplicate id. */
export function withCalls<Content extends AssistantMessage>(message: Content, calls: readonly AnyCall[]): Content {
  const given = [...(message.toolCalls ?? []), ...(message.invalidToolCalls ?? [])];
  if (given.every((call, index) => call === calls[index])) return message;
  const count = message.toolCalls?.length ?? 0;
  return {
    ...message,
    content: Array.isArray(message.content) ? withMarks(message.content, given, calls) : message.content,
    ...(message.toolCalls && { toolCalls: calls.slice(0, count) }),
    ...(message.invalidToolCalls && { invalidToolCalls: calls.slice(count) }),
  } as Content;
}

/**
 * Updates the ids of `toolCall` blocks in order: the second block with an id belongs to the second call with this
 * id.
 */
function withMarks(content: ContentBlock[], given: readonly AnyCall[], calls: readonly AnyCall[]): ContentBlock[] {
  const ids = new Map<string, string[]>();
  for (const [index, { id }] of given.entries()) ids.set(id, [...(ids.get(id) ?? []), calls[index]?.id ?? id]);
  return content.map((block) =>
    block.type === "toolCall" ? { ...block, id: ids.get(block.id)?.shift() ?? block.id } : block,
  );
}

/** Which parts of a conversation are removed. */
export interface PruneOptions {
  /** The number of recent turns to keep. A turn is a user message and everything up to the next one. */
  keepTurns?: number;
  /** Replaces the results of calls by a note, except in this number of recent turns. */
  clearResultsBefore?: number;
}

const CLEARED = "[This result was removed to save space. Call the tool again if you need it.]";

/**
 * Returns a shorter history that is still valid: whole turns, each call with its result. System messages are always
 * kept.
 */
export function pruneMessages(messages: readonly Message[], options: PruneOptions): Message[] {
  requireOptions(options, ofPrune, { what: "pruneMessages" });
  const { keepTurns = Number.POSITIVE_INFINITY, clearResultsBefore = Number.POSITIVE_INFINITY } = options;
  const starts = messages.flatMap((_, index) => (startsTurn(messages, index) ? [index] : []));
  const firstOf = (turns: number) => (turns < starts.length ? (starts.at(-turns) ?? messages.length) : 0);
  const firstKept = keepTurns <= 0 ? messages.length : firstOf(keepTurns);
  const firstWhole = clearResultsBefore <= 0 ? messages.length : firstOf(clearResultsBefore);
  return messages.flatMap((message, index) => {
    if (index < firstKept) return message.role === "system" ? [message] : [];
    return message.role === "tool" && index < firstWhole ? [cleared(message)] : [message];
  });
}

/** Consecutive user messages are part of the same turn. Notes of the loop belong to the preceding turn. */
function startsTurn(messages: readonly Message[], index: number): boolean {
  const message = messages[index];
  return message?.role === "user" && messages[index - 1]?.role !== "user" && !isNote(message);
}

function cleared({ toolCallId, name }: Extract<Message, { role: "tool" }>): Message {
  return { role: "tool", toolCallId, name, kind: "text", value: CLEARED };
}
