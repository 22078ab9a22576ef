// The two stages: a choice of tools by name and description, and the arguments of one tool.

import { type ChatRequest, ToolwireError } from "#conversions";
import { type ChoosingStage, choosing, type FillingStage, filling, type ToolPurpose } from "../stages/two-stages.js";

const failed = (message: string, path: string) => new ToolwireError("invalid_value", message, path);

/**
 * The first stage: a request that shows only names and descriptions of its tools, and a reader for its response. It
 * does not use a tools API.
 *
 * @throws ToolwireError `invalid_value` if there are no tools, or if a tool is native to a provider
 */
export function chooseTool(request: ChatRequest): ChoosingStage {
  return choosing(request, failed);
}

/**
 * The second stage: a request for the arguments of one tool, and a reader for its response. It does not use a tools
 * API.
 *
 * @throws ToolwireError `invalid_value` if the tool does not exist
 */
export function fillArguments(request: ChatRequest, choice: ToolPurpose): FillingStage {
  return filling(request, choice, failed);
}
