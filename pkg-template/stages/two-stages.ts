// Two stages: the model first chooses tools by name and description, then generates the arguments for one schema.

import type {
  ChatRequest,
  ChatResponse,
  InvalidToolCall,
  JsonSchema,
  ToolCall,
  ToolChoice,
  ToolDefinition,
} from "toolwire";
import { asText, withSystemText } from "./conversation.js";
import { embedded } from "./embedded.js";
import { jsonIn } from "./json-in.js";

/** A tool that the model wants to use. */
export interface ToolPurpose {
  name: string;
  /** The purpose of this use, in the model's own words. */
  purpose?: string;
}

/** What the model chose in the first of two stages: tools, or a response to the user. */
export interface ToolChoices {
  reasoning?: string;
  /** The response to the user. JSON if the request has a `responseFormat`. */
  answer?: string;
  /** One tool, several, or none. */
  choices: ToolPurpose[];
}

/** The first of two stages: a request that lets the model choose tools, and a function that reads the response. */
export interface ChoosingStage {
  request: ChatRequest;
  read(response: ChatResponse): ToolChoices;
}

/** The second of two stages: a request for the arguments of one tool, and a function that reads the response. */
export interface FillingStage {
  request: ChatRequest;
  read(response: ChatResponse): ToolCall | InvalidToolCall;
}

/** Creates the error for a usage error. */
export type Fail = (message: string, path: string) => Error;

type Schema = Record<string, unknown>;

const object = (properties: Schema): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

export function choosing(asked: ChatRequest, fail: Fail): ChoosingStage {
  const { tools, isForced } = callable(definitionsOf(asked, fail), asked.toolChoice, fail);
  const isParallel = asked.parallelToolCalls !== false;
  const { tools: _, toolChoice: __, parallelToolCalls: ___, responseFormat, ...rest } = asked;
  const prompt = choosingPrompt(tools, { isForced, isParallel });
  const typed = responseFormat?.type === "jsonSchema" ? responseFormat.schema : undefined;
  const schema = choiceSchema(tools, { isForced, isParallel, answer: typed });
  const about = responseFormat === undefined || responseFormat.type === "text" || isForced ? "" : answerPrompt(typed);
  return {
    request: {
      ...rest,
      messages: withSystemText(asText(asked.messages, { isParallel }), prompt + about),
      responseFormat: { type: "jsonSchema", name: "choice", schema, ...(!typed && { strict: true }) },
    },
    read: (response) => {
      const read = choicesIn(response);
      return isParallel ? read : { ...read, choices: read.choices.slice(0, 1) };
    },
  };
}

function definitionsOf({ tools = [] }: ChatRequest, fail: Fail): ToolDefinition[] {
  const native = tools.findIndex((tool) => "type" in tool && tool.type === "native");
  if (native >= 0) throw fail("a provider's own tool can't be used in two stages", `/tools/${native}`);
  if (tools.length === 0) throw fail("two stages need tools to choose from", "/tools");
  return tools as ToolDefinition[];
}

/** The tools that may be used, and whether a call is required. */
function callable(tools: ToolDefinition[], choice: ToolChoice | undefined, fail: Fail) {
  if (choice === undefined || typeof choice === "string") return { tools, isForced: choice === "required" };
  if ("native" in choice) throw fail("a provider's own tool choice can't be used in two stages", "/toolChoice");
  const names = "name" in choice ? [choice.name] : choice.allowed;
  const isForced = "name" in choice || choice.mode === "required";
  return { tools: tools.filter(({ name }) => names.includes(name)), isForced };
}

interface Rules {
  isForced: boolean;
  isParallel: boolean;
}

function choosingPrompt(tools: readonly ToolDefinition[], { isForced, isParallel }: Rules): string {
  const list = tools.map(({ name, description = "" }) => `- ${name}${description && `: ${flat(description)}`}`);
  const used = isParallel ? '"use_tools": [{"name": NAME, "purpose": TEXT}]' : '"use_tool": NAME';
  const form = `{"reasoning": TEXT, ${isForced ? "" : '"answer": TEXT or null, '}${used}}`;
  const none = isParallel ? "It is empty" : "It is null";
  const fields = [
    "- `reasoning`: what is known and what is needed next, in a sentence.",
    ...(isForced ? [] : ["- `answer`: the response to the user, if no tool is needed for it. Otherwise null."]),
    isParallel
      ? "- `use_tools`: the tools to use now, in order, each with its purpose: what this use is to find out or to do, with the values that it needs."
      : "- `use_tool`: the name of the tool to use now.",
    isForced ? "  You must use a tool." : `  ${none} if you respond to the user.`,
  ];
  return `# Tools

These tools can be used. Their arguments are asked for after you have chosen.

${list.join("\n")}

Respond with exactly one JSON object, and with nothing else:
${form}
${fields.join("\n")}`;
}

const flat = (text: string) => text.split(/\s+/).join(" ").trim();

const answerPrompt = (schema: JsonSchema | undefined) =>
  schema
    ? `\nA value of \`answer\` other than null follows this JSON Schema:\n${JSON.stringify(schema)}`
    : "\nA value of `answer` other than null is a JSON object.";

function choiceSchema(tools: readonly ToolDefinition[], rules: Rules & { answer: JsonSchema | undefined }): JsonSchema {
  const name = { type: "string", enum: tools.map(({ name }) => name) };
  const { isForced, isParallel } = rules;
  const several: Schema = { type: "array", items: object({ name, purpose: { type: "string" } }) };
  if (isForced) several.minItems = 1;
  const single = isForced ? name : { anyOf: [name, { type: "null" }] };
  const definitions: Schema = {};
  const answer = rules.answer ? embedded(rules.answer, "answer", definitions) : { type: "string" };
  const schema = object({
    reasoning: { type: "string" },
    ...(!isForced && { answer: { anyOf: [answer, { type: "null" }] } }),
    ...(isParallel ? { use_tools: several } : { use_tool: single }),
  });
  return Object.keys(definitions).length > 0 ? { ...schema, $defs: definitions } : schema;
}

/** A response that is not the requested object is treated as a text response. */
function choicesIn({ text }: ChatResponse): ToolChoices {
  const read = objectIn(text);
  const isChoice = read && ["answer", "use_tools", "use_tool"].some((key) => key in read);
  if (!isChoice) return { answer: text, choices: [] };
  const { reasoning, answer, use_tools: several, use_tool: single } = read;
  const listed = several ?? single ?? [];
  const choices = (Array.isArray(listed) ? listed : [listed]).flatMap(choiceOf);
  return {
    ...(typeof reasoning === "string" && reasoning !== "" && { reasoning }),
    ...(answer !== null &&
      answer !== undefined && { answer: typeof answer === "string" ? answer : JSON.stringify(answer) }),
    choices,
  };
}

function choiceOf(item: unknown): ToolPurpose[] {
  if (typeof item === "string") return [{ name: item }];
  const { name, purpose } = (item ?? {}) as Schema;
  if (typeof name !== "string") return [];
  return [{ name, ...(typeof purpose === "string" && purpose !== "" && { purpose }) }];
}

function objectIn(text: string): Schema | undefined {
  const json = jsonIn(text);
  const value: unknown = json === undefined ? undefined : JSON.parse(json);
  return isObject(value) ? value : undefined;
}

const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** If `isNative`, the tool is passed to the provider's tools API, and a forced tool choice replaces the instruction. */
export function filling(asked: ChatRequest, choice: ToolPurpose, fail: Fail, isNative = false): FillingStage {
  const tool = definitionsOf(asked, fail).find(({ name }) => name === choice.name);
  if (!tool) throw fail(`there is no tool ${JSON.stringify(choice.name)} in the request`, "/tools");
  const { tools: _, toolChoice: __, parallelToolCalls, responseFormat: ___, ...rest } = asked;
  const schema = { type: "object", ...(tool.parameters as Schema | undefined) };
  const isParallel = parallelToolCalls !== false;
  const note = { role: "user", content: fillingPrompt(tool, choice, schema, isNative) } as const;
  const request: ChatRequest = { ...rest, messages: [...asText(asked.messages, { isParallel }), note] };
  const name = tool.name.replaceAll(/[^\w-]/g, "_").slice(0, 64);
  const api: Partial<ChatRequest> = isNative
    ? { tools: [tool], toolChoice: { name: tool.name } }
    : { responseFormat: { type: "jsonSchema", name, schema, ...(tool.strict && { strict: true }) } };
  return { request: { ...request, ...api }, read: (response) => callIn(response, tool, asked) };
}

function fillingPrompt(tool: ToolDefinition, { purpose }: ToolPurpose, schema: Schema, isNative: boolean): string {
  const { name, description, inputExamples: [example] = [] } = tool;
  const why = purpose ? ` Its purpose is: ${purpose}` : "";
  if (isNative) return `Call the tool \`${name}\` now, once.${why}`;
  return [
    `Give the arguments of the tool \`${name}\` now.${why}`,
    ...(description ? [`What the tool does: ${flat(description)}`] : []),
    ...(example ? [`An example of arguments (its values are not data): ${JSON.stringify(example)}`] : []),
    `Respond with exactly one JSON object, and with nothing else. It follows this JSON Schema:\n${JSON.stringify(schema)}`,
  ].join("\n");
}

function callIn(response: ChatResponse, tool: ToolDefinition, asked: ChatRequest): ToolCall | InvalidToolCall {
  const native = [...response.toolCalls, ...response.invalidToolCalls].find(({ name }) => name === tool.name);
  if (native) return native;
  const { name } = tool;
  const id = idOf([response.id, asked.messages.length, name, response.text]);
  const json = jsonIn(response.text);
  const value: unknown = json === undefined ? undefined : JSON.parse(json);
  if (!isObject(value)) {
    const rawArguments = response.text.slice(Math.max(response.text.indexOf("{"), 0));
    return { id, name, rawArguments, error: "the response is not a JSON object with the arguments" };
  }
  if (isWrapped(value, tool)) return { id, name, arguments: value.arguments };
  // numbers may have more digits than a double can hold
  const exact = json !== undefined && /\d{16}/.test(json) && { metadata: { rawArguments: json } };
  return { id, name, arguments: value, ...exact };
}

/** Whether the model wrote a whole call in place of the arguments. */
function isWrapped(value: Schema, { name, parameters }: ToolDefinition): value is Schema & { arguments: Schema } {
  const properties = (parameters as { properties?: object } | undefined)?.properties ?? {};
  const isParameter = "arguments" in properties;
  return !isParameter && value.name === name && isObject(value.arguments);
}

/** The id is stable for the same response to the same conversation. */
function idOf(parts: readonly unknown[]): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (const letter of JSON.stringify(parts)) {
    const code = letter.codePointAt(0) as number;
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  const digits = (part: number) => (part >>> 0).toString(36).padStart(7, "0");
  return `tw_${digits(high ^ (low >>> 13))}${digits(low ^ (high >>> 16))}`;
}
