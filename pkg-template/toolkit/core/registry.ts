// The registry, the checks and the rate limits of one toolkit, in the wasm instance. Values are passed as JSON text.

import type {
  AnyCall,
  CheckedCall,
  CheckedValue,
  CoreOptions,
  Lint,
  Problem,
  RateLimitState,
  Reservation,
  ToolDefinition,
  ToolFilter,
  ToolkitCore,
  ToolRecord,
} from "#core";
import { ToolkitError } from "../errors.js";
import { callCore, type Exported } from "./instance.js";
import { checkedValue, optionsText, textOf, unreadable } from "./texts.js";

/** The registry in the wasm instance. After a trap, the tools are registered again in a new instance, and rate limits start from zero. */
export class Registry {
  readonly #options: string;
  /** The serialized definition of each tool. */
  readonly #records = new Map<string, string>();
  #core: ToolkitCore | undefined;
  #owner: Exported | undefined;
  /** Incremented when the tools change. */
  version = 0;

  constructor(options: CoreOptions) {
    this.#options = optionsText("the options", options);
  }

  #call(operation: string, input = ""): string {
    return callCore((exported) => {
      if (this.#core === undefined || this.#owner !== exported) {
        const core = new exported.ToolkitCore(this.#options);
        for (const record of this.#records.values()) core.call("register", `!${record}`);
        this.#core = core;
        this.#owner = exported;
      }
      return this.#core.call(operation, input);
    });
  }

  register(record: ToolRecord, override: boolean): void {
    const text = optionsText("the tool", record);
    this.#call("register", override ? `!${text}` : text);
    this.#records.set(record.name, text);
    this.version++;
  }

  unregister(name: string): boolean {
    const removed = this.#call("unregister", name) === "true";
    this.#records.delete(name);
    this.version++;
    return removed;
  }

  names(filter?: ToolFilter): string[] {
    return JSON.parse(this.#call("names", optionsText("the filter", filter)));
  }

  categories(): string[] {
    return JSON.parse(this.#call("categories"));
  }

  definitions(filter?: ToolFilter): ToolDefinition[] {
    return JSON.parse(this.#call("definitions", optionsText("the filter", filter)));
  }

  lint(): Lint[] {
    return JSON.parse(this.#call("lint"));
  }

  allows(name: string, filter?: ToolFilter): boolean {
    return this.#call("allows", `[${JSON.stringify(name)},${optionsText("the filter", filter)}]`) === "true";
  }

  /** The problem of a call of a tool that does not exist. Lists the tools that the filter selects. */
  unknownTool(name: string, filter: ToolFilter): Problem {
    return JSON.parse(this.#call("unknownTool", `[${JSON.stringify(name)},${optionsText("the filter", filter)}]`));
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
    const { name, rawArguments } = call as { name: unknown; rawArguments?: unknown };
    if (typeof name !== "string") {
      const message = "a call must be an object with `id`, `name` and `arguments`";
      throw new ToolkitError("invalid_options", message);
    }
    const problems: Problem[] = [];
    let text: string | undefined;
    try {
      text = textOf((call as { arguments?: unknown }).arguments);
    } catch (error) {
      problems.push(unreadable(error));
    }
    const raw = typeof rawArguments === "string" ? `,"rawArguments":${JSON.stringify(rawArguments)}` : "";
    const input = `{"name":${JSON.stringify(name)},"arguments":${text ?? "null"}${raw}}`;
    const examined = this.#call(operation, input);
    if (examined === "") return { call: call as CheckedCall["call"], problems: [], changes: [] };
    const checked = JSON.parse(examined);
    const { rawArguments: _, error: __, ...rest } = call as Record<string, unknown>;
    return {
      call: { ...rest, name: checked.name, arguments: checked.arguments } as CheckedCall["call"],
      problems: [...checked.problems, ...problems],
      changes: checked.changes,
    };
  }

  /** Checks arguments for a registered tool. */
  checkArguments(name: string, value: unknown): CheckedValue {
    return checkedValue(value, (text) => this.#call("checkArguments", `[${JSON.stringify(name)},${text}]`));
  }

  /** Checks a result against the tool's `outputSchema`. Empty if the tool has none. */
  checkOutput(name: string, value: unknown): Problem[] {
    try {
      const text = textOf(value);
      return JSON.parse(this.#call("checkOutput", `[${JSON.stringify(name)},${text}]`));
    } catch (error) {
      if (error instanceof ToolkitError) throw error;
      return [unreadable(error)];
    }
  }

  /** Counts one attempt of a call towards the tool's rate limit, if it is allowed. `now` is in milliseconds. */
  reserve(name: string, sessionId: string | undefined, agentId: string | undefined, now: number): Reservation {
    return JSON.parse(this.#call("reserve", JSON.stringify([name, sessionId, agentId, now])));
  }

  /** Like `reserve`, but does not count the attempt. */
  wouldReserve(name: string, sessionId: string | undefined, agentId: string | undefined, now: number): Reservation {
    return JSON.parse(this.#call("wouldReserve", JSON.stringify([name, sessionId, agentId, now])));
  }

  rateLimits(): RateLimitState {
    return JSON.parse(this.#call("rateLimits"));
  }

  restoreRateLimits(state: RateLimitState): void {
    this.#call("restoreRateLimits", optionsText("the state", state));
  }
}
