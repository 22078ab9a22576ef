// How to convert parts of a body with the package's functions: within a request, as the page does.

import type { Conversion, Dialect } from "toolwire";
import { bases } from "../../../build/generated/facts.js";
import { isPiece, pieceRecipe } from "./pieces.ts";
import type { Kind, Recipe } from "./protocol.ts";
import { resultRecipe } from "./results.ts";

/** The shortest conversation of the formats that have no `messages`, as code. */
const conversations: Partial<Record<Dialect, string>> = {
  gemini: 'contents: [{ role: "user", parts: [{ text: "Hi" }] }]',
  "openai-responses": 'input: "Hi"',
};
const messages = 'messages: [{ role: "user", content: "Hi" }]';

export function conversationOf(dialect: Dialect): string {
  return conversations[((bases as Record<string, string>)[dialect] ?? dialect) as Dialect] ?? messages;
}

export function recipeOf(kind: Kind, value: unknown, conversion: Conversion): Recipe | undefined {
  if (value === undefined) return undefined;
  if (kind === "result") return resultRecipe(value, conversion);
  if (isPiece(kind)) return pieceRecipe(kind, value, conversion);
  if (kind !== "tools") return undefined;
  const tools = Array.isArray(value) ? "piece" : "piece.tools";
  return { body: `{ ${conversationOf(conversion.from)}, tools: ${tools} }`, take: "converted.tools ?? []" };
}
