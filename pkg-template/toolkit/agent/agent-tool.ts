// A sub-agent that is a tool.

import { ToolError } from "../errors.js";
import type { CallContext, Tool } from "../tool.js";
import { agentOf } from "../turn.js";
import { runAgent } from "./agent.js";
import { markAgent } from "./agent-functions.js";
import type { AgentOptions } from "./options.js";
import type { AgentOutcome } from "./outcome.js";

/**
 * Returns a tool that runs an agent. In an agent run, the inner run is part of the calling run's state: its usage and
 * cost count towards the calling run, whose deadline and budget apply. Its approvals are requested from `approve` of
 * the calling run. Without `approve`, the calling run ends with the reason `unapproved`. A sub-agent that ends with a
 * reason other than `answer` or `stopped` is a failed call of type `agent_<reason>`.
 */
export function agentTool<Args = Record<string, any>, AppContext = any>(
  definition: Omit<Tool<Args, AppContext>, "execute"> & {
    agent: (args: Args, call: CallContext<AppContext>) => AgentOptions<AppContext>;
  },
): Tool<Args, AppContext> {
  const { agent, ...tool } = definition;
  const execute = async (args: Args, call: CallContext<AppContext>) => {
    const options = agent(args, call);
    const calling = agentOf(call);
    const settings: AgentOptions<AppContext> = {
      context: call.context,
      ...options,
      timeoutMs: options.timeoutMs ?? Number.MAX_SAFE_INTEGER,
      signal: options.signal ? AbortSignal.any([options.signal, call.signal]) : call.signal,
    };
    const outcome = (await (calling ? calling.run(settings) : alone(settings))) as AgentOutcome;
    call.addUsage(outcome.usage);
    if (outcome.reason === "answer" || outcome.reason === "stopped") return outcome.output ?? outcome.text;
    throw new ToolError(`The agent ended without a response (${outcome.reason}). ${outcome.message ?? ""}`.trim(), {
      type: `agent_${outcome.reason}`,
      retryable: false,
    });
  };
  markAgent(execute);
  return { timeoutMs: Number.POSITIVE_INFINITY, ...tool, execute };
}

/** Outside of an agent run, there is nothing that can wait. */
function alone<AppContext>(settings: AgentOptions<AppContext>): Promise<AgentOutcome> {
  const deny = () => ({ allow: false as const, reason: "there is no way to approve it" });
  return runAgent<AppContext>({ ...settings, approve: settings.approve ?? deny });
}
