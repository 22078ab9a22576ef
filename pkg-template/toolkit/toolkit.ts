// The registry of an application's tools, which runs their calls.

import type { InvalidToolCall, JsonSchema, ToolCall, ToolDefinition } from "toolwire";
import type { Lint, Problem, RateLimitState, ToolFilter, ToolRecord } from "#core";
import { Checks } from "./check.js";
import { steady } from "./clock.js";
import { Registry } from "./core/registry.js";
import { ToolkitError } from "./errors.js";
import type { AnyCall, CheckedCall, Execution, RunOptions, ToolEvent } from "./execution.js";
import { checkParameters } from "./parameters.js";
import { ofRegister, ofTool, ofToolkit, requireOptions } from "./requirements.js";
import { runCalls, streamCalls } from "./run.js";
import { Slots } from "./slots.js";
import { isStandardSchema, jsonSchemaOf } from "./standard-schema.js";
import type { Tool } from "./tool.js";
import type { Host } from "./turn.js";
import { isInWorker, workersExist } from "./worker/in-worker.js";

/** How a toolkit checks and runs calls. Times are in milliseconds. */
export interface ToolkitOptions<AppContext> {
  /**
   * If validation fails, coerces values (such as strings to numbers) according to docs/toolkit/coercion.md. Every
   * change is listed in `Execution.changes`. Default true.
   */
  coerce?: boolean;
  /**
   * Moves a number below `minimum` or above `maximum` to that bound. Changes are listed in `Execution.changes`.
   * Default true.
   */
  clamp?: boolean;
  /**
   * Repairs invalid JSON where the repair is unambiguous. Every change is listed in `Execution.changes`. Default true.
   */
  repairJson?: boolean;
  /** Maximum number of concurrent calls of a run, across all tools. Default 8. */
  concurrency?: number;
  /** Decides on calls of tools with `requiresAuth`. */
  authorize?(
    tool: Tool,
    call: ToolCall,
    who: { context: AppContext; sessionId?: string; agentId?: string },
  ): boolean | Promise<boolean>;
  /** Wraps every execution, for caching, tracing or redaction. */
  around?(call: ToolCall, tool: Tool, next: () => Promise<Execution>): Promise<Execution>;
  /** Last attempt to repair a call that can't run. The call that it returns is checked again. */
  repairCall?(
    call: ToolCall | InvalidToolCall,
    problems: Problem[],
  ): ToolCall | undefined | Promise<ToolCall | undefined>;
  /** Formats an error for the model. Default: the message, without stack and cause. */
  formatError?(error: unknown, call: AnyCall): string;
  /** Called when a call ends after the toolkit has stopped waiting for it. */
  onLateResult?(execution: Execution): void;
  /** The clock. Default: `Date.now`, adjusted so that it never goes backwards. */
  now?(): number;
  /** A state that `rateLimits()` returned, for example in another process. */
  rateLimits?: RateLimitState;
}

const hosts = new WeakMap<object, Host>();

/**
 * The parts of a toolkit that an agent uses to run calls.
 *
 * @internal
 */
export function hostOf(toolkit: object): Host {
  const host = hosts.get(toolkit);
  if (host) return host;
  const message =
    "expected a Toolkit of this copy of toolwire/toolkit. If the program loads the package twice (with import and with require, for example), make both in one of them";
  throw new ToolkitError("invalid_options", message, "/toolkit");
}

/** A set of tools, which checks and runs calls. docs/toolkit/running-calls.md describes what happens to a call. */
export class Toolkit<AppContext = any> {
  readonly #tools = new Map<string, Tool>();
  readonly #locks = new Map<string, Slots>();
  readonly #registry: Registry;
  readonly #host: Host;

  /** @throws ToolkitError `invalid_options`, `invalid_state`, and what `register` throws. */
  constructor(tools: Iterable<Tool<any, AppContext>> = [], options: ToolkitOptions<AppContext> = {}) {
    requireOptions(options, ofToolkit, { what: "the toolkit" });
    if (typeof tools?.[Symbol.iterator] !== "function") {
      throw new ToolkitError("invalid_options", "tools must be an array or another iterable of tools", "/tools");
    }
    const { coerce = true, clamp = true, repairJson = true } = options;
    this.#registry = new Registry({ coerce, clamp, repairJson });
    if (options.rateLimits !== undefined) this.#registry.restoreRateLimits(options.rateLimits);
    const tool = (name: string) => this.#tools.get(name);
    this.#host = {
      registry: this.#registry,
      checks: new Checks(this.#registry, tool, options.repairCall?.bind(options)),
      options: options as ToolkitOptions<unknown>,
      now: steady(options.now?.bind(options)),
      tool,
      lockOf: (name) => this.#lockOf(name),
    };
    hosts.set(this, this.#host);
    for (const each of tools) this.register(each);
  }

  /** @throws ToolkitError `duplicate_tool`, `invalid_name`, `invalid_schema`, `sandbox_missing`, `invalid_options` */
  register(tool: Tool<any, AppContext>, options: { override?: boolean } = {}): this {
    checkTool(tool);
    requireOptions(options, ofRegister, { what: "register" });
    const known = withParameters(tool);
    this.#registry.register(recordOf(known), options.override ?? false);
    this.#tools.set(tool.name, known);
    return this;
  }

  unregister(name: string): boolean {
    this.#tools.delete(name);
    this.#locks.delete(name);
    return this.#registry.unregister(name);
  }

  get(name: string): Tool<any, AppContext> | undefined {
    return this.#tools.get(name);
  }

  names(filter?: ToolFilter): string[] {
    return this.#registry.names(filter);
  }

  categories(): string[] {
    return this.#registry.categories();
  }

  /** The tool definitions for a request's `tools`. */
  definitions(filter?: ToolFilter): ToolDefinition[] {
    return this.#registry.definitions(filter) as ToolDefinition[];
  }

  /**
   * Reports likely problems for models: missing or short descriptions, parameters without a description, tools with
   * similar descriptions, names that differ little, schemas that providers reject.
   */
  lint(): Lint[] {
    return this.#registry.lint();
  }

  /** Checks one call without running anything. */
  async check(call: ToolCall | InvalidToolCall): Promise<CheckedCall> {
    const { input: _, ...checked } = await this.#host.checks.check(call);
    return checked;
  }

  /**
   * Runs the calls of one turn in parallel, each isolated from the others. Returns one execution per call, in call
   * order. Never rejects because of what a tool does.
   */
  run(calls: readonly (ToolCall | InvalidToolCall)[], options?: RunOptions<AppContext>): Promise<Execution[]> {
    return runCalls(this.#host, calls, options as RunOptions<unknown>);
  }

  /** Like `run`, but yields events as they happen. */
  stream(
    calls: readonly (ToolCall | InvalidToolCall)[],
    options?: RunOptions<AppContext>,
  ): AsyncGenerator<ToolEvent, Execution[]> {
    return streamCalls(this.#host, calls, options as RunOptions<unknown>);
  }

  /** The state of the rate limits, for the option `rateLimits` of another process. */
  rateLimits(): RateLimitState {
    return this.#registry.rateLimits();
  }

  #lockOf(name: string): Slots {
    const lock = this.#locks.get(name) ?? new Slots(1);
    this.#locks.set(name, lock);
    return lock;
  }
}

/** The tool with its `inputSchema` as `parameters`. */
function withParameters(tool: Tool): Tool {
  const { inputSchema } = tool;
  if (inputSchema === undefined) return tool;
  if (tool.parameters !== undefined) {
    const message = `the tool ${tool.name} has parameters and inputSchema, which are two names of one field: pass one`;
    throw new ToolkitError("invalid_options", message, "/inputSchema");
  }
  const known = Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, { parameters: inputSchema });
  delete known.inputSchema;
  return known;
}

/** The fields of a tool that the Rust core uses. */
function recordOf(tool: Tool): ToolRecord {
  const { name, title, description, strict, outputSchema, inputExamples, metadata } = tool;
  const { version, category, dangerous, costPerUse, rateLimit } = tool;
  const parameters = isStandardSchema(tool.parameters) ? jsonSchemaOf(tool.parameters) : tool.parameters;
  checkParameters(parameters, name);
  const record = {
    ...{
      name,
      title,
      description,
      strict,
      parameters,
      outputSchema: outputSchema as JsonSchema,
      inputExamples,
      metadata,
    },
    ...{ version, category, dangerous, costPerUse, rateLimit },
  };
  const given = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as unknown as ToolRecord;
}

/** Checks the fields that the Rust core does not check. */
function checkTool(tool: Tool): void {
  if (typeof tool !== "object" || tool === null) {
    throw new ToolkitError("invalid_options", `a tool must be an object, received ${typeof tool}`);
  }
  const { name, execute, sandboxed } = tool;
  requireOptions(tool, ofTool, { what: `the tool ${name}`, noun: "field" });
  if (!sandboxed) return;
  if (!execute || !isInWorker(execute)) {
    const message = `${name} is sandboxed, but its execute does not come from inWorker()`;
    throw new ToolkitError("sandbox_missing", message, "/execute");
  }
  if (!workersExist()) {
    throw new ToolkitError("sandbox_missing", `${name} is sandboxed, but this runtime has no workers`, "/sandboxed");
  }
}
