// The exports of all entry points of `toolwire/text`: all of `toolwire`, and tools for models without native tool
// calling.

export type { ChoosingStage, FillingStage, ToolChoices, ToolPurpose } from "../stages/two-stages.js";
export { contextOf, convertError, convertRequest, convertResponse } from "./conversions.js";
export * from "./dialects.js";
export { type FromWire, fromGoogleGenAI, type ToWire, toGoogleGenAI } from "./drivers.js";
export type { Enforcement, SimulationTarget } from "./enforce.js";
export { type Grammar, type GrammarOptions, schemaGrammar, toolGrammar } from "./grammar.js";
export {
  type ParsedToolText,
  parseToolText,
  type ReadText,
  readToolText,
  TEXT_FORMATS,
  type TextFormatInfo,
  type TextFormatSource,
  type ToolTextReader,
  textFormatOf,
} from "./read.js";
export { type ResponseFormatOptions, simulateResponseFormat } from "./response-format.js";
export { type SimulationOptions, simulateTools } from "./simulate.js";
export type {
  SimulatedEvents,
  SimulatedRequest,
  Simulation,
  SimulationOption,
  SimulationReading,
} from "./simulation.js";
export type { TextConversion, TextOptions } from "./stage.js";
export { chooseTool, fillArguments } from "./stages.js";
export { convertStream, readStream, streamEvents } from "./streams.js";
export {
  callsAsText,
  type PromptOptions,
  resultsAsText,
  type TextFormat,
  toolPrompt,
  type WrittenText,
  writeCalls,
  writeResults,
} from "./write.js";
