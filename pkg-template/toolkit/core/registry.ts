// The registry, the checks and the rate limits of one toolkit, in the wasm instance.

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
import { callCore, type Exported } from "./instance.js";

/** Survives a trap: in a new instance, the tools are registered again. Rate limits then start afresh. */
export class Registry {
  readonly #options: CoreOptions;
  readonly #records = new Map<string, ToolRecord>();
  #core: ToolkitCore | undefined;
  #owner: Exported | undefined;
  /** Changes with the tools. */
  version = 0;

  constructor(options: CoreOptions) {
    this.#options = options;
  }

  #call<Value>(call: (core: ToolkitCore) => Value): Value {
    return callCore((exported) => {
      if (this.#core === undefined || this.#owner !== exported) {
        const core = new exported.ToolkitCore(this.#options);
        for (const record of this.#records.values()) core.register(record, true);
        this.#core = core;
        this.#owner = exported;
      }
      return call(this.#core);
    });
  }

  register(record: ToolRecord, override: boolean): void {
    this.#call((core) => core.register(record, override));
    this.#records.set(record.name, record);
    this.version++;
  }

  unregister(name: string): boolean {
    const removed = this.#call((core) => core.unregister(name));
    this.#records.delete(name);
    this.version++;
    return removed;
  }

  names(filter?: ToolFilter): string[] {
    return this.#call((core) => core.names(filter));
  }

  categories(): string[] {
    return this.#call((core) => core.categories());
  }

  definitions(filter?: ToolFilter): ToolDefinition[] {
    return this.#call((core) => core.definitions(filter));
  }

  lint(): Lint[] {
    return this.#call((core) => core.lint());
  }

  allows(name: string, filter?: ToolFilter): boolean {
    return this.#call((core) => core.allows(name, filter));
  }

  find(call: AnyCall): CheckedCall {
    return this.#call((core) => core.find(call));
  }

  check(call: AnyCall): CheckedCall {
    return this.#call((core) => core.check(call));
  }

  checkArguments(name: string, value: unknown): CheckedValue {
    return this.#call((core) => core.checkArguments(name, value));
  }

  checkOutput(name: string, value: unknown): Problem[] {
    return this.#call((core) => core.checkOutput(name, value));
  }

  reserve(name: string, sessionId: string | undefined, agentId: string | undefined, now: number): Reservation {
    return this.#call((core) => core.reserve(name, sessionId, agentId, now));
  }

  /** Like `reserve`, but counts nothing. */
  hasRoom(name: string, sessionId: string | undefined, agentId: string | undefined, now: number): Reservation {
    return this.#call((core) => core.hasRoom(name, sessionId, agentId, now));
  }

  rateLimits(): RateLimitState {
    return this.#call((core) => core.rateLimits());
  }

  restoreRateLimits(state: RateLimitState): void {
    this.#call((core) => core.restoreRateLimits(state));
  }
}
