// A scripted model, so that the example runs without a key. It sees only its requests: it could not continue if they lacked the plan, a
// note or a result of a sub-agent.

let ids = 0;

function respond(text, calls = []) {
  const toolCalls = calls.map(([name, args]) => ({ id: `call_${++ids}`, name, arguments: args }));
  const content = text ? [{ type: "text", text }] : [];
  const message = { role: "assistant", content, ...(toolCalls.length > 0 && { toolCalls }) };
  const usage = { input: 100, output: 20, total: 120 };
  const finishReason = toolCalls.length > 0 ? "tool_calls" : "stop";
  return { message, text, toolCalls, invalidToolCalls: [], finishReason, usage };
}

/** A `Send`. Replace it by `sendTo({ to: "anthropic", apiKey: process.env.ANTHROPIC_API_KEY })` for a real model. */
export async function scriptedModel({ messages }) {
  const last = messages.at(-1);
  const [system] = messages;
  return system.content.startsWith("You review") ? review(last) : work(stepsOf(system.content), last, messages);
}

/** The reviewer: reads the file, then summarizes it. */
function review(last) {
  if (last.role === "user") return respond("", [["read_file", { path: last.content.slice("Review ".length, -1) }]]);
  const functions = last.value.match(/^export function/gm).length;
  const todos = last.value.match(/TODO/g)?.length ?? 0;
  return respond(`${functions} functions${todos > 0 ? `, ${todos} to do` : ""}`);
}

/** The agent: looks around, plans, and for each step lets the file be reviewed, notes the result and updates the plan. */
function work(steps, last, messages) {
  if (last.role === "user") return respond("I look at the project first.", [["list_files", { folder: "src/" }]]);
  if (last.name === "list_files" && steps.length === 0)
    return planned(last.value.map((task) => ({ task, status: "pending" })));
  if (last.name === "review_file")
    return respond("", [["write_file", { path: noteOf(active(steps)), content: last.value }]]);
  if (last.name === "write_file")
    return planned(steps.map((step) => (step.status === "active" ? { ...step, status: "done" } : step)));
  if (last.name === "write_plan" && active(steps)) return respond("", [["review_file", { path: active(steps) }]]);
  if (last.name === "write_plan")
    return respond(
      "I read my notes.",
      steps.map(({ task }) => ["read_file", { path: noteOf(task) }]),
    );
  return respond(summary(messages));
}

/** The plan with its first pending step made active. */
function planned(steps) {
  const next = steps.findIndex(({ status }) => status === "pending");
  return respond("", [
    ["write_plan", { steps: steps.map((step, index) => (index === next ? { ...step, status: "active" } : step)) }],
  ]);
}

const active = (steps) => steps.find(({ status }) => status === "active")?.task;
const noteOf = (task) => task.replace("src/", "notes/").replace(".js", ".md");

/** The steps of the plan in the instructions. */
function stepsOf(instructions) {
  return [...instructions.matchAll(/^- \[(\w+)\] (.*)$/gm)].map(([, status, task]) => ({ task, status }));
}

function summary(messages) {
  const calls = messages.findLast(({ role }) => role === "assistant").toolCalls;
  const notes = messages.filter(({ role, name }) => role === "tool" && name === "read_file").slice(-calls.length);
  const functions = notes.reduce((sum, { value }) => sum + Number.parseInt(value, 10), 0);
  const todo = calls.filter((_, index) => notes[index].value.includes("to do")).map(({ arguments: { path } }) => path);
  return `${notes.length} modules have ${functions} functions. Something is left to do in ${todo.join(" and ")}.`;
}
