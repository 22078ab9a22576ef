// `toolwire parse` and `toolwire prompt`: tools for models without native tool calling.

import { ToolwireError } from "toolwire";
import { definitionsIn } from "./definitions.js";
import { Stop } from "./exits.js";
import { readBytes } from "./input.js";
import { report } from "./report.js";

/** The calls in a model's text. */
export async function parse({ file, format, tools: toolsFile, from, quiet }) {
  const { parseToolText } = await import("toolwire/text");
  const tools = toolsFile === undefined ? [] : await definitionsIn(toolsFile, { from, name: "--tools" });
  const input = new TextDecoder().decode(await readBytes(file));
  const read = inFormat(() => parseToolText(input, { format, tools: tools.filter(isOwn) }));
  if (!quiet) for (const { name, error } of read.invalidToolCalls) report(`problem: a call of ${name}: ${error}`);
  return { text: JSON.stringify(read), exit: read.invalidToolCalls.length === 0 ? "ok" : "conversion" };
}

/** The prompt for tools. */
export async function prompt({ file, format, from }) {
  const { toolPrompt } = await import("toolwire/text");
  const tools = await definitionsIn(file, { from, name: file === "-" ? "standard input" : file });
  for (const { value, name } of tools.filter((tool) => !isOwn(tool))) {
    report(`warning: a provider's own tool is left out: ${name ?? JSON.stringify(value)}`);
  }
  return { text: inFormat(() => toolPrompt(tools.filter(isOwn), { format })), isJson: false };
}

const isOwn = ({ type }) => type !== "native";

/** An unknown format is wrong use of the command. */
function inFormat(work) {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ToolwireError) || error.path !== "/format") throw error;
    throw new Stop("usage", `--format: ${error.message}`);
  }
}
