// The programs that most users know a format by. docs/guides/coding-agents.md has their settings.

import { apis } from "virtual:apis";
import type { Dialect } from "toolwire";
import { dialectName, sentence } from "./names.ts";

const clients: Partial<Record<Dialect, string[]>> = {
  openai: ["opencode", "Qwen Code", "pi", "Cline", "Zed"],
  "openai-responses": ["Codex"],
  anthropic: ["Claude Code"],
  gemini: ["Gemini CLI"],
};

/** The programs that speak a format; empty if none is known by it. */
export const clientsOf = (dialect: Dialect) => (clients[dialect] ?? []).join(", ");

/** What the documentation calls a format, and the programs that speak it. */
export function aboutFormat(dialect: Dialect): string {
  const spoken = clientsOf(dialect);
  const name = sentence((apis as Partial<Record<Dialect, string>>)[dialect] ?? dialectName(dialect));
  return spoken ? `${name}: what ${spoken} can speak` : name;
}
