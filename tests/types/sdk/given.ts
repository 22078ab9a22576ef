// What the tests of this folder start from. Declared, not written out: nothing may depend on what a literal happens to hold.

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
