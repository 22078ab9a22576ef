// The client of Gemini Interactions in `@google/genai` accepts the output of this package, and this package its responses. No casts.

import type { GoogleGenAI, Interactions } from "@google/genai";
import * as toolwire from "../../../pkg/dist/index.js";
import { messages, request, response, toolChoice, tools } from "./given.js";

type Body = Interactions.CreateModelInteractionParamsNonStreaming;

// Requests, whole and in pieces.
export const body: Body = toolwire.toGeminiInteractions(request);
export const theirTools: Interactions.Tool[] = toolwire.toGeminiInteractionsTools(tools);
export const theirChoice: Interactions.GenerationConfig["tool_choice"] =
  toolwire.toGeminiInteractionsToolChoice(toolChoice);
export const theirMessages: Pick<Body, "input" | "system_instruction"> =
  toolwire.toGeminiInteractionsMessages(messages);
export const config: Pick<Body, "tools" | "generation_config"> = toolwire.toGeminiInteractionsToolConfig({
  tools,
  toolChoice,
});

// What the client sends, and what it reads.
export const canonical = (theirs: Body) => toolwire.fromGeminiInteractionsRequest(theirs);
export const answered = (theirs: Interactions.Interaction) => toolwire.fromGeminiInteractions(theirs);
export const calls = (theirs: Interactions.Interaction) => toolwire.fromGeminiInteractionsToolCalls(theirs).toolCalls;
export const steps: Interactions.Step[] = toolwire.toGeminiInteractionsResponse(response).steps;

/** A turn with the client, whose request is neither streamed nor of an agent. */
export async function turn(client: GoogleGenAI): Promise<Body["input"]> {
  const { stream: _, ...whole } = toolwire.toGeminiInteractions(request);
  const theirs = await client.interactions.create(whole);
  const converted = toolwire.fromGeminiInteractions(theirs);
  const next = [converted.message, ...converted.toolCalls.map((call) => toolwire.toolResult(call, 1))];
  return toolwire.toGeminiInteractionsMessages(next).input;
}

// The client's stream.
export async function text(client: GoogleGenAI): Promise<string[]> {
  const { stream: _, ...whole } = toolwire.toGeminiInteractions(request);
  const stream = await client.interactions.create({ ...whole, stream: true });
  const texts: string[] = [];
  for await (const event of toolwire.streamEvents(stream, { from: "gemini-interactions" })) {
    if (event.type === "textDelta") texts.push(event.text);
  }
  return texts;
}

// The types by name.
export const step = (ours: toolwire.GeminiInteractionsStep): Interactions.Step => ours;
export const content = (ours: toolwire.GeminiInteractionsContent): Interactions.Content => ours;
