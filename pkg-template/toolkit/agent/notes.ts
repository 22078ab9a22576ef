// Messages that the loop itself adds for the model, as user messages.

import type { JsonSchema, Message } from "toolwire";
import type { Problem } from "#core";

/** Marks messages that the loop added. The mark is never sent. */
const written = { metadata: { toolwire: { note: true } } };

function note(content: string): Message {
  return { role: "user", content, ...written };
}

/** Whether the loop added this message. */
export function isNote({ metadata }: Message): boolean {
  return (metadata?.toolwire as { note?: unknown } | undefined)?.note === true;
}

export function repeatedNote(names: readonly string[]): Message {
  const calls = names.length === 1 ? `The call of ${names[0]}` : `These calls (${names.join(", ")})`;
  return note(
    `${calls} had the same arguments and the same result as before. Do not repeat it: use the result, try other arguments, or respond without the tool.`,
  );
}

export function malformedNote(): Message {
  return note(
    "Your last response could not be processed. Respond again: either in words, or with a call of one of the tools.",
  );
}

export function emptyNote(): Message {
  return note("Your last response was empty. Respond in words, or with a call of one of the tools.");
}

export function outputNote(schema: JsonSchema, problems: readonly Problem[]): Message {
  const reasons = problems.map(({ message }) => `- ${message}`).join("\n");
  return note(
    `Your response is not a valid value:\n${reasons}\nRespond with nothing but a JSON value that follows this JSON Schema:\n${JSON.stringify(schema)}`,
  );
}
