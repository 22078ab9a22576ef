// The registry, the checks and the rate limits of one toolkit, in the wasm instance.

import type {
  AnyCall,
  CheckedCall,
  CheckedValue,
  CoreOptions,
  Json,
  Lint,
  Problem,
  RateLimitState,
  ToolDefinition,
  ToolFilter,
  ToolkitCore,
  ToolRecord,
} from "#core";
import { ToolkitError } from "../errors.js";
import { callCore, type Exported } from "./instance.js";
import { checkedValue, optionsText, parsed, textOf, unreadable } from "./texts.js";

const NONE = textOf<unknown>(null);
const filterText = (filter: ToolFilter | undefined) => optionsText<ToolFilter | undefined>("the filter", filter);

/** The registry in the wasm instance. After a trap, the tools are registered again in a new instance, and rate limits start from zero. */
export class Registry {
  readonly #options: Json<CoreOptions>;
  /** The serialized definition of each tool. */
  readonly #records = new Map<string, Json<ToolRecord>>();
  #core: ToolkitCore | undefined;
  #owner: Exported | undefined;
  /** Incremented when the tools change. */
  version = 0;

  constructor(options: CoreOptions) {
    this.#options = optionsText("the options", options);
  }

  #call<Value>(operation: (core: ToolkitCore) => Value): Value {
    return callCore((exported) => {
      if (this.#core === undefined || this.#owner !== exported) {
        const core = new exported.ToolkitCore(this.#options);
        for (const record of this.#records.values()) core.register(record, true);
        this.#core = core;
        this.#owner = exported;
      }
      return operation(this.#core);
    });
  }

  register(record: ToolRecord, override: boolean): void {
    const text = optionsText("the tool", record);
    this.#call((core) => core.register(text, override));
    this.#records.set(record.name, text);
    this.version++;
  }

  unregister(name: string): boolean {
    const removed = this.#call((core) => core.unregister(name));
    this.#records.delete(name);
    this.version++;
    return removed;
  }

  names(filter?: ToolFilter): string[] {
    const text = filterText(filter);
    return parsed(this.#call((core) => core.names(text)));
  }

  categories(): string[] {
    return parsed(this.#call((core) => core.categories()));
  }

  definitions(filter?: ToolFilter): ToolDefinition[] {
    const text = filterText(filter);
    return parsed(this.#call((core) => core.definitions(text)));
  }

  lint(): Lint[] {
    return parsed(this.#call((core) => core.lint()));
  }

  allows(name: string, filter?: ToolFilter): boolean {
    const text = filterText(filter);
    return this.#call((core) => core.allows(name, text));
  }

  /** The problem of a call of a tool that does not exist. Lists the tools that the filter selects. */
  unknownTool(name: string, filter: ToolFilter): Problem {
    const text = filterText(filter);
    return parsed(this.#call((core) => core.unknownTool(name, text)));
  }

  /** Finds the tool and parses the arguments, with repair if necessary. Does not validate them against the schema. */
  find(call: AnyCall): CheckedCall {
    return this.#examine("find", call);
  }

  /**
   * Like `find`, but also checks the arguments. Without problems or changes, `call` is the object that was passed
   * in.
   */
  check(call: AnyCall): CheckedCall {
    return this.#examine("check", call);
  }

  #examine(operation: "find" | "check", call: AnyCall): CheckedCall {
    const { name, rawArguments, error } = call as { name: unknown; rawArguments?: unknown; error?: unknown };
    if (typeof name !== "string") {
      const message = "a call must be an object with `id`, `name` and `arguments`";
      throw new ToolkitError("invalid_options", message);
    }
    const problems: Problem[] = [];
    let text = NONE;
    try {
      text = textOf((call as { arguments?: unknown }).arguments);
    } catch (error) {
      problems.push(unreadable(error));
    }
    const textOrNone = (value: unknown) => (typeof value === "string" ? value : undefined);
    const examined = this.#call((core) => core[operation](name, text, textOrNone(rawArguments), textOrNone(error)));
    if (examined === undefined) return { call: call as CheckedCall["call"], problems: [], changes: [] };
    const checked = parsed(examined);
    const { rawArguments: _raw, error: _error, ...rest } = call as Record<string, unknown>;
    return {
      call: { ...rest, name: checked.name, arguments: checked.arguments } as CheckedCall["call"],
      problems: [...checked.problems, ...problems],
      changes: checked.changes,
    };
  }

  /** Checks arguments for a registered tool. */
  checkArguments(name: string, value: unknown): CheckedValue {
    return checkedValue(value, (text) => this.#call((core) => core.checkArguments(name, text)));
  }

  /** Checks a result against the tool's `outputSchema`. Empty if the tool has none. */
  checkOutput(name: string, value: unknown): Problem[] {
    try {
      const text = textOf(value);
      return parsed(this.#call((core) => core.checkOutput(name, text)));
    } catch (error) {
      if (error instanceof ToolkitError) throw error;
      return [unreadable(error)];
    }
  }

  /**
   * Counts one attempt of a call towards the tool's rate limit, and returns 0. If it is not allowed, returns the
   * milliseconds to wait. `now` is in milliseconds.
   */
  reserve(name: string, sessionId: string | undefined, agentId: string | undefined, now: number): number {
    return this.#call((core) => core.reserve(name, sessionId, agentId, now));
  }

  /** Like `reserve`, but does not count the attempt. */
  wait(name: string, sessionId: string | undefined, agentId: string | undefined, now: number): number {
    return this.#call((core) => core.wait(name, sessionId, agentId, now));
  }

  rateLimits(): RateLimitState {
    return parsed(this.#call((core) => core.rateLimits()));
  }

  restoreRateLimits(state: RateLimitState): void {
    const text = optionsText("the state", state);
    this.#call((core) => core.restoreRateLimits(text));
  }
}
