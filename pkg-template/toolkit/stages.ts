// The two stages as separate functions. An agent uses them with `strategy: "twoStage"`.

import type { ChatRequest } from "toolwire";
import { type ChoosingStage, choosing, type FillingStage, filling, type ToolPurpose } from "../stages/two-stages.js";
import { ToolkitError } from "./errors.js";

const failed = (message: string, path: string) => new ToolkitError("invalid_options", message, path);

/**
 * The first stage: a request that shows only names and descriptions of its tools, and a reader for its response. It
 * does not use a tools API.
 *
 * @throws ToolkitError `invalid_options` if there are no tools, or if a tool is native to a provider
 */
export function chooseTool(request: ChatRequest): ChoosingStage {
  return choosing(request, failed);
}

/**
 * The second stage: a request for the arguments of one tool, and a reader for its response. It does not use a tools
 * API.
 *
 * @throws ToolkitError `invalid_options` if the tool does not exist
 */
export function fillArguments(request: ChatRequest, choice: ToolPurpose): FillingStage {
  return filling(request, choice, failed);
}
