// Runs an agent whose model is a script, with the toolkit, which is loaded when the section is first used.

import { streamAgent, streamResumedAgent, Toolkit } from "toolwire/toolkit";
import type { AgentStep, ReadCall, Tasks } from "./protocol.ts";

type Json = Record<string, unknown>;
type Result = Tasks["agent"]["result"];
type Options = Parameters<typeof streamAgent>[0];
type Events = ReturnType<typeof streamAgent>;
type Event = Events extends AsyncIterable<infer One> ? One : never;
type Outcome = Awaited<Events["outcome"]>;
type Call = { id: string; name: string; arguments?: Json; rawArguments?: string; error?: string };

/** One turn of the scripted model. Arguments that are text are what a model writes: they may be broken. */
interface Turn {
  text?: string;
  calls?: { id?: string; name: string; arguments: unknown }[];
}

/** Runs the script from its start. `decisions` are those on calls that wait for approval, by id. */
export async function agent({ script, decisions }: Tasks["agent"]["task"]): Promise<Result> {
  const { messages, tools, model, options } = scriptOf(script);
  const run: Options = {
    ...options,
    request: { model: "scripted", messages } as Options["request"],
    toolkit: new Toolkit(tools.map(toolOf) as ConstructorParameters<typeof Toolkit>[0]),
    send: turnsOf(model),
  };
  const steps: AgentStep[] = [];
  let outcome = await follow(streamAgent(run), steps);
  while (outcome.reason === "unapproved" && outcome.pending.every(({ id }) => id in decisions)) {
    const given = Object.fromEntries(outcome.pending.map(({ id }) => [id, decisions[id] ?? false]));
    const request = { ...run.request, messages: outcome.messages };
    outcome = await follow(streamResumedAgent({ ...run, request, state: outcome.state, decisions: given }), steps);
  }
  return {
    steps,
    reason: outcome.reason,
    text: outcome.text,
    iterations: outcome.iterations,
    ...(outcome.message && { message: outcome.message }),
    pending: "pending" in outcome ? outcome.pending.map(asCall) : [],
  };
}

/** The parts of a script. Throws an error that names what is wrong with it. */
function scriptOf(text: string) {
  const { messages, tools = [], model = [], ...options } = JSON.parse(text) as Json;
  if (!Array.isArray(messages)) throw new Error("`messages` is a list: the conversation before the first request");
  if (!Array.isArray(tools)) throw new Error("`tools` is a list of tools, each with what it `returns`");
  if (!Array.isArray(model))
    throw new Error("`model` is a list of the model's turns, each with `text`, `calls` or both");
  return { messages, tools: tools as Json[], model: model as Turn[], options };
}

/** A tool that returns what the script states, or fails as it states. Without either, its calls are for the caller. */
function toolOf({ returns, fails, ...tool }: Json): Json {
  if (returns === undefined && fails === undefined) return tool;
  const execute = () => {
    if (fails !== undefined) throw new Error(String(fails));
    return returns;
  };
  return { ...tool, execute };
}

function turnsOf(turns: Turn[]): Options["send"] {
  let next = 0;
  return () => {
    const number = next++;
    const { text = "", calls = [] } = turns[number] ?? { text: "The script has no further turn." };
    const all = calls.map(({ id, name, arguments: given }, index) =>
      callOf(id ?? `call_${number + 1}_${index + 1}`, name, given),
    );
    const toolCalls = all.filter(({ arguments: given }) => given);
    const invalidToolCalls = all.filter(({ rawArguments }) => rawArguments !== undefined);
    const response = {
      message: {
        role: "assistant",
        content: text === "" ? [] : [{ type: "text", text }],
        ...(toolCalls.length > 0 && { toolCalls }),
        ...(invalidToolCalls.length > 0 && { invalidToolCalls }),
      },
      text,
      toolCalls,
      invalidToolCalls,
      finishReason: all.length > 0 ? "tool_calls" : "stop",
    };
    return response as unknown as Awaited<ReturnType<Options["send"]>>;
  };
}

function callOf(id: string, name: string, given: unknown): Call {
  const read = typeof given === "string" ? parsed(given) : given;
  const isObject = typeof read === "object" && read !== null && !Array.isArray(read);
  if (isObject) return { id, name, arguments: read as Json };
  const rawArguments = typeof given === "string" ? given : JSON.stringify(given ?? {});
  return { id, name, rawArguments, error: "not a JSON object" };
}

async function follow(events: Events, steps: AgentStep[]): Promise<Outcome> {
  for await (const event of events) {
    const step = stepOf(event);
    if (step) steps.push(step);
  }
  return events.outcome;
}

function stepOf(event: Event): AgentStep | undefined {
  const { iteration } = event;
  if (event.type === "request") return { type: "request", iteration, request: JSON.stringify(event.request) };
  if (event.type === "response") {
    const { message } = event.response;
    const calls = [...(message.toolCalls ?? []), ...(message.invalidToolCalls ?? [])];
    return { type: "response", iteration, text: textOf(message.content), calls: calls.map(asCall) };
  }
  if (event.type === "approval") return { type: "approval", iteration, call: asCall(event.call) };
  if (event.type === "repair") {
    return { type: "repair", iteration, problems: event.problems.map(({ message }) => message) };
  }
  if (event.type !== "toolEnd") return undefined;
  const { execution } = event;
  const result = "result" in execution ? (execution.result as { value?: unknown; content?: unknown }) : undefined;
  return {
    type: "result",
    iteration,
    call: asCall(execution.call),
    status: execution.status,
    result: result ? shortJson(result.value ?? result.content ?? result) : "",
    changes: execution.changes.map(
      ({ kind, path, from, to }) => `${kind} ${path} ${shortJson(from)} → ${shortJson(to)}`,
    ),
  };
}

const asCall = (call: Call): ReadCall => ({
  id: call.id,
  name: call.name,
  arguments: call.arguments ? JSON.stringify(call.arguments) : (call.rawArguments ?? ""),
  ...(call.error !== undefined && { error: call.error }),
});

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const blocks = Array.isArray(content) ? (content as { text?: unknown }[]) : [];
  return blocks.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join("");
}

const shortJson = (value: unknown) => (value === undefined ? "nothing" : JSON.stringify(value));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
