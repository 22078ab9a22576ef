// The inputs of the tests in this folder. They are declared without values, so that no test depends on the type of a literal.

import type {
  ChatRequestInput,
  ChatResponse,
  MessageInput,
  NativeTool,
  ToolChoice,
  ToolDefinition,
} from "../../../pkg/dist/index.js";

export declare const request: ChatRequestInput;
export declare const response: ChatResponse;
export declare const messages: MessageInput[];
export declare const tools: (ToolDefinition | NativeTool)[];
export declare const toolChoice: ToolChoice;
