// Converts the tools of MCP servers.

import { ToolkitError } from "./errors.js";
import { Inbox } from "./inbox.js";
import type { Tool, ToolPolicy } from "./tool.js";

/** An MCP client: that of the official SDK, or any object with these methods. */
export interface McpClient {
  listTools(params?: any): Promise<any>;
  callTool(params: any, ...rest: any[]): Promise<any>;
}

/** The hints of an MCP tool. They are claims by the server and may be false. */
export interface McpAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool as an MCP server lists it. */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: { readonly [keyword: string]: unknown };
  readonly outputSchema?: { readonly [keyword: string]: unknown };
  readonly annotations?: McpAnnotations;
}

/** How the tools of an MCP server become tools of a toolkit. */
export interface McpToolsOptions {
  /** Prefix of all tool names, which keeps tools of different servers apart. Characters that names can't have become `_`. */
  prefix?: string;
  /** Whether to trust the server's annotations. Default false. */
  trust?: boolean;
  /** Overrides the policy of a tool. */
  policy?(tool: McpTool): ToolPolicy;
  /**
   * Called with the new list when the server reports that the list changed. If the new list can't be read, or if this
   * function throws, the error is passed to the client's `onerror`.
   */
  onChange?(tools: Tool[]): void;
}

const MOST_PAGES = 1000;
/** Disables the SDK's own timeout, which could end calls early. The toolkit's timeouts apply through the signal. */
const NO_TIMEOUT = 2 ** 31 - 1;
/** As the registry requires. */
const LONGEST_NAME = 128;
const LIST_CHANGED = "notifications/tools/list_changed";

/**
 * Returns the tools of an MCP client, from all pages. For an untrusted server, annotations can only make a tool
 * stricter: every tool requires approval, and a destructive tool is `dangerous`. For a trusted server, a tool that is
 * declared read-only or not destructive requires no approval.
 */
export async function mcpTools(client: McpClient, options: McpToolsOptions = {}): Promise<Tool[]> {
  if (options.onChange) followChanges(client, options);
  const listed = await listAll(client);
  return listed.map((tool) => toolOf(client, tool, options));
}

async function listAll(client: McpClient): Promise<McpTool[]> {
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const result = await client.listTools(cursor === undefined ? undefined : { cursor });
    tools.push(...(result.tools as McpTool[]));
    cursor = result.nextCursor as string | undefined;
    if (cursor === undefined) return tools;
  }
  throw new ToolkitError("invalid_options", `the MCP server lists more than ${MOST_PAGES} pages of tools`);
}

function toolOf(client: McpClient, listed: McpTool, options: McpToolsOptions): Tool {
  const { name, description, inputSchema, outputSchema, annotations = {} } = listed;
  const title = listed.title ?? annotations.title;
  return {
    name: registeredName(`${options.prefix ?? ""}${name}`),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    parameters: inputSchema,
    ...(outputSchema && { outputSchema }),
    ...policyOf(annotations, options.trust ?? false),
    ...options.policy?.(listed),
    execute: (args, { signal }) => called(client, { name, arguments: args }, signal),
  };
}

/** Servers may give tools any name. A call has the registered name, and is sent with that of the server. */
function registeredName(name: string): string {
  return name.replace(/[^\w.:/-]/gu, "_").slice(0, LONGEST_NAME) || "_";
}

/** Yields the progress that the server reports, and returns the result. */
async function* called(client: McpClient, params: object, signal: AbortSignal): AsyncGenerator<unknown, unknown> {
  const inbox = new Inbox<{ progress: unknown } | { output: unknown }>();
  const onprogress = (progress: unknown) => inbox.push({ progress });
  const options = { signal, timeout: NO_TIMEOUT, onprogress };
  // version 1 of the SDK has an additional parameter between these two
  const calling =
    client.callTool.length === 2 ? client.callTool(params, options) : client.callTool(params, undefined, options);
  calling.then(
    (output) => inbox.push({ output }),
    (error) => inbox.fail(error),
  );
  for (;;) {
    const message = await inbox.next();
    if (message === undefined || "output" in message) return message?.output;
    yield message.progress;
  }
}

function policyOf(annotations: McpAnnotations, trust: boolean): ToolPolicy {
  const { readOnlyHint = false, destructiveHint, idempotentHint = false } = annotations;
  const isHarmless = readOnlyHint || destructiveHint === false;
  return {
    dangerous: destructiveHint === true && !(trust && readOnlyHint),
    needsApproval: !(trust && isHarmless),
    idempotent: trust && (readOnlyHint || idempotentHint),
  };
}

interface NotifiedClient extends McpClient {
  setNotificationHandler?(notification: unknown, handler: () => Promise<void>): void;
}

function followChanges(client: NotifiedClient, options: McpToolsOptions): void {
  // The client passes errors of its handler to `onerror`.
  const handler = async () => {
    const { onChange, ...rest } = options;
    onChange?.(await mcpTools(client, rest));
  };
  if (typeof client.setNotificationHandler !== "function") {
    throw new ToolkitError(
      "invalid_options",
      "this client reports no changes: it has no setNotificationHandler",
      "/onChange",
    );
  }
  try {
    client.setNotificationHandler(LIST_CHANGED, handler);
  } catch {
    client.setNotificationHandler(listChangedSchema, handler);
  }
}

/** Version 1 of the SDK requires the zod schema of a notification. This object has the parts that it uses. */
const listChangedSchema = {
  shape: { method: { value: LIST_CHANGED } },
  parse: (notification: unknown) => notification,
  safeParse: (data: unknown) => ({ success: true, data }),
};
