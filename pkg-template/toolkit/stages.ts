// The two stages on their own. `strategy: "twoStage"` of an agent uses them.

import type { ChatRequest } from "toolwire";
import { type ChoosingStage, choosing, type FillingStage, filling, type ToolPurpose } from "../stages/two-stages.js";
import { ToolkitError } from "./errors.js";

const failed = (message: string, path: string) => new ToolkitError("invalid_options", message, path);

/**
 * The first stage: a request that shows names and descriptions of its tools only, and a reader for its response. It uses no tools API.
 *
 * @throws ToolkitError `invalid_options` if there are no tools, or a provider's own
 */
export function chooseTool(request: ChatRequest): ChoosingStage {
  return choosing(request, failed);
}

/**
 * The second stage: a request for the arguments of one tool, and a reader for its response. It uses no tools API.
 *
 * @throws ToolkitError `invalid_options` if there is no such tool
 */
export function fillArguments(request: ChatRequest, choice: ToolPurpose): FillingStage {
  return filling(request, choice, failed);
}
