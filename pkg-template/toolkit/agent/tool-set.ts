// The tools of a run: those of the toolkit and those of the request. Decides which of them a call may use.

import type { ChatRequest, NativeTool, ToolChoice, ToolDefinition } from "toolwire";
import type { ToolFilter } from "#core";
import { ToolkitError } from "../errors.js";
import { hostOf } from "../toolkit.js";
import type { AgentOptions } from "./options.js";

type RequestTool = ToolDefinition | NativeTool;

export class ToolSet {
  readonly #options: AgentOptions;
  readonly #own: readonly RequestTool[];
  /** Names of the tools that the request defines. Their results come from the caller (`external`). */
  readonly external: ReadonlySet<string>;
  #definitions: readonly ToolDefinition[] = [];
  /** The version of the toolkit's tools that the definitions were created from. */
  #version: number | undefined;
  /** The names that the last request allows. Undefined before the first request: those of the run. */
  #allowed: ReadonlySet<string> | undefined;
  /** Whether the names are all those of the run, and what they were compared with. */
  #compared: { of?: ReadonlySet<string>; version?: number | undefined; isAll?: boolean } = {};
  /** What the last request allowed. */
  #sent: { tools?: readonly RequestTool[]; toolChoice?: ToolChoice | undefined } = {};

  /**
   * `allowed` is part of the state of a resumed run.
   *
   * @throws ToolkitError `duplicate_tool`
   */
  constructor(options: AgentOptions, allowed: readonly string[] | undefined) {
    this.#options = options;
    this.#allowed = allowed && new Set(allowed);
    this.#own = options.request.tools ?? [];
    this.external = new Set(namesOf(this.#own));
    const twice = this.#own.findIndex((tool) => "name" in tool && options.toolkit.get(tool.name) !== undefined);
    if (twice >= 0) {
      const { name } = this.#own[twice] as ToolDefinition;
      const message = `${name} is a tool of the request and of the toolkit: give one of them another name, so that its calls can be attributed`;
      throw new ToolkitError("duplicate_tool", message, `/request/tools/${twice}`);
    }
  }

  /** The tools that may run. */
  get filter(): ToolFilter {
    return { names: [...this.#current()], excludeDangerous: false };
  }

  /** Whether a call may use a tool: the request that led to it must contain the tool, and its tool choice must allow it. */
  allows(name: string): boolean {
    return this.#current().has(name);
  }

  /** The names of the tools that calls may use, if they are fewer than those of the run. */
  get restricted(): string[] | undefined {
    const current = this.#current();
    this.#update();
    const { of, version } = this.#compared;
    if (of !== current || version !== this.#version) {
      const all = this.#names();
      const isAll = current.size === all.length && all.every((name) => current.has(name));
      this.#compared = { of: current, version: this.#version, isAll };
    }
    return this.#compared.isAll ? undefined : [...current];
  }

  #current(): ReadonlySet<string> {
    return this.#allowed ?? new Set(this.#names());
  }

  #names(): string[] {
    this.#update();
    return [...this.external, ...this.#definitions.map(({ name }) => name)];
  }

  /** Records what a request allows before it is sent, because `prepare` may have removed tools. */
  sends({ tools = [], toolChoice }: ChatRequest): void {
    const isSame = toolChoice === this.#sent.toolChoice && isEqual(tools, this.#sent.tools);
    if (isSame) return;
    this.#sent = { tools: [...tools], toolChoice };
    const chosen = toolChoice === undefined ? undefined : namesOfChoice(toolChoice);
    const names = namesOf(tools);
    this.#allowed = new Set(chosen ? names.filter((name) => chosen.includes(name)) : names);
  }

  /** The `tools` field of a request, or an empty object if there are no tools. */
  forRequest(): Pick<ChatRequest, "tools"> {
    this.#update();
    const tools = [...this.#own, ...this.#definitions];
    return tools.length > 0 ? { tools } : {};
  }

  /**
   * Updates the definitions if tools were registered during the run. Relevance is computed only once, to keep the
   * prompt cache valid.
   */
  #update(): void {
    const { toolkit, filter } = this.#options;
    const { version } = hostOf(toolkit).registry;
    if (this.#version === version || (this.#version !== undefined && filter?.relevantTo !== undefined)) return;
    this.#version = version;
    this.#definitions = toolkit.definitions(filter);
  }
}

function isEqual(a: readonly RequestTool[], b: readonly RequestTool[] | undefined): boolean {
  return a.length === b?.length && a.every((tool, index) => tool === b[index]);
}

function namesOf(tools: readonly RequestTool[]): string[] {
  return tools.flatMap((tool) => ("name" in tool ? [tool.name] : []));
}

/** The names that a tool choice allows. Undefined if it allows all. */
function namesOfChoice(choice: ToolChoice): readonly string[] | undefined {
  if (choice === "none") return [];
  if (typeof choice === "string") return undefined;
  if ("allowed" in choice) return choice.allowed;
  return "name" in choice ? [choice.name] : undefined;
}
