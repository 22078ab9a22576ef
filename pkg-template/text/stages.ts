// The two stages: a choice of tools by names and descriptions, and the arguments of one of them.

import { type ChatRequest, ToolwireError } from "#conversions";
import { type ChoosingStage, choosing, type FillingStage, filling, type ToolPurpose } from "../stages/two-stages.js";

const failed = (message: string, path: string) => new ToolwireError("invalid_value", message, path);

/**
 * The first stage: a request that shows names and descriptions of its tools only, and a reader for its response. It uses no tools API.
 *
 * @throws ToolwireError `invalid_value` if there are no tools, or a provider's own
 */
export function chooseTool(request: ChatRequest): ChoosingStage {
  return choosing(request, failed);
}

/**
 * The second stage: a request for the arguments of one tool, and a reader for its response. It uses no tools API.
 *
 * @throws ToolwireError `invalid_value` if there is no such tool
 */
export function fillArguments(request: ChatRequest, choice: ToolPurpose): FillingStage {
  return filling(request, choice, failed);
}
