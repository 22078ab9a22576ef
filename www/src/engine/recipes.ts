// How to convert parts of a body with the package's functions: within a request, as the page does.

import { type Conversion, convertRequest, type Dialect } from "toolwire";
import { bases } from "../../../build/generated/facts.js";
import { toolHolders } from "../../../pkg-template/command/convert.js";
import { memberText } from "../../../pkg-template/command/json-text.js";
import { itemsOf } from "./frames.ts";
import { formOf, isPiece, type PieceKind } from "./pieces.ts";
import type { Kind, Recipe } from "./protocol.ts";
import { firstResult, inConversation } from "./results.ts";

type Json = Record<string, unknown>;

/** The shortest conversation of the formats that have no `messages`, as code. */
const conversations: Partial<Record<Dialect, string>> = {
  gemini: 'contents: [{ role: "user", parts: [{ text: "Hi" }] }]',
  "openai-responses": 'input: "Hi"',
  "gemini-interactions": 'input: "Hi"',
  bedrock: 'messages: [{ role: "user", content: [{ text: "Hi" }] }]',
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
  const holder = holderOf(conversion.from);
  const given = holder ? `${holder}: { tools: ${tools} }` : `tools: ${tools}`;
  return { body: `{ ${conversationOf(conversion.from)}, ${given} }`, take: `${toolsOf(conversion.to)} ?? []` };
}

const holderOf = (dialect: Dialect) =>
  (toolHolders as Record<string, string>)[(bases as Record<string, string>)[dialect] ?? dialect];

/** Where a converted request has its tools, as code. */
function toolsOf(to: Dialect): string {
  const holder = holderOf(to);
  return holder ? `converted.${holder}?.tools` : "converted.tools";
}

/** A request with the piece in it, and what to take of the converted one. */
function pieceRecipe(kind: PieceKind, value: unknown, { from, to }: Conversion): Recipe | undefined {
  const single = !Array.isArray(value);
  const { turns, calls, schema, system } = formOf(to);
  const spread = single ? "piece" : "...piece";
  const [here, own] = [formOf(from), `converted.${turns}`];
  if (kind === "messages") {
    const whole = system ? `converted.${system} ? { ${system}: converted.${system}, ${turns}: ${own} } : ` : "";
    return {
      body: `{ ${here.turns}: [${spread}] }`,
      take: `${whole}${single ? `${own}.length === 1 ? ${own}[0] : ${own}` : own}`,
    };
  }
  if (kind === "schema") {
    const way = schema.map((step) =>
      step === "functionDeclarations" ? "functionDeclarations[0]" : step.split("|")[0],
    );
    const body = `{ messages: [{ role: "user", content: "Hi" }], tools: [{ name: "f", parameters: piece }] }`;
    return { body, take: `${toolsOf(to)}[0].${way.join(".")}`, from: "canonical" };
  }
  if (!here.model || !calls || to === "universal") return undefined;
  const turn = `${here.model[0]}${spread}${here.model[1]}`;
  const all = `${own}.flatMap((turn: any) => turn.${calls} ?? [])`;
  const only =
    calls === "content" || calls === "parts"
      ? `.filter((part: any) => part.type === "tool_use" || part.functionCall)`
      : "";
  return { body: `{ ${here.turns}: [${here.user}, ${turn}] }`, take: `${all}${only}${single ? "[0]" : ""}` };
}

/** Code: the conversation with `piece` in it, and what to take of the converted one. */
function resultRecipe(value: unknown, conversion: Conversion): Recipe {
  const { template, place } = inConversation(value, conversion.from);
  const converted = JSON.parse(convertRequest(template, conversion)) as Json;
  const { list, first } = firstResult(converted);
  const count = itemsOf(memberText(convertRequest(place(JSON.stringify(value)).body, conversion), list) ?? "[]").length;
  const turns = `converted.${list}`;
  const take = count - first === 1 ? `${turns}[${first}]` : `${turns}.slice(${first})`;
  return { body: place("piece").body, take };
}
