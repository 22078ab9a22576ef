// What the function of a tool receives beside its arguments.

import type { Message, ToolCall, Usage } from "toolwire";
import type { CallContext } from "./tool.js";
import { CALLING_AGENT, type Turn } from "./turn.js";

/** An attempt, as its context sees it. */
export interface ContextParts {
  readonly turn: Turn;
  readonly call: ToolCall;
  readonly attempt: number;
  signal(): AbortSignal;
  addUsage(usage: Usage): void;
}

class OwnContext {
  readonly call: ToolCall;
  readonly context: unknown;
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly iteration: number;
  readonly attempt: number;
  readonly addUsage: (usage: Usage) => void;
  readonly #parts: ContextParts;
  #messages: readonly Message[] | undefined;
  #key: string | undefined;

  constructor(parts: ContextParts) {
    const { options, surroundings } = parts.turn;
    this.call = parts.call;
    this.context = options.context;
    if (options.sessionId !== undefined) this.sessionId = options.sessionId;
    if (options.agentId !== undefined) this.agentId = options.agentId;
    this.iteration = surroundings.iteration ?? 0;
    this.attempt = parts.attempt;
    this.addUsage = parts.addUsage;
    this.#parts = parts;
    for (const [key, get] of OwnContext.#computed) {
      Object.defineProperty(this, key, { get, enumerable: true, configurable: true });
    }
  }

  get #surroundings() {
    return this.#parts.turn.surroundings;
  }

  static readonly #computed: [PropertyKey, (this: OwnContext) => unknown][] = [
    [
      "signal",
      function () {
        return this.#parts.signal();
      },
    ],
    [
      "messages",
      function () {
        this.#messages ??= this.#surroundings.messages?.() ?? [];
        return this.#messages;
      },
    ],
    [
      "idempotencyKey",
      function () {
        const { call, sessionId, agentId } = this;
        this.#key ??=
          this.#surroundings.idempotencyKey?.(call) ?? [sessionId, agentId, call.id].filter(Boolean).join("/");
        return this.#key;
      },
    ],
    [
      CALLING_AGENT,
      function () {
        return this.#surroundings.agent?.(this.call);
      },
    ],
  ];
}

/**
 * The context of one attempt. Fields that are rarely used compute their value when they are read. They are fields of the object itself, so
 * that a copy has them, and their getters are the same for all objects: with those of a literal, V8 makes a hidden class for each object,
 * which keeps what the getters refer to in memory for long.
 */
export function contextOf(parts: ContextParts): CallContext<unknown> {
  return new OwnContext(parts) as never;
}
