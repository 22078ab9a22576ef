// Checks a call before it runs.

import type { InvalidToolCall, ToolCall } from "toolwire";
import type { Change, Problem, ToolFilter } from "#core";
import type { Registry } from "./core/registry.js";
import type { AnyCall, CheckedCall } from "./execution.js";
import { isDeep, MAX_DEPTH } from "./json.js";
import { isStandardSchema, type StandardSchema, type Validated, validate } from "./standard-schema.js";
import type { Tool } from "./tool.js";

/**
 * A checked call with the input of `execute` and `needsApproval`: the output of the schema's library, or the
 * arguments.
 */
export interface Checked extends CheckedCall {
  input: unknown;
}

export type RepairCall = (
  call: ToolCall | InvalidToolCall,
  problems: Problem[],
) => ToolCall | undefined | Promise<ToolCall | undefined>;

/** Which tools a model was shown. */
interface Shown {
  readonly filter?: ToolFilter | undefined;
}

export class Checks {
  readonly #registry: Registry;
  readonly #toolOf: (name: string) => Tool | undefined;
  readonly #repairCall: RepairCall | undefined;

  constructor(registry: Registry, toolOf: (name: string) => Tool | undefined, repairCall: RepairCall | undefined) {
    this.#registry = registry;
    this.#toolOf = toolOf;
    this.#repairCall = repairCall;
  }

  /** Checks a call. A call that can't run gets one repair attempt. */
  check(call: AnyCall, shown?: Shown): Checked | Promise<Checked> {
    const first = this.once(call, shown);
    return this.#repairCall ? this.#checkRepaired(call, first) : first;
  }

  async #checkRepaired(call: AnyCall, checking: Checked | Promise<Checked>): Promise<Checked> {
    const first = await checking;
    if (first.problems.length === 0) return first;
    const repaired = await this.#repaired(call, first.problems);
    if (repaired === undefined) return first;
    const checked = await this.once(repaired);
    if (checked.problems.length > 0) return first;
    const change: Change = { kind: "repaired", path: "", from: argumentsOf(call), to: repaired.arguments };
    return { ...checked, changes: [change, ...checked.changes] };
  }

  /** If the repair fails, the call stays unchanged. Its id and metadata always do, because its result refers to them. */
  async #repaired(call: AnyCall, problems: Problem[]): Promise<ToolCall | undefined> {
    try {
      const repaired = await this.#repairCall?.(call, problems);
      const { id, metadata } = call;
      return repaired && { ...repaired, id, ...(metadata && { metadata }) };
    } catch {
      return undefined;
    }
  }

  /** Checks a call without repair. */
  once(call: AnyCall, shown?: Shown): Checked | Promise<Checked> {
    if ("arguments" in call && isDeep(call.arguments)) return tooDeep(call);
    const schema = this.#toolOf(call.name)?.parameters;
    if (schema === undefined || !isStandardSchema(schema)) {
      const checked = this.#registry.check(call) as CheckedCall;
      if ("rawArguments" in call && isDeep(checked.call.arguments)) return tooDeep(checked.call);
      if (shown?.filter && checked.problems[0]?.code === "unknown_tool") {
        checked.problems = [this.#registry.unknownTool(call.name, shown.filter)];
      }
      const found = this.#toolOf(checked.call.name)?.parameters;
      // the call was renamed, and the tool that was found has a Standard Schema
      if (found !== schema && isStandardSchema(found)) return this.#byLibrary(call, found);
      return { input: checked.call.arguments, ...checked };
    }
    return this.#byLibrary(call, schema);
  }

  /**
   * Validates with the schema's own library first. If it rejects the arguments, they are coerced by the JSON Schema
   * and validated again.
   */
  async #byLibrary(given: AnyCall, schema: StandardSchema): Promise<Checked> {
    const { call, problems, changes } = this.#registry.find(given) as CheckedCall;
    if (problems.length > 0) return { call, problems, changes, input: undefined };
    const first = await validated(schema, call.arguments);
    if ("output" in first) return { call, problems, changes, input: first.output };
    const coerced = this.#registry.checkArguments(call.name, call.arguments);
    const next = { ...call, arguments: coerced.value as Record<string, unknown> };
    const again = coerced.changes.length > 0 ? await validated(schema, next.arguments) : first;
    if ("output" in again) {
      return { call: next, problems: [], changes: [...changes, ...coerced.changes], input: again.output };
    }
    return { call, problems: merged(coerced.problems, again.problems), changes, input: undefined };
  }
}

function tooDeep(call: ToolCall): Checked {
  const message = `invalid_arguments: the arguments are nested more than ${MAX_DEPTH} levels deep. Make the call again with flatter values`;
  return { call, problems: [{ code: "invalid", path: "", message }], changes: [], input: undefined };
}

async function validated(schema: StandardSchema, value: unknown): Promise<Validated> {
  try {
    return await validate(schema, value);
  } catch {
    return {
      problems: [{ code: "invalid", path: "", message: "invalid_value: the arguments could not be validated" }],
    };
  }
}

/** The library's problems. If the JSON Schema rejects the same value, its message is used instead. */
function merged(ofSchema: Problem[], ofLibrary: Problem[]): Problem[] {
  const paths = new Set(ofSchema.map(({ path }) => path));
  return [...ofSchema, ...ofLibrary.filter(({ path }) => !paths.has(path))];
}

function argumentsOf(call: AnyCall): unknown {
  return "rawArguments" in call ? call.rawArguments : call.arguments;
}
