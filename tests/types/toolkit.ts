// The types of `toolwire/toolkit`: what `execute` receives is inferred from the parameters, and wrong use does not compile.

import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import type { ToolCall, ToolResult } from "../../pkg/dist/index.js";
import { type AgentOutcome, mcpTools, multimodal, type Tool, Toolkit, tool } from "../../pkg/dist/toolkit/index.js";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function is<_Proof extends true>(): void {}

export const zod = tool({
  name: "zod",
  parameters: z.object({ city: z.string(), days: z.number().default(3), at: z.string().transform((s) => new Date(s)) }),
  execute(args) {
    is<Equal<typeof args, { city: string; days: number; at: Date }>>();
    return args.at.getTime();
  },
  needsApproval: (args) => args.days > 3,
});

export const ark = tool({
  name: "ark",
  parameters: type({ city: "string", "days?": "number" }),
  execute: (args) => {
    is<Equal<typeof args.city, string>>();
    is<Equal<typeof args.days, number | undefined>>();
    return args.city;
  },
});

export const valibot = tool({
  name: "valibot",
  parameters: toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.number(), 3) })),
  execute(args) {
    is<Equal<typeof args, { city: string; days: number }>>();
    return args.days;
  },
});

export const defined = tool({
  name: "defined",
  parameters: [
    { name: "city", type: "string" },
    { name: "days", type: "integer", required: false },
    { name: "exact", type: "boolean", default: true },
    { name: "tags", type: "array", items: { type: "string" } },
  ],
  execute(args, { signal, attempt }) {
    is<Equal<typeof args.city, string>>();
    is<Equal<typeof args.days, number | undefined>>();
    is<Equal<typeof args.exact, boolean>>();
    is<Equal<typeof signal, AbortSignal>>();
    is<Equal<typeof attempt, number>>();
    // @ts-expect-error: there is no such parameter
    return args.country;
  },
});

export const plain = tool({
  name: "plain",
  parameters: { type: "object", properties: { city: { type: "string" } } },
  execute: (args) => args.anything,
});

interface Declared {
  city: string;
}
export const declared = tool<Declared>({
  name: "declared",
  parameters: { type: "object" },
  // @ts-expect-error: a city is a string
  execute: (args) => args.city.toFixed(),
});

export const none = tool({ name: "none", execute: () => multimodal([{ type: "text", text: "done" }]) });

// @ts-expect-error: a tool needs a name
tool({ execute: () => 1 });
// @ts-expect-error: there is no such policy
tool({ name: "wrong", onRateLimit: "ignore" });
// @ts-expect-error: no such type of parameter
tool({ name: "wrong", parameters: [{ name: "a", type: "date" }] });

interface App {
  user: string;
}
const withContext: Tool<Declared, App> = {
  name: "with_context",
  execute: (args, { context }) => context.user + args.city,
};
const toolkit = new Toolkit<App>([zod, ark, valibot, defined, plain, none, withContext], {
  authorize: (_tool, _call, { context }) => context.user === "admin",
  around: (_call, _tool, next) => next(),
});

export async function use(calls: ToolCall[]): Promise<ToolResult[]> {
  const executions = await toolkit.run(calls, { context: { user: "admin" }, approve: () => ({ allow: true }) });
  // @ts-expect-error: not the context of this toolkit
  await toolkit.run(calls, { context: { name: "x" } });
  const stream = toolkit.stream(calls);
  for await (const event of stream) if (event.type === "toolEnd") is<Equal<typeof event.time, number>>();
  return executions.flatMap((execution) => {
    // @ts-expect-error: not every execution has a result
    execution.result;
    return execution.status === "done" || execution.status === "failed" ? [execution.result] : [];
  });
}

export function pendingOf(outcome: AgentOutcome): ToolCall[] {
  // @ts-expect-error: only a run that waits has pending calls
  outcome.pending;
  if (outcome.reason !== "unapproved" && outcome.reason !== "external") return [];
  is<Equal<typeof outcome.pending, ToolCall[]>>();
  return outcome.pending;
}

type McpClient = Parameters<typeof mcpTools>[0];
export const listed = (client: McpClient) =>
  mcpTools(client, { policy: ({ name }) => (name === "delete" ? { dangerous: true } : undefined) });
