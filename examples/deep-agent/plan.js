// A plan that the model maintains through a tool. It is part of every request, so it outlives what is removed from the history.

import { ToolError, tool } from "toolwire/toolkit";

const step = {
  type: "object",
  properties: {
    task: { type: "string" },
    status: { type: "string", enum: ["pending", "active", "done"] },
  },
  required: ["task", "status"],
  additionalProperties: false,
};

export class Plan {
  steps = [];

  get tool() {
    return tool({
      name: "write_plan",
      description: "Replaces the plan. Write the whole plan each time: all steps, of which at most one is active.",
      parameters: {
        type: "object",
        properties: { steps: { type: "array", items: step, minItems: 1 } },
        required: ["steps"],
        additionalProperties: false,
      },
      execute: ({ steps }) => {
        if (steps.filter(({ status }) => status === "active").length > 1) {
          throw new ToolError("Several steps are active. Work on one step at a time.", { type: "invalid_plan" });
        }
        this.steps = steps;
        return `${steps.filter(({ status }) => status === "done").length} of ${steps.length} steps are done.`;
      },
    });
  }

  toString() {
    if (this.steps.length === 0) return "There is no plan yet. Write one first.";
    return ["The plan:", ...this.steps.map(({ task, status }) => `- [${status}] ${task}`)].join("\n");
  }
}
