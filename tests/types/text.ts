// The types of the conversions with simulated tools, as an application sees them.

import type {
  AnthropicRequest,
  ChatRequest,
  ChatResponse,
  InvalidToolCall,
  OpenAIRequest,
  StreamConverter,
  ToolCall,
} from "../../pkg/dist/index.js";
import {
  chooseTool,
  contextOf,
  convertRequest,
  convertResponse,
  convertStream,
  fillArguments,
  fromOpenAI,
  type Simulation,
  simulateResponseFormat,
  simulateTools,
  type TextConversion,
  toAnthropic,
  toOpenAI,
} from "../../pkg/dist/text/index.js";

declare const simulation: Simulation;
declare const request: ChatRequest;
const conversion = { from: "canonical", to: "openai", simulateTools: simulation } as const satisfies TextConversion;

export const object: OpenAIRequest = convertRequest(request, conversion);
export const text: string = convertRequest("{}", conversion);
export const bytes: Uint8Array = convertRequest(new Uint8Array(), conversion);
export const whole: ChatResponse = convertResponse({}, { from: "openai", to: "canonical", simulateTools: simulation });
export const stream: StreamConverter = convertStream(conversion);
export const body: AnthropicRequest = toAnthropic(request, { simulateTools: simulation });
// a literal `stream` keeps its type, by which SDKs select the type of the response
export const streamed: true = toOpenAI({ ...request, stream: true }, { simulateTools: simulation }).stream;
export const response: ChatResponse = fromOpenAI(
  {},
  { simulateTools: simulation, context: contextOf(request, conversion) },
);

// @ts-expect-error: not a stage
toOpenAI(request, { simulateTools: 5 });
// @ts-expect-error: no such option
toOpenAI(request, { simulateTool: simulation });
// @ts-expect-error: no such format
convertRequest(request, { from: "canonical", to: "nowhere", simulateTools: simulation });

export const stage: Simulation = simulateTools({ format: "hermes_json", place: "user", examples: false });
export const byOptions: OpenAIRequest = toOpenAI(request, { simulateTools: { format: "auto" } });
export const byFormat: OpenAIRequest = toOpenAI(request, { simulateTools: "hermes_json" });
// @ts-expect-error: no such option
simulateTools({ format: "json", examples: true });
// @ts-expect-error: the format is required
simulateTools({ place: "user" });

export const enforced: Simulation = simulateTools({ format: "json", enforce: "llama.cpp" });
export const structured: Simulation = simulateResponseFormat({ enforce: "auto", place: "systemStart" });
// @ts-expect-error: no such server
simulateTools({ format: "json", enforce: "nobody" });
// @ts-expect-error: simulateResponseFormat has no option `format`
simulateResponseFormat({ format: "json" });

const chosen: { reasoning?: string; answer?: string; choices: { name: string; purpose?: string }[] } =
  chooseTool(request).read(whole);
export const filled: ToolCall | InvalidToolCall = fillArguments(request, chosen.choices[0] ?? { name: "f" }).read(
  whole,
);
export const second: ChatRequest = fillArguments(request, { name: "f", purpose: "p" }).request;
