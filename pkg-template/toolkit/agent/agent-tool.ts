// A sub-agent that is a tool.

import { ToolError } from "../errors.js";
import type { CallContext, Tool } from "../tool.js";
import { agentOf } from "../turn.js";
import { runAgent } from "./agent.js";
import type { AgentOptions } from "./options.js";

/**
 * Returns a tool that runs an agent. Its usage and cost count towards the calling run, the calling run's deadline
 * applies, and approvals are requested from the calling run's `approve`. Without `approve`, they are denied. A
 * sub-agent that ends with a reason other than `answer` or `stopped` is a failed call of type `agent_<reason>`.
 */
export function agentTool<Args = Record<string, any>, AppContext = any>(
  definition: Omit<Tool<Args, AppContext>, "execute"> & {
    agent: (args: Args, call: CallContext<AppContext>) => AgentOptions<AppContext>;
  },
): Tool<Args, AppContext> {
  const { agent, ...tool } = definition;
  return {
    timeoutMs: Number.POSITIVE_INFINITY,
    ...tool,
    async execute(args: Args, call: CallContext<AppContext>) {
      const options = agent(args, call);
      const calling = agentOf(call);
      const approve =
        options.approve ??
        calling?.approve ??
        (() => ({ allow: false as const, reason: "there is no way to approve it" }));
      const outcome = await runAgent<AppContext>({
        context: call.context,
        ...options,
        approve,
        timeoutMs: options.timeoutMs ?? Number.MAX_SAFE_INTEGER,
        signal: options.signal ? AbortSignal.any([options.signal, call.signal]) : call.signal,
      });
      call.addUsage(outcome.usage);
      calling?.addCost(outcome.cost);
      if (outcome.reason === "answer" || outcome.reason === "stopped") return outcome.output ?? outcome.text;
      const detail = outcome.reason === "error" ? `: ${outcome.error.message}` : "";
      throw new ToolError(`The agent ended without a response (${outcome.reason})${detail}.`, {
        type: `agent_${outcome.reason}`,
        retryable: false,
      });
    },
  };
}
