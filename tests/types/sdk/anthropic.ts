// The SDK `@anthropic-ai/sdk` accepts the output of this package, and this package the SDK's responses. No casts.

import type Anthropic from "@anthropic-ai/sdk";
import type {
  BetaMessage,
  BetaMessageParam,
  BetaToolChoice,
  BetaToolUnion,
} from "@anthropic-ai/sdk/resources/beta/messages";
import type {
  ContentBlock,
  ContentBlockParam,
  Message,
  MessageCreateParams,
  MessageCreateParamsNonStreaming,
  MessageCreateParamsStreaming,
  MessageParam,
  MessageStreamEvent,
  StopReason,
  TextBlockParam,
  ThinkingConfigParam,
  Tool,
  ToolChoice,
  ToolResultBlockParam,
  ToolUnion,
  ToolUseBlockParam,
  Usage,
} from "@anthropic-ai/sdk/resources/messages";
import * as toolwire from "../../../pkg/dist/index.js";
import { messages, request, response, toolChoice, tools } from "./given.js";

// Requests, whole and in pieces.
export const body: MessageCreateParams = toolwire.toAnthropic(request);
export const once: MessageCreateParamsNonStreaming = { ...toolwire.toAnthropic(request), stream: false };
export const streamed: MessageCreateParamsStreaming = { ...toolwire.toAnthropic(request), stream: true };
export const theirTools: ToolUnion[] = toolwire.toAnthropicTools(tools);
export const theirChoice: ToolChoice = toolwire.toAnthropicToolChoice(toolChoice);
export const theirMessages: MessageParam[] = toolwire.toAnthropicMessages(messages).messages;
export const system: string | TextBlockParam[] | undefined = toolwire.toAnthropicMessages(messages).system;
export const config: Pick<MessageCreateParams, "tools" | "tool_choice"> = toolwire.toAnthropicToolConfig({
  tools,
  toolChoice,
  parallelToolCalls: false,
});
export const assembled: MessageCreateParamsNonStreaming = {
  model: "m",
  max_tokens: 1024,
  ...toolwire.toAnthropicMessages(messages),
  ...toolwire.toAnthropicToolConfig({ tools, toolChoice }),
};
export const betaTools: BetaToolUnion[] = toolwire.toAnthropicTools(tools);
export const betaChoice: BetaToolChoice = toolwire.toAnthropicToolChoice(toolChoice);
export const betaMessages: BetaMessageParam[] = toolwire.toAnthropicMessages(messages).messages;
export const schema: Tool.InputSchema = toolwire.toAnthropicSchema({ type: "object" });

// Responses, as a gateway writes them.
export const message: Message = toolwire.toAnthropicResponse(response);
export const content: ContentBlock[] = toolwire.toAnthropicResponse(response).content;
export const reason: StopReason | null = toolwire.toAnthropicResponse(response).stop_reason;
export const usage: Usage = toolwire.toAnthropicResponse(response).usage;

// The SDK's responses.
export async function turn(client: Anthropic): Promise<MessageParam[]> {
  const theirs: Message = await client.messages.create({ ...toolwire.toAnthropic(request), stream: false });
  const converted = toolwire.fromAnthropic(theirs);
  const next = [converted.message, ...converted.toolCalls.map((call) => toolwire.toolResult(call, 1))];
  return toolwire.toAnthropicMessages(next).messages;
}
export const beta = (theirs: BetaMessage) => toolwire.fromAnthropic(theirs).toolCalls;
export const calls = (theirs: Message) => toolwire.fromAnthropicToolCalls(theirs).toolCalls;
export const canonical = (params: MessageCreateParams) => toolwire.fromAnthropicRequest(params);

// The SDK's streams, of both kinds.
export async function text(client: Anthropic): Promise<string[]> {
  const events = await client.messages.create(streamed);
  const accumulated = client.messages.stream(streamed);
  const texts: string[] = [];
  for (const stream of [events, accumulated]) {
    for await (const event of toolwire.streamEvents(stream, { from: "anthropic" })) {
      if (event.type === "textDelta") texts.push(event.text);
    }
  }
  return texts;
}
export const pushed = (event: MessageStreamEvent) => toolwire.readStream({ from: "anthropic" }).push(event);

// The types by name.
export const used = (block: toolwire.AnthropicToolUse): ToolUseBlockParam => block;
export const resulted = (block: toolwire.AnthropicToolResult): ToolResultBlockParam => block;
export const shown = (block: toolwire.AnthropicUserBlock | toolwire.AnthropicAssistantBlock): ContentBlockParam =>
  block;
export const thought = (config: toolwire.AnthropicThinking): ThinkingConfigParam => config;
