// Converts the tools of MCP servers.

import { convertCallToolResult, readServerResult } from "./call-tool-result.js";
import { ToolkitError } from "./errors.js";
import { messageOf } from "./failure.js";
import { Inbox } from "./inbox.js";
import { readSchema } from "./mcp-schema.js";
import { ofMcp, requireOptions } from "./requirements.js";
import type { Tool, ToolPolicy } from "./tool.js";
import { checkValue } from "./values.js";

/** An MCP client: that of the official SDK, or any object with these methods. */
export interface McpClient {
  listTools(params?: any, ...rest: any[]): Promise<any>;
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

/** What could not be used as a server sent it. */
export interface McpWarning {
  /** The name of the tool, as the server spells it. Absent if the list as a whole is concerned. */
  tool?: string;
  message: string;
}

/** How the tools of an MCP server become tools of a toolkit. */
export interface McpToolsOptions {
  /** Prefix of all tool names, which keeps tools of different servers apart. Characters that names can't have become `_`. */
  prefix?: string;
  /** Whether to trust the server's annotations. Default false. */
  trust?: boolean;
  /** Overrides the policy of a tool. */
  policy?(tool: McpTool): ToolPolicy | undefined;
  /** Time limit for the list of tools, over all its pages, in milliseconds. Default 30 000. */
  listTimeoutMs?: number;
  /** Called for each tool that is left out, and for whatever else the server sent that can't be used. */
  onWarning?(warning: McpWarning): void;
  /**
   * Called with the new list when the server reports that the list changed. If the new list can't be read, or if this
   * function throws, the error is passed to the client's `onerror`.
   */
  onChange?(tools: Tool[]): void;
}

const MOST_PAGES = 1000;
const LIST_TIMEOUT = 30_000;
/** Disables the SDK's own timeout, which could end calls early. The toolkit's timeouts apply through the signal. */
const NO_TIMEOUT = 2 ** 31 - 1;
/** As the registry requires. */
const LONGEST_NAME = 128;
const LIST_CHANGED = "notifications/tools/list_changed";

/**
 * Returns the tools of an MCP client, from all pages. For an untrusted server, annotations can only make a tool
 * stricter: every tool requires approval, and a destructive tool is `dangerous`. For a trusted server, a tool that is
 * declared read-only or not destructive requires no approval. A tool that can't be used is left out (`onWarning`).
 *
 * @throws ToolkitError `invalid_options`, also if the server does not list its tools in time
 */
export async function mcpTools(client: McpClient, options: McpToolsOptions = {}): Promise<Tool[]> {
  requireClient(client);
  requireOptions(options, ofMcp, { what: "mcpTools" });
  if (options.onChange) followChanges(client, options);
  const warn = (message: string, tool?: string) =>
    options.onWarning?.({ ...(tool !== undefined && { tool }), message });
  const [listedNames, names] = [new Set<string>(), new Set<string>()];
  const tools: Tool[] = [];
  for (const listed of await listAll(client, options, warn)) {
    const { name } = (listed ?? {}) as Partial<McpTool>;
    if (typeof name !== "string" || name === "") {
      warn("a tool without a name was left out");
      continue;
    }
    if (listedNames.has(name)) {
      warn("the tool was left out, because another tool of the server has its name", name);
      continue;
    }
    listedNames.add(name);
    try {
      tools.push(toolOf(client, listed as McpTool, options, (message) => warn(message, name), names));
    } catch (error) {
      warn(`the tool was left out: ${messageOf(error)}`, name);
    }
  }
  return tools;
}

function requireClient(client: McpClient): void {
  const missing = ["listTools", "callTool"].find((name) => typeof (client as any)?.[name] !== "function");
  if (missing === undefined) return;
  const message = `expected an MCP client, which has a method ${missing}: pass a connected Client of the MCP SDK`;
  throw new ToolkitError("invalid_options", message);
}

type Warn = (message: string, tool?: string) => void;

async function listAll(client: McpClient, options: McpToolsOptions, warn: Warn): Promise<unknown[]> {
  const { listTimeoutMs: limit = LIST_TIMEOUT } = options;
  const tools: unknown[] = [];
  const cursors = new Set<unknown>();
  const late = `the MCP server did not list its tools within ${limit} ms. The option listTimeoutMs raises the limit`;
  const end = performance.now() + limit;
  let params: { cursor: string } | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const left = Math.max(end - performance.now(), 0);
    const listing = client.listTools(params, { timeout: Math.max(Math.ceil(left), 1) });
    const result = await within(left, listing, late);
    const cursor = result?.nextCursor;
    if (Array.isArray(result?.tools)) for (const tool of result.tools) tools.push(tool);
    else warn("a page of the list of tools has no tools");
    if (typeof cursor !== "string" || cursor === "") return tools;
    if (cursors.has(cursor)) {
      warn("the server repeats a page of its list of tools, which was read to there");
      return tools;
    }
    cursors.add(cursor);
    params = { cursor };
  }
  warn(`the server lists more than ${MOST_PAGES} pages of tools. The others were left out`);
  return tools;
}

function within<Value>(ms: number, promise: Promise<Value>, message: string): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ToolkitError("invalid_options", message, "/listTimeoutMs")), ms);
    Promise.resolve(promise)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

function toolOf(
  client: McpClient,
  listed: McpTool,
  options: McpToolsOptions,
  warn: (message: string) => void,
  names: Set<string>,
): Tool {
  const { name, description } = listed;
  const annotations = (listed.annotations ?? {}) as McpAnnotations;
  const title = listed.title ?? annotations.title;
  const parameters = readSchema(listed.inputSchema);
  checkSchema(parameters);
  const outputSchema = outputSchemaOf(listed, warn);
  const registered = uniqueName(`${options.prefix ?? ""}${name}`, names);
  names.add(registered);
  return {
    name: registered,
    ...(typeof title === "string" && { title }),
    ...(typeof description === "string" && { description }),
    parameters,
    ...(outputSchema && { outputSchema }),
    ...policyOf(annotations, options.trust ?? false),
    ...options.policy?.(listed),
    execute: (args, { signal }) => called(client, { name, arguments: args }, signal, outputSchema !== undefined),
  };
}

/** @throws ToolkitError `invalid_schema` */
const checkSchema = (schema: object) => checkValue(schema, null, { coerce: false, clamp: false, defaults: false });

/** The output schema, unless it is not a schema. */
function outputSchemaOf({ outputSchema }: McpTool, warn: (message: string) => void) {
  if (outputSchema === undefined || outputSchema === null) return undefined;
  try {
    const schema = readSchema(outputSchema);
    checkSchema(schema);
    return schema;
  } catch (error) {
    warn(`results are not checked, because the output schema can't be used: ${messageOf(error)}`);
    return undefined;
  }
}

/**
 * The name that models see. Servers may use any characters: a name that would become that of another tool, or that has
 * no letters left, gets a suffix that depends on the server's name only. A call is sent with the server's name.
 */
function uniqueName(given: string, taken: Set<string>): string {
  const plain = given.replace(/[^\w.:/-]/gu, "_");
  const isKept = plain.length <= LONGEST_NAME && /[^\W_]/.test(plain) && !taken.has(plain);
  if (isKept) return plain;
  const suffix = `_${hashOf(given)}`;
  const stem = /[^\W_]/.test(plain) ? plain : "tool";
  const name = `${stem.slice(0, LONGEST_NAME - suffix.length)}${suffix}`;
  if (taken.has(name)) throw new Error("another tool has this name");
  return name;
}

/** FNV-1a. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(36);
}

/** Yields the progress that the server reports, and returns the result. */
async function* called(
  client: McpClient,
  params: object,
  signal: AbortSignal,
  isChecked: boolean,
): AsyncGenerator<unknown, unknown> {
  const inbox = new Inbox<{ output: unknown } | undefined>();
  // Progress that is not read in time is replaced by the next one.
  let latest: { progress: unknown } | undefined;
  const onprogress = (progress: unknown) => {
    if (latest === undefined) inbox.push(undefined);
    latest = { progress };
  };
  const options = { signal, timeout: NO_TIMEOUT, onprogress };
  // version 1 of the SDK has an additional parameter between these two
  const calling =
    client.callTool.length === 2 ? client.callTool(params, options) : client.callTool(params, undefined, options);
  calling.then(
    (output) => inbox.push({ output }),
    (error) => inbox.fail(error ?? new Error("The MCP client rejected the call without a reason.")),
  );
  for (;;) {
    const message = await inbox.next();
    if (message !== undefined) return resultOf(message.output, isChecked);
    const read = latest;
    latest = undefined;
    if (read) yield read.progress;
  }
}

/** What the server returned, as the result of a tool. */
function resultOf(output: unknown, isChecked: boolean): unknown {
  const read = readServerResult(output);
  const value = convertCallToolResult(read);
  const { isError } = read;
  if (typeof value === "string") {
    // text in the place of structured content, of servers that came before it, or that have none to report
    const data = isChecked && !isError ? jsonIn(value) : undefined;
    if (data !== undefined) return { kind: "data", value: data };
    if (isChecked && !isError) return { kind: "multimodal", value: [{ type: "text", text: value }] };
    return isError ? { kind: "text", value, isError } : value;
  }
  const tagged = Array.isArray(value) ? { kind: "multimodal", value } : { kind: "data", value: value.data };
  return isError ? { ...tagged, isError } : tagged;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A claim that makes a tool less strict must be `true`. One that makes it stricter counts in any form. */
function policyOf(annotations: McpAnnotations, trust: boolean): ToolPolicy {
  const { readOnlyHint, destructiveHint, idempotentHint } = annotations as Record<string, unknown>;
  const isReadOnly = trust && readOnlyHint === true;
  const isDestructive = ![undefined, null, false, "false", 0].includes(destructiveHint as never);
  return {
    dangerous: isDestructive && !isReadOnly,
    needsApproval: !(isReadOnly || (trust && destructiveHint === false)),
    idempotent: isReadOnly || (trust && idempotentHint === true),
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
