// A run of 40 turns: `node main.js` prints each turn, and what is left in the memory at the end.

import { streamAgent } from "toolwire/toolkit";
import { deepAgent } from "./agent.js";
import { project } from "./project.js";
import { scriptedModel } from "./script.js";

const files = project();
const task = "Review every module in src/ and report how many functions there are and where something is left to do.";
const stream = streamAgent(deepAgent({ send: scriptedModel, model: "scripted", files, task }));

let longest = 0;
for await (const event of stream) {
  if (event.type === "request") longest = Math.max(longest, event.request.messages.length);
  if (event.type === "response") {
    const calls = event.response.toolCalls.map(({ name, arguments: { path } }) => (path ? `${name} ${path}` : name));
    console.log(`${event.iteration}. ${calls.join(", ") || event.response.text}`);
  }
  if (event.type === "toolEnd" && event.execution.status !== "done") console.log(event.execution);
}
const { reason, iterations, executions, usage, messages } = await stream.outcome;
const count = (name) => executions.filter(({ call }) => call.name === name).length;
console.log(
  `\nreason: ${reason}, turns: ${iterations}, plans: ${count("write_plan")}, sub-agents: ${count("review_file")}`,
);
console.log(`messages of the conversation: ${messages.length}, of the longest request: ${longest}`);
console.log(`tokens, those of the sub-agents included: ${usage.total}`);
console.log(`notes: ${[...files.keys()].filter((name) => name.startsWith("notes/")).length}`);
