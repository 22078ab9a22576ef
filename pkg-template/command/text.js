// `toolwire parse`, `toolwire prompt` and `toolwire grammar`: tools for models without native tool calling.

import { ToolwireError } from "toolwire";
import { definitionsIn } from "./definitions.js";
import { Stop } from "./exits.js";
import { readBytes } from "./input.js";
import { report } from "./report.js";

/** Extracts the calls from a model's text. */
export async function parse({ file, format, tools: toolsFile, from, quiet }) {
  const { parseToolText } = await import("toolwire/text");
  const tools = toolsFile === undefined ? [] : await definitionsIn(toolsFile, { from, name: "--tools" });
  const input = new TextDecoder().decode(await readBytes(file));
  const read = inFormat(() => parseToolText(input, { format, tools: tools.filter(isOwn) }));
  if (!quiet) for (const { name, error } of read.invalidToolCalls) report(`problem: a call of ${name}: ${error}`);
  return { text: JSON.stringify(read), exit: read.invalidToolCalls.length === 0 ? "ok" : "conversion" };
}

/** Prints the prompt for tools. */
export async function prompt({ file, format, from }) {
  const { toolPrompt } = await import("toolwire/text");
  const tools = await ownTools(file, from);
  return { text: inFormat(() => toolPrompt(tools, { format })), isJson: false };
}

/** Prints the grammar of responses with calls of these tools. */
export async function grammar({ file, format, syntax, from, quiet, ...choice }) {
  const { toolGrammar } = await import("toolwire/text");
  const tools = await ownTools(file, from);
  const options = { format, syntax, ...choiceOf(choice) };
  const made = inFormat(() => toolGrammar(tools, options));
  if (!quiet) for (const { path, message } of made.warnings) report(`warning: ${path}: ${message}`);
  const isJson = typeof made.grammar !== "string";
  return { text: isJson ? JSON.stringify(made.grammar) : made.grammar.trimEnd(), isJson };
}

const choiceOf = ({ "tool-choice": choice, "single-call": single }) => ({
  ...(choice !== undefined && {
    toolChoice: ["auto", "required", "none"].includes(choice) ? choice : { name: choice },
  }),
  ...(single && { parallelToolCalls: false }),
});

async function ownTools(file, from) {
  const tools = await definitionsIn(file, { from, name: file === "-" ? "standard input" : file });
  for (const { value, name } of tools.filter((tool) => !isOwn(tool))) {
    report(`warning: a provider's own tool is left out: ${name ?? JSON.stringify(value)}`);
  }
  return tools.filter(isOwn);
}

const isOwn = ({ type }) => type !== "native";

const flagOf = (path) => {
  if (path === "/format") return "format";
  return path.startsWith("/toolChoice") ? "tool-choice" : undefined;
};

/** Reports an unknown format or an unknown tool in the choice as a usage error. */
function inFormat(work) {
  try {
    return work();
  } catch (error) {
    const flag = error instanceof ToolwireError && flagOf(error.path);
    if (!flag) throw error;
    throw new Stop("usage", `--${flag}: ${error.message}`);
  }
}
