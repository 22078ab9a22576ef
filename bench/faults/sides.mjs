// The same agent in three libraries, as their documentation writes it: one tool with a zod schema, and the same limits. Everything else has
// its default. A run resolves with `{isNormal, text, report}`: whether the library regards the run as complete, the final text, and all that
// it states about the end.

import { z } from "zod";

const name = "order";
const description = "Orders an item, and returns the number of the order.";
const parameters = z.strictObject({ item: z.string(), count: z.int() });
const prompt = "Order 21 pens.";
/** The limits of each run: requests, and the time of a call in milliseconds. */
const limits = { turns: 8, toolMs: 300 };

async function toolwire(fault, url, execute) {
  const { runAgent, sendTo, Toolkit, tool } = await import("../../pkg/dist/toolkit/index.js");
  const { reason, message, error, text } = await runAgent({
    request: {
      model: "scripted",
      messages: [{ role: "user", content: prompt }],
      ...(fault.toolChoice && { toolChoice: fault.toolChoice }),
    },
    toolkit: new Toolkit([tool({ name, description, parameters, execute, timeoutMs: limits.toolMs })]),
    send: sendTo({ to: "openai", baseUrl: url, apiKey: "none", stream: fault.isStream }),
    maxIterations: limits.turns,
    timeoutMs: fault.runMs,
  });
  return { isNormal: reason === "answer", text, report: [reason, message, reportOf(error)].join(" ") };
}

async function aiSdk(fault, url, execute) {
  const { isStepCount, tool, ToolLoopAgent } = await import("ai");
  const { createOpenAI } = await import("@ai-sdk/openai");
  const agent = new ToolLoopAgent({
    model: createOpenAI({ baseURL: url, apiKey: "none" }).chat("scripted"),
    tools: { [name]: tool({ description, inputSchema: parameters, execute }) },
    stopWhen: isStepCount(limits.turns),
    ...(fault.toolChoice && { toolChoice: fault.toolChoice }),
  });
  const call = { prompt, timeout: { totalMs: fault.runMs, toolMs: limits.toolMs } };
  const endOf = async (result, seen = []) => {
    const [text, reason] = await Promise.all([result.text, result.finishReason]);
    return { isNormal: reason === "stop" && seen.length === 0, text, report: [reason, ...seen].join(" ") };
  };
  if (!fault.isStream) return endOf(await agent.generate(call));
  const result = await agent.stream(call);
  const seen = [];
  for await (const part of result.stream) {
    if (part.type === "error") seen.push(reportOf(part.error));
    if (part.type === "abort") seen.push(`abort ${part.reason}`);
  }
  return endOf(result, seen);
}

async function openAiAgents(fault, url, execute) {
  const { Agent, OpenAIChatCompletionsModel, Runner, setTracingDisabled, tool } = await import("@openai/agents");
  const { default: OpenAI } = await import("openai");
  setTracingDisabled(true);
  const client = new OpenAI({ baseURL: url, apiKey: "none" });
  const agent = new Agent({
    name: "agent",
    model: new OpenAIChatCompletionsModel(client, "scripted"),
    tools: [tool({ name, description, parameters, execute, timeoutMs: limits.toolMs })],
    ...(fault.toolChoice && { modelSettings: { toolChoice: fault.toolChoice } }),
  });
  const options = { maxTurns: limits.turns, signal: AbortSignal.timeout(fault.runMs) };
  const runner = new Runner({ tracingDisabled: true });
  if (!fault.isStream) {
    const { finalOutput } = await runner.run(agent, prompt, options);
    return { isNormal: finalOutput !== undefined, text: finalOutput ?? "", report: "" };
  }
  const result = await runner.run(agent, prompt, { ...options, stream: true });
  for await (const _ of result);
  await result.completed;
  const { finalOutput, error, cancelled } = result;
  const isNormal = finalOutput !== undefined && !error && !cancelled;
  return { isNormal, text: finalOutput ?? "", report: `${reportOf(error)} ${cancelled ? "cancelled" : ""}` };
}

export const sides = { toolwire, "AI SDK 7": aiSdk, "OpenAI Agents": openAiAgents };

/** Everything that an error states, with its causes. */
export function reportOf(error, depth = 0) {
  if (error === undefined || error === null || depth > 5) return "";
  if (typeof error !== "object") return String(error);
  const { name, message, code, status, statusCode, cause, lastError } = error;
  const own = [name, code, status, statusCode, message].filter((part) => part !== undefined).join(" ");
  return [own, reportOf(cause, depth + 1), reportOf(lastError, depth + 1)].join(" ").trim();
}
