// The tools of a run: those of the toolkit and those of the request.

import type { ChatRequest, NativeTool, ToolDefinition } from "toolwire";
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
  /**
   * The names of tools sent so far. Undefined until a request is sent, because earlier requests of a resumed run
   * are unknown.
   */
  #shown: Set<string> | undefined;

  /** @throws ToolkitError `duplicate_tool` */
  constructor(options: AgentOptions) {
    this.#options = options;
    this.#own = options.request.tools ?? [];
    this.external = new Set(this.#own.flatMap((tool) => ("name" in tool ? [tool.name] : [])));
    const twice = this.#own.findIndex((tool) => "name" in tool && options.toolkit.get(tool.name) !== undefined);
    if (twice >= 0) {
      const { name } = this.#own[twice] as ToolDefinition;
      const message = `${name} is a tool of the request and of the toolkit: give one of them another name, so that its calls can be attributed`;
      throw new ToolkitError("duplicate_tool", message, `/request/tools/${twice}`);
    }
  }

  /** The tools that may run. */
  get allowed(): ToolFilter {
    return { names: [...(this.#shown ?? this.#names())], excludeDangerous: false };
  }

  /** Whether a tool may run, which requires that a request of this run contained it. */
  allows(name: string): boolean {
    return (this.#shown ?? this.#names()).has(name);
  }

  #names(): Set<string> {
    this.#update();
    return new Set(this.#definitions.map(({ name }) => name));
  }

  /** Records the tools of a sent request, because `prepare` may have removed some. */
  showed({ tools = [] }: ChatRequest): void {
    this.#shown ??= new Set();
    for (const tool of tools) if ("name" in tool) this.#shown.add(tool.name);
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
