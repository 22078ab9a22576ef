// Recognizes tools that are agents.

import type { Tool } from "../tool.js";

const functions = new WeakSet<object>();

export function markAgent(execute: object): void {
  functions.add(execute);
}

/** Whether a tool is a sub-agent, whose run can be continued. */
export function isAgentTool({ execute }: Tool): boolean {
  return execute !== undefined && functions.has(execute);
}
